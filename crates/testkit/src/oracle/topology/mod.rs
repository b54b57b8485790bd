//! Links and places of devices: documents, attributes and what terms count, once more.
//!
//! Nothing here is shared with the engine but the plain data of a document. Rings come
//! from all orders of the devices, NICs are assigned by trying all ways, units are cut in
//! all ways.

mod demand;
mod domains;
mod fabric;
mod nics;
mod packing;
mod partitions;
mod plan;
mod potential;
mod seats;
mod terms;
#[cfg(test)]
mod tests;
mod units;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::Topology;
use dralloc_topology::VertexKind;

use super::world::{Place, World};
use fabric::Fabric;
use partitions::Partitions;
use plan::Plan;

pub use demand::Demand;
pub(super) use demand::meets;
pub(super) use terms::{level_value, unit_value, value};

/// Is what is known of the devices of a node.
pub(super) struct Machine {
    plan: Plan,
    fabric: Fabric,
    /// The vertex that each device is, if it is any.
    seats: BTreeMap<Place, Option<usize>>,
    drivers: BTreeMap<Place, String>,
    domains: BTreeMap<&'static str, BTreeMap<Place, BTreeSet<usize>>>,
    /// The vertices of which no device is held.
    free: BTreeSet<usize>,
    /// Potentials that were found out, by what is free.
    potentials: RefCell<BTreeMap<BTreeSet<usize>, i128>>,
    /// The only sets that may be used together.
    allowed: Option<Vec<BTreeSet<usize>>>,
    /// What devices publish that a fabric is cut into.
    partitions: Option<Partitions>,
}

/// Is what the picks of a scope are.
struct Picked {
    places: Vec<Place>,
    gpus: BTreeSet<usize>,
    nics: BTreeSet<usize>,
    outsiders: usize,
}

impl Machine {
    /// Reads the first document by name that knows a device of the node; else the
    /// devices are a document of their own.
    pub(super) fn new(world: &World<'_>, topologies: &[Topology]) -> Self {
        let mut topologies: Vec<&Topology> = topologies.iter().collect();
        topologies.sort_by(|one, other| one.metadata.name.cmp(&other.metadata.name));
        let places = world.places();
        let read = topologies.into_iter().find_map(|topology| {
            let plan = Plan::new(&topology.spec);
            let seats = seats::bound(world, &plan, &places);
            let allowed = topology.spec.allowed_sets.iter().map(|set| {
                let find = |id: &String| plan.vertices.iter().position(|one| one.id == *id);
                set.vertices.iter().filter_map(find).collect()
            });
            let allowed: Vec<BTreeSet<usize>> = allowed.collect();
            let is_known = seats.values().any(Option::is_some);
            is_known.then_some((plan, seats, (!allowed.is_empty()).then_some(allowed)))
        });
        let (plan, seats, allowed) = read.unwrap_or_else(|| {
            let (plan, seats) = seats::published(world, &places);
            (plan, seats, None)
        });
        let fabric = Fabric::new(&plan);
        let devices: Vec<_> = places
            .iter()
            .map(|place| (world.offer(*place), seats[place]))
            .collect();
        let domains = domains::SCOPES.map(|scope| {
            let domains = domains::domains(scope, (&plan, &fabric), &devices);
            (scope, places.iter().copied().zip(domains).collect())
        });
        let is_held = |place: &Place| {
            let id = &world.offer(*place).id;
            world.is_held_whole(id) || world.has_held_shares(id)
        };
        let mut free: BTreeSet<usize> = seats.values().flatten().copied().collect();
        free.retain(|vertex| plan.vertices[*vertex].kind == VertexKind::Gpu);
        for place in places.iter().filter(|place| is_held(place)) {
            if let Some(vertex) = &seats[place] {
                free.remove(vertex);
            }
        }
        let driver = |place: &Place| (*place, world.offer(*place).id.driver.to_string());
        Self {
            drivers: places.iter().map(driver).collect(),
            domains: domains.into_iter().collect(),
            plan,
            fabric,
            seats,
            free,
            potentials: RefCell::default(),
            allowed,
            partitions: Partitions::of(world, &places),
        }
    }

    fn is_kind(&self, vertex: usize, kind: VertexKind) -> bool {
        self.plan.vertices[vertex].kind == kind
    }

    /// Returns the vertices of a kind that devices of the node are.
    fn here(&self, kind: VertexKind) -> BTreeSet<usize> {
        let all = self.seats.values().flatten().copied();
        all.filter(|vertex| self.is_kind(*vertex, kind)).collect()
    }

    fn picked(&self, places: &[Place]) -> Picked {
        let mut picked = Picked {
            places: places.to_vec(),
            gpus: BTreeSet::new(),
            nics: BTreeSet::new(),
            outsiders: 0,
        };
        let is_gpu = |place: &Place| {
            let vertex = self.seats[place];
            vertex.is_some_and(|vertex| self.is_kind(vertex, VertexKind::Gpu))
        };
        let with_gpu = self.seats.keys().filter(|place| is_gpu(place));
        let with_gpu: BTreeSet<&String> = with_gpu.map(|place| &self.drivers[place]).collect();
        for place in places {
            match self.seats[place] {
                Some(vertex) if is_gpu(place) => {
                    picked.gpus.insert(vertex);
                }
                Some(vertex) => {
                    picked.nics.insert(vertex);
                }
                None => {
                    picked.outsiders += usize::from(with_gpu.contains(&self.drivers[place]));
                }
            }
        }
        picked
    }

    /// Returns whether picks have something in common.
    fn share(&self, scope: &str, places: &[Place]) -> bool {
        if scope == "nvLink" {
            let linked = |one: &Place, other: &Place| {
                let (Some(a), Some(b)) = (self.seats[one], self.seats[other]) else {
                    return one == other;
                };
                one == other
                    || self.is_kind(a, VertexKind::Gpu) && a == b
                    || self.fabric.wire(a, b).is_some()
            };
            return places
                .iter()
                .all(|one| places.iter().all(|other| linked(one, other)));
        }
        let domains = &self.domains[scope];
        let Some(first) = places.first() else {
            return true;
        };
        let mut common = domains[first].iter();
        common.any(|domain| places.iter().all(|place| domains[place].contains(domain)))
    }
}

/// Returns a count as a wide number.
fn wide(count: usize) -> i128 {
    i128::try_from(count).unwrap_or(i128::MAX)
}
