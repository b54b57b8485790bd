//! [`Evenness`]: how uneven cards are used.

use super::parents::Parents;

/// Sums over parents what the square of the number of their devices that are
/// held grows by.
///
/// Bound: a pick adds `2h + 1` for each of its parents at least, where `h` of
/// its devices are held. Admissible: the next pick of a parent adds
/// `(n + 1)² - n² = 2n + 1`, and `n` starts at `h` and only grows.
#[derive(Debug)]
pub(crate) struct Evenness {
    /// By parent.
    picks: Vec<u32>,
}

impl Evenness {
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
            more += 2 * (i64::from(parents.held(*parent)) + i64::from(*picks)) + 1;
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

    /// Returns what a pick of a device adds at least.
    pub(super) fn at_least(parents: &Parents, device: usize) -> i64 {
        let parents_of = parents.of(device).iter();
        let least = parents_of.map(|parent| 2 * i64::from(parents.held(*parent)) + 1);
        least.sum()
    }
}
