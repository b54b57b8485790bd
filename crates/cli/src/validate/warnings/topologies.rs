//! Warnings about topologies, and about claims that their partitions do not serve.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::PublishedPool;
use dralloc::model::{DeviceAttribute, Topology};
use dralloc_topology::Vertex;

use super::super::asked::Asked;
use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use super::super::matches::Matches;
use super::super::published::name_of;
use super::Context;
use crate::cluster::Cluster;
use crate::cluster::faults::names_no_device;
use crate::words::{counted, finds_none, listed};

/// Says which topologies find no device whatever there is.
pub(super) fn without_match<'c>(cluster: &'c Cluster, findings: &mut Findings<'c>) {
    for (name, given) in &cluster.topologies {
        if names_no_device(&given.object) {
            let message = "none of the vertices has `match` or `device`: it finds no device";
            let object = Object::of(name, given);
            findings.add(
                Code::TopologyWithoutDevice,
                object,
                "spec.vertices",
                message,
            );
        }
    }
}

/// Is the devices of one name, or with one value of an attribute.
#[derive(Debug, Default)]
struct Spot<'s> {
    /// The drivers of those devices.
    drivers: BTreeSet<&'s str>,
    /// Whether an allowed set has a vertex that is these devices.
    is_in_set: bool,
}

/// Knows which devices the vertices of topologies are.
#[derive(Debug, Default)]
pub(super) struct Vertices<'c, 's> {
    /// By attribute, and then by value.
    by_value: BTreeMap<&'c str, BTreeMap<&'c str, Spot<'s>>>,
    by_name: BTreeMap<&'c str, Spot<'s>>,
    /// By driver: how many devices the allowed sets with any of its devices have.
    sizes: BTreeMap<&'s str, BTreeSet<usize>>,
    /// Drivers with devices that are in no set: these can be had in any number.
    free: BTreeSet<&'s str>,
}

impl<'c, 's> Vertices<'c, 's> {
    pub(super) fn new(context: &Context<'s, 'c>) -> Self {
        let mut vertices = Self::default();
        let topologies = context.cluster.topologies.values();
        let topologies: Vec<&Topology> = topologies.map(|given| &given.object).collect();
        for topology in &topologies {
            vertices.add(topology);
        }
        // Most clusters have no topology, and many devices.
        if !topologies.is_empty() {
            vertices.find(context.published.pools);
        }
        for topology in topologies {
            vertices.measure(topology);
        }
        vertices
    }

    /// Notes what a topology looks for.
    fn add(&mut self, topology: &'c Topology) {
        let sets = topology.spec.allowed_sets.iter();
        let in_sets: BTreeSet<&str> = sets
            .flat_map(|set| set.vertices.iter().map(|id| &**id))
            .collect();
        for vertex in &topology.spec.vertices {
            let by_value = vertex.matches.as_ref().map(|one| {
                let values = self.by_value.entry(&one.attribute).or_default();
                values.entry(&one.value).or_default()
            });
            let by_name = vertex.device.as_ref();
            let by_name = by_name.map(|name| self.by_name.entry(name).or_default());
            for spot in by_value.into_iter().chain(by_name) {
                spot.is_in_set |= in_sets.contains(&*vertex.id);
            }
        }
    }

