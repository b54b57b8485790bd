//! How near GPUs are to NICs.

use std::collections::BTreeSet;

use dralloc_topology::VertexKind;

use super::fabric::around;
use super::{Machine, wide};

/// What GPUs without any NIC cost.
const NO_NIC: i128 = 6_000_000;

/// A NIC whose rate is not known carries 12.5 GB/s.
const ASSUMED: i128 = 12_500;

impl Machine {
    /// Returns the number of the level of a GPU and a NIC: `PIX` 0 to `NET` 5.
    fn nic_level(&self, gpu: usize, nic: usize) -> usize {
        self.plan.level(gpu, nic).saturating_sub(1)
    }

    /// Returns what the best assignment costs, of all; no NIC has more than its share.
    pub(super) fn alignment(&self, gpus: &BTreeSet<usize>, nics: &BTreeSet<usize>) -> i128 {
        if gpus.is_empty() || self.here(VertexKind::Nic).is_empty() {
            return 0;
        }
        if nics.is_empty() {
            return NO_NIC;
        }
        let gpus: Vec<usize> = gpus.iter().copied().collect();
        let nics: Vec<usize> = nics.iter().copied().collect();
        let mut loads = vec![gpus.len().div_ceil(nics.len()); nics.len()];
        let (worst, sum) = self.nearest(&gpus, &nics, &mut loads);
        1_000_000 * wide(worst) + wide(sum)
    }

    /// Returns the worst level and the sum of all, of the best way to assign some GPUs.
    fn nearest(&self, gpus: &[usize], nics: &[usize], loads: &mut [usize]) -> (usize, usize) {
        let Some((gpu, rest)) = gpus.split_first() else {
            return (0, 0);
        };
        let mut best = (usize::MAX, usize::MAX);
        for (place, nic) in nics.iter().enumerate() {
            if loads[place] == 0 {
                continue;
            }
            loads[place] -= 1;
            let level = self.nic_level(*gpu, *nic);
            let (worst, sum) = self.nearest(rest, nics, loads);
            best = best.min((worst.max(level), sum.saturating_add(level)));
            loads[place] += 1;
        }
        best
    }

    /// Returns what the NICs cost that serve some GPUs: of those on the node the nearest
    /// to each.
    pub(super) fn uplink(&self, gpus: &BTreeSet<usize>) -> i128 {
        let nics = self.here(VertexKind::Nic);
        if gpus.is_empty() || nics.is_empty() {
            return 0;
        }
        let mut serving = BTreeSet::new();
        for gpu in gpus {
            let nearest = nics.iter().map(|nic| self.nic_level(*gpu, *nic)).min();
            let serves =
                |nic: &&usize| Some(self.nic_level(*gpu, **nic)) == nearest && nearest < Some(5);
            serving.extend(nics.iter().filter(serves));
        }
        let rate = |nic: usize| {
            let rate = self.plan.vertices[nic].bandwidth;
            rate.map_or(ASSUMED, |rate| i128::from(rate.thousandths()))
        };
        around((serving.into_iter().map(rate).sum(), 1))
    }
}
