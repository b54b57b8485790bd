//! [`PairScores`]: what go-gpuallocator counts and picks, for comparison.

mod partition;

use crate::fabric::Make;
use crate::level::Level;
use crate::table::{LARGEST_TABLE, members};
use crate::topology::Topology;

/// Has the scores that NVIDIA's go-gpuallocator gives to pairs of devices, for whoever
/// compares with it.
///
/// A pair scores 100 for each direct `NVLink`, and for its way over `PCIe` as well: `PIX`
/// 50, `PXB` 40, `PHB` 30, `NODE` 20, `SYS` 10 ([`Topology::pcie_level`]). Links into
/// switches do not count there, nor does xGMI. A set scores the sum over its pairs.
///
/// These are not the measures that predict bandwidth: a [`Table`](crate::Table) has those.
///
/// Source: `besteffort_policy.go` of NVIDIA/go-gpuallocator at commit 876e7b7.
///
/// # Examples
///
/// ```
/// # use dralloc_topology::{Document, PairScores, Topology};
/// # let text = include_str!("../../../../testdata/topologies/a100-pcie-x8-bridge-pairs.json");
/// let bridged = Topology::new(&Document::read(text)?)?;
/// let scores = PairScores::of(&bridged, &[0, 1, 2, 3, 4, 5, 6, 7]).expect("eight devices");
/// // A bridge of 12 links; the NUMA node counts beside it.
/// assert_eq!(scores.pair_score(0, 2), 1220);
/// assert_eq!(scores.set_score(0b0111), 1260);
/// assert_eq!(scores.best_effort(0b0111_0011, 0, 3), Some(0b0111_0000));
/// # Ok::<(), dralloc_topology::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairScores {
    size: usize,
    /// Score of each pair.
    pairs: Vec<u64>,
}

impl PairScores {
    /// Returns the scores of some devices of a topology, by their place in the list; none
    /// for more than [`LARGEST_TABLE`], and for a number of none.
    pub fn of(topology: &Topology, devices: &[usize]) -> Option<Self> {
        let known = |&device: &usize| device < topology.device_count();
        if devices.len() > LARGEST_TABLE || !devices.iter().all(known) {
            return None;
        }
        let score = |a: usize, b: usize| {
            let direct = topology.fabric.direct(a, b);
            let links = direct
                .filter(|wire| wire.make == Make::NvLink)
                .map_or(0, |wire| u64::from(wire.count));
            100 * links + class(topology.pcie_level(a, b))
        };
        let pairs = devices.iter().flat_map(|&a| {
            devices
                .iter()
                .map(move |&b| if a == b { 0 } else { score(a, b) })
        });
        Some(Self {
            size: devices.len(),
            pairs: pairs.collect(),
        })
    }

    /// Returns how many devices there are.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Says whether there is no device.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// Returns the score of a pair; 0 for one device, and for a place of none.
    pub fn pair_score(&self, a: usize, b: usize) -> u64 {
        if a >= self.size || b >= self.size {
            return 0;
        }
        self.pairs.get(a * self.size + b).copied().unwrap_or(0)
    }

    /// Returns the sum of the scores of all pairs of a set.
    pub fn set_score(&self, set: u16) -> u64 {
        let members = members(usize::from(set));
        let pairs = members.iter().enumerate().flat_map(|(place, &a)| {
            let before = members.iter().take(place);
            before.map(move |&b| self.pair_score(a, b))
        });
        pairs.sum()
    }

    /// Returns the scores of all sets, by mask.
    fn set_scores(&self) -> Vec<u64> {
        let mut scores = vec![0; 1 << self.size];
        for set in 1..scores.len() {
            let without_first = set & (set - 1);
            if without_first == 0 {
                continue;
            }
            // All pairs but one are in one of the two sets that lack one of the pair.
            let (first, second) = (set.trailing_zeros(), without_first.trailing_zeros());
            let without_second = set & !(1 << second);
            let pair = self.pair_score(first as usize, second as usize);
            let both = scores[without_first] + scores[without_second];
            scores[set] = both - scores[without_first & without_second] + pair;
        }
        scores
    }
}

/// Returns what a level over `PCIe` counts.
fn class(level: Level) -> u64 {
    match level {
        Level::Pix => 50,
        Level::Pxb => 40,
        Level::Phb => 30,
        Level::Node => 20,
        Level::Sys => 10,
        Level::Same | Level::NvLink(_) | Level::Xgmi(_) | Level::Net => 0,
    }
}