    /// Finds the devices, each with one look at each attribute.
    fn find(&mut self, pools: &'s [PublishedPool<'s>]) {
        for found in pools.iter().flat_map(PublishedPool::devices) {
            let driver = &*found.slice.spec.driver;
            let mut is_in_set = false;
            let mut note = |spot: Option<&mut Spot<'s>>| {
                if let Some(spot) = spot {
                    spot.drivers.insert(driver);
                    is_in_set |= spot.is_in_set;
                }
            };
            for (attribute, values) in &mut self.by_value {
                if let Some(DeviceAttribute::String(value)) =
                    found.device.attribute(driver, attribute)
                {
                    note(values.get_mut(&**value));
                }
            }
            if !self.by_name.is_empty() {
                note(self.by_name.get_mut(&*name_of(&found)));
            }
            if !is_in_set {
                self.free.insert(driver);
            }
        }
    }

    /// Notes how many devices the sets of a topology have.
    fn measure(&mut self, topology: &Topology) {
        let vertices = topology.spec.vertices.iter();
        let by_id: BTreeMap<&str, &Vertex> = vertices.map(|vertex| (&*vertex.id, vertex)).collect();
        for set in &topology.spec.allowed_sets {
            let vertices = set.vertices.iter().filter_map(|id| by_id.get(&**id));
            let drivers: BTreeSet<&str> =
                vertices.flat_map(|vertex| self.drivers(vertex)).collect();
            for driver in drivers {
                let sizes = self.sizes.entry(driver).or_default();
                sizes.insert(set.vertices.len());
            }
        }
    }

    /// Returns the drivers of the devices that a vertex may be.
    fn drivers(&self, vertex: &Vertex) -> impl Iterator<Item = &'s str> {
        let by_value = vertex.matches.as_ref().and_then(|one| {
            let values = self.by_value.get(&*one.attribute)?;
            values.get(&*one.value)
        });
        let by_name = vertex.device.as_ref();
        let by_name = by_name.and_then(|name| self.by_name.get(&**name));
        let spots = by_value.into_iter().chain(by_name);
        spots.flat_map(|spot| spot.drivers.iter().copied())
    }
}

/// Says which topologies find none of the devices there are.
pub(super) fn without_device<'c>(
    context: &Context<'_, 'c>,
    vertices: &Vertices<'c, '_>,
    findings: &mut Findings<'c>,
) {
    for (name, given) in &context.cluster.topologies {
        let topology = &given.object;
        let mut all = topology.spec.vertices.iter();
        if names_no_device(topology) || all.any(|one| vertices.drivers(one).next().is_some()) {
            continue;
        }
        let (verb, devices) = (("find", "finds"), context.published.devices);
        let message = finds_none(verb, devices, "published device");
        let object = Object::of(name, given);
        findings.add(
            Code::TopologyWithoutDevice,
            object,
            "spec.vertices",
            message,
        );
    }
}

/// Says which claims ask for a number of devices that no partition has.
pub(super) fn check_partitions<'c>(
    context: &Context<'_, 'c>,
    vertices: &Vertices<'c, '_>,
    asked: &Asked<'c>,
    matches: &mut Matches<'_, 'c>,
    findings: &mut Findings<'c>,
) {
    if vertices.sizes.is_empty() {
        return;
    }
    let mut wanted: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for place in 0..asked.requests().len() {
        let alternatives = asked.alternatives(place);
        let [one] = &*alternatives else { return };
        let Some(count) = one.count else { return };
        let Some(selected) = matches.request(one.class, one.selectors) else {
            return;
        };
        if selected.is_unknown {
            return;
        }
        let groups = selected
            .groups
            .iter()
            .map(|group| &context.published.groups[*group]);
        let drivers: BTreeSet<&str> = groups
            .map(|group| &*group.first.slice.spec.driver)
            .collect();
        let mut drivers = drivers.into_iter();
        let limited = match (drivers.next(), drivers.next()) {
            (Some(driver), None) => vertices.sizes.get_key_value(driver),
            _ => None,
        };
        if let Some((driver, _)) = limited {
            let path = format!("{}.count", one.path);
            wanted.entry(driver).or_insert((0, path)).0 += count;
        }
    }
    for (driver, (count, path)) in wanted {
        let Some(sizes) = vertices.sizes.get(driver) else {
            continue;
        };
        if vertices.free.contains(driver) || sizes.contains(&count) || count == 0 {
            continue;
        }
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        let message = format!(
            "asks for {}, and partitions have {}",
            counted(count, "device"),
            listed(&sizes, "or")
        );
        findings.add(Code::NoWholePartition, asked.object, path, message);
    }
}
