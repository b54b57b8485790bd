//! Values of all sets of a machine, by definition.

use dralloc_topology::{Ratio, USUAL_MIX};
use serde_json::Value;

use super::oracle::Oracle;

pub(crate) fn members(mask: u16) -> Vec<usize> {
    (0..16).filter(|place| mask >> place & 1 == 1).collect()
}

/// Has the rings and links of all sets of a machine, by the oracle, and the potential of
/// all free sets, by the definition.
pub(crate) struct Known {
    pub(crate) rings: Vec<(u64, u64)>,
    pub(crate) links: Vec<u64>,
    pub(crate) potential: Vec<u64>,
}

impl Known {
    pub(crate) fn new(machine: &Value) -> Self {
        let oracle = Oracle::new(machine);
        let sets = 0_u16..1 << oracle.size;
        let rings: Vec<(u64, u64)> = sets
            .clone()
            .map(|set| oracle.rings(&members(set)))
            .collect();
        let links = sets.map(|set| oracle.links(&members(set))).collect();
        let mut potential = vec![0; rings.len()];
        for (size, weight) in USUAL_MIX {
            let quality = quality(&rings, size);
            let mut packed = vec![0_u64; rings.len()];
            for free in 1..packed.len() {
                // One set goes, whichever, and the rest is packed as well as it can be.
                let sets = (1..=free).filter(|set| set & !free == 0 && quality[*set] > 0);
                packed[free] = sets
                    .map(|set| quality[set] + packed[free & !set])
                    .max()
                    .unwrap_or(0);
            }
            for (sum, packed) in potential.iter_mut().zip(packed) {
                *sum += u64::from(weight) * size as u64 * packed;
            }
        }
        Self {
            rings,
            links,
            potential,
        }
    }
}

/// Returns the rings of all sets of a size in thousandths of the most.
fn quality(rings: &[(u64, u64)], size: usize) -> Vec<u64> {
    let of_size = |set: &usize| set.count_ones() as usize == size;
    let ratio = |(above, below): (u64, u64)| Ratio::new(above, below).unwrap();
    let most = (0..rings.len())
        .filter(of_size)
        .map(|set| ratio(rings[set]))
        .max();
    (0..rings.len())
        .map(|set| match most {
            _ if !of_size(&set) => 0,
            _ if size == 1 => 1000,
            Some(most) if most > Ratio::ZERO => {
                let (above, below) = rings[set];
                1000 * above * most.denominator() / (below * most.numerator())
            }
            _ => 0,
        })
        .collect()
}
