//! [`Shape`]: what of some devices makes sets of them better or worse.

use super::{LARGEST_TABLE, mask};
use crate::domain::Scope;
use crate::level::Level;
use crate::rate::Rate;
use crate::ring::Part;
use crate::topology::Topology;

/// Has all that a [`Table`](super::Table) depends on, of up to [`LARGEST_TABLE`] devices
/// of a topology, by their place in a list.
///
/// Equal shapes have equal tables: the compute trays of a rack share one.
///
/// # Examples
///
/// ```
/// # use dralloc_topology::{Document, Shape, Topology};
/// # let text = include_str!("../../../../testdata/topologies/gb200-nvl72-rack.json");
/// let rack = Topology::new(&Document::read(text)?)?;
/// let tray = |first: usize| Shape::of(&rack, &[first, first + 1, first + 2, first + 3]);
/// assert!(tray(0).is_some());
/// assert_eq!(tray(0), tray(68));
/// // The last two of one tray and the first two of the next.
/// assert_ne!(tray(0), tray(2));
/// # Ok::<(), dralloc_topology::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    pub(super) size: usize,
    /// Capacities, in units of the whole topology.
    pub(super) part: Part,
    /// Rate of a unit, where it is known.
    pub(super) unit: Option<Rate>,
    /// Count of links of each pair.
    pub(super) counts: Vec<u32>,
    /// Level of each pair.
    pub(super) levels: Vec<Level>,
    /// Nearest scope that each pair has in common.
    pub(super) spans: Vec<Scope>,
    /// What may be chosen, where the document says so, ascending.
    pub(super) allowed: Option<Vec<u16>>,
}

impl Shape {
    /// Returns the shape of some devices of a topology, each once; none for more than
    /// [`LARGEST_TABLE`], for a device twice, and for a number of none.
    ///
    /// Of the sets that the document allows those count that are wholly among the
    /// devices. Takes a step per pair.
    pub fn of(topology: &Topology, devices: &[usize]) -> Option<Self> {
        let size = devices.len();
        let known = |&device: &usize| device < topology.device_count();
        let mut places: Vec<(usize, usize)> = devices.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let twice = places.windows(2).any(|pair| pair[0].0 == pair[1].0);
        if size > LARGEST_TABLE || twice || !devices.iter().all(known) {
            return None;
        }
        let pairs = || {
            devices
                .iter()
                .flat_map(|&a| devices.iter().map(move |&b| (a, b)))
        };
        let place = |device: &usize| {
            let place = places
                .binary_search_by_key(device, |&(device, _)| device)
                .ok()?;
            places.get(place).map(|&(_, place)| place)
        };
        let inside = |set: &Vec<usize>| {
            let set: Option<Vec<usize>> = set.iter().map(place).collect();
            set.map(|set| mask(&set))
        };
        let sets = topology.allowed_sets();
        let allowed = (!sets.is_empty()).then(|| {
            let mut allowed: Vec<u16> = sets.iter().filter_map(inside).collect();
            allowed.sort_unstable();
            allowed.dedup();
            allowed
        });
        let count = |(a, b)| topology.wire(a, b).map_or(0, |wire| wire.count);
        Some(Self {
            size,
            part: topology.part(devices),
            unit: topology.unit().rate(),
            counts: pairs().map(count).collect(),
            levels: pairs().map(|(a, b)| topology.level(a, b)).collect(),
            spans: pairs()
                .map(|(a, b)| topology.domains().span(&[a, b]))
                .collect(),
            allowed,
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

    /// Returns the links of the best pair.
    pub(super) fn most_links(&self) -> u32 {
        self.counts.iter().copied().max().unwrap_or(0)
    }
}
