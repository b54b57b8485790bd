//! [`Physical`]: what a device says of the thing that it is.

use super::lookup;
use crate::model::{Device, DeviceAttribute, ResourceSliceSpec, Str};

/// The standard attribute with the address on the bus.
const BUS_ID: &str = "resource.kubernetes.io/pciBusID";

/// The names of attributes that say which device it is, in whatever domain.
const IDENTITIES: [&str; 6] = [
    "index",
    "minor",
    "pciAddress",
    "pciBusID",
    "serialNumber",
    "uuid",
];

/// Returns whether an attribute says which device it is, so that nobody can choose its value.
pub(crate) fn is_identity(attribute: &str) -> bool {
    let (_, name) = attribute.rsplit_once('/').unwrap_or(("", attribute));
    IDENTITIES.iter().any(|one| one.eq_ignore_ascii_case(name))
}

/// Is what tells physical devices apart, whichever pools publish them.
///
/// A bus id is one device's on one node, so it says something only of devices
/// that name their node. A uuid is one device's everywhere, but for nodes that
/// were cloned and drivers that make devices up: it says nothing of devices that
/// name different nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Physical<'a> {
    /// The node that the slice names, or else the device.
    pub(crate) node: Option<&'a Str>,
    pub(crate) bus_id: Option<&'a Str>,
    /// The attribute `uuid` in the domain of the driver.
    pub(crate) uuid: Option<&'a Str>,
}

impl<'a> Physical<'a> {
    /// Reads a device of a slice.
    pub(crate) fn of(spec: &'a ResourceSliceSpec, device: &'a Device) -> Self {
        let of_device = device.node_name.as_ref();
        let of_device = of_device.filter(|_| spec.per_device_node_selection == Some(true));
        let mut nodes = spec.node_name.as_ref().into_iter().chain(of_device);
        let node = nodes.find(|name| !name.is_empty());
        let bus_id = node.and_then(|_| text(lookup(device, &spec.driver, BUS_ID)));
        let in_full = device.attributes.iter().find(|(name, _)| {
            let domain = name.strip_suffix("/uuid");
            domain == Some(&*spec.driver)
        });
        let uuid = match in_full {
            Some((_, attribute)) => Some(attribute),
            None => device.attributes.get("uuid"),
        };
        Self {
            node,
            bus_id,
            uuid: text(uuid),
        }
    }

    /// Returns whether both are the same thing, published twice.
    ///
    /// That they are of different pools is for the caller to see: in a pool,
    /// partitions of a card have the bus id of the card.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let on_one_node = self.node.is_some() && self.node == other.node;
        let apart = self.node.is_some() && other.node.is_some() && !on_one_node;
        on_one_node && self.bus_id.is_some() && self.bus_id == other.bus_id
            || !apart && self.uuid.is_some() && self.uuid == other.uuid
    }
}

fn text(attribute: Option<&DeviceAttribute>) -> Option<&Str> {
    match attribute {
        Some(DeviceAttribute::String(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}
