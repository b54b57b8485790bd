//! What devices a driver publishes.

use dralloc_quantity::Quantity;
use serde::{Deserialize, Serialize};

use super::{Device, List, Map, NodeSelector, ObjectMeta, Str};

/// Publishes a part of a pool of devices (`resource/v1 ResourceSlice`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResourceSlice {
    /// Name and identity; the name orders the slices of a pool.
    pub metadata: ObjectMeta,
    /// The devices and where they are.
    pub spec: ResourceSliceSpec,
}

/// Lists devices or the counters they share (`resource/v1 ResourceSliceSpec`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourceSliceSpec {
    /// Driver of all devices, a DNS name.
    pub driver: Str,
    /// Pool that the slice is a part of.
    pub pool: ResourcePool,
    /// Name of the only node with these devices; empty counts as absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_name: Option<Str>,
    /// Nodes with these devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node_selector: Option<Box<NodeSelector>>,
    /// Whether every node has these devices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_nodes: Option<bool>,
    /// The devices.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<Device>,
    /// Whether each device says for itself which nodes have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_device_node_selection: Option<bool>,
    /// Budgets that the devices of the pool share; a slice with some has no devices.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub shared_counters: List<CounterSet>,
    /// Operations that the kubelet is to skip for these devices (alpha in 1.37).
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub skip_node_operations: List<Str>,
    /// Attribute that names the type of a partition (alpha in 1.37).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition_type_attribute: Option<Str>,
}

/// Names a pool and the state it is in (`resource/v1 ResourcePool`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ResourcePool {
    /// Name, unique for the driver.
    pub name: Str,
    /// Grows with each change of the pool; older slices do not count.
    pub generation: i64,
    /// How many slices make up this generation.
    pub resource_slice_count: i64,
}

/// Is a set of budgets that devices of a pool share (`resource/v1 CounterSet`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CounterSet {
    /// Name, unique in the pool.
    pub name: Str,
    /// Budgets by name.
    pub counters: Map<Str, Counter>,
}

/// Is one budget (`resource/v1 Counter`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// How much there is, or how much is taken; an absent value is zero.
    #[serde(default)]
    pub value: Quantity,
}

/// Is what a device takes of one counter set (`resource/v1 DeviceCounterConsumption`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeviceCounterConsumption {
    /// Name of the set.
    pub counter_set: Str,
    /// Amounts by counter.
    pub counters: Map<Str, Counter>,
    /// Devices may use one set together only if all share a group (alpha in 1.37).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compatibility_groups: Vec<Str>,
}
