//! [`AllowedSet`] and [`PartitionTemplate`]: how devices may be cut into sets.

use serde::{Deserialize, Serialize};

/// Is one set of devices that may be used together, such as a partition of a Fabric
/// Manager.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowedSet {
    /// Number of the partition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition: Option<i64>,
    /// The devices, by the ids of their vertices.
    pub vertices: Vec<String>,
    /// The same by the numbers of their modules.
    #[serde(default, rename = "moduleIDs", skip_serializing_if = "Vec::is_empty")]
    pub module_ids: Vec<i64>,
}

/// Is one way to cut an `NVLink` domain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartitionTemplate {
    /// Name, unique in the document.
    pub name: String,
    /// How many nodes each part has.
    pub nodes: Vec<i64>,
}
