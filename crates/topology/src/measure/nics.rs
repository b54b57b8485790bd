//! How near a set is to NICs.

use crate::nics::Nics;
use crate::rate::Rate;
use crate::topology::Topology;

impl Topology {
    /// Returns what the best assignment of GPUs to NICs costs, by the definition of
    /// [`Nics`]; none for more than [`LARGEST_NICS`](crate::LARGEST_NICS) of either, and
    /// for a number of none.
    pub fn nic_alignment(&self, gpus: &[usize], nics: &[usize]) -> Option<i64> {
        Some(Nics::of(self, gpus, nics)?.alignment(u64::MAX, u64::MAX))
    }

    /// Returns the rate of all NICs that serve a set of GPUs, by the definition of
    /// [`Nics`]; none where there are more than [`LARGEST_NICS`](crate::LARGEST_NICS) GPUs,
    /// or NICs in their hosts, and for a number of none.
    pub fn uplink(&self, gpus: &[usize]) -> Option<Rate> {
        let near = |&nic: &usize| {
            let mut levels = gpus.iter().map(|&gpu| self.nic_level(gpu, nic));
            levels.any(|level| level < crate::Level::Net)
        };
        let nics: Vec<usize> = (0..self.nic_count()).filter(near).collect();
        Some(Nics::of(self, gpus, &nics)?.uplink(u64::MAX))
    }
}
