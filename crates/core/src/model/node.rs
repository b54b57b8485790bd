//! Nodes, and the selectors that choose among them.

use serde::{Deserialize, Serialize};

use super::{Amounts, Map, ObjectMeta, Str};

/// Is a machine that runs pods (`core/v1 Node`, what dralloc reads of it).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Node {
    /// Name and labels.
    pub metadata: ObjectMeta,
    /// What the administrator wants of it.
    pub spec: NodeSpec,
    /// What the node says of itself.
    pub status: NodeStatus,
}

impl Node {
    /// Returns a node with labels.
    ///
    /// # Examples
    ///
    /// ```
    /// let node = dralloc::model::Node::new("node-1", [("zone", "a")]);
    /// assert_eq!(&*node.metadata.name, "node-1");
    /// ```
    pub fn new<'a>(name: &str, labels: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let labels: Map<Str, Str> = labels
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        Self {
            metadata: ObjectMeta {
                name: name.into(),
                labels,
                ..ObjectMeta::default()
            },
            ..Self::default()
        }
    }
}

/// What the administrator wants of a node (`core/v1 NodeSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NodeSpec {
    /// Whether new pods are kept away.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unschedulable: bool,
}

/// What a node says of itself (`core/v1 NodeStatus`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeStatus {
    /// What pods can use of the node, such as `cpu`, `memory` and `pods`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub allocatable: Amounts,
    /// Features that the node's kubelet declares.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declared_features: Vec<Str>,
}

/// Selects nodes: any of its terms must match (`core/v1 NodeSelector`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSelector {
    /// Alternatives; none of them match nothing.
    pub node_selector_terms: Vec<NodeSelectorTerm>,
}

/// Requires all of its expressions; without any it matches nothing (`core/v1 NodeSelectorTerm`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NodeSelectorTerm {
    /// Requirements on labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<NodeSelectorRequirement>,
    /// Requirements on fields; only `metadata.name` exists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub match_fields: Vec<NodeSelectorRequirement>,
}

/// Compares one label or field with values (`core/v1 NodeSelectorRequirement`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct NodeSelectorRequirement {
    /// Label or field.
    pub key: Str,
    /// `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`; kept as written.
    pub operator: Str,
    /// Values to compare with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Str>,
}
