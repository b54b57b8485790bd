//! [`Wire`]: what links two devices beside `PCIe`.

use crate::rate::Rate;

/// Says whose links they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Make {
    /// `NVLink`.
    NvLink,
    /// xGMI.
    Xgmi,
}

/// Is what links two devices, directly or over switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wire {
    /// Whose links they are.
    pub make: Make,
    /// How many links there are.
    pub count: u32,
    /// Rate per direction of all of them, where it is known.
    pub rate: Option<Rate>,
}
