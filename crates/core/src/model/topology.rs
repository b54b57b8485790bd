//! [`Topology`]: how devices are linked.

use dralloc_quantity::Quantity;
use serde::{Deserialize, Serialize};

use super::{FullyQualifiedName, ObjectMeta, Str};

/// Describes machines as a graph, since drivers publish no links between
/// devices (`dralloc.dev/v1alpha1 Topology`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Topology {
    /// Name and identity.
    pub metadata: ObjectMeta,
    /// The graph.
    pub spec: TopologySpec,
}

/// Lists what there is and how it is linked (`dralloc.dev/v1alpha1 TopologySpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TopologySpec {
    /// Devices, switches, sockets, hosts and what else has links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vertices: Vec<TopologyVertex>,
    /// Links between two vertices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<TopologyLink>,
    /// Where there are some, the only sets of devices that may be used together
    /// (partitions of a Fabric Manager).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed_sets: Vec<AllowedSet>,
    /// How an `NVLink` domain may be cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub partition_templates: Vec<PartitionTemplate>,
}

/// Is one thing that has links, and what is known of it (`dralloc.dev/v1alpha1 TopologyVertex`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TopologyVertex {
    /// Name, unique in the document.
    pub id: Str,
    /// `gpu`, `nic`, `pcieSwitch`, `nvSwitch`, `numaNode`, `host`,
    /// `nvLinkDomain`, `block` or `fabric`.
    pub kind: Str,
    /// Attribute by which it is found among the devices.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<AttributeMatch>,
    /// The device that it is, as `driver/pool/device`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Str>,
    /// Product.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<Str>,
    /// Number of the NUMA node, as the kernel counts; -1 where it knows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub numa_node: Option<i64>,
    /// Address on the PCI bus, such as `0000:0f:00.0`.
    #[serde(rename = "pciBusID", skip_serializing_if = "Option::is_none")]
    pub pci_bus_id: Option<Str>,
    /// Number of the rack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rack: Option<i64>,
    /// Number of the compute tray in the rack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tray: Option<i64>,
    /// `NVLink` domain and clique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clique: Option<Str>,
    /// Number of the block of racks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<i64>,
    /// Number of the baseboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<i64>,
    /// Number of the module on its board, by which partitions are named.
    #[serde(rename = "moduleID", skip_serializing_if = "Option::is_none")]
    pub module_id: Option<i64>,
    /// Rate of a NIC, in GB/s.
    #[serde(rename = "bandwidthGBps", skip_serializing_if = "Option::is_none")]
    pub bandwidth_gbps: Option<Quantity>,
    /// Host that it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<Str>,
    /// Name that tools print.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Str>,
    /// Number of the switch tray in the rack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub switch_tray: Option<i64>,
}

/// Names a device by a value that it publishes (`dralloc.dev/v1alpha1 AttributeMatch`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AttributeMatch {
    /// Attribute, such as `resource.kubernetes.io/pciBusID`.
    pub attribute: FullyQualifiedName,
    /// Its value, a string.
    pub value: Str,
}

/// Links two vertices (`dralloc.dev/v1alpha1 TopologyLink`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TopologyLink {
    /// One end, a vertex.
    pub a: Str,
    /// The other end, another vertex.
    pub b: Str,
    /// `NVLink`, `NVSwitch` (device to switch or domain), `NVSwitchTrunk`,
    /// `NVLinkTray`, `NVLinkCPU`, `XGMI`, `PCIe`, `C2C`, `Sys`, `Host`, `Tray` or
    /// `NetTier`.
    #[serde(rename = "type")]
    pub link_type: Str,
    /// How many links are bonded; absent: one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// Rate per direction, summed over the bonded links, in GB/s; absent: not known.
    #[serde(rename = "bandwidthGBps", skip_serializing_if = "Option::is_none")]
    pub bandwidth_gbps: Option<Quantity>,
    /// Generation of the link's type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// How far up in the network, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<i64>,
}

/// Is one set of devices that may be used together (`dralloc.dev/v1alpha1 AllowedSet`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AllowedSet {
    /// Number of the partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<i64>,
    /// The devices, by the ids of their vertices.
    pub vertices: Vec<Str>,
    /// The same by the numbers of their modules.
    #[serde(rename = "moduleIDs", skip_serializing_if = "Vec::is_empty")]
    pub module_ids: Vec<i64>,
}

/// Is one way to cut an `NVLink` domain (`dralloc.dev/v1alpha1 PartitionTemplate`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PartitionTemplate {
    /// Name, unique in the document.
    pub name: Str,
    /// How many nodes each part has.
    pub nodes: Vec<i64>,
}
