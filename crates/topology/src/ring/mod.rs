//! [`Ring`]: how many rings of one link rate run through all devices of a set.

mod check;
mod cut;
mod cycles;
mod even;
mod packing;
mod part;
mod proof;

pub(crate) use part::Part;
pub(crate) use proof::proof;
pub use proof::{Capacity, RingProof};

use crate::ratio::Ratio;
use crate::watch::Watch;

/// Up to how many devices of a direct mesh the packing of rings is computed.
pub const LARGEST_PACKING: usize = 8;

/// How many pivots a packing may take: beyond it the cut stands in.
const MOST_PIVOTS: usize = 100_000;

/// Is the ring bandwidth of a set of devices.
///
/// # Definition
///
/// The unit is one link in one direction ([`Unit`](crate::Unit)). Collective operations
/// run on directed rings through all devices of a set; links carry both directions at
/// once, so each undirected ring counts twice.
///
/// - No device or one: no ring, 0.
/// - Two devices: the links of the pair.
/// - Devices that all share switches: the fewest links that one of them has into its
///   switches (every ring enters and leaves each device once).
/// - Others, up to [`LARGEST_PACKING`]: twice the greatest total weight that rings
///   through all devices (Hamiltonian cycles over links) can have, if no link carries
///   more than it has, and no device more over its switches than it has into them. A
///   linear program with at most 2,520 columns, solved exactly: [`Exactness::Exact`].
/// - Larger direct meshes: the smallest cut, which no packing can exceed, since every
///   ring crosses every cut at least twice: [`Exactness::AtMost`].
///
/// Zero says that no ring runs over links alone: `PCIe` carries the traffic then.
///
/// Source: what NCCL searches for (channels times rate); the definition by packing is
/// that of spanning structures in Blink (Wang et al., `MLSys` 2020), for rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ring {
    /// How many rings.
    pub rings: Ratio,
    /// Whether that is their number or a bound.
    pub exactness: Exactness,
}

/// Says what a number of rings is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// The number by definition.
    Exact,
    /// The smallest cut: there are no more rings than this.
    AtMost,
}

impl Ring {
    pub(crate) const NONE: Self = Self::exact(Ratio::ZERO);

    pub(crate) const fn exact(rings: Ratio) -> Self {
        Self {
            rings,
            exactness: Exactness::Exact,
        }
    }
}

/// Returns the rings of a part of a fabric.
///
/// # Errors
///
/// If it is stopped.
pub(crate) fn ring<W: Watch>(part: &Part, watch: &mut W) -> Result<Ring, W::Stop> {
    let at_most = |cut: u64| Ring {
        rings: Ratio::whole(cut),
        exactness: Exactness::AtMost,
    };
    Ok(match part.len() {
        0 | 1 => Ring::NONE,
        2 => Ring::exact(Ratio::whole(part.pair(0, 1))),
        _ if part.all_switched() => {
            let ports = (0..part.len()).map(|device| part.port(device));
            Ring::exact(Ratio::whole(ports.min().unwrap_or(0)))
        }
        size if size > LARGEST_PACKING => match cut::smallest(part) {
            0 => Ring::NONE,
            cut => at_most(cut),
        },
        _ => {
            if let Some(rings) = even::of_complete(part) {
                return Ok(Ring::exact(Ratio::whole(rings)));
            }
            let cycles = cycles::cycles(part);
            packing::greatest(part, &cycles, watch)?
                .map_or_else(|| at_most(cut::smallest(part)), Ring::exact)
        }
    })
}
