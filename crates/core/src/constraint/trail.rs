//! [`Trail`]: how to take changes back.

use dralloc_quantity::Amount;

use super::SetId;
use super::compatibility_groups::Groups;

/// Restores one piece of one propagator's state as it was.
#[derive(Debug)]
pub(crate) enum Undo {
    /// A device was picked by a request that takes it away from others.
    Picked(usize),
    /// A device was picked for a claim.
    PickedForClaim(usize, usize),
    /// A device with twins was picked.
    Twin(usize),
    /// A device took its counters.
    Charged(usize),
    /// A counter had this much.
    Counter(usize, Amount),
    /// A capacity had this much.
    Capacity(usize, Amount),
    /// A counter set had devices with these groups.
    Groups(usize, Groups),
    /// A match constraint had this set of values.
    Match(usize, Option<SetId>),
    /// A distinct constraint took these values.
    Distinct(usize, SetId),
    /// A rule of a policy got a device.
    Joined(usize),
}

/// Remembers changes in order.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    entries: Vec<Undo>,
}

/// Is a point to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(usize);

impl Trail {
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.entries.len())
    }

    pub(crate) fn push(&mut self, undo: Undo) {
        self.entries.push(undo);
    }

    /// Returns the latest change since a mark, which is to be taken back now.
    pub(crate) fn pop_since(&mut self, mark: Mark) -> Option<Undo> {
        if self.entries.len() > mark.0 {
            self.entries.pop()
        } else {
            None
        }
    }
}
