//! [`Linked`]: how the devices of a node are linked, as checks read it.
//!
//! What a device is and what is around it is meaning, which lives once. What sets of
//! devices are worth is computed here from the graph, by definition: no table, no bound
//! and no value of the search is used.

mod cut;
mod potential;
mod required;
mod units;
mod value;

pub(super) use cut::{Cut, MOST as MOST_CUT};

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{Ratio, Unwatched};

use super::World;
use crate::objective::Term;
use crate::store::DeviceKey;
use crate::topology::{Machine, Topologies};

/// Knows the devices of a node by their keys.
pub(super) struct Linked {
    machine: Machine,
    /// Places on the machine.
    places: BTreeMap<DeviceKey, usize>,
    /// Devices that are none of the machine, of a driver that has one.
    outsiders: BTreeSet<usize>,
    /// Linked devices and NICs that are on the node, by number in the document.
    gpus: BTreeSet<usize>,
    nics: BTreeSet<usize>,
    /// Linked devices of which nothing is held.
    free: BTreeSet<usize>,
    potential: OnceCell<Option<potential::Potential>>,
    /// Rings of sets that were found out.
    rings: RefCell<BTreeMap<Vec<usize>, Ratio>>,
}

/// Are some picks as what they are on the machine.
#[derive(Default)]
struct Picked {
    places: Vec<usize>,
    gpus: BTreeSet<usize>,
    nics: BTreeSet<usize>,
    outsiders: usize,
}

impl Linked {
    /// Reads the machine; none where the node has no view.
    pub(super) fn new(world: &World<'_>, topologies: &Topologies) -> Option<Self> {
        let view = world.inventory.view(&world.node.metadata.name).ok()?;
        let Ok(machine) = Machine::new(view, topologies, &mut Unwatched);
        let devices = || view.devices.iter().enumerate();
        let numbers = |number: fn(&Machine, usize) -> Option<usize>| {
            devices()
                .filter_map(|(place, _)| number(&machine, place))
                .collect()
        };
        let gpus: BTreeSet<usize> = numbers(Machine::gpu_number);
        let nics = numbers(Machine::nic_number);
        let places = devices().map(|(place, _)| place);
        let outsiders = places.filter(|place| machine.is_outsider(*place)).collect();
        let mut free = gpus.clone();
        for (place, _) in devices().filter(|(_, entry)| world.held.is_held(entry.key)) {
            if let Some(number) = machine.gpu_number(place) {
                free.remove(&number);
            }
        }
        Some(Self {
            places: devices().map(|(place, entry)| (entry.key, place)).collect(),
            outsiders,
            gpus,
            nics,
            free,
            potential: OnceCell::new(),
            rings: RefCell::default(),
            machine,
        })
    }

    /// Returns whether a term counts a device.
    pub(super) fn counts(&self, term: &Term, device: DeviceKey) -> bool {
        let Some(place) = self.places.get(&device) else {
            return false;
        };
        match term {
            Term::Span | Term::AffinityLevel { .. } | Term::UnitLevel { .. } => true,
            _ => {
                self.outsiders.contains(place)
                    || self.machine.gpu_number(*place).is_some()
                    || self.machine.nic_number(*place).is_some()
            }
        }
    }

    /// Returns whether two devices are the same to terms over links and places.
    pub(super) fn are_alike(&self, one: DeviceKey, other: DeviceKey) -> bool {
        let known = |device: DeviceKey| {
            let place = *self.places.get(&device)?;
            let domains: Vec<&[u32]> = self.machine.domains().of_all(place).collect();
            Some((
                self.machine.gpu_number(place),
                self.machine.nic_number(place),
                self.outsiders.contains(&place),
                self.machine.partitions().map(|known| known.thing(place)),
                domains,
            ))
        };
        known(one) == known(other)
    }

    fn picked(&self, devices: impl Iterator<Item = DeviceKey>) -> Picked {
        let mut picked = Picked::default();
        for place in devices.filter_map(|device| self.places.get(&device)) {
            picked.places.push(*place);
            picked.gpus.extend(self.machine.gpu_number(*place));
            picked.nics.extend(self.machine.nic_number(*place));
            picked.outsiders += usize::from(self.outsiders.contains(place));
        }
        picked
    }
}
