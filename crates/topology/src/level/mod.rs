//! [`Level`]: how far apart two devices are, in the words of `nvidia-smi topo -m`.

mod between;
mod convention;
mod number;

pub(crate) use between::{between, pcie};
pub use convention::Convention;

use std::cmp::Ordering;
use std::fmt;

/// Says over what the way between two devices leads, the best first.
///
/// Printed as tools do: `X`, `NV4`, `XGMI2`, `PIX`, `PXB`, `PHB`, `NODE`, `SYS`, and
/// `NET` between hosts (NCCL's word).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// It is the same device.
    Same,
    /// So many `NVLink`s, directly or over switches.
    NvLink(u32),
    /// So many xGMI links.
    Xgmi(u32),
    /// At most one `PCIe` switch.
    Pix,
    /// Several `PCIe` switches, and no host bridge.
    Pxb,
    /// One host bridge.
    Phb,
    /// Host bridges of one NUMA node.
    Node,
    /// NUMA nodes of one host.
    Sys,
    /// The network.
    Net,
}

impl Level {
    /// Returns the place of the kind in the order.
    fn class(self) -> u8 {
        match self {
            Self::Same => 0,
            Self::NvLink(_) => 1,
            Self::Xgmi(_) => 2,
            Self::Pix => 3,
            Self::Pxb => 4,
            Self::Phb => 5,
            Self::Node => 6,
            Self::Sys => 7,
            Self::Net => 8,
        }
    }

    fn count(self) -> u32 {
        match self {
            Self::NvLink(count) | Self::Xgmi(count) => count,
            _ => 0,
        }
    }
}

/// Orders the nearest first: more links before fewer, links before `PCIe`.
impl Ord for Level {
    fn cmp(&self, other: &Self) -> Ordering {
        let kind = self.class().cmp(&other.class());
        kind.then(other.count().cmp(&self.count()))
    }
}

impl PartialOrd for Level {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => formatter.write_str("X"),
            Self::NvLink(count) => write!(formatter, "NV{count}"),
            Self::Xgmi(count) => write!(formatter, "XGMI{count}"),
            Self::Pix => formatter.write_str("PIX"),
            Self::Pxb => formatter.write_str("PXB"),
            Self::Phb => formatter.write_str("PHB"),
            Self::Node => formatter.write_str("NODE"),
            Self::Sys => formatter.write_str("SYS"),
            Self::Net => formatter.write_str("NET"),
        }
    }
}
