//! [`Nics`]: how near sets of GPUs are to NICs, and how much those carry.

mod assignment;
mod bound;

pub use bound::Partial;

use self::assignment::Assignment;
use crate::cost;
use crate::rate::Rate;
use crate::ratio::Ratio;
use crate::topology::Topology;

/// Of how many GPUs, and of how many NICs, there is a [`Nics`].
pub const LARGEST_NICS: usize = 64;

/// Is what GPUs without any NIC cost: more than the farthest.
pub const NO_NIC: i64 = FARTHEST * WORST + WORST;

/// Is the rate of a NIC where the document leaves it out: 12.5 GB/s, or 100 Gbit/s.
pub const ASSUMED_NIC: Rate = Rate::from_thousandths(12_500);

/// What a step of the worst level counts beside the sum of all.
const WORST: i64 = 1_000_000;

/// The number of `NET`.
const FARTHEST: i64 = 5;

/// Has the levels between some GPUs and some NICs of a topology, by their places in two
/// lists; sets are masks of places.
///
/// A number may be in a list more than once: shares of one card are places of their own.
///
/// # Alignment
///
/// Each GPU of a set is assigned to one of the NICs, and of `g` GPUs and `n` NICs no NIC
/// has more than `g / n`, rounded up. Levels count `PIX` 0, `PXB` 1, `PHB` 2, `NODE` 3, `SYS`
/// 4, `NET` 5. The assignment with the nearest worst level, and of those the one with the
/// least sum, costs `worst * 1,000,000 + sum`.
///
/// # Uplink
///
/// NICs serve a GPU if none is nearer to it, and they are in its host. The uplink of a
/// set is the rate of all NICs together that serve one of its GPUs, each vertex once.
///
/// # Examples
///
/// ```
/// # use dralloc_topology::{Document, Nics, Topology};
/// # let text = include_str!("../../../../testdata/topologies/hgx-h100-pix-pairs.json");
/// let hgx = Topology::new(&Document::read(text)?)?;
/// let all: Vec<usize> = (0..8).collect();
/// let nics = Nics::of(&hgx, &all, &all).expect("eight of each");
/// // Two GPUs and two NICs on each switch: every pair of neighbours has its own.
/// assert_eq!(nics.alignment(0b0011, 0b0011), 0);
/// assert_eq!(nics.uplink(0b0011).to_string(), "100");
/// // Two GPUs of one switch and a NIC of another: the way leads over NUMA nodes.
/// assert_eq!(nics.alignment(0b0011, 0b1000_0000), 4_000_008);
/// # Ok::<(), dralloc_topology::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nics {
    /// How many GPUs there are.
    gpus: usize,
    /// How many NICs there are.
    width: usize,
    /// The number of the level of each GPU and NIC.
    levels: Vec<u8>,
    /// The NICs that serve each GPU, each vertex once.
    near: Vec<u64>,
    /// Rate of each NIC in thousandths of GB/s.
    rates: Vec<u64>,
}

impl Nics {
    /// Returns the levels between some GPUs and some NICs; none for more than
    /// [`LARGEST_NICS`] of either, and for a number of none.
    pub fn of(topology: &Topology, gpus: &[usize], nics: &[usize]) -> Option<Self> {
        let fits = gpus.len() <= LARGEST_NICS && nics.len() <= LARGEST_NICS;
        let known = gpus.iter().all(|&gpu| gpu < topology.device_count())
            && nics.iter().all(|&nic| nic < topology.nic_count());
        if !fits || !known {
            return None;
        }
        let level = |&gpu: &usize, &nic: &usize| topology.nic_level(gpu, nic).steps();
        let levels = gpus
            .iter()
            .flat_map(|gpu| nics.iter().map(move |nic| level(gpu, nic)));
        let levels: Vec<u8> = levels.collect();
        let first = |place: &usize| {
            let before = nics.get(..*place).unwrap_or_default();
            nics.get(*place).is_some_and(|nic| !before.contains(nic))
        };
        let vertices: Vec<usize> = (0..nics.len()).filter(first).collect();
        let near = |row: &[u8]| {
            let nearest = row.iter().copied().min();
            let nearest = nearest.filter(|&level| i64::from(level) < FARTHEST);
            let serve = |place: &&usize| nearest.is_some() && row.get(**place).copied() == nearest;
            let serving = vertices.iter().filter(serve);
            serving.fold(0_u64, |mask, place| mask | 1 << place)
        };
        let rate = |&nic: &usize| {
            let rate = topology.nic(nic).and_then(|vertex| vertex.bandwidth);
            rate.unwrap_or(ASSUMED_NIC).thousandths()
        };
        let rows = (0..gpus.len()).map(|gpu| {
            let row = levels.get(gpu * nics.len()..(gpu + 1) * nics.len());
            row.unwrap_or_default()
        });
        Some(Self {
            gpus: gpus.len(),
            width: nics.len(),
            near: rows.map(near).collect(),
            rates: nics.iter().map(rate).collect(),
            levels,
        })
    }

    /// Returns what the best assignment of GPUs to NICs costs; [`NO_NIC`] where there is
    /// no NIC, and 0 where there is no GPU.
    ///
    /// Exact: shortest augmenting paths, at most `g` times for each level, of `g n^2`
    /// steps each and usually far fewer.
    pub fn alignment(&self, gpus: u64, nics: u64) -> i64 {
        let exactly = |set: u64, len: usize| {
            let chosen = set & places(len);
            Partial {
                chosen,
                open: 0,
                count: chosen.count_ones() as usize,
            }
        };
        self.alignment_bound(exactly(gpus, self.gpus), exactly(nics, self.width))
            .unwrap_or(NO_NIC)
    }

    /// Returns the rate of the NICs that serve a set of GPUs, together.
    pub fn uplink(&self, gpus: u64) -> Rate {
        Rate::from_thousandths(self.sum(self.serving(gpus)))
    }

    /// Returns the nanoseconds that a terabyte takes over the uplink of a set, rounded up;
    /// 0 for no GPU, [`NO_RING`](crate::NO_RING) where no NIC serves one.
    ///
    /// Of two sets the one with the higher rate costs less, up to 30,000 GB/s.
    pub fn uplink_cost(&self, gpus: u64) -> i64 {
        if gpus & places(self.gpus) == 0 {
            return 0;
        }
        cost::around(Ratio::whole(self.uplink(gpus).thousandths()))
    }

    /// Returns the NICs that serve one of the GPUs.
    fn serving(&self, gpus: u64) -> u64 {
        let near = self.near.iter().enumerate();
        let chosen = near.filter(|(gpu, _)| gpus >> gpu & 1 == 1);
        chosen.fold(0, |serving, (_, near)| serving | near)
    }

    /// Returns the rate of NICs together.
    fn sum(&self, nics: u64) -> u64 {
        let rates = self.rates.iter().enumerate();
        let chosen = rates.filter(|(nic, _)| nics >> nic & 1 == 1);
        chosen.fold(0, |sum, (_, &rate)| sum.saturating_add(rate))
    }

    /// Returns an empty assignment to some NICs.
    fn assignment(&self, nics: u64, capacity: usize) -> Assignment<'_> {
        let places = (0..self.width).filter(|nic| nics >> nic & 1 == 1);
        Assignment::new(
            &self.levels,
            self.width,
            self.gpus,
            places.collect(),
            capacity,
        )
    }
}

/// Returns the mask of the first places.
fn places(len: usize) -> u64 {
    if len >= 64 { u64::MAX } else { (1 << len) - 1 }
}
