//! A finished answer in the form that Kubernetes stores.

use dralloc_quantity::Quantity;
use serde::{Deserialize, Serialize};

use super::{DeviceToleration, Json, Map, NodeSelector, QualifiedName, Str};

/// Says which devices a claim got (`resource/v1 AllocationResult`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AllocationResult {
    /// The devices and their configuration.
    pub devices: DeviceAllocationResult,
    /// Nodes where the devices can be used; absent means all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_selector: Option<NodeSelector>,
    /// When the allocation was made, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocation_timestamp: Option<Str>,
}

/// Lists devices and configuration (`resource/v1 DeviceAllocationResult`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceAllocationResult {
    /// One entry per device, in the order of the search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<DeviceRequestAllocationResult>,
    /// Configuration: that of classes first, then that of the claim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub config: Vec<DeviceAllocationConfiguration>,
}

/// Is one device given for one request (`resource/v1 DeviceRequestAllocationResult`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceRequestAllocationResult {
    /// `request`, or `request/subrequest` for an alternative.
    pub request: Str,
    /// Driver of the device.
    pub driver: Str,
    /// Pool of the device.
    pub pool: Str,
    /// Name of the device.
    pub device: Str,
    /// Set if access is for administration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admin_access: Option<bool>,
    /// The request's tolerations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tolerations: Vec<DeviceToleration>,
    /// The device's conditions for binding.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub binding_conditions: Vec<Str>,
    /// The device's conditions that fail binding.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub binding_failure_conditions: Vec<Str>,
    /// Which share of a shared device.
    #[serde(rename = "shareID", skip_serializing_if = "Option::is_none")]
    pub share_id: Option<Str>,
    /// What the share takes of each capacity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consumed_capacity: Option<Map<QualifiedName, Quantity>>,
    /// Operations that the kubelet is to skip (alpha in 1.37).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skip_node_operations: Vec<Str>,
}

/// Is configuration for allocated devices (`resource/v1 DeviceAllocationConfiguration`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceAllocationConfiguration {
    /// Where it came from: `FromClass` or `FromClaim`.
    pub source: Str,
    /// Requests it is for; none for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<Str>,
    /// Parameters for one driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opaque: Option<OpaqueDeviceConfiguration>,
}

/// Is configuration that only a driver understands (`resource/v1 OpaqueDeviceConfiguration`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpaqueDeviceConfiguration {
    /// The driver.
    #[serde(default)]
    pub driver: Str,
    /// Its parameters, unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Json>,
}
