//! Checking a [`RingProof`] by its definition.

use std::collections::BTreeMap;

use super::{Capacity, LARGEST_PACKING, Part, RingProof};
use crate::topology::Topology;

impl RingProof {
    /// Says whether the proof is right, by the links of the topology alone.
    ///
    /// Adds up what rings carry and what capacities cost, and finds the cheapest ring by
    /// dynamic programming over sets of devices (Held and Karp 1962): at most 2^8 sets
    /// times 8 times 8 steps, whatever the proof says.
    pub fn holds(&self, topology: &Topology) -> bool {
        let size = self.devices.len();
        let ascending = self.devices.windows(2).all(|pair| pair[0] < pair[1]);
        let known = self
            .devices
            .iter()
            .all(|&device| device < topology.device_count());
        if !(3..=LARGEST_PACKING).contains(&size) || !ascending || !known || self.denominator == 0 {
            return false;
        }
        let part = topology.part(&self.devices);
        self.carried(&part) == Some(true) && self.paid(&part) == Some(true)
    }

    /// Says whether the rings are as many, and fit; nothing where numbers are too large.
    fn carried(&self, part: &Part) -> Option<bool> {
        let mut total = 0_u128;
        let mut loads: BTreeMap<Capacity, u128> = BTreeMap::new();
        for (cycle, weight) in &self.cycles {
            let mut sorted = cycle.clone();
            sorted.sort_unstable();
            if sorted != self.devices {
                return Some(false);
            }
            total = total.checked_add(u128::from(*weight))?;
            for (place, &a) in cycle.iter().enumerate() {
                let b = *cycle.get((place + 1) % cycle.len())?;
                for capacity in self.between(part, a, b)? {
                    let load = loads.entry(capacity).or_default();
                    *load = load.checked_add(u128::from(*weight))?;
                }
            }
        }
        let parts = u128::from(self.denominator);
        for (capacity, load) in loads {
            if load > u128::from(self.size_of(part, capacity)?).checked_mul(parts)? {
                return Some(false);
            }
        }
        Some(self.is_half(total))
    }

    /// Says whether every ring costs one at least, and all capacities half the rings.
    fn paid(&self, part: &Part) -> Option<bool> {
        let prices: BTreeMap<Capacity, u64> = self.prices.iter().copied().collect();
        if prices.len() != self.prices.len() {
            return Some(false);
        }
        let mut total = 0_u128;
        for (&capacity, &price) in &prices {
            let size = u128::from(self.size_of(part, capacity)?);
            total = total.checked_add(size.checked_mul(u128::from(price))?)?;
        }
        let mut costs = vec![None; self.devices.len() * self.devices.len()];
        for (a, &first) in self.devices.iter().enumerate() {
            for (b, &second) in self.devices.iter().enumerate() {
                let shared = self.between(part, first, second).unwrap_or_default();
                if a != b && !shared.is_empty() {
                    let of = |capacity| u128::from(prices.get(&capacity).copied().unwrap_or(0));
                    costs[a * self.devices.len() + b] = Some(shared.into_iter().map(of).sum());
                }
            }
        }
        let least = cheapest(&costs, self.devices.len());
        let dear = least.is_none_or(|least: u128| least >= u128::from(self.denominator));
        Some(dear && self.is_half(total))
    }

    /// Says whether so many parts are half the rings.
    fn is_half(&self, total: u128) -> bool {
        let left = total.checked_mul(2 * u128::from(self.rings.denominator()));
        let right = u128::from(self.rings.numerator()).checked_mul(u128::from(self.denominator));
        left.is_some() && left == right
    }

    /// Returns what a ring takes from where it goes from a device to another; nothing
    /// where no link leads there.
    fn between(&self, part: &Part, a: usize, b: usize) -> Option<Vec<Capacity>> {
        let place = |device: usize| self.devices.binary_search(&device).ok();
        let (first, second) = (place(a)?, place(b)?);
        if part.is_switched(first, second) {
            Some(vec![Capacity::Port(a), Capacity::Port(b)])
        } else if part.direct(first, second) > 0 {
            Some(vec![Capacity::Link(a.min(b), a.max(b))])
        } else {
            None
        }
    }

    /// Returns how much there is of a capacity.
    fn size_of(&self, part: &Part, capacity: Capacity) -> Option<u64> {
        let place = |device: usize| self.devices.binary_search(&device).ok();
        Some(match capacity {
            Capacity::Port(device) => part.port(place(device)?),
            Capacity::Link(a, b) => part.direct(place(a)?, place(b)?),
        })
    }
}

/// Returns the cost of the cheapest ring through all devices; none where there is no
/// ring.
fn cheapest(costs: &[Option<u128>], size: usize) -> Option<u128> {
    // By the set of devices behind the first one, and the last of them.
    let sets = 1_usize << (size - 1);
    let mut least: Vec<Option<u128>> = vec![None; sets * size];
    for last in 1..size {
        least[(1 << (last - 1)) * size + last] = costs[last];
    }
    for set in 1..sets {
        for last in (1..size).filter(|last| set >> (last - 1) & 1 == 1) {
            let Some(so_far) = least[set * size + last] else {
                continue;
            };
            for next in (1..size).filter(|next| set >> (next - 1) & 1 == 0) {
                if let Some(cost) = costs[last * size + next] {
                    let entry = &mut least[(set | 1 << (next - 1)) * size + next];
                    let sum = so_far.saturating_add(cost);
                    *entry = Some(entry.map_or(sum, |before| before.min(sum)));
                }
            }
        }
    }
    let ends = (1..size).filter_map(|last| {
        let path = least[(sets - 1) * size + last]?;
        Some(path.saturating_add(costs[last * size]?))
    });
    ends.min()
}
