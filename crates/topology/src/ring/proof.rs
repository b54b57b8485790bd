//! [`RingProof`]: why a set has so many rings, and no more.

use super::{LARGEST_PACKING, Part, cycles, packing};
use crate::ratio::Ratio;

/// Proves the rings of 3 to [`LARGEST_PACKING`] devices that do not all share switches.
///
/// The rings with their weights say that there are as many: no link and no port carries
/// more than it has. The prices say that there are no more: every ring through all
/// devices costs one at least, and all capacities together cost half the rings (every
/// undirected ring counts twice). This is the duality of linear programs;
/// [`RingProof::holds`] checks it without solving one.
///
/// All numbers are in parts of [`denominator`](RingProof::denominator), so that whole
/// numbers do.
///
/// # Examples
///
/// ```
/// # use dralloc_topology::{Document, Topology};
/// # let text = include_str!("../../../../testdata/topologies/mi200-8p-hypercube.json");
/// let cube = Topology::new(&Document::read(text)?)?;
/// let mut proof = cube.ring_proof(&[0, 1, 2, 3, 4, 5, 6, 7]).expect("a direct mesh");
/// assert_eq!(proof.rings.to_string(), "8/3");
/// assert!(proof.holds(&cube));
/// proof.prices.pop();
/// assert!(!proof.holds(&cube));
/// # Ok::<(), dralloc_topology::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingProof {
    /// The devices, ascending.
    pub devices: Vec<usize>,
    /// How many rings there are.
    pub rings: Ratio,
    /// Undirected rings: the devices in order, and the weight.
    pub cycles: Vec<(Vec<usize>, u64)>,
    /// What a unit of a capacity costs.
    pub prices: Vec<(Capacity, u64)>,
    /// Into how many parts a weight or price of one is cut.
    pub denominator: u64,
}

/// Is something that rings share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capacity {
    /// The direct link of two devices.
    Link(usize, usize),
    /// What a device has into its switches.
    Port(usize),
}

/// Returns the proof for devices with their part of a fabric.
pub(crate) fn proof(part: &Part, devices: &[usize]) -> Option<RingProof> {
    if !(3..=LARGEST_PACKING).contains(&part.len()) || part.all_switched() {
        return None;
    }
    let found = packing::proved(part, &cycles::cycles(part))?;
    let device = |place: usize| devices.get(place).copied();
    let order = |cycle: &[u8]| -> Option<Vec<usize>> {
        cycle
            .iter()
            .take(part.len())
            .map(|&place| device(usize::from(place)))
            .collect()
    };
    let cycles = found
        .cycles
        .iter()
        .map(|(cycle, weight)| Some((order(cycle)?, *weight)));
    let prices = found.prices.iter().map(|&((a, b), price)| {
        let (a, b) = (device(a)?, device(b)?);
        let capacity = if a == b {
            Capacity::Port(a)
        } else {
            Capacity::Link(a.min(b), a.max(b))
        };
        Some((capacity, price))
    });
    Some(RingProof {
        devices: devices.to_vec(),
        rings: found.rings,
        cycles: cycles.collect::<Option<_>>()?,
        prices: prices.collect::<Option<_>>()?,
        denominator: found.denominator,
    })
}
