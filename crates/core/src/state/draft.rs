//! [`Draft`]: changes to what is held that can be taken back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{AllocatedState, HeldDevice, Record};
use crate::model::Str;
use crate::store::{DeviceKey, PoolKey};

/// Lies over an [`AllocatedState`] and costs what it changes.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    base: Arc<AllocatedState>,
    devices: BTreeMap<DeviceKey, HeldDevice>,
    pools: BTreeMap<DeviceKey, PoolKey>,
    owners: BTreeMap<Str, Vec<Record>>,
    trail: Vec<(u64, Undo)>,
    /// Grows with each change, and never goes back.
    changes: u64,
}

/// Restores one thing as it was.
#[derive(Clone, Debug)]
enum Undo {
    Device(DeviceKey, Option<HeldDevice>),
    Owner(Str, Option<Vec<Record>>),
}

/// Is a point in the life of a [`Draft`] to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DraftMark {
    length: usize,
    /// The change before it, by which a point that is gone is told.
    last: Option<u64>,
}

impl Draft {
    pub(crate) fn new(base: Arc<AllocatedState>) -> Self {
        Self {
            base,
            devices: BTreeMap::new(),
            pools: BTreeMap::new(),
            owners: BTreeMap::new(),
            trail: Vec::new(),
            changes: 0,
        }
    }

    /// Returns what is held of a device.
    pub(crate) fn device(&self, key: DeviceKey) -> Option<&HeldDevice> {
        match self.devices.get(&key) {
            Some(device) => (!device.is_free()).then_some(device),
            None => self.base.device(key).map(|device| &**device),
        }
    }

    /// Returns the held devices of a pool, in order.
    pub(crate) fn in_pool(&self, pool: PoolKey) -> BTreeSet<DeviceKey> {
        let changed = self.pools.iter().filter(|(_, other)| **other == pool);
        let mut held: BTreeSet<DeviceKey> = changed.map(|(key, _)| *key).collect();
        held.extend(self.base.in_pool(pool));
        held.retain(|key| self.device(*key).is_some());
        held
    }

    /// Returns what an owner has.
    pub(crate) fn records(&self, owner: &str) -> &[Record] {
        self.owners
            .get(owner)
            .map_or_else(|| self.base.records(owner), Vec::as_slice)
    }

    /// Makes an owner have exactly these.
    pub(crate) fn set(&mut self, owner: &Str, records: Vec<Record>) {
        let old = self.records(owner).to_vec();
        for record in &records {
            self.change(record, |device| device.add(&record.held_as));
        }
        for record in &old {
            self.change(record, |device| device.remove(&record.held_as));
        }
        let old = self.owners.insert(owner.clone(), records);
        self.push(Undo::Owner(owner.clone(), old));
    }

    fn change(&mut self, record: &Record, by: impl FnOnce(&mut HeldDevice)) {
        let key = record.device;
        let old = self.devices.get(&key).cloned();
        let mut device = old
            .clone()
            .or_else(|| self.base.device(key).map(|held| (**held).clone()))
            .unwrap_or_default();
        by(&mut device);
        self.devices.insert(key, device);
        self.pools.insert(key, record.pool);
        self.push(Undo::Device(key, old));
    }

    fn push(&mut self, undo: Undo) {
        self.changes += 1;
        self.trail.push((self.changes, undo));
    }

    /// Returns the point that [`Draft::undo`] goes back to.
    pub(crate) fn mark(&self) -> DraftMark {
        DraftMark {
            length: self.trail.len(),
            last: self.trail.last().map(|(change, _)| *change),
        }
    }

    /// Takes back all changes since a mark, in time proportional to them;
    /// returns whether the mark is still a point of the past.
    pub(crate) fn undo(&mut self, mark: DraftMark) -> bool {
        let before = self.trail[..mark.length.min(self.trail.len())].last();
        if self.trail.len() < mark.length || before.map(|(change, _)| *change) != mark.last {
            return false;
        }
        for (_, undo) in self.trail.drain(mark.length..).rev() {
            match undo {
                Undo::Device(key, Some(device)) => {
                    self.devices.insert(key, device);
                }
                Undo::Device(key, None) => {
                    self.devices.remove(&key);
                    self.pools.remove(&key);
                }
                Undo::Owner(owner, Some(records)) => {
                    self.owners.insert(owner, records);
                }
                Undo::Owner(owner, None) => {
                    self.owners.remove(&owner);
                }
            }
        }
        true
    }

    /// Returns the owners that have something else than in the state below.
    pub(crate) fn into_owners(self) -> BTreeMap<Str, Vec<Record>> {
        self.owners
    }
}
