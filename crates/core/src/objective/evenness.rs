//! [`Evenness`]: how uneven cards are used.

use super::parents::Parents;
use super::picks::Picks;

/// Sums over parents what the square of the number of their devices that are
/// held grows by.
///
/// Bound: a pick adds `2h + 1` for each of its parents at least, where `h` of
/// its devices are held. Admissible: the next pick of a parent adds
/// `(n + 1)² - n² = 2n + 1`, and `n` starts at `h` and only grows.
#[derive(Debug)]
pub(crate) struct Evenness(Picks);

impl Evenness {
    pub(super) fn new(parents: &Parents) -> Self {
        Self(Picks::new(parents))
    }

    /// Adds a pick of a device; returns by how much the value grows.
    pub(super) fn add(&mut self, parents: &Parents, device: usize) -> i64 {
        let adds = |parent, picks| next(parents, parent, picks);
        self.0.add(parents, device, adds)
    }

    /// Returns what picks of some devices add.
    ///
    /// Of a parent with devices elsewhere it is not too much: for picks `a` and
    /// `b` of two places `(n + a + b)² - n²` is at least the sum of both alone.
    pub(super) fn of(
        &self,
        parents: &Parents,
        devices: impl Iterator<Item = usize> + Clone,
        counts: &mut Vec<u32>,
    ) -> i64 {
        let would_add = |parent, picks| next(parents, parent, picks);
        self.0.would_add(parents, devices, counts, would_add)
    }

    /// Takes the latest pick back, which was of this device.
    pub(super) fn take_back(&mut self, parents: &Parents, device: usize) {
        self.0.take_back(parents, device);
    }

    /// Returns what a pick of a device adds at least.
    pub(super) fn at_least(parents: &Parents, device: usize) -> i64 {
        let parents_of = parents.of(device).iter();
        let least = parents_of.map(|parent| next(parents, *parent, 0));
        least.sum()
    }
}

/// Returns what the next pick of a parent adds after so many.
fn next(parents: &Parents, parent: u32, picks: u32) -> i64 {
    2 * (i64::from(parents.held(parent)) + i64::from(picks)) + 1
}
