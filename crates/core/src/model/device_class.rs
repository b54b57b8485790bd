//! Classes of devices, made by administrators.

use serde::{Deserialize, Serialize};

use super::{ObjectMeta, OpaqueDeviceConfiguration, Str};

/// Names a kind of device (`resource/v1 DeviceClass`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceClass {
    /// Name and identity.
    pub metadata: ObjectMeta,
    /// Which devices, with which configuration.
    pub spec: DeviceClassSpec,
}

/// Says which devices belong to a class (`resource/v1 DeviceClassSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceClassSpec {
    /// All must match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub selectors: Vec<DeviceSelector>,
    /// Configuration for every device of the class.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub config: Vec<DeviceClassConfiguration>,
    /// Extended resource that pods may ask for instead of a claim.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extended_resource_name: Option<Str>,
}

/// Is a condition on one device (`resource/v1 DeviceSelector`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceSelector {
    /// The condition; absent means a kind of selector that is not known here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cel: Option<CelDeviceSelector>,
}

/// Is a condition in CEL (`resource/v1 CELDeviceSelector`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CelDeviceSelector {
    /// An expression over `device` that is true for devices that match.
    pub expression: Str,
}

/// Is a configuration that a class adds (`resource/v1 DeviceClassConfiguration`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceClassConfiguration {
    /// Parameters for one driver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opaque: Option<OpaqueDeviceConfiguration>,
}
