//! [`ParentsTouched`]: how many cards an answer breaks into.

use super::parents::Parents;
use super::picks::Picks;

/// Counts the parents of which nothing was held and something is picked.
///
/// Bound: nothing, of a pick alone. Admissible: the value never shrinks with
/// more picks, since a parent that is touched stays so. The bound by parts counts
/// the parents of each set of picks exactly, and each parent is in one part.
#[derive(Debug)]
pub(crate) struct ParentsTouched(Picks);

impl ParentsTouched {
    pub(super) fn new(parents: &Parents) -> Self {
        Self(Picks::new(parents))
    }

    /// Adds a pick of a device; returns by how much the value grows.
    pub(super) fn add(&mut self, parents: &Parents, device: usize) -> i64 {
        let adds = |parent, picks| i64::from(picks == 0 && parents.held(parent) == 0);
        self.0.add(parents, device, adds)
    }

    /// Returns what picks of some devices add; of parents that are split nothing
    /// is said, since others may touch them, too.
    pub(super) fn of(
        &self,
        parents: &Parents,
        devices: impl Iterator<Item = usize> + Clone,
        counts: &mut Vec<u32>,
    ) -> i64 {
        let would_add = |parent, picks| {
            let is_new = picks == 0 && parents.held(parent) == 0;
            i64::from(is_new && !parents.is_split(parent))
        };
        self.0.would_add(parents, devices, counts, would_add)
    }

    /// Returns whether a parent is new to an answer that has something of it.
    pub(super) fn is_new(&self, parents: &Parents, parent: u32) -> bool {
        self.0.of(parent) == 0 && parents.held(parent) == 0
    }

    /// Takes the latest pick back, which was of this device.
    pub(super) fn take_back(&mut self, parents: &Parents, device: usize) {
        self.0.take_back(parents, device);
    }
}
