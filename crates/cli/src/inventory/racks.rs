//! [`Racks`]: in which rack each node is.

use std::collections::BTreeMap;

use dralloc::model::{Str, Topology};
use dralloc::{DomainScope, Snapshot};
use dralloc_topology::{Vertex, VertexKind};

/// What labels say that people take for a rack, the nearest to one first.
const SCOPES: [DomainScope; 5] = [
    DomainScope::Rack,
    DomainScope::NvLinkDomain,
    DomainScope::Block,
    DomainScope::Core,
    DomainScope::Zone,
];

/// Knows the rack of each node.
#[derive(Debug, Default)]
pub(super) struct Racks {
    of: BTreeMap<Str, Str>,
}

impl Racks {
    /// Returns what topologies say; where they say nothing of any node, what labels do, all
    /// of them by one scope.
    pub(super) fn new(snapshot: &Snapshot) -> Self {
        let mut of = BTreeMap::new();
        for topology in snapshot.topologies() {
            of.extend(told(topology));
        }
        of.retain(|name, _| snapshot.node(name).is_some());
        if !of.is_empty() {
            return Self { of };
        }
        let by_labels = SCOPES.into_iter().map(|scope| {
            let nodes = snapshot.nodes();
            let named = nodes
                .filter_map(|node| Some((node.metadata.name.clone(), Str::from(scope.of(node)?))));
            named.collect::<BTreeMap<Str, Str>>()
        });
        let mut by_labels = by_labels.filter(|of| !of.is_empty());
        Self {
            of: by_labels.next().unwrap_or_default(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    pub(super) fn of(&self, node: &Str) -> Option<&Str> {
        self.of.get(node)
    }
}

/// Returns the racks of the hosts of a document: the `NVLink` domain around a host, or the
/// number of its rack.
fn told(topology: &Topology) -> Vec<(Str, Str)> {
    // The engine has taken it, so that there is nothing wrong with it.
    let Ok(graph) = dralloc_topology::Topology::of(&topology.spec) else {
        return Vec::new();
    };
    let name = |vertex: &Vertex| Str::from(vertex.name.as_deref().unwrap_or(&vertex.id));
    let of_device = |device: usize| {
        let around: Vec<&Vertex> = graph.around(device).collect();
        let host = around
            .iter()
            .find(|vertex| vertex.kind == VertexKind::Host)?;
        let domain = around
            .iter()
            .find(|vertex| vertex.kind == VertexKind::NvLinkDomain);
        let number = || {
            let vertices = graph
                .device(device)
                .into_iter()
                .chain(around.iter().copied());
            let number = vertices.into_iter().find_map(|vertex| vertex.rack)?;
            Some(Str::from(&*number.to_string()))
        };
        let rack = domain.map(|domain| name(domain)).or_else(number)?;
        Some((name(host), rack))
    };
    (0..graph.device_count()).filter_map(of_device).collect()
}
