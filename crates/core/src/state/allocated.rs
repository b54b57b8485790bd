//! [`AllocatedState`]: all that is held in a cluster.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet};

use super::{HeldDevice, Holding};
use crate::model::{DeviceCounterConsumption, Str};
use crate::store::{DeviceKey, Paged, PoolKey};

/// Holds what every owner has, and the sums by device.
///
/// A clone shares everything; what is written after that is copied on the way.
///
/// INVARIANT: the devices are the sums of the records of all owners.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllocatedState {
    owners: OrdMap<Str, Arc<Holding>>,
    /// Owners that are about to give back what they have.
    releasing: OrdSet<Str>,
    devices: Paged<Option<Arc<HeldDevice>>>,
    pools: Paged<PoolState>,
    changes: u64,
}

/// Is what is known of a pool, whatever becomes of its slices.
#[derive(Clone, Debug, Default)]
struct PoolState {
    /// Is another whenever something else is held of the pool.
    revision: u64,
    /// Devices that are held, in order.
    held: Arc<Vec<DeviceKey>>,
}

impl AllocatedState {
    /// Returns what is held of a device.
    pub(crate) fn device(&self, key: DeviceKey) -> Option<&Arc<HeldDevice>> {
        self.devices.get(key.index())?.as_ref()
    }

    /// Returns the held devices of a pool.
    pub(crate) fn in_pool(&self, pool: PoolKey) -> impl Iterator<Item = DeviceKey> + '_ {
        let state = self.pools.get(pool.index());
        state
            .into_iter()
            .flat_map(|state| state.held.iter().copied())
    }

    /// Returns a number that is another whenever something else is held of a pool.
    pub(crate) fn revision(&self, pool: PoolKey) -> u64 {
        self.pools
            .get(pool.index())
            .map_or(0, |state| state.revision)
    }

    /// Returns what an owner has.
    pub(crate) fn holding(&self, owner: &str) -> Option<&Arc<Holding>> {
        self.owners.get(owner)
    }

    /// Returns the owners that are about to give back what they have.
    pub(crate) fn releasing(&self) -> impl Iterator<Item = &Str> {
        self.releasing.iter()
    }

    /// Makes an owner have exactly this; returns whether that is different.
    pub(crate) fn set(&mut self, owner: &Str, holding: Arc<Holding>) -> bool {
        let old = self.owners.get(owner).cloned();
        let is_same = match &old {
            Some(old) => *old == holding,
            None => holding.is_empty(),
        };
        if is_same {
            // It may be said in other words.
            if let Some(known) = self.owners.get_mut(owner) {
                *known = holding;
            }
            return false;
        }
        let before = old.as_ref().map_or(&[][..], |old| &old.records);
        if before != holding.records {
            self.changes += 1;
            // What is in both lists is never free in between: what is known of it stays.
            for record in &holding.records {
                self.change(record.pool, record.device, |device| {
                    device.add(&record.held_as);
                });
            }
            for record in before {
                self.change(record.pool, record.device, |device| {
                    device.remove(&record.held_as);
                });
            }
        }
        if old.is_some_and(|old| old.releasing) && !holding.releasing {
            self.releasing.remove(owner);
        }
        if holding.is_empty() {
            self.owners.remove(owner);
            self.releasing.remove(owner);
        } else {
            if holding.releasing {
                self.releasing.insert(owner.clone());
            }
            self.owners.insert(owner.clone(), holding);
        }
        true
    }

    /// Remembers what a held device takes of counters, before its slice goes away.
    pub(crate) fn remember(
        &mut self,
        pool: PoolKey,
        key: DeviceKey,
        consumption: &[DeviceCounterConsumption],
    ) {
        if self.device(key).is_some() {
            self.change(pool, key, |device| device.set_last_consumption(consumption));
        }
    }

    fn change(&mut self, pool: PoolKey, key: DeviceKey, by: impl FnOnce(&mut HeldDevice)) {
        let slot = self.devices.get_mut(key.index());
        let was_free = slot.is_none();
        let device = Arc::make_mut(slot.get_or_insert_default());
        by(device);
        let is_free = device.is_free();
        if is_free {
            *slot = None;
        }
        let pool = self.pools.get_mut(pool.index());
        pool.revision = self.changes;
        if was_free == is_free {
            return;
        }
        let held = Arc::make_mut(&mut pool.held);
        match held.binary_search(&key) {
            Ok(place) if is_free => {
                held.remove(place);
            }
            Err(place) if !is_free => held.insert(place, key),
            _ => {}
        }
    }
}
