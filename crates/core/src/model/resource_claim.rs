//! What workloads ask for.

use serde::{Deserialize, Serialize};

use super::{
    AllocationResult, CapacityRequirements, DeviceSelector, DeviceToleration, FullyQualifiedName,
    Json, ObjectMeta, OpaqueDeviceConfiguration, Str,
};

/// Asks for devices; allocated whole or not at all (`resource/v1 ResourceClaim`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourceClaim {
    /// Name and identity.
    pub metadata: ObjectMeta,
    /// What is asked for.
    pub spec: ResourceClaimSpec,
    /// What was given.
    #[serde(skip_serializing_if = "ResourceClaimStatus::is_empty")]
    pub status: ResourceClaimStatus,
}

/// Is what a claim asks for (`resource/v1 ResourceClaimSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourceClaimSpec {
    /// Devices.
    pub devices: DeviceClaim,
}

/// Lists requests and what holds between them (`resource/v1 DeviceClaim`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceClaim {
    /// Requests; all must be satisfied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<DeviceRequest>,
    /// Relations across the devices of the claim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<DeviceConstraint>,
    /// Configuration for drivers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub config: Vec<DeviceClaimConfiguration>,
}

/// Is one line of a claim (`resource/v1 DeviceRequest`).
///
/// One of `exactly` and `first_available` is to be set. None of them means a
/// kind of request that is not known here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceRequest {
    /// Name, unique in the claim.
    pub name: Str,
    /// The only way to satisfy it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exactly: Option<ExactDeviceRequest>,
    /// Ranked alternatives, the first is the best.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_available: Vec<DeviceSubRequest>,
}

/// Asks for devices of a class (`resource/v1 ExactDeviceRequest`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ExactDeviceRequest {
    /// Class of the devices.
    pub device_class_name: Str,
    /// Conditions beside those of the class; all must match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<DeviceSelector>,
    /// `ExactCount` or `All`; kept as written.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub allocation_mode: Str,
    /// How many devices, for `ExactCount`.
    #[serde(skip_serializing_if = "is_zero")]
    pub count: i64,
    /// Whether access is for administration, which takes nothing away from others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub admin_access: Option<bool>,
    /// Taints that do not matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tolerations: Vec<DeviceToleration>,
    /// Amounts needed of each device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<CapacityRequirements>,
    /// Attributes computed for constraints (alpha in 1.37).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived_attributes: Vec<DeviceDerivedAttribute>,
}

/// Is one alternative of a request (`resource/v1 DeviceSubRequest`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceSubRequest {
    /// Name, unique in the request.
    pub name: Str,
    /// Class of the devices.
    pub device_class_name: Str,
    /// Conditions beside those of the class; all must match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<DeviceSelector>,
    /// `ExactCount` or `All`; kept as written.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub allocation_mode: Str,
    /// How many devices, for `ExactCount`.
    #[serde(skip_serializing_if = "is_zero")]
    pub count: i64,
    /// Taints that do not matter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tolerations: Vec<DeviceToleration>,
    /// Amounts needed of each device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<CapacityRequirements>,
    /// Attributes computed for constraints (alpha in 1.37).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived_attributes: Vec<DeviceDerivedAttribute>,
}

/// Is an attribute computed from a device for one request (`resource/v1 DeviceDerivedAttribute`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceDerivedAttribute {
    /// Name that constraints use; shadows an attribute of the device.
    pub name: FullyQualifiedName,
    /// CEL expression for its value.
    pub expression: Str,
}

/// Relates the devices of a claim (`resource/v1 DeviceConstraint`).
///
/// One of the two kinds is to be set. None of them means a kind that is not known here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceConstraint {
    /// Requests (`request` or `request/subrequest`) it applies to; none for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<Str>,
    /// Attribute that all devices must have in common.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_attribute: Option<FullyQualifiedName>,
    /// Attribute in which all devices must differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct_attribute: Option<FullyQualifiedName>,
}

/// Is configuration that a claim gives (`resource/v1 DeviceClaimConfiguration`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceClaimConfiguration {
    /// Requests (`request` or `request/subrequest`) it is for; none for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<Str>,
    /// Parameters for one driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opaque: Option<OpaqueDeviceConfiguration>,
}

/// Is what was given for a claim (`resource/v1 ResourceClaimStatus`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourceClaimStatus {
    /// The devices, once there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allocation: Option<AllocationResult>,
    /// Who uses the claim, at most 256.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reserved_for: Vec<ResourceClaimConsumerReference>,
    /// What drivers report of the devices; passed on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Json>,
}

impl ResourceClaimStatus {
    /// Returns whether nothing was given or reported.
    pub fn is_empty(&self) -> bool {
        self.allocation.is_none() && self.reserved_for.is_empty() && self.devices.is_empty()
    }
}

/// Names a user of a claim (`resource/v1 ResourceClaimConsumerReference`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourceClaimConsumerReference {
    /// API group of the user; empty for pods.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub api_group: Str,
    /// Resource, such as `pods`.
    pub resource: Str,
    /// Name of the user.
    pub name: Str,
    /// Identity of the user.
    pub uid: Str,
}

/// Makes claims for pods (`resource/v1 ResourceClaimTemplate`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourceClaimTemplate {
    /// Name and identity.
    pub metadata: ObjectMeta,
    /// What the claims are like.
    pub spec: ResourceClaimTemplateSpec,
}

/// Is what claims of a template are like (`resource/v1 ResourceClaimTemplateSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourceClaimTemplateSpec {
    /// Labels and annotations for the claims.
    pub metadata: ObjectMeta,
    /// What the claims ask for.
    pub spec: ResourceClaimSpec,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_zero(count: &i64) -> bool {
    *count == 0
}
