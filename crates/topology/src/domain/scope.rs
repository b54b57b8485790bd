//! [`Scope`]: kinds of domains, from near to far.

use std::fmt;

/// Says what devices have in common, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// They are one device.
    Device,
    /// They hang on one `PCIe` switch, directly (`PIX`).
    PcieSwitch,
    /// They hang on one link of a NUMA node, over switches (`PIX`, `PXB`).
    PcieRoot,
    /// They are on one NUMA node.
    NumaNode,
    /// They are in one host.
    Host,
    /// `NVLink` or xGMI leads from each to each, directly or over others.
    NvLinkDomain,
    /// They are in one rack.
    Rack,
    /// They are in one block of racks.
    Block,
    /// They are in one document.
    Fabric,
}

impl Scope {
    /// All scopes, the nearest first.
    pub const ALL: [Self; 9] = [
        Self::Device,
        Self::PcieSwitch,
        Self::PcieRoot,
        Self::NumaNode,
        Self::Host,
        Self::NvLinkDomain,
        Self::Rack,
        Self::Block,
        Self::Fabric,
    ];

    /// Returns the name, as a `PlacementPolicy` has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::PcieSwitch => "pcieSwitch",
            Self::PcieRoot => "pcieRoot",
            Self::NumaNode => "numaNode",
            Self::Host => "host",
            Self::NvLinkDomain => "nvLinkDomain",
            Self::Rack => "rack",
            Self::Block => "block",
            Self::Fabric => "fabric",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
