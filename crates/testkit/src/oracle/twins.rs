//! Whether a device is taken under another name.

use dralloc::model::{Device, DeviceAttribute, DeviceId, ResourceSlice};

use super::world::{Pick, Place, World};
use crate::case::Case;

/// Returns whether another pool has a name for the same thing, and under that
/// something of it is held or picked.
///
/// Picks with administrative access hold nothing.
pub(super) fn is_taken(world: &World<'_>, picks: &[Pick<'_, '_>], place: Place) -> bool {
    let id = &world.offer(place).id;
    let twins = world.twins.iter().filter(|(one, _)| one == id);
    twins.into_iter().any(|(_, twin)| {
        world.is_held_whole(twin)
            || world.has_held_shares(twin)
            || picks
                .iter()
                .any(|pick| !pick.alternative.is_admin && world.offer(pick.place).id == *twin)
    })
}

/// Returns each two names for the same thing, by all slices that there are.
pub(super) fn pairs(case: &Case) -> Vec<(DeviceId, DeviceId)> {
    let slices = case.resource_slices.iter();
    let names: Vec<Name> = slices
        .flat_map(|slice| slice.spec.devices.iter().map(|device| name(slice, device)))
        .collect();
    let mut pairs = Vec::new();
    for one in &names {
        // What is of another node is never given on this one.
        let is_elsewhere = one.node.as_ref();
        if is_elsewhere.is_some_and(|node| *node != *case.node.metadata.name) {
            continue;
        }
        for other in &names {
            let same_pool = (&one.id.driver, &one.id.pool) == (&other.id.driver, &other.id.pool);
            if !same_pool && is_same(one, other) {
                pairs.push((one.id.clone(), other.id.clone()));
            }
        }
    }
    pairs
}

/// Is what a slice says of the identity of a device.
struct Name {
    id: DeviceId,
    node: Option<String>,
    bus_id: Option<String>,
    uuid: Option<String>,
}

fn name(slice: &ResourceSlice, device: &Device) -> Name {
    let spec = &slice.spec;
    let mut node = spec.node_name.clone().unwrap_or_default();
    if node.is_empty() && spec.per_device_node_selection == Some(true) {
        node = device.node_name.clone().unwrap_or_default();
    }
    let driver = &spec.driver;
    let in_domain = |domain: &str, id: &str| {
        let full = format!("{domain}/{id}");
        let of_driver = **driver == *domain;
        let bare = device.attributes.get(id).filter(|_| of_driver);
        match device.attributes.get(full.as_str()).or(bare) {
            Some(DeviceAttribute::String(value)) if !value.is_empty() => Some(value.to_string()),
            _ => None,
        }
    };
    Name {
        id: DeviceId::new(driver.clone(), spec.pool.name.clone(), device.name.clone()),
        node: (!node.is_empty()).then(|| node.to_string()),
        bus_id: in_domain("resource.kubernetes.io", "pciBusID"),
        uuid: in_domain(driver, "uuid"),
    }
}

/// A bus id is of one node; a uuid is everybody's, but for what two nodes have.
fn is_same(one: &Name, other: &Name) -> bool {
    let equal = |one: &Option<String>, other: &Option<String>| one.is_some() && one == other;
    let differ = one.node.is_some() && other.node.is_some() && one.node != other.node;
    equal(&one.bus_id, &other.bus_id) && equal(&one.node, &other.node)
        || equal(&one.uuid, &other.uuid) && !differ
}
