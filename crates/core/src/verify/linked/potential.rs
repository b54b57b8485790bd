//! [`Potential`]: what free devices are good for, by the definition of
//! [`dralloc_topology::Table`].

use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{LARGEST_TABLE, Ratio, Topology, USUAL_MIX};

use super::Linked;

/// What a set of the best quality counts.
const PARTS: u128 = 1000;

/// Has the potential of all sets of free devices.
pub(super) struct Potential {
    /// By number in the document, the bit of a set.
    bits: BTreeMap<usize, usize>,
    /// By set.
    sums: Vec<u64>,
}

impl Potential {
    /// Returns the potential of the devices of a node; none for more than tables have.
    pub(super) fn new(linked: &Linked, topology: &Topology) -> Option<Self> {
        let devices: Vec<usize> = linked.gpus.iter().copied().collect();
        if devices.len() > LARGEST_TABLE {
            return None;
        }
        let sets = 1_usize << devices.len();
        let mut sums = vec![0_u64; sets];
        for (size, weight) in USUAL_MIX {
            let qualities = qualities((linked, topology), &devices, size);
            let packed = packed(sets, &qualities);
            let factor = u64::from(weight) * u64::try_from(size).unwrap_or(u64::MAX);
            for (sum, packed) in sums.iter_mut().zip(packed) {
                *sum = sum.saturating_add(factor.saturating_mul(packed));
            }
        }
        let bits = devices.iter().enumerate();
        Some(Self {
            bits: bits.map(|(bit, device)| (*device, bit)).collect(),
            sums,
        })
    }

    /// Returns the potential of some devices.
    pub(super) fn of(&self, free: &BTreeSet<usize>) -> u64 {
        let bits = free.iter().filter_map(|device| self.bits.get(device));
        let set = bits.fold(0_usize, |set, bit| set | 1 << bit);
        self.sums.get(set).copied().unwrap_or(0)
    }
}

/// Returns the quality of each set of a size that may be used: its rings in thousandths
/// of the most that any such set has.
fn qualities(
    (linked, topology): (&Linked, &Topology),
    devices: &[usize],
    size: usize,
) -> Vec<(usize, u64)> {
    let sets = 0..1_usize << devices.len();
    let sets = sets.filter(|set| set.count_ones() as usize == size);
    let members = |set: usize| -> Vec<usize> {
        let members = devices.iter().enumerate();
        let members = members.filter(|(bit, _)| set >> bit & 1 == 1);
        members.map(|(_, device)| *device).collect()
    };
    let allowed = topology.allowed_sets();
    let sets = sets.map(|set| (set, members(set)));
    let sets = sets.filter(|(_, members)| {
        let mut members = members.clone();
        members.sort_unstable();
        allowed.is_empty() || allowed.contains(&members)
    });
    if size == 1 {
        return sets.map(|(set, _)| (set, 1000)).collect();
    }
    let rings: Vec<(usize, Ratio)> = sets
        .map(|(set, members)| (set, linked.rings(topology, &members)))
        .collect();
    let Some(most) = rings.iter().map(|(_, rings)| *rings).max() else {
        return Vec::new();
    };
    let quality = |rings: Ratio| {
        let above = PARTS * u128::from(rings.numerator()) * u128::from(most.denominator());
        let below = u128::from(rings.denominator()) * u128::from(most.numerator());
        u64::try_from(above.checked_div(below).unwrap_or(0)).unwrap_or(0)
    };
    let qualities = rings.into_iter().map(|(set, rings)| (set, quality(rings)));
    qualities.filter(|(_, quality)| *quality > 0).collect()
}

/// Returns the greatest sum of disjoint sets out of each set.
fn packed(sets: usize, qualities: &[(usize, u64)]) -> Vec<u64> {
    let mut by_lowest: BTreeMap<u32, Vec<(usize, u64)>> = BTreeMap::new();
    for (set, quality) in qualities {
        let of_lowest = by_lowest.entry(set.trailing_zeros()).or_default();
        of_lowest.push((*set, *quality));
    }
    let mut packed = vec![0_u64; sets];
    for free in 1..sets {
        // The lowest is in one of the sets, or in none.
        let mut most = packed[free & (free - 1)];
        for (set, quality) in by_lowest.get(&free.trailing_zeros()).into_iter().flatten() {
            if set & !free == 0 {
                most = most.max(quality + packed[free & !set]);
            }
        }
        packed[free] = most;
    }
    packed
}
