//! The trail of a [`Draft`], and the way back on it.

use std::sync::Arc;

use super::words::Word;
use super::{Draft, Drafted};
use crate::amounts::DraftedUse;
use crate::model::Str;
use crate::state::HeldDevice;
use crate::store::{DeviceKey, Inventory};

/// Restores one thing as it was.
#[derive(Clone, Debug)]
pub(super) enum Undo {
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
    pub(super) fn push(&mut self, undo: Undo) {
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
}
