//! [`DeviceHealth`]: what went wrong with a device.

use serde::{Deserialize, Serialize};

use super::{AttributeMatch, DeviceId, ObjectMeta, Str};

/// Lists failures of a device (`dralloc.dev/v1alpha1 DeviceHealth`).
///
/// It never refuses a device, and never takes its node down: of devices that
/// fit, those that failed are a worse choice, under policies that ask for it.
///
/// ```yaml
/// apiVersion: dralloc.dev/v1alpha1
/// kind: DeviceHealth
/// metadata:
///   name: node-1-gpu-3
/// spec:
///   device: {driver: gpu.example.com, pool: node-1, device: gpu-3}
///   failures:
///   - {time: "2026-01-31T12:00:00Z", reason: xid-79, weight: 4}
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceHealth {
    /// Name and identity.
    pub metadata: ObjectMeta,
    /// Which device, and what went wrong.
    pub spec: DeviceHealthSpec,
}

/// Says what went wrong with which device (`dralloc.dev/v1alpha1 DeviceHealthSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceHealthSpec {
    /// The device by its full name; either this or `match` is to be set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceId>,
    /// The device by an attribute, such as its bus id.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    pub matches: Option<AttributeMatch>,
    /// Node of the device, for attributes that differ only there; goes with `match`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_name: Option<Str>,
    /// The failures, in any order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<DeviceFailure>,
}

/// Is one failure of a device (`dralloc.dev/v1alpha1 DeviceFailure`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceFailure {
    /// When it failed, in RFC 3339.
    pub time: Str,
    /// Why, in a word.
    pub reason: Str,
    /// How much it counts, 1 or more; absent: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<i64>,
}
