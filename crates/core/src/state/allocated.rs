//! [`AllocatedState`]: all that is held in a cluster.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{HeldDevice, Record};
use crate::model::{DeviceCounterConsumption, Str};
use crate::store::{DeviceKey, PoolKey};

/// Holds what every owner has, and the sums by device.
///
/// INVARIANT: the devices are the sums of the records of all owners.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllocatedState {
    owners: BTreeMap<Str, Arc<[Record]>>,
    devices: Vec<Option<Arc<HeldDevice>>>,
    by_pool: BTreeMap<PoolKey, BTreeSet<DeviceKey>>,
}

impl AllocatedState {
    /// Returns what is held of a device.
    pub(crate) fn device(&self, key: DeviceKey) -> Option<&Arc<HeldDevice>> {
        self.devices.get(key.index())?.as_ref()
    }

    /// Returns the held devices of a pool.
    pub(crate) fn in_pool(&self, pool: PoolKey) -> impl Iterator<Item = DeviceKey> + '_ {
        self.by_pool.get(&pool).into_iter().flatten().copied()
    }

    /// Returns what an owner has.
    pub(crate) fn records(&self, owner: &str) -> &[Record] {
        self.owners.get(owner).map_or(&[], |records| records)
    }

    /// Makes an owner have exactly these; returns whether that is different.
    pub(crate) fn set(&mut self, owner: &Str, records: Vec<Record>) -> bool {
        if self.records(owner) == records {
            return false;
        }
        // What is in both lists is never free in between: what is known of it stays.
        for record in &records {
            self.change(record.pool, record.device, |device| {
                device.add(&record.held_as);
            });
        }
        if let Some(old) = self.owners.remove(owner) {
            for record in old.iter() {
                self.change(record.pool, record.device, |device| {
                    device.remove(&record.held_as);
                });
            }
        }
        if !records.is_empty() {
            self.owners.insert(owner.clone(), records.into());
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
        if self.devices.len() <= key.index() {
            self.devices.resize(key.index() + 1, None);
        }
        let slot = &mut self.devices[key.index()];
        let device = Arc::make_mut(slot.get_or_insert_default());
        by(device);
        let free = device.is_free();
        if free {
            *slot = None;
        }
        let pool = self.by_pool.entry(pool).or_default();
        if free {
            pool.remove(&key);
        } else {
            pool.insert(key);
        }
    }
}
