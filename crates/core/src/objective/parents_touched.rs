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

    /// Takes the latest pick back, which was of this device.
    pub(super) fn take_back(&mut self, parents: &Parents, device: usize) {
        for parent in parents.of(device) {
            self.picks[*parent as usize] -= 1;
        }
    }
}
