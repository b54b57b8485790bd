//! [`Document`]: what a topology file says, as plain data.

mod binding;
mod kind;
mod link;
mod partition;
mod read;
mod vertex;

pub use binding::AttributeMatch;
pub use kind::{LinkType, VertexKind};
pub use link::Link;
pub use partition::{AllowedSet, PartitionTemplate};
pub use vertex::Vertex;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Describes machines as a graph (`dralloc.dev/v1alpha1 Topology`).
///
/// [`Document::read`] reads JSON, strictly; whoever has the data in another form fills
/// in the fields and asks [`Topology::new`](crate::Topology::new), which validates either.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// `dralloc.dev/v1alpha1`.
    #[serde(default)]
    pub api_version: String,
    /// `Topology`.
    #[serde(default)]
    pub kind: String,
    /// Name and remarks.
    #[serde(default)]
    pub metadata: Metadata,
    /// The graph.
    pub spec: Spec,
}

/// Is the part of an object's metadata that is of use here; what else an API server
/// adds is passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// Name of the object.
    pub name: String,
    /// Labels.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Remarks, such as where the facts come from.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub annotations: BTreeMap<String, String>,
}

/// Lists what there is and how it is linked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Spec {
    /// Devices, switches, sockets, hosts and what else has links.
    pub vertices: Vec<Vertex>,
    /// Links between two vertices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Where there are some, the only sets of devices that may be used together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_sets: Vec<AllowedSet>,
    /// How an `NVLink` domain may be cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partition_templates: Vec<PartitionTemplate>,
}
