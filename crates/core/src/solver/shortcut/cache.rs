//! [`Shortcuts`]: what was compiled for claims and nodes.

use std::sync::{Arc, Weak};

use super::Shortcut;
use super::compile::compile;
use crate::budget::Meter;
use crate::claims::{PreparedClaims, WeakClaims};
use crate::eligible::Verdicts;
use crate::outcome::StopCause;
use crate::store::NodeView;

/// With more words of 8 bytes than this (128 MiB), all shortcuts are forgotten.
const MAX_WEIGHT: usize = if cfg!(test) { 1 << 14 } else { 1 << 24 };

const MIN_SLOTS: usize = 64;

/// Keeps shortcuts by the identity of claims and view.
///
/// A table with open addressing: most questions ask for one entry, and nothing
/// is kept alive by it. Entries of what is gone are dropped when it is full.
#[derive(Debug, Default)]
pub(crate) struct Shortcuts {
    /// Their number is a power of two, and at most half of them are taken.
    slots: Vec<Option<Entry>>,
    length: usize,
    weight: usize,
}

#[derive(Debug)]
struct Entry {
    /// While these are there, no others can be in their places in memory.
    claims: WeakClaims,
    view: Weak<NodeView>,
    /// None if the question is not usual.
    shortcut: Option<Shortcut>,
}

impl Shortcuts {
    /// Returns the shortcut for claims on a node, if the question is usual.
    ///
    /// # Errors
    ///
    /// If it is stopped: evaluating selectors counts each time.
    pub(crate) fn get(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        verdicts: &mut Verdicts,
        meter: &mut Meter<'_>,
    ) -> Result<Option<&Shortcut>, StopCause> {
        if let Some(place) = self.find(claims, view) {
            let shortcut = self.slots[place]
                .as_ref()
                .and_then(|entry| entry.shortcut.as_ref());
            if let Some(shortcut) = shortcut
                && shortcut.branches > 0
            {
                meter.evaluation(shortcut.branches)?;
            }
            return Ok(shortcut);
        }
        let shortcut = compile(claims, view, verdicts, meter)?;
        let entry = Entry {
            claims: claims.downgrade(),
            view: Arc::downgrade(view),
            shortcut,
        };
        self.make_room(entry.weight());
        self.weight += entry.weight();
        self.length += 1;
        let place = self.free(entry.hash());
        let entry = self.slots[place].insert(entry);
        Ok(entry.shortcut.as_ref())
    }

    fn find(&self, claims: &PreparedClaims, view: &Arc<NodeView>) -> Option<usize> {
        let mut place = hash(claims.address(), Arc::as_ptr(view).addr());
        loop {
            place &= self.slots.len().checked_sub(1)?;
            let entry = self.slots[place].as_ref()?;
            if std::ptr::eq(entry.view.as_ptr(), Arc::as_ptr(view))
                && entry.claims.address() == claims.address()
            {
                return Some(place);
            }
            place += 1;
        }
    }

    /// Returns the slot for a new entry; half of the slots are free.
    fn free(&self, hash: usize) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash & mask;
        while self.slots[place].is_some() {
            place = (place + 1) & mask;
        }
        place
    }

    fn make_room(&mut self, weight: usize) {
        let heavy = self.weight + weight > MAX_WEIGHT;
        if !heavy && 2 * (self.length + 1) <= self.slots.len() {
            return;
        }
        let mut kept: Vec<Entry> = std::mem::take(&mut self.slots)
            .into_iter()
            .flatten()
            .filter(|entry| entry.claims.is_there() && entry.view.strong_count() > 0)
            .collect();
        self.weight = kept.iter().map(Entry::weight).sum();
        // Half of it must be free, or else this would have to be done too often.
        if 2 * (self.weight + weight) > MAX_WEIGHT && heavy {
            kept.clear();
            self.weight = 0;
        }
        self.length = kept.len();
        let slots = (4 * (self.length + 1)).next_power_of_two().max(MIN_SLOTS);
        self.slots.resize_with(slots, || None);
        for entry in kept {
            let place = self.free(entry.hash());
            self.slots[place] = Some(entry);
        }
    }

    /// Returns the number of entries, and their memory.
    #[cfg(test)]
    pub(super) fn size(&self) -> (usize, usize) {
        (self.length, self.weight)
    }
}

impl Entry {
    fn weight(&self) -> usize {
        // With the slots, of which a quarter may be taken.
        64 + self.shortcut.as_ref().map_or(0, Shortcut::weight)
    }

    fn hash(&self) -> usize {
        hash(self.claims.address(), self.view.as_ptr().addr())
    }
}

/// Mixes two addresses; only the time that a look takes depends on it.
fn hash(claims: usize, view: usize) -> usize {
    let mixed = (claims.rotate_left(29) ^ view).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> 20 ^ mixed >> 40
}
