//! [`Draft`]: changes to what is held that can be taken back.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{AllocatedState, HeldDevice, Record};
use crate::model::Str;
use crate::store::DeviceKey;

/// Lies over an [`AllocatedState`] and costs what it changes.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    base: Arc<AllocatedState>,
    devices: BTreeMap<DeviceKey, HeldDevice>,
    owners: BTreeMap<Str, Vec<Record>>,
    trail: Vec<Undo>,
}

/// Restores one thing as it was.
#[derive(Clone, Debug)]
enum Undo {
    Device(DeviceKey, Option<HeldDevice>),
    Owner(Str, Option<Vec<Record>>),
}

/// Is a point in the life of a [`Draft`] to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark(usize);

impl Draft {
    pub(crate) fn new(base: Arc<AllocatedState>) -> Self {
        Self {
            base,
            devices: BTreeMap::new(),
            owners: BTreeMap::new(),
            trail: Vec::new(),
        }
    }

    /// Returns what is held of a device.
    pub(crate) fn device(&self, key: DeviceKey) -> Option<&HeldDevice> {
        let changed = if self.devices.is_empty() {
            None
        } else {
            self.devices.get(&key)
        };
        match changed {
            Some(device) => (!device.is_free()).then_some(device),
            None => self.base.device(key).map(|device| &**device),
        }
    }

    /// Returns the state under the draft.
    pub(crate) fn base(&self) -> &AllocatedState {
        &self.base
    }

    /// Returns what an owner has.
    pub(crate) fn records(&self, owner: &str) -> &[Record] {
        self.owners
            .get(owner)
            .map_or_else(|| self.base.records(owner), Vec::as_slice)
    }

    /// Makes an owner have exactly these.
    pub(crate) fn set(&mut self, owner: &Str, records: Vec<Record>) {
        for record in self.records(owner).to_vec() {
            self.change(record.device, |device| device.remove(&record.held_as));
        }
        for record in &records {
            self.change(record.device, |device| device.add(&record.held_as));
        }
        let old = self.owners.insert(owner.clone(), records);
        self.trail.push(Undo::Owner(owner.clone(), old));
    }

    fn change(&mut self, key: DeviceKey, by: impl FnOnce(&mut HeldDevice)) {
        let old = self.devices.get(&key).cloned();
        let mut device = match &old {
            Some(device) => device.clone(),
            None => self
                .base
                .device(key)
                .map_or_else(HeldDevice::default, |held| (**held).clone()),
        };
        by(&mut device);
        self.devices.insert(key, device);
        self.trail.push(Undo::Device(key, old));
    }

    /// Returns the point that [`Draft::undo`] goes back to.
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Takes back all changes since a mark, in time proportional to them.
    pub(crate) fn undo(&mut self, mark: Mark) {
        for undo in self.trail.drain(mark.0.min(self.trail.len())..).rev() {
            match undo {
                Undo::Device(key, Some(device)) => {
                    self.devices.insert(key, device);
                }
                Undo::Device(key, None) => {
                    self.devices.remove(&key);
                }
                Undo::Owner(owner, Some(records)) => {
                    self.owners.insert(owner, records);
                }
                Undo::Owner(owner, None) => {
                    self.owners.remove(&owner);
                }
            }
        }
    }

    /// Returns the owners that have something else than in the state below.
    pub(crate) fn into_owners(self) -> BTreeMap<Str, Vec<Record>> {
        self.owners
    }
}
