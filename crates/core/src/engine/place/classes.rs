//! [`Classes`]: finds the class of a node by its kind and what is held of it.

use super::kind::Kind;
use super::kinds::Row;
use crate::number::number;

/// A kind has a table of all states if these have so many bits at most.
const MAX_TABLE_BITS: u32 = 10;

/// So many kinds have such a table.
const MAX_TABLES: usize = 64;

const NONE: u32 = u32::MAX;

/// Finds the class of a node by its kind and what is held of it, in one call.
#[derive(Debug, Default)]
pub(in crate::engine) struct Classes {
    /// By kind.
    tables: Vec<Table>,
    /// How many kinds have a table.
    count: usize,
    /// Classes by state, for the kinds with a table.
    direct: Vec<u32>,
    /// Places of entries, by hash; their number is a power of two, and at most
    /// half of them are taken.
    slots: Vec<u32>,
    entries: Vec<Entry>,
    words: Vec<u64>,
}

/// Is where a kind of nodes with devices in one block has its classes.
#[derive(Clone, Copy, Debug)]
struct Table {
    /// The bits of devices.
    mask: u64,
    /// Where it begins.
    first: u32,
}

impl Table {
    /// Has no class for any state.
    const NONE: Self = Self {
        mask: 0,
        first: NONE,
    };
}

#[derive(Debug)]
struct Entry {
    kind: u32,
    class: u32,
    /// Where its words begin; they end where those of the next begin.
    start: u32,
}

impl Classes {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.tables.clear();
        self.count = 0;
        self.direct.clear();
        self.slots.clear();
        self.entries.clear();
        self.words.clear();
    }

    /// Returns the class of a node if that takes one look.
    ///
    /// `held` are the devices of its block that somebody holds.
    #[inline]
    pub(super) fn quick(&self, row: Row, held: impl FnOnce(u32) -> u64) -> Option<u32> {
        let table = self.tables.get(row.kind())?;
        self.class(*table, held(row.block) & table.mask)
    }

    /// Returns the class of a state in a table.
    #[inline]
    fn class(&self, table: Table, state: u64) -> Option<u32> {
        // It is less than what the table is long; nothing is at the place of
        // the table that is none.
        let place = usize::try_from(state).ok()?;
        let place = place.saturating_add(table.first as usize);
        let class = self.direct.get(place).copied();
        class.filter(|class| *class != NONE)
    }

    /// Returns the class of a state of a kind.
    pub(super) fn find(&self, kind: usize, state: &[u64]) -> Option<u32> {
        if let Some(table) = self.tables.get(kind).filter(|table| table.first != NONE) {
            return self.class(*table, state.first().copied().unwrap_or(0));
        }
        let mut slot = hash(kind, state);
        loop {
            slot &= self.slots.len().checked_sub(1)?;
            let entry = *self.slots.get(slot)?;
            if entry == NONE {
                return None;
            }
            let found = self.entries.get(entry as usize)?;
            if found.kind as usize == kind && self.state(entry) == state {
                return Some(found.class);
            }
            slot += 1;
        }
    }

    fn state(&self, entry: u32) -> &[u64] {
        let start = |entry: usize| self.entries.get(entry).map(|entry| entry.start as usize);
        let entry = entry as usize;
        let end = start(entry + 1).unwrap_or(self.words.len());
        let words = start(entry).and_then(|start| self.words.get(start..end));
        words.unwrap_or_default()
    }

    /// Gives a class to a state that has none.
    pub(super) fn insert(&mut self, number_of_kind: usize, kind: &Kind, state: &[u64], class: u32) {
        if !kind.is_detailed && self.set_direct(number_of_kind, kind, state, class) {
            return;
        }
        if 2 * (self.entries.len() + 1) > self.slots.len() {
            let slots = (4 * (self.entries.len() + 1)).next_power_of_two();
            self.slots.clear();
            self.slots.resize(slots, NONE);
            for entry in 0..self.entries.len() {
                self.take_slot(entry);
            }
        }
        self.entries.push(Entry {
            kind: number(number_of_kind),
            class,
            start: number(self.words.len()),
        });
        self.words.extend(state);
        self.take_slot(self.entries.len() - 1);
    }

    fn take_slot(&mut self, entry: usize) {
        let kind = self.entries[entry].kind as usize;
        let mask = self.slots.len() - 1;
        let mut slot = hash(kind, self.state(number(entry))) & mask;
        while self.slots[slot] != NONE {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = number(entry);
    }

    /// Writes a class into the table of its kind, if there can be one.
    fn set_direct(
        &mut self,
        number_of_kind: usize,
        kind: &Kind,
        state: &[u64],
        class: u32,
    ) -> bool {
        // A node without devices has one state, whatever block is looked at.
        let (mask, state) = match (&*kind.masks, state) {
            ([], []) => (0, 0),
            ([mask], [state]) => (*mask, *state),
            _ => return false,
        };
        let bits = u64::BITS - mask.leading_zeros();
        if bits > MAX_TABLE_BITS {
            return false;
        }
        if self.tables.len() <= number_of_kind {
            self.tables.resize(number_of_kind + 1, Table::NONE);
        }
        let table = &mut self.tables[number_of_kind];
        if table.first == NONE {
            if self.count >= MAX_TABLES {
                return false;
            }
            self.count += 1;
            *table = Table {
                mask,
                first: number(self.direct.len()),
            };
            self.direct.resize(self.direct.len() + (1 << bits), NONE);
        }
        let place = usize::try_from(state).map(|state| state + table.first as usize);
        let slot = place.ok().and_then(|place| self.direct.get_mut(place));
        slot.map(|slot| *slot = class).is_some()
    }
}

/// Mixes a state; only the time that a look takes depends on it.
fn hash(kind: usize, state: &[u64]) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: &u64| (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let mixed = state.iter().fold(mix(0, &(kind as u64)), mix);
    // The upper bits depend on all of the words.
    usize::try_from(mixed >> 32).unwrap_or(0)
}
