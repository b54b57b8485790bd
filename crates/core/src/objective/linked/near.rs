//! How near linked devices are to NICs, and what those carry.

use dralloc_topology::{Nics, Partial};

use super::Linked;
use super::known::Known;
use super::open::Open;

impl Linked {
    /// Returns what the best assignment to NICs costs at least; exactly, when nothing
    /// is open.
    pub(super) fn alignment(&self, known: &Known, open: &Open) -> i64 {
        let picked = &self.picked;
        self.least_of_counts(known, open, |nics, gpus| {
            // Fewer NICs take more of the devices each; none at all is worse than any.
            let most = picked.nic_set | open.nic_set;
            let may_have = picked.nic_set != 0 || (open.nic_set != 0 && open.nics.1 > 0);
            let fewest = picked.nic_set.count_ones().max(u32::from(may_have));
            let nics_then = Partial {
                chosen: picked.nic_set,
                open: most & !picked.nic_set,
                count: fewest as usize,
            };
            nics.alignment_bound(gpus, nics_then)
        })
    }

    /// Returns what the rate of the NICs around costs at least; exactly, when nothing
    /// is open.
    pub(super) fn uplink(&self, known: &Known, open: &Open) -> i64 {
        self.least_of_counts(known, open, Nics::uplink_bound)
    }

    fn least_of_counts(
        &self,
        known: &Known,
        open: &Open,
        cost: impl Fn(&Nics, Partial) -> Option<i64>,
    ) -> i64 {
        let Some(nics) = known.machine.alignment() else {
            return 0;
        };
        let chosen = self.picked.gpu_set;
        let counts = self.vertices(open, Self::gpu_picks(open));
        let costs = counts.filter_map(|count| {
            let gpus = Partial {
                chosen,
                open: open.gpu_set & !chosen,
                count,
            };
            cost(nics, gpus)
        });
        costs.min().unwrap_or(0)
    }
}
