//! [`Picks`]: how often each parent is picked of.

use super::parents::Parents;

/// Counts picks by parent, for terms that are sums over parents.
#[derive(Debug)]
pub(super) struct Picks(Vec<u32>);

impl Picks {
    pub(super) fn new(parents: &Parents) -> Self {
        Self(vec![0; parents.len()])
    }

    /// Returns how often a parent is picked of.
    pub(super) fn of(&self, parent: u32) -> u32 {
        self.0.get(parent as usize).copied().unwrap_or(0)
    }

    /// Adds a pick of a device; returns the sum over its parents of what each adds,
    /// given how often it was picked of before.
    pub(super) fn add(
        &mut self,
        parents: &Parents,
        device: usize,
        adds: impl Fn(u32, u32) -> i64,
    ) -> i64 {
        let mut more = 0;
        for parent in parents.of(device) {
            let picks = &mut self.0[*parent as usize];
            more += adds(*parent, *picks);
            *picks += 1;
        }
        more
    }

    /// Returns what picks of some devices would add in the same way.
    ///
    /// Those of each parent are counted in between: zero before and after.
    pub(super) fn would_add(
        &self,
        parents: &Parents,
        devices: impl Iterator<Item = usize> + Clone,
        counts: &mut Vec<u32>,
        adds: impl Fn(u32, u32) -> i64,
    ) -> i64 {
        counts.resize(counts.len().max(parents.len()), 0);
        let mut more = 0;
        for parent in devices.clone().flat_map(|device| parents.of(device)) {
            let place = *parent as usize;
            more += adds(*parent, self.0[place] + counts[place]);
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
            self.0[*parent as usize] -= 1;
        }
    }
}
