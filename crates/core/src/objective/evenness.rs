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

    /// Returns what picks of some devices add.
    ///
    /// Of a parent with devices elsewhere it is not too much: for picks `a` and
    /// `b` of two places `(n + a + b)² - n²` is at least the sum of both alone.
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
            let picks = i64::from(counts[place]) + i64::from(self.picks[place]);
            more += 2 * (i64::from(parents.held(*parent)) + picks) + 1;
            counts[place] += 1;
        }
        for parent in devices.flat_map(|device| parents.of(device)) {
            counts[*parent as usize] = 0;
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
