//! [`Memo`]: what parts in a certain state can give, found once.

use std::ops::Range;

use super::lanes::Lanes;

/// When so much is kept, all of it is forgotten.
const WORDS: usize = 1 << 16;
const SLOTS: usize = 1 << 10;

/// Remembers vectors by what they follow from: how a part is built, which of its
/// devices can be had for which needs, and what is left of its counters.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// By hash: the entry and one; zero is free.
    slots: Vec<u32>,
    entries: Vec<Entry>,
    masks: Vec<u64>,
    left: Vec<i128>,
    options: Vec<Lanes>,
}

/// Is a state of a part.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<'s> {
    pub(super) kind: usize,
    pub(super) masks: &'s [u64],
    pub(super) left: &'s [i128],
}

#[derive(Debug)]
struct Entry {
    kind: usize,
    masks: Range<usize>,
    left: Range<usize>,
    options: Range<usize>,
    /// The most of each need.
    most: Lanes,
}

impl Memo {
    /// Forgets everything if it is about something else, or too much.
    ///
    /// Entries stay where they are until the next call.
    pub(super) fn begin(&mut self, forget: bool) {
        let words = self.masks.len() + 2 * self.left.len() + 2 * self.options.len();
        if forget || self.slots.is_empty() || words > WORDS || self.entries.len() > SLOTS / 2 {
            self.slots.clear();
            self.slots.resize(SLOTS, 0);
            self.entries.clear();
            self.masks.clear();
            self.left.clear();
            self.options.clear();
        }
    }

    /// Returns whether an entry is there and is that of a state.
    pub(super) fn is_of(&self, entry: usize, state: State<'_>) -> bool {
        self.entries.get(entry).is_some_and(|entry| {
            entry.kind == state.kind
                && self.masks[entry.masks.clone()] == *state.masks
                && self.left[entry.left.clone()] == *state.left
        })
    }

    /// Returns the entry of a state, or the slot where it belongs; nothing if
    /// there is no more place for it.
    pub(super) fn find(&self, state: State<'_>) -> Result<usize, Option<usize>> {
        let mut slot = hash(state);
        for _ in 0..32 {
            slot %= SLOTS;
            let Some(entry) = (self.slots[slot] as usize).checked_sub(1) else {
                return Err(Some(slot));
            };
            if self.is_of(entry, state) {
                return Ok(entry);
            }
            slot += 1;
        }
        Err(None)
    }

    /// Adds the options of a state; a slot makes it possible to find them again.
    pub(super) fn add(
        &mut self,
        state: State<'_>,
        slot: Option<usize>,
        options: &[Lanes],
    ) -> usize {
        let place = self.entries.len();
        let (masks, left, first) = (self.masks.len(), self.left.len(), self.options.len());
        self.masks.extend_from_slice(state.masks);
        self.left.extend_from_slice(state.left);
        self.options.extend_from_slice(options);
        self.entries.push(Entry {
            kind: state.kind,
            masks: masks..self.masks.len(),
            left: left..self.left.len(),
            options: first..self.options.len(),
            most: options
                .iter()
                .fold(Lanes::default(), |most, one| most.most(*one)),
        });
        if let (Some(slot), Ok(entry)) = (slot, u32::try_from(self.entries.len())) {
            self.slots[slot] = entry;
        }
        place
    }

    pub(super) fn options(&self, entry: usize) -> &[Lanes] {
        &self.options[self.entries[entry].options.clone()]
    }

    pub(super) fn most(&self, entry: usize) -> Lanes {
        self.entries[entry].most
    }
}

fn hash(state: State<'_>) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let hash = state
        .masks
        .iter()
        .fold(state.kind as u64, |hash, mask| mix(hash, *mask));
    // Of what is left the lower half tells enough apart.
    let hash = state.left.iter().fold(hash, |hash, left| {
        let low = left & i128::from(u64::MAX);
        mix(hash, u64::try_from(low).unwrap_or(0))
    });
    usize::try_from(hash >> 40).unwrap_or(0)
}
