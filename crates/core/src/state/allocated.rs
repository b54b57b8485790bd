//! [`AllocatedState`]: all that is held in a cluster.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdSet;

use super::held_device::WHOLE;
use super::pool_blocks::PoolBlocks;
use super::written::Written;
use super::{HeldAs, HeldDevice, Holding, Record};
use crate::hash::PersistentMap;
use crate::model::{DeviceCounterConsumption, Str};
use crate::number::number;
use crate::store::{Cursor, DeviceKey, Paged, PoolKey};

/// Holds what every owner has, and the sums by device.
///
/// A clone shares everything; what is written after that is copied on the way.
///
/// INVARIANT: the devices are the sums of the records of all owners.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllocatedState {
    owners: PersistentMap<Str, Arc<Holding>>,
    /// Owners that are about to give back what they have.
    releasing: OrdSet<Str>,
    /// By block: which devices are held at all.
    words: Paged<u64>,
    /// What is held of devices of which that bit does not say all.
    details: Paged<Option<Arc<HeldDevice>>>,
    /// By block: of which devices that was written last.
    written: Paged<Written>,
    pools: Paged<PoolState>,
    changes: u64,
}

/// Is what is known of a pool, whatever becomes of its slices.
#[derive(Clone, Debug, Default)]
struct PoolState {
    /// Is another whenever something else is held of the pool.
    revision: u64,
    blocks: PoolBlocks,
}

impl AllocatedState {
    /// Returns what is held of a device.
    pub(crate) fn device(&self, key: DeviceKey) -> Option<&HeldDevice> {
        if self.held_word(key.block()) & key.bit() == 0 {
            return None;
        }
        Some(self.detail(key).unwrap_or(&WHOLE))
    }

    /// Returns what is held of a device if it is more than one owner that has it whole.
    pub(super) fn detail(&self, key: DeviceKey) -> Option<&HeldDevice> {
        self.details.get(key.index())?.as_deref()
    }

    /// Returns which devices of a block are held.
    #[inline]
    pub(crate) fn held_word(&self, block: usize) -> u64 {
        self.words.get(block).copied().unwrap_or(0)
    }

    /// Returns what reads words of blocks that are near each other.
    pub(super) fn held_words(&self) -> Cursor<'_, u64> {
        self.words.cursor()
    }

    /// Returns the number of the last change of what is held in another way than
    /// whole in a block, and of which devices that was written after the change of
    /// a number; nothing if that is not known.
    ///
    /// The numbers of changes tell states of one engine apart, whose states follow
    /// on one another.
    pub(super) fn written_since(&self, block: usize, change: u64) -> (u64, Option<u64>) {
        match self.written.get(block) {
            Some(written) => (written.last(), written.since(change)),
            None => (0, (change == 0).then_some(0)),
        }
    }

    /// Returns the blocks of a pool with devices that are held, in order; there
    /// may be others among them.
    pub(super) fn blocks(&self, pool: PoolKey) -> &[u32] {
        self.pools
            .get(pool.index())
            .map_or(&[], |state| state.blocks.as_slice())
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

    /// Returns what all owners have, in order.
    pub(crate) fn owners(&self) -> BTreeMap<&Str, &Arc<Holding>> {
        self.owners.iter().collect()
    }

    /// Returns what all owners have, in no order that means anything.
    pub(super) fn holdings(&self) -> impl Iterator<Item = (&Str, &Arc<Holding>)> {
        self.owners.iter()
    }

    /// Returns the owners that are about to give back what they have.
    pub(crate) fn releasing(&self) -> impl Iterator<Item = &Str> {
        self.releasing.iter()
    }

    /// Makes an owner have exactly this; returns what it had.
    pub(crate) fn set(&mut self, owner: &Str, holding: &Arc<Holding>) -> Option<Arc<Holding>> {
        let old = if holding.is_empty() {
            self.owners.remove(owner)
        } else {
            self.owners.insert(owner.clone(), Arc::clone(holding))
        };
        let before = old.as_ref().map_or(&[][..], |old| &old.records);
        if before != holding.records {
            self.changes += 1;
            // What is in both lists is never free in between: what is known of it stays.
            for record in &holding.records {
                self.add(record);
            }
            for record in before {
                self.remove(record);
            }
        }
        let was_releasing = old.as_ref().is_some_and(|old| old.releasing);
        let is_releasing = holding.releasing && !holding.is_empty();
        if was_releasing && !is_releasing {
            self.releasing.remove(owner);
        } else if is_releasing && !was_releasing {
            self.releasing.insert(owner.clone());
        }
        old
    }

    /// Remembers what a held device takes of counters, before its slice goes away.
    pub(crate) fn remember(&mut self, key: DeviceKey, consumption: &[DeviceCounterConsumption]) {
        if self.device(key).is_some() {
            self.write(key).set_last_consumption(consumption);
        }
    }

    fn add(&mut self, record: &Record) {
        let key = record.device;
        let word = self.words.get_mut(key.block());
        let was_free = *word & key.bit() == 0;
        *word |= key.bit();
        if !was_free {
            self.write(key).add(&record.held_as);
            self.note_written(key);
        } else if record.held_as != HeldAs::Whole {
            let mut device = HeldDevice::default();
            device.add(&record.held_as);
            *self.details.get_mut(key.index()) = Some(Arc::new(device));
            self.note_written(key);
        }
        let pool = self.pools.get_mut(record.pool.index());
        pool.revision = self.changes;
        pool.blocks.insert(number(key.block()));
    }

    fn remove(&mut self, record: &Record) {
        let key = record.device;
        if self.device(key).is_none() {
            return;
        }
        self.pools.get_mut(record.pool.index()).revision = self.changes;
        let is_free = if self.detail(key).is_none() && record.held_as == HeldAs::Whole {
            true
        } else {
            let device = self.write(key);
            device.remove(&record.held_as);
            let is_free = device.is_free();
            if is_free {
                *self.details.get_mut(key.index()) = None;
            }
            self.note_written(key);
            is_free
        };
        if is_free {
            *self.words.get_mut(key.block()) &= !key.bit();
        }
    }

    fn note_written(&mut self, key: DeviceKey) {
        let written = self.written.get_mut(key.block());
        written.note(self.changes, key.bit());
    }

    /// Returns what is held of a held device, to write.
    fn write(&mut self, key: DeviceKey) -> &mut HeldDevice {
        let detail = self.details.get_mut(key.index());
        Arc::make_mut(detail.get_or_insert_with(|| Arc::new(WHOLE.clone())))
    }
}
