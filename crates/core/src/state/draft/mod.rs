//! [`Draft`]: changes to what is held that can be taken back.

mod below;
mod undo;
mod words;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) use undo::DraftMark;
pub(crate) use words::HeldWords;

use undo::Undo;
use words::Word;

use super::held_device::WHOLE;
use super::{AllocatedState, HeldAs, HeldDevice, Holding, Record};
use crate::amounts::{AmountsDraft, AmountsInUse, DraftedUse};
use crate::model::Str;
use crate::store::{DeviceKey, Inventory, PoolKey};

/// Lies over an [`AllocatedState`] and costs what it changes.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    base: Arc<AllocatedState>,
    /// Blocks that were written, in order.
    words: Vec<Word>,
    /// What is held of devices of which the bit and the base do not say all.
    details: BTreeMap<DeviceKey, Box<HeldDevice>>,
    owners: BTreeMap<Str, Drafted>,
    amounts: AmountsDraft,
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
    /// Why it has that, if it was not had before, nor said by a host.
    pub(crate) basis: Option<Basis>,
}

impl Drafted {
    /// Returns by what its devices were chosen, if they were chosen here.
    pub(crate) fn chosen_by(&self) -> Option<&Sight> {
        match &self.basis {
            Some(Basis::Chosen(sight)) => Some(sight),
            Some(Basis::Status) | None => None,
        }
    }
}

/// Says why an owner has what it has.
#[derive(Clone, Debug)]
pub(crate) enum Basis {
    /// It was chosen by what was seen of a node.
    Chosen(Sight),
    /// The status of its claim says so, of which nothing else was known.
    Status,
}

/// Is what a choice was made with.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    pub(crate) node: Str,
    /// Revision of what the node saw.
    pub(crate) revision: u64,
    /// Pools of devices that are physically the same as those it gave.
    pub(crate) twins: Vec<PoolKey>,
}

/// Returns a draft over nothing: nobody holds anything.
impl Default for Draft {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl Draft {
    /// Returns a draft over what is held alone.
    pub(crate) fn new(base: Arc<AllocatedState>) -> Self {
        Self::over(base, Arc::default())
    }

    /// Returns a draft over what is held, and what is used of the amounts of nodes.
    pub(crate) fn over(base: Arc<AllocatedState>, amounts: Arc<AmountsInUse>) -> Self {
        Self {
            base,
            words: Vec::new(),
            details: BTreeMap::new(),
            owners: BTreeMap::new(),
            amounts: AmountsDraft::new(amounts),
            inventory: None,
            trail: Vec::new(),
            changes: 0,
        }
    }

    /// Returns what is used of the amounts of nodes.
    pub(crate) fn amounts(&self) -> &AmountsDraft {
        &self.amounts
    }

    /// Makes an owner use exactly this of the amounts of a node.
    pub(crate) fn set_use(&mut self, owner: &Str, drafted: DraftedUse) {
        let old = self.amounts.set(owner, drafted);
        self.push(Undo::Use(owner.clone(), old));
    }

    /// Returns what is held of a device.
    pub(crate) fn device(&self, key: DeviceKey) -> Option<&HeldDevice> {
        if !self.is_held(key) {
            return None;
        }
        let drafted = self.details.get(&key).map(|device| &**device);
        drafted.or_else(|| self.base.device(key)).or(Some(&WHOLE))
    }

    /// Returns whether anything is held of a device.
    pub(crate) fn is_held(&self, key: DeviceKey) -> bool {
        self.held_word(key.block()) & key.bit() != 0
    }

    /// Returns what an owner has.
    pub(crate) fn holding(&self, owner: &str) -> Option<&Arc<Holding>> {
        match self.owners.get(owner) {
            Some(drafted) => Some(&drafted.holding),
            None => self.base.holding(owner),
        }
    }

