//! [`Device`]: one allocatable thing.

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use super::{
    DeviceAttribute, DeviceCapacity, DeviceCounterConsumption, DeviceTaint, Json, List, Map,
    NodeSelector, QualifiedName, Str,
};

/// Is one allocatable thing (`resource/v1 Device`).
///
/// What few devices say is behind one word, and reads and writes like fields of
/// the device: see [`DeviceDetails`].
///
/// # Examples
///
/// ```
/// use dralloc::model::Device;
///
/// let mut device = Device::default();
/// assert_eq!(device.node_name, None);
/// device.node_name = Some("node-1".into());
/// assert_eq!(device.node_name.as_deref(), Some("node-1"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Fields", into = "Fields")]
pub struct Device {
    /// Name, unique in the pool.
    pub name: Str,
    /// Facts for selectors and constraints.
    pub attributes: Map<QualifiedName, DeviceAttribute>,
    /// Amounts.
    pub capacity: Map<QualifiedName, DeviceCapacity>,
    /// Whether several claims may share it.
    pub allow_multiple_allocations: Option<bool>,
    /// What few devices say.
    pub details: Details,
}

impl Deref for Device {
    type Target = DeviceDetails;

    fn deref(&self) -> &DeviceDetails {
        self.details.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Device {
    fn deref_mut(&mut self) -> &mut DeviceDetails {
        self.details.0.get_or_insert_default()
    }
}

/// Is the place of the [`DeviceDetails`] of a device.
#[derive(Clone, Default)]
pub struct Details(Option<Box<DeviceDetails>>);

impl From<DeviceDetails> for Details {
    fn from(details: DeviceDetails) -> Self {
        Self((details != NONE).then(|| Box::new(details)))
    }
}

impl PartialEq for Details {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (one, other) => one.as_deref().unwrap_or(&NONE) == other.as_deref().unwrap_or(&NONE),
        }
    }
}

impl Eq for Details {}

impl fmt::Debug for Details {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0.as_deref().unwrap_or(&NONE), formatter)
    }
}

/// Is what few devices say (fields of `resource/v1 Device`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceDetails {
    /// What it takes of the counters of its pool.
    pub consumes_counters: List<DeviceCounterConsumption>,
    /// Name of its only node, where devices select nodes themselves.
    pub node_name: Option<Str>,
    /// Its nodes, where devices select nodes themselves.
    pub node_selector: Option<Box<NodeSelector>>,
    /// Whether every node has it, where devices select nodes themselves.
    pub all_nodes: Option<bool>,
    /// Taints set by the driver.
    pub taints: List<DeviceTaint>,
    /// Whether an allocation is tied to the node that it was made for.
    pub binds_to_node: Option<bool>,
    /// Conditions to wait for before pods are bound; the API server keeps an
    /// empty list apart from none, and so does the order of pools.
    pub binding_conditions: Option<Vec<Str>>,
    /// Conditions that say that binding failed.
    pub binding_failure_conditions: Option<Vec<Str>>,
    /// What it takes of a node's own resources (1.37); passed on.
    pub node_allocatable_resources: Option<Json>,
    /// The same in the shape of 1.36; passed on.
    pub node_allocatable_resource_mappings: Option<Json>,
}

static NONE: DeviceDetails = DeviceDetails {
    consumes_counters: List::new(),
    node_name: None,
    node_selector: None,
    all_nodes: None,
    taints: List::new(),
    binds_to_node: None,
    binding_conditions: None,
    binding_failure_conditions: None,
    node_allocatable_resources: None,
    node_allocatable_resource_mappings: None,
};

/// Is a device as it is written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename = "Device", rename_all = "camelCase", default)]
struct Fields {
    name: Str,
    #[serde(skip_serializing_if = "Map::is_empty")]
    attributes: Map<QualifiedName, DeviceAttribute>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    capacity: Map<QualifiedName, DeviceCapacity>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    consumes_counters: List<DeviceCounterConsumption>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_name: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_selector: Option<Box<NodeSelector>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_nodes: Option<bool>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    taints: List<DeviceTaint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    binds_to_node: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    binding_conditions: Option<Vec<Str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    binding_failure_conditions: Option<Vec<Str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allow_multiple_allocations: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_allocatable_resources: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    node_allocatable_resource_mappings: Option<Json>,
}

impl From<Fields> for Device {
    fn from(fields: Fields) -> Self {
        let details = DeviceDetails {
            consumes_counters: fields.consumes_counters,
            node_name: fields.node_name,
            node_selector: fields.node_selector,
            all_nodes: fields.all_nodes,
            taints: fields.taints,
            binds_to_node: fields.binds_to_node,
            binding_conditions: fields.binding_conditions,
            binding_failure_conditions: fields.binding_failure_conditions,
            node_allocatable_resources: fields.node_allocatable_resources,
            node_allocatable_resource_mappings: fields.node_allocatable_resource_mappings,
        };
        Self {
            name: fields.name,
            attributes: fields.attributes,
            capacity: fields.capacity,
            allow_multiple_allocations: fields.allow_multiple_allocations,
            details: details.into(),
        }
    }
}

impl From<Device> for Fields {
    fn from(device: Device) -> Self {
        let details = device.details.0.unwrap_or_default();
        Self {
            name: device.name,
            attributes: device.attributes,
            capacity: device.capacity,
            consumes_counters: details.consumes_counters,
            node_name: details.node_name,
            node_selector: details.node_selector,
            all_nodes: details.all_nodes,
            taints: details.taints,
            binds_to_node: details.binds_to_node,
            binding_conditions: details.binding_conditions,
            binding_failure_conditions: details.binding_failure_conditions,
            allow_multiple_allocations: device.allow_multiple_allocations,
            node_allocatable_resources: details.node_allocatable_resources,
            node_allocatable_resource_mappings: details.node_allocatable_resource_mappings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_that_say_nothing_are_none() {
        let mut device = Device::default();
        device.taints.push(DeviceTaint::default());
        assert_ne!(device, Device::default());
        assert_eq!(device.taints.pop(), Some(DeviceTaint::default()));
        assert_eq!(device, Device::default());
        let empty = DeviceDetails {
            binding_conditions: Some(Vec::new()),
            ..DeviceDetails::default()
        };
        assert_ne!(Details::from(empty), Details::default());
        assert!(Details::from(DeviceDetails::default()).0.is_none());
        assert!(size_of::<Device>() <= 72);
    }
}
