//! The worst pair.

use crate::level::Level;
use crate::rate::Rate;
use crate::topology::Topology;

/// Is the worst pair of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bottleneck {
    /// The worst level of a pair.
    pub level: Level,
    /// The least rate of a pair, of those that are known.
    pub rate: Option<Rate>,
}

impl Topology {
    /// Returns the rate per direction between two devices, by itself: that of their
    /// links, else the least that is known on the way over `PCIe`.
    ///
    /// Links whose rate the document leaves out do not count, nor does the way between
    /// NUMA nodes. None where no rate is known, and for one device.
    pub fn bandwidth(&self, a: usize, b: usize) -> Option<Rate> {
        match self.wire(a, b) {
            Some(wire) => wire.rate,
            None if a == b => None,
            None => self.pcie_bandwidth(a, b),
        }
    }

    /// Returns the worst level and the least rate over all pairs of a set; none for
    /// fewer than two devices.
    ///
    /// The right measure where all devices talk to all, or two to each other. A set is
    /// never better than a part of it. Takes a step per pair.
    pub fn bottleneck(&self, set: &[usize]) -> Option<Bottleneck> {
        let members = self.members(set);
        let mut worst: Option<Bottleneck> = None;
        for (place, &a) in members.iter().enumerate() {
            for &b in members.get(..place).unwrap_or_default() {
                let (level, rate) = (self.level(a, b), self.bandwidth(a, b));
                worst = Some(match worst {
                    None => Bottleneck { level, rate },
                    Some(before) => Bottleneck {
                        level: before.level.max(level),
                        rate: match (before.rate, rate) {
                            (Some(first), Some(second)) => Some(first.min(second)),
                            (first, second) => first.or(second),
                        },
                    },
                });
            }
        }
        worst
    }
}
