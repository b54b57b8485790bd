//! Measures of a set of devices: what terms of an objective are made of.

mod bottleneck;
mod links;
mod nics;
mod rings;
mod span;

pub use bottleneck::Bottleneck;

use crate::topology::Topology;

impl Topology {
    /// Returns the devices of a set once each, ascending, without numbers of none.
    pub(crate) fn members(&self, set: &[usize]) -> Vec<usize> {
        let devices = set
            .iter()
            .copied()
            .filter(|&device| device < self.device_count());
        let mut members: Vec<usize> = devices.collect();
        members.sort_unstable();
        members.dedup();
        members
    }
}
