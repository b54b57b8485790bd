//! [`Vertex`]: one thing that has links.

use serde::{Deserialize, Serialize};

use super::{AttributeMatch, VertexKind};
use crate::rate::Rate;

/// Is one thing that has links, and what is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Vertex {
    /// Name, unique in the document.
    pub id: String,
    /// What it is.
    pub kind: VertexKind,
    /// Attribute by which it is found among the devices.
    #[serde(default, rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<AttributeMatch>,
    /// The device that it is, as `driver/pool/device`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Number of the NUMA node, as the kernel counts; -1 where it knows none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numa_node: Option<i64>,
    /// Address on the PCI bus, such as `0000:0f:00.0`.
    #[serde(default, rename = "pciBusID", skip_serializing_if = "Option::is_none")]
    pub pci_bus_id: Option<String>,
    /// Number of the rack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<i64>,
    /// Number of the compute tray in the rack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tray: Option<i64>,
    /// `NVLink` domain and clique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clique: Option<String>,
    /// Number of the block of racks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<i64>,
    /// Number of the baseboard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<i64>,
    /// Number of the module on its board, by which partitions are named.
    #[serde(default, rename = "moduleID", skip_serializing_if = "Option::is_none")]
    pub module_id: Option<i64>,
    /// Rate of a NIC.
    #[serde(
        default,
        rename = "bandwidthGBps",
        skip_serializing_if = "Option::is_none"
    )]
    pub bandwidth: Option<Rate>,
    /// Host that it is in, a vertex.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Name that tools print.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Number of the switch tray in the rack.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub switch_tray: Option<i64>,
}
