//! Groups of devices that links join.

use std::collections::BTreeMap;

use dralloc_topology::{Scope, Topology};

/// Returns the groups of devices that links join, each in the order of the document.
pub(super) fn groups(topology: &Topology) -> Vec<Vec<usize>> {
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for device in 0..topology.device_count() {
        let island = topology.domain(device, Scope::NvLinkDomain);
        let next = groups.len();
        let place = match island {
            Some(island) => *places.entry(island).or_insert(next),
            None => next,
        };
        match groups.get_mut(place) {
            Some(group) => group.push(device),
            None => groups.push(vec![device]),
        }
    }
    groups
}

/// Returns the groups of several devices.
pub(super) fn islands(topology: &Topology) -> Vec<Vec<usize>> {
    let mut groups = groups(topology);
    groups.retain(|group| group.len() > 1);
    groups
}
