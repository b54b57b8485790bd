//! The document of a dump, as it is written and read.

use serde::{Deserialize, Serialize};

use crate::model::{
    AllocationResult, Amounts, DeviceCounterConsumption, DeviceId, Json, Map, QualifiedName,
    Quantity, Str,
};

/// Kind of dumps.
pub(super) const KIND: &str = "Dump";

/// Is a whole dump, its objects as texts that the decoder reads.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Document {
    api_version: Str,
    kind: Str,
    pub(super) revision: i64,
    pub(super) looked_at: bool,
    pub(super) features: FeatureSet,
    pub(super) nodes: Vec<Json>,
    pub(super) topologies: Vec<Json>,
    pub(super) attribute_overlays: Vec<Json>,
    pub(super) device_healths: Vec<Json>,
    pub(super) device_holds: Vec<Json>,
    pub(super) device_classes: Vec<Json>,
    pub(super) resource_slices: Vec<Json>,
    pub(super) device_taint_rules: Vec<Json>,
    pub(super) twins: Vec<Vec<DeviceId>>,
    pub(super) departed: Vec<DepartedState>,
    pub(super) holdings: Vec<OwnerState>,
    pub(super) last_consumption: Vec<LastConsumption>,
    pub(super) node_uses: Vec<UseState>,
    pub(super) known_owners: Vec<Str>,
    pub(super) claims: Vec<ClaimState>,
    pub(super) newest: Newest,
    pub(super) gone: Gone,
    transaction: TransactionState,
}

/// Is what a document says that it is.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TypeMeta {
    pub(super) api_version: Str,
    pub(super) kind: Str,
}

/// Lists which features are on; a gate that is not named is off.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct FeatureSet {
    pub(super) kubernetes_minor: i64,
    pub(super) relaxed_selectors: bool,
    pub(super) gates: Map<Str, bool>,
}

/// Is one thing that a held device said of itself when a slice last published it.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct DepartedState {
    pub(super) driver: Str,
    pub(super) pool: Str,
    pub(super) device: Str,
    /// The node that it named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) node_name: Option<Str>,
    #[serde(rename = "pciBusID", skip_serializing_if = "Option::is_none")]
    pub(super) bus_id: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uuid: Option<Str>,
}

/// Is an owner and what it has.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct OwnerState {
    /// A claim by uid, or else by `namespace/name`; empty for bare records.
    pub(super) owner: Str,
    pub(super) has: HoldingState,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) assumed: Option<AssumedState>,
}

/// Is what an owner has.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct HoldingState {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) devices: Vec<HeldRecord>,
    /// Uids of users.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) reserved_for: Vec<Str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) releasing: bool,
    /// What a claim was given, as Kubernetes stores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) allocation: Option<AllocationResult>,
}

/// Is one device that is held: with a share or amounts as a share, else whole.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct HeldRecord {
    pub(super) driver: Str,
    pub(super) pool: Str,
    pub(super) device: Str,
    #[serde(rename = "shareID", skip_serializing_if = "Option::is_none")]
    pub(super) share_id: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) consumed_capacity: Option<Map<QualifiedName, Quantity>>,
}

/// Says what of a holding no event has shown yet.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct AssumedState {
    pub(super) devices: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) reserved_for: Vec<Str>,
}

/// Is what a held device took of counters when a slice last published it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct LastConsumption {
    pub(super) driver: Str,
    pub(super) pool: Str,
    pub(super) device: Str,
    pub(super) consumes_counters: Vec<DeviceCounterConsumption>,
}

/// Is an owner and what it uses of the amounts of a node.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct UseState {
    pub(super) owner: Str,
    /// Nothing if a transaction gave it back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uses: Option<UsedAmounts>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) assumed: bool,
    /// What the last change said that it uses, where it uses something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last_change: Option<UsedAmounts>,
}

/// Is what is used of a node.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct UsedAmounts {
    pub(super) node: Str,
    pub(super) amounts: Amounts,
}

/// Is a claim that events told of.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ClaimState {
    /// `namespace/name`
    pub(super) name: Str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uid: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resource_version: Option<Str>,
    /// What the last event said that it has, where it has something else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) last_event: Option<HoldingState>,
}

/// Tells which state of an object is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ObjectIdentity {
    pub(super) name: Str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uid: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resource_version: Option<Str>,
}

/// Lists the newest states that events told of, where the object was the same
/// in all that counts and an older state of it is kept.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Newest {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<ObjectIdentity>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) resource_slices: Vec<ObjectIdentity>,
}

/// Lists the uids of objects that are gone, oldest first.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Gone {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) nodes: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) device_classes: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) resource_slices: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) device_taint_rules: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) resource_claims: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) topologies: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) attribute_overlays: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) device_healths: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) device_holds: Vec<Str>,
}

/// Says what a transaction made different.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TransactionState {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) owners: Vec<DraftedOwner>,
    /// Who uses other amounts of nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) node_uses: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) added_nodes: Vec<Str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) removed_nodes: Vec<Str>,
}

/// Is an owner that a transaction gave something else.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct DraftedOwner {
    pub(super) owner: Str,
    /// The node that its devices were chosen on, if they were chosen here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) node: Option<Str>,
}
