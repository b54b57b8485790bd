//! Pods: who uses claims.

use dralloc_quantity::Quantity;
use serde::{Deserialize, Serialize};

use super::{Map, ObjectMeta, Str};

/// Uses claims (`core/v1 Pod`, what dralloc reads of it).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pod {
    /// Name and identity.
    pub metadata: ObjectMeta,
    /// What it asks for.
    pub spec: PodSpec,
    /// What became of it.
    pub status: PodStatus,
}

/// Is what a pod asks for (`core/v1 PodSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodSpec {
    /// Node it is bound to, or must run on.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub node_name: Str,
    /// Labels that its node must have.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub node_selector: Map<Str, Str>,
    /// Claims it uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resource_claims: Vec<PodResourceClaim>,
    /// Containers that run one after the other before the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub init_containers: Vec<Container>,
    /// Containers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub containers: Vec<Container>,
}

/// Is one container, as far as its resources go (`core/v1 Container`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Container {
    /// Name, unique in the pod.
    pub name: Str,
    /// `Always` for an init container that runs as long as the pod does, a sidecar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restart_policy: Option<Str>,
    /// Resources it asks for.
    pub resources: ResourceRequirements,
}

/// Is what a container asks for (`core/v1 ResourceRequirements`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourceRequirements {
    /// Least amounts.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub requests: Map<Str, Quantity>,
    /// Most amounts.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub limits: Map<Str, Quantity>,
}

/// Says which claim a pod uses (`core/v1 PodResourceClaim`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodResourceClaim {
    /// Name of this entry, unique in the pod.
    pub name: Str,
    /// An existing claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_claim_name: Option<Str>,
    /// A template of which the pod gets a claim of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_claim_template_name: Option<Str>,
}

/// Is what became of a pod (`core/v1 PodStatus`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodStatus {
    /// `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown`.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub phase: Str,
    /// Which claims were made for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resource_claim_statuses: Vec<PodResourceClaimStatus>,
    /// Which claim was made for its extended resources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extended_resource_claim_status: Option<PodExtendedResourceClaimStatus>,
}

/// Says which claim was made for an entry of a pod (`core/v1 PodResourceClaimStatus`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodResourceClaimStatus {
    /// Name of the entry.
    pub name: Str,
    /// Name of the claim; absent if none was needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_claim_name: Option<Str>,
}

/// Says which claim was made for the extended resources of a pod
/// (`core/v1 PodExtendedResourceClaimStatus`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PodExtendedResourceClaimStatus {
    /// Which request of the claim serves what of which container.
    pub request_mappings: Vec<ContainerExtendedResourceRequest>,
    /// Name of the claim.
    pub resource_claim_name: Str,
}

/// Says which request serves an extended resource of a container
/// (`core/v1 ContainerExtendedResourceRequest`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ContainerExtendedResourceRequest {
    /// Name of the container.
    pub container_name: Str,
    /// Name of the extended resource.
    pub resource_name: Str,
    /// Name of the request.
    pub request_name: Str,
}
