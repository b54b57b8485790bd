//! Warnings about topologies, and about claims that their partitions do not serve.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::PublishedPool;
use dralloc::model::{DeviceAttribute, Topology};

use super::super::asked::Asked;
use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use super::super::matches::Matches;
use super::super::published::name_of;
use super::{Context, counted};
use crate::cluster::Cluster;
use crate::cluster::faults::names_no_device;

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

/// Finds the devices that vertices name.
struct Index {
    /// By attribute and value: the drivers with such devices.
    values: BTreeMap<(String, String), BTreeSet<String>>,
    /// By full name: the driver.
    names: BTreeMap<String, String>,
}

impl Index {
    fn new(context: &Context<'_, '_>) -> Self {
        let topologies = context.cluster.topologies.values();
        let vertices = topologies.flat_map(|given| &given.object.spec.vertices);
        let matches = vertices.filter_map(|vertex| vertex.matches.as_ref());
        let attributes: BTreeSet<&str> = matches.map(|one| &*one.attribute).collect();
        let mut index = Self {
            values: BTreeMap::new(),
            names: BTreeMap::new(),
        };
        let pools = context.published.pools.iter();
        for found in pools.flat_map(PublishedPool::devices) {
            let driver = &*found.slice.spec.driver;
            index.names.insert(name_of(&found), driver.to_owned());
            for attribute in &attributes {
                if let Some(DeviceAttribute::String(value)) =
                    found.device.attribute(driver, attribute)
                {
                    let key = ((*attribute).to_owned(), value.to_string());
                    index
                        .values
                        .entry(key)
                        .or_default()
                        .insert(driver.to_owned());
                }
            }
        }
        index
    }

    /// Returns the drivers of the devices that a vertex may be.
    fn drivers(&self, vertex: &dralloc_topology::Vertex) -> Vec<&str> {
        let by_value = vertex.matches.as_ref().and_then(|one| {
            let key = (one.attribute.clone(), one.value.clone());
            self.values.get(&key)
        });
        let by_name = vertex.device.as_ref().and_then(|name| self.names.get(name));
        let by_value = by_value.into_iter().flatten();
        by_value.chain(by_name).map(|driver| &**driver).collect()
    }
}

/// Says which topologies find none of the devices there are.
pub(super) fn without_device<'c>(context: &Context<'_, 'c>, findings: &mut Findings<'c>) {
    if context.cluster.topologies.is_empty() {
        return;
    }
    let index = Index::new(context);
    for (name, given) in &context.cluster.topologies {
        let topology = &given.object;
        let mut vertices = topology.spec.vertices.iter();
        if names_no_device(topology) || vertices.any(|one| !index.drivers(one).is_empty()) {
            continue;
        }
        let devices = counted(context.published.devices, "published device");
        let message = format!("its vertices are none of {devices}");
        let object = Object::of(name, given);
        findings.add(
            Code::TopologyWithoutDevice,
            object,
            "spec.vertices",
            message,
        );
    }
}

/// Is the sizes of the sets of devices that topologies allow.
pub(super) struct Partitions {
    /// By driver.
    sizes: BTreeMap<String, BTreeSet<usize>>,
    /// Drivers with devices that are in no set: these can be had in any number.
    free: BTreeSet<String>,
}

impl Partitions {
    pub(super) fn new(context: &Context<'_, '_>) -> Self {
        let mut partitions = Self {
            sizes: BTreeMap::new(),
            free: BTreeSet::new(),
        };
        let topologies = context.cluster.topologies.values();
        let limited: Vec<&Topology> = topologies
            .map(|given| &given.object)
            .filter(|topology| !topology.spec.allowed_sets.is_empty())
            .collect();
        if limited.is_empty() {
            return partitions;
        }
        let index = Index::new(context);
        let mut values = BTreeSet::new();
        let mut names = BTreeSet::new();
        for topology in limited {
            let spec = &topology.spec;
            for set in &spec.allowed_sets {
                for vertex in spec
                    .vertices
                    .iter()
                    .filter(|one| set.vertices.contains(&one.id))
                {
                    values.extend(
                        vertex
                            .matches
                            .as_ref()
                            .map(|one| (one.attribute.clone(), one.value.clone())),
                    );
                    names.extend(vertex.device.clone());
                    for driver in index.drivers(vertex) {
                        let sizes = partitions.sizes.entry(driver.to_owned()).or_default();
                        sizes.insert(set.vertices.len());
                    }
                }
            }
        }
        let pools = context.published.pools.iter();
        for found in pools.flat_map(PublishedPool::devices) {
            let driver = &*found.slice.spec.driver;
            let is_value = |(attribute, value): &(String, String)| {
                let shown = found.device.attribute(driver, attribute);
                matches!(shown, Some(DeviceAttribute::String(shown)) if **shown == **value)
            };
            if !names.contains(&name_of(&found)) && !values.iter().any(is_value) {
                partitions.free.insert(driver.to_owned());
            }
        }
        partitions
    }
}

/// Says which claims ask for a number of devices that no partition has.
pub(super) fn check_partitions<'c>(
    context: &Context<'_, 'c>,
    partitions: &Partitions,
    asked: &Asked<'c>,
    matches: &mut Matches<'_, 'c>,
    findings: &mut Findings<'c>,
) {
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
            (Some(driver), None) => partitions.sizes.get_key_value(driver),
            _ => None,
        };
        if let Some((driver, _)) = limited {
            let path = format!("{}.count", one.path);
            wanted.entry(driver).or_insert((0, path)).0 += count;
        }
    }
    for (driver, (count, path)) in wanted {
        let Some(sizes) = partitions.sizes.get(driver) else {
            continue;
        };
        if partitions.free.contains(driver) || sizes.contains(&count) || count == 0 {
            continue;
        }
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        let message = format!(
            "asks for {}, and partitions have {}",
            counted(count, "device"),
            listed(&sizes)
        );
        findings.add(Code::NoWholePartition, asked.object, path, message);
    }
}

/// Joins words as people do: `1, 2 or 4`.
fn listed(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => words.join(""),
    }
}
