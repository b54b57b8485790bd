//! [`DeviceHold`]: devices that were given away by others.

use serde::{Deserialize, Serialize};

use super::{DeviceAttribute, DeviceId, Map, ObjectMeta, QualifiedName, Str};

/// Keeps devices of a node from claims, since a classic device plugin gave them
/// away (`dralloc.dev/v1alpha1 DeviceHold`).
///
/// Devices that are known by name are held, as if a claim had them whole. Where
/// only their number is known, every device is held that may be one of them.
///
/// ```yaml
/// apiVersion: dralloc.dev/v1alpha1
/// kind: DeviceHold
/// metadata:
///   name: node-1-example.com-gpu
/// spec:
///   nodeName: node-1
///   count: 2
///   selector: {driver: gpu.example.com}
///   disjointFrom:               # the plugin was told to leave these alone
///   - attributes: {slot: {int: 7}}
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceHold {
    /// Name and identity.
    pub metadata: ObjectMeta,
    /// Which devices.
    pub spec: DeviceHoldSpec,
}

/// Says which devices are given away, or how many (`dralloc.dev/v1alpha1 DeviceHoldSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceHoldSpec {
    /// The node that the devices were given away on.
    pub node_name: Str,
    /// The devices, where they are known; goes without the other fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<DeviceId>,
    /// How many devices, where only that is known. Unless it is 0, it holds all
    /// devices of the node that may be among them, however many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// Which devices may be among those that are counted; absent: all of the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selector: Option<DeviceHoldSelector>,
    /// Devices that are never among those that are counted, since the device
    /// plugin and DRA's drivers were given different ones; any selector may match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disjoint_from: Vec<DeviceHoldSelector>,
}

/// Selects devices by what is given; all of it must match
/// (`dralloc.dev/v1alpha1 DeviceHoldSelector`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DeviceHoldSelector {
    /// Driver of the devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver: Option<Str>,
    /// Pool of the devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool: Option<Str>,
    /// Name of the devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Str>,
    /// Attributes with exactly these values. A name without a domain is in that
    /// of the device's driver.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub attributes: Map<QualifiedName, DeviceAttribute>,
}
