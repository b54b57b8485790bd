//! How many rings a set can have at most.

use super::Table;
use crate::ring::LARGEST_PACKING;

impl Table {
    /// Returns an upper bound of the rings of a set, exact for sets on switches and pairs.
    ///
    /// For each device, with `X` the weight of the undirected rings (half of the rings):
    /// every ring takes two of its links, so `2 X` is at most their sum, and since one
    /// link carries at most `X`, `X` is at most the sum of the others. Over switches `2 X`
    /// is at most what it has into them, and direct links. No ring at all where a device
    /// has fewer than two partners, or where all links lead between two sides of the
    /// machine and the set has more devices on one. Beyond [`LARGEST_PACKING`] devices, where
    /// the cut stands for the rings, only the links of each device bound it.
    pub(super) fn ring_bound(&self, set: u16) -> u64 {
        let size = set.count_ones();
        if size < 2 {
            return 0;
        }
        let packed = (3..=LARGEST_PACKING).contains(&(size as usize));
        let devices = || (0..self.mesh.size).filter(move |device| set >> device & 1 == 1);
        if packed
            && self
                .mesh
                .side
                .is_some_and(|side| (set & side).count_ones() * 2 != size)
        {
            return 0;
        }
        let mut bound = u64::MAX;
        for device in devices() {
            let partners = self.mesh.neighbours[device] & set;
            let switched = self.mesh.switched[device] & set;
            if partners == 0 || (packed && partners.count_ones() < 2) {
                return 0;
            }
            let (mut sum, mut largest) = (0_u64, 0);
            let mut direct = partners & !switched;
            while direct != 0 {
                let other = direct.trailing_zeros() as usize;
                direct &= direct - 1;
                let capacity = self.shape.part.direct(device, other);
                sum = sum.saturating_add(capacity);
                largest = largest.max(capacity);
            }
            let port = if switched == 0 {
                0
            } else {
                self.shape.part.port(device)
            };
            let all = sum.saturating_add(port);
            let without = all.saturating_sub(largest).saturating_mul(2);
            let own = if !packed || switched != 0 {
                all
            } else {
                all.min(without)
            };
            bound = bound.min(own);
        }
        bound
    }
}
