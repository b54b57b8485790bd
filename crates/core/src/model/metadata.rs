//! What every object carries: names, identity, owners.

use serde::{Deserialize, Serialize};

use super::{List, Map, Str};

/// Identifies an object and says who made it (`meta/v1 ObjectMeta`, what dralloc reads of it).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ObjectMeta {
    /// Name, unique per namespace and kind.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub name: Str,
    /// Prefix from which the API server makes a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generate_name: Option<Str>,
    /// Namespace; empty for cluster-scoped objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Str>,
    /// Identity over time: a re-created object has another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<Str>,
    /// Version of this state of the object; larger is newer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_version: Option<Str>,
    /// Generation of the desired state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// When the object was made, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creation_timestamp: Option<Str>,
    /// When deletion was asked for, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_timestamp: Option<Str>,
    /// How long deletion may take, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletion_grace_period_seconds: Option<i64>,
    /// Labels, for selectors.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub labels: Map<Str, Str>,
    /// Annotations, for tools.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub annotations: Map<Str, Str>,
    /// Objects whose deletion deletes this one.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub owner_references: List<OwnerReference>,
    /// What must happen before the object goes away.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub finalizers: List<Str>,
}

impl ObjectMeta {
    /// Returns the namespace, empty where there is none.
    pub fn namespace(&self) -> &str {
        self.namespace.as_deref().unwrap_or_default()
    }
}

/// Names an owner of an object (`meta/v1 OwnerReference`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OwnerReference {
    /// API group and version of the owner.
    pub api_version: Str,
    /// Kind of the owner.
    pub kind: Str,
    /// Name of the owner.
    pub name: Str,
    /// Identity of the owner.
    pub uid: Str,
    /// Whether the owner manages this object; at most one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controller: Option<bool>,
    /// Whether the owner's deletion waits for this object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_owner_deletion: Option<bool>,
}
