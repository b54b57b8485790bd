//! [`Draft`]: changes to what is held that can be taken back.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::held_device::WHOLE;
use super::{AllocatedState, HeldAs, HeldDevice, Holding, Record};
use crate::amounts::{AmountsDraft, AmountsInUse, DraftedUse};
use crate::model::Str;
use crate::number::number;
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

/// Says which devices of a block are held.
#[derive(Clone, Copy, Debug)]
struct Word {
    block: usize,
    pool: PoolKey,
    held: u64,
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
    /// Some bits of a block are the other ones.
    Bits {
        block: usize,
        bits: u64,
    },
    Detail(DeviceKey, Option<Box<HeldDevice>>),
    Owner(Str, Option<Drafted>),
    Use(Str, Option<DraftedUse>),
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
            words: Vec::new(),
            details: BTreeMap::new(),
            owners: BTreeMap::new(),
            amounts: AmountsDraft::new(Arc::default()),
            inventory: None,
            trail: Vec::new(),
            changes: 0,
        }
    }

    /// Returns the same over what is used of the amounts of nodes.
    pub(crate) fn over(self, amounts: Arc<AmountsInUse>) -> Self {
        let amounts = AmountsDraft::new(amounts);
        Self { amounts, ..self }
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

    /// Returns which devices of a block are held.
    #[inline]
    pub(crate) fn held_word(&self, block: usize) -> u64 {
        match self.place(block) {
            Ok(place) => self.words[place].held,
            Err(_) => self.base.held_word(block),
        }
    }

    /// Returns which devices of a pool are held, if all of them are of one block.
    pub(crate) fn only_word(&self, pool: PoolKey, block: usize) -> Option<u64> {
        let mut base = self.base.blocks(pool).iter();
        let mut drafted = self.words.iter().filter(|word| word.pool == pool);
        let is_only =
            base.all(|other| *other as usize == block) && drafted.all(|word| word.block == block);
        is_only.then(|| self.held_word(block))
    }

    fn place(&self, block: usize) -> Result<usize, usize> {
        self.words.binary_search_by_key(&block, |word| word.block)
    }

    /// Returns the held devices of a pool, in order.
    pub(crate) fn in_pool(&self, pool: PoolKey) -> impl Iterator<Item = DeviceKey> + '_ {
        self.blocks(pool)
            .into_iter()
            .flat_map(|block| DeviceKey::of_word(block, self.held_word(block)))
    }

    /// Returns how many devices of a pool are held.
    pub(crate) fn count_in_pool(&self, pool: PoolKey) -> usize {
        let base = self.base.blocks(pool);
        let of_base = base.iter().map(|block| self.held_word(*block as usize));
        let is_new = |word: &&Word| base.binary_search(&number(word.block)).is_err();
        let drafted = self.words.iter().filter(|word| word.pool == pool);
        let new = drafted.filter(is_new).map(|word| word.held);
        of_base
            .chain(new)
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    fn blocks(&self, pool: PoolKey) -> Vec<usize> {
        let base = self.base.blocks(pool).iter().map(|block| *block as usize);
        let drafted = self.words.iter().filter(|word| word.pool == pool);
        let mut blocks: Vec<usize> = base.chain(drafted.map(|word| word.block)).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// Returns what an owner has.
    pub(crate) fn holding(&self, owner: &str) -> Option<&Arc<Holding>> {
        match self.owners.get(owner) {
            Some(drafted) => Some(&drafted.holding),
            None => self.base.holding(owner),
        }
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
                if many == 0 {
                    self.add(record);
                    rest = others;
                } else {
                    rest = &rest[many..];
                }
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

    fn add(&mut self, record: &Record) {
        let key = record.device;
        let is_plain = !self.details.contains_key(&key) && self.base.detail(key).is_none();
        if record.held_as == HeldAs::Whole && is_plain && !self.is_held(key) {
            self.flip_one(record);
            return;
        }
        self.change(record, |device| device.add(&record.held_as));
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
                Undo::Bits { block, bits } => {
                    let find = |word: &Word| word.block;
                    if let Ok(place) = self.words.binary_search_by_key(&block, find) {
                        self.words[place].held ^= bits;
                    }
                }
                Undo::Detail(key, Some(device)) => {
                    self.details.insert(key, device);
                }
                Undo::Detail(key, None) => {
                    self.details.remove(&key);
                }
                Undo::Owner(owner, Some(drafted)) => {
                    self.owners.insert(owner, drafted);
                }
                Undo::Owner(owner, None) => {
                    self.owners.remove(&owner);
                }
                Undo::Use(owner, old) => self.amounts.restore(&owner, old),
                Undo::Inventory(inventory) => self.inventory = inventory,
            }
        }
        true
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