    /// Returns the owners that hold devices of some pools, in order.
    pub(crate) fn holders(&self, is_meant: impl Fn(PoolKey) -> bool) -> Vec<Str> {
        let drafted = self.owners.iter();
        let drafted = drafted.map(|(owner, drafted)| (owner, &drafted.holding));
        let base = self.base.holdings();
        let base = base.filter(|(owner, _)| !self.owners.contains_key(*owner));
        let holders = drafted.chain(base).filter(|(_, holding)| {
            let mut records = holding.records.iter();
            records.any(|record| is_meant(record.pool))
        });
        let mut owners: Vec<Str> = holders.map(|(owner, _)| owner.clone()).collect();
        owners.sort_unstable();
        owners
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
            let mut rest = holding.records.as_slice();
            while let [record, others @ ..] = rest {
                let many = self.add_whole(rest);
                rest = if many > 0 {
                    &rest[many..]
                } else {
                    let same = others.iter().take_while(|one| one.device == record.device);
                    let (same, others) = rest.split_at(1 + same.count());
                    self.add(record, same);
                    others
                };
            }
            for record in before {
                self.remove(record);
            }
        }
        let drafted = Drafted {
            holding: Arc::new(holding),
            basis,
        };
        let old = self.owners.insert(owner.clone(), drafted);
        self.push(Undo::Owner(owner.clone(), old));
    }

    /// Makes free devices held whole, those of the first records that are in one
    /// block; returns how many these are. None if one of them needs a closer look.
    fn add_whole(&mut self, records: &[Record]) -> usize {
        let [first, ..] = records else { return 0 };
        let block = first.device.block();
        let (mut bits, mut count) = (0, 0);
        for record in records {
            let (key, bit) = (record.device, record.device.bit());
            if record.held_as != HeldAs::Whole || key.block() != block || bits & bit != 0 {
                break;
            }
            bits |= bit;
            count += 1;
        }
        // What is known of a device in the base ends when it is free there.
        let taken = self.held_word(block) | self.base.held_word(block);
        if !self.details.is_empty() || taken & bits != 0 {
            return 0;
        }
        if bits != 0 {
            self.flip(first.pool, block, bits);
        }
        count
    }

    /// Makes a device held as records of it say, the first of them among them.
    fn add(&mut self, first: &Record, records: &[Record]) {
        let key = first.device;
        let is_plain = !self.details.contains_key(&key) && self.base.detail(key).is_none();
        let is_one = records.len() == 1 && first.held_as == HeldAs::Whole;
        if is_one && is_plain && !self.is_held(key) {
            self.flip_one(first);
            return;
        }
        self.change(first, |device| {
            for record in records {
                device.add(&record.held_as);
            }
        });
    }

    fn remove(&mut self, record: &Record) {
        let key = record.device;
        let is_plain = !self.details.contains_key(&key) && self.base.detail(key).is_none();
        if record.held_as == HeldAs::Whole && is_plain {
            if self.is_held(key) {
                self.flip_one(record);
            }
            return;
        }
        self.change(record, |device| device.remove(&record.held_as));
    }

    fn change(&mut self, record: &Record, by: impl FnOnce(&mut HeldDevice)) {
        let key = record.device;
        let was_held = self.is_held(key);
        let mut device = self.device(key).cloned().unwrap_or_default();
        by(&mut device);
        let is_held = !device.is_free();
        let old = self.details.insert(key, Box::new(device));
        self.push(Undo::Detail(key, old));
        if was_held != is_held {
            self.flip_one(record);
        }
    }

    /// Makes a free device held, or a held one free.
    fn flip_one(&mut self, record: &Record) {
        let key = record.device;
        self.flip(record.pool, key.block(), key.bit());
    }

    /// Makes free devices of a block held, and held ones free.
    fn flip(&mut self, pool: PoolKey, block: usize, bits: u64) {
        let place = self.place(block).unwrap_or_else(|place| {
            let held = self.base.held_word(block);
            self.words.insert(place, Word { block, pool, held });
            place
        });
        self.words[place].held ^= bits;
        self.push(Undo::Bits { block, bits });
    }

    /// Returns the owners that have something else than in the state below.
    pub(crate) fn owners(&self) -> &BTreeMap<Str, Drafted> {
        &self.owners
    }

    /// Takes out who uses something else of nodes than in the state below.
    pub(crate) fn take_uses(&mut self) -> BTreeMap<Str, DraftedUse> {
        self.amounts.take_owners()
    }

    /// Returns the same for good; the rest is taken back.
    pub(crate) fn into_owners(self) -> BTreeMap<Str, Drafted> {
        self.owners
    }
}
