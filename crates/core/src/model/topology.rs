//! [`Topology`]: how devices are linked.

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
    pub spec: dralloc_topology::Spec,
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
