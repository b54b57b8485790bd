//! [`VertexKind`] and [`LinkType`]: the words of the format.

use serde::{Deserialize, Serialize};

/// Says what a vertex is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum VertexKind {
    /// A device that computes.
    #[default]
    Gpu,
    /// A network card.
    Nic,
    /// A `PCIe` switch or bridge.
    PcieSwitch,
    /// A switch chip of an `NVLink` fabric.
    NvSwitch,
    /// A NUMA node with its `PCIe` roots.
    NumaNode,
    /// A machine, or a compute tray.
    Host,
    /// The machines of one `NVLink` fabric, usually a rack.
    NvLinkDomain,
    /// Racks with a network of their own.
    Block,
    /// The network over all blocks.
    Fabric,
}

/// Says what a link is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum LinkType {
    /// `NVLink` between two devices.
    NVLink,
    /// `NVLink` of a device into a switch or a domain.
    NVSwitch,
    /// `NVLink` between two switches.
    NVSwitchTrunk,
    /// A host is in an `NVLink` domain.
    NVLinkTray,
    /// `NVLink` of a device to a processor.
    NVLinkCPU,
    /// xGMI between two devices.
    XGMI,
    /// `PCIe`.
    #[default]
    PCIe,
    /// `NVLink` chip to chip, device to processor.
    C2C,
    /// Between NUMA nodes.
    Sys,
    /// A NUMA node is in a host.
    Host,
    /// A device is in a host, with its links into the `NVLink` domain of that host.
    Tray,
    /// A step up in the network.
    NetTier,
}

impl LinkType {
    /// Returns the word of the format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NVLink => "NVLink",
            Self::NVSwitch => "NVSwitch",
            Self::NVSwitchTrunk => "NVSwitchTrunk",
            Self::NVLinkTray => "NVLinkTray",
            Self::NVLinkCPU => "NVLinkCPU",
            Self::XGMI => "XGMI",
            Self::PCIe => "PCIe",
            Self::C2C => "C2C",
            Self::Sys => "Sys",
            Self::Host => "Host",
            Self::Tray => "Tray",
            Self::NetTier => "NetTier",
        }
    }

    /// Says whether the link places one end inside the other.
    pub(crate) fn contains(self) -> bool {
        matches!(
            self,
            Self::PCIe
                | Self::C2C
                | Self::NVLinkCPU
                | Self::Host
                | Self::Tray
                | Self::NVLinkTray
                | Self::NetTier
        )
    }
}

impl VertexKind {
    /// Returns the word of the format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Nic => "nic",
            Self::PcieSwitch => "pcieSwitch",
            Self::NvSwitch => "nvSwitch",
            Self::NumaNode => "numaNode",
            Self::Host => "host",
            Self::NvLinkDomain => "nvLinkDomain",
            Self::Block => "block",
            Self::Fabric => "fabric",
        }
    }

    /// Says whether it is something that is handed out.
    pub fn is_device(self) -> bool {
        matches!(self, Self::Gpu | Self::Nic)
    }

    /// Returns how far up a vertex of the kind is; none for switches of a fabric, which
    /// are beside the tree of places.
    pub(crate) fn height(self) -> Option<u8> {
        match self {
            Self::Gpu | Self::Nic => Some(0),
            Self::PcieSwitch => Some(1),
            Self::NumaNode => Some(2),
            Self::Host => Some(3),
            Self::NvLinkDomain => Some(4),
            Self::Block => Some(5),
            Self::Fabric => Some(6),
            Self::NvSwitch => None,
        }
    }
}
