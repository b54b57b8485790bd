//! What is in use before a call.

use dralloc::model::{DeviceId, Map, QualifiedName, Quantity, Str};
use serde::{Deserialize, Serialize};

/// Lists what is in use already, without saying by whom.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Allocated {
    /// Devices that are held whole.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<DeviceId>,
    /// Shares of devices.
    #[serde(rename = "sharedDeviceIDs", skip_serializing_if = "Vec::is_empty")]
    pub shared_device_ids: Vec<SharedDeviceId>,
    /// Capacity that shares take; several records of one device add up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consumed_capacity: Vec<ConsumedCapacity>,
}

/// Names one share of a device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedDeviceId {
    /// The device.
    #[serde(flatten)]
    pub device: DeviceId,
    /// Which share.
    #[serde(rename = "shareID")]
    pub share_id: Str,
}

/// Says how much of a device's capacity is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsumedCapacity {
    /// The device.
    #[serde(flatten)]
    pub device: DeviceId,
    /// How much, by capacity.
    #[serde(default)]
    pub capacity: Map<QualifiedName, Quantity>,
}
