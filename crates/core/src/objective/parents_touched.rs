//! [`ParentsTouched`]: how many cards an answer breaks into.

use super::parents::Parents;

/// Counts the parents of which nothing was held and something is picked.
///
/// Bound: nothing, of a pick alone. Admissible: the value never shrinks with
/// more picks, since a parent that is touched stays so. The bound by parts counts
/// the parents of each set of picks exactly, and each parent is in one part.
#[derive(Debug)]
pub(crate) struct ParentsTouched {
    /// By parent.
    picks: Vec<u32>,
}

impl ParentsTouched {
    pub(super) fn new(parents: &Parents) -> Self {
        Self {
            picks: vec![0; parents.len()],
        }
    }

    /// Adds a pick of a device; returns by how much the value grows.
    pub(super) fn add(&mut self, parents: &Parents, device: usize) -> i64 {
        let mut more = 0;
        for parent in parents.of(device) {
            let picks = &mut self.picks[*parent as usize];
            more += i64::from(*picks == 0 && parents.held(*parent) == 0);
            *picks += 1;
        }
        more
    }

    /// Returns what picks of some devices add; of parents that are split nothing
    /// is said, since others may touch them, too.
    ///
    /// The picks of each parent are counted in between: zero before and after.
    pub(super) fn of(
        &self,
        parents: &Parents,
        devices: impl Iterator<Item = usize> + Clone,
        counts: &mut Vec<u32>,
    ) -> i64 {
        counts.resize(counts.len().max(parents.len()), 0);
        let mut more = 0;
        for parent in devices.clone().flat_map(|device| parents.of(device)) {
            let place = *parent as usize;
            let is_new = counts[place] == 0 && self.picks[place] == 0;
            more += i64::from(is_new && parents.held(*parent) == 0 && !parents.is_split(*parent));
            counts[place] = 1;
        }
        for parent in devices.flat_map(|device| parents.of(device)) {
            counts[*parent as usize] = 0;
        }
        more
    }

    /// Returns whether a parent is new to an answer that has something of it.
    pub(super) fn is_new(&self, parents: &Parents, parent: u32) -> bool {
        self.picks.get(parent as usize) == Some(&0) && parents.held(parent) == 0
    }

    /// Takes the latest pick back, which was of this device.
    pub(super) fn take_back(&mut self, parents: &Parents, device: usize) {
        for parent in parents.of(device) {
            self.picks[*parent as usize] -= 1;
        }
    }
}
