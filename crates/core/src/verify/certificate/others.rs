//! [`Others`]: which devices are physically the same, for many devices at once.

use std::collections::BTreeMap;

use super::super::World;
use super::super::pools::Offer;
use crate::model::Str;
use crate::rules::Physical;
use crate::store::{DeviceKey, PoolKey, StoredSlice};

type Named = (PoolKey, DeviceKey);

/// Finds devices of other pools that are physically the same, by what is
/// published for a node, or for all.
pub(super) struct Others<'w, 'a> {
    world: &'w World<'a>,
    /// By the node that the devices who ask name.
    indexes: BTreeMap<Option<&'a Str>, Index<'a>>,
}

/// Holds devices by what tells them apart.
#[derive(Default)]
struct Index<'a> {
    by_bus_id: BTreeMap<&'a Str, Vec<(Named, Physical<'a>)>>,
    by_uuid: BTreeMap<&'a Str, Vec<(Named, Physical<'a>)>>,
}

impl<'a> Index<'a> {
    fn of(slices: impl Iterator<Item = &'a StoredSlice>) -> Self {
        let mut index = Self::default();
        for stored in slices {
            let devices = stored.devices.iter().zip(&stored.slice.spec.devices);
            for (key, device) in devices {
                let physical = Physical::of(&stored.slice.spec, device);
                let entry = ((stored.pool, *key), physical);
                if let Some(bus_id) = physical.bus_id {
                    index.by_bus_id.entry(bus_id).or_default().push(entry);
                }
                if let Some(uuid) = physical.uuid {
                    index.by_uuid.entry(uuid).or_default().push(entry);
                }
            }
        }
        index
    }

    fn same_as(&self, own: &Physical<'_>) -> impl Iterator<Item = Named> {
        let by_bus_id = own.bus_id.and_then(|bus_id| self.by_bus_id.get(bus_id));
        let by_uuid = own.uuid.and_then(|uuid| self.by_uuid.get(uuid));
        let all = by_bus_id.into_iter().chain(by_uuid).flatten();
        all.filter(|(_, other)| own.is_same(other))
            .map(|(named, _)| *named)
    }
}

impl<'w, 'a> Others<'w, 'a> {
    pub(super) fn new(world: &'w World<'a>) -> Self {
        Self {
            world,
            indexes: BTreeMap::new(),
        }
    }

    /// Returns all names of other pools for a device.
    pub(super) fn of(&mut self, offer: &Offer<'a>) -> Vec<Named> {
        let mut others = Vec::new();
        let inventory = self.world.inventory;
        let own = Physical::of(offer.spec, offer.device);
        let pool = self.world.pools[offer.pool].key;
        if own.bus_id.is_some() || own.uuid.is_some() {
            let index = self
                .indexes
                .entry(own.node)
                .or_insert_with(|| match own.node {
                    // What names another node is another device.
                    Some(node) => Index::of(inventory.candidates(node).map(|stored| &**stored)),
                    None => Index::of(inventory.all_slices().map(|stored| &**stored)),
                });
            others.extend(index.same_as(&own));
        }
        for (other, key, physical) in inventory.departed().iter() {
            if own.is_same(&physical) {
                others.push((other, key));
            }
        }
        for group in inventory.declared_twins().groups() {
            if group.contains(&(pool, offer.key)) {
                others.extend(group);
            }
        }
        others.retain(|(other, _)| *other != pool);
        others.sort_unstable();
        others.dedup();
        others
    }
}
