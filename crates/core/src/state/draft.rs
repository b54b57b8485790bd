//! [`Draft`]: changes to what is held that can be taken back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{AllocatedState, HeldDevice, Holding, Record};
use crate::model::Str;
use crate::store::{DeviceKey, Inventory, PoolKey};

/// Lies over an [`AllocatedState`] and costs what it changes.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    base: Arc<AllocatedState>,
    devices: BTreeMap<DeviceKey, HeldDevice>,
    pools: BTreeMap<DeviceKey, PoolKey>,
    owners: BTreeMap<Str, Drafted>,
    /// The nodes and slices, if they are others than those of the snapshot.
    inventory: Option<Arc<Inventory>>,
    trail: Vec<(u64, Undo)>,
    /// Grows with each change, and never goes back.
    changes: u64,
}

/// Is what an owner has in a [`Draft`].
#[derive(Clone, Debug)]
pub(crate) struct Drafted {
    pub(crate) holding: Arc<Holding>,
    /// What its devices were chosen by, if they were chosen here.
    pub(crate) basis: Option<Basis>,
}

/// Is what an answer was found with.
#[derive(Clone, Debug)]
pub(crate) struct Basis {
    pub(crate) node: Str,
    /// Revision of what the node saw.
    pub(crate) revision: u64,
    /// Pools of devices that are physically the same as those it gave.
    pub(crate) twins: Vec<PoolKey>,
}

/// Restores one thing as it was.
#[derive(Clone, Debug)]
enum Undo {
    Device(DeviceKey, Option<HeldDevice>),
    Owner(Str, Option<Drafted>),
    Inventory(Option<Arc<Inventory>>),
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
            inventory: None,
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
    pub(crate) fn holding(&self, owner: &str) -> Option<&Arc<Holding>> {
        match self.owners.get(owner) {
            Some(drafted) => Some(&drafted.holding),
            None => self.base.holding(owner),
        }
    }

    /// Returns the devices that an owner has.
    pub(crate) fn records(&self, owner: &str) -> &[Record] {
        self.holding(owner).map_or(&[], |holding| &holding.records)
    }

    /// Returns the owners that are about to give back what they have.
    pub(crate) fn releasing(&self) -> Vec<Str> {
        let drafted = self.owners.iter();
        let drafted = drafted.filter(|(_, drafted)| drafted.holding.releasing);
        let base = self.base.releasing();
        let base = base.filter(|owner| !self.owners.contains_key(*owner));
        drafted
            .map(|(owner, _)| owner)
            .chain(base)
            .cloned()
            .collect()
    }

    /// Returns the nodes and slices, if they are others than those of the snapshot.
    pub(crate) fn inventory(&self) -> Option<&Arc<Inventory>> {
        self.inventory.as_ref()
    }

    /// Goes on with other nodes and slices.
    pub(crate) fn set_inventory(&mut self, inventory: Arc<Inventory>) {
        let old = self.inventory.replace(inventory);
        self.push(Undo::Inventory(old));
    }

    /// Makes an owner have exactly this.
    pub(crate) fn set(&mut self, owner: &Str, holding: Holding, basis: Option<Basis>) {
        let old = self.holding(owner).cloned();
        let before = old.as_ref().map_or(&[][..], |old| &old.records);
        if before != holding.records {
            for record in &holding.records {
                self.change(record, |device| device.add(&record.held_as));
            }
            for record in before {
                self.change(record, |device| device.remove(&record.held_as));
            }
        }
        let drafted = Drafted {
            holding: Arc::new(holding),
            basis,
        };
        let old = self.owners.insert(owner.clone(), drafted);
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
                Undo::Owner(owner, Some(drafted)) => {
                    self.owners.insert(owner, drafted);
                }
                Undo::Owner(owner, None) => {
                    self.owners.remove(&owner);
                }
                Undo::Inventory(inventory) => self.inventory = inventory,
            }
        }
        true
    }

    /// Returns the owners that have something else than in the state below.
    pub(crate) fn owners(&self) -> &BTreeMap<Str, Drafted> {
        &self.owners
    }

    /// Returns the same for good; the rest is taken back.
    pub(crate) fn into_owners(self) -> BTreeMap<Str, Drafted> {
        self.owners
    }
}
