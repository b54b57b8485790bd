//! [`Labels`]: the domain of each device for each scope.

use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use super::Scope;
use crate::document::VertexKind;
use crate::fabric::Fabric;
use crate::graph::Graph;
use crate::tree::Tree;

/// Has a number for the domain of each device for each scope, equal for devices that
/// are in one domain; none where nothing is known.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    labels: Vec<[Option<u32>; Scope::ALL.len()]>,
}

/// Is what tells a domain from others of its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    /// A vertex of the document.
    Vertex(usize),
    /// A number or a name that vertices have, within the domain of a wider scope.
    Number(Option<u32>, i64),
    Clique(&'a str),
    /// A part of the links of the fabric.
    Part(usize),
    /// All there is.
    Whole,
}

/// Numbers domains in the order in which they are met.
#[derive(Default)]
struct Numbers<'a>(BTreeMap<(Scope, Key<'a>), u32>);

impl<'a> Numbers<'a> {
    fn of(&mut self, scope: Scope, key: Option<Key<'a>>) -> Option<u32> {
        let next = u32::try_from(self.0.len()).ok()?;
        Some(*self.0.entry((scope, key?)).or_insert(next))
    }
}

impl Labels {
    /// Returns the domains of some vertices; the fabric is that of the devices, which
    /// come first.
    pub(crate) fn new(
        graph: &Graph,
        tree: &Tree,
        fabric: &Fabric,
        vertices: &[usize],
        devices: usize,
    ) -> Self {
        let parts = parts(fabric, devices);
        let linked = parts.iter().any(Option::is_some);
        let hosts = graph
            .vertices()
            .any(|(_, vertex)| vertex.kind == VertexKind::Host);
        let mut numbers = Numbers::default();
        let mut label = |scope, key| numbers.of(scope, key);
        let mut labels = Vec::with_capacity(vertices.len());
        for (place, &number) in vertices.iter().enumerate() {
            let vertex = graph.vertex(number);
            let nearest = |kind| tree.nearest(graph, number, kind).map(Key::Vertex);
            let attribute = |of: fn(&crate::Vertex) -> Option<i64>| {
                tree.up(number).find_map(|place| of(graph.vertex(place)))
            };
            let block = label(
                Scope::Block,
                nearest(VertexKind::Block).or_else(|| {
                    attribute(|vertex| vertex.block).map(|block| Key::Number(None, block))
                }),
            );
            let rack = attribute(|vertex| vertex.rack).map(|rack| Key::Number(block, rack));
            let rack = rack.or_else(|| nearest(VertexKind::NvLinkDomain));
            let host = nearest(VertexKind::Host).or((!hosts).then_some(Key::Whole));
            let host = label(Scope::Host, host);
            let node = nearest(VertexKind::NumaNode).or_else(|| {
                let node = vertex.numa_node.filter(|&node| node >= 0);
                node.map(|node| Key::Number(host, node))
            });
            let part = parts.get(place).copied().flatten().map(Key::Part);
            // Names of cliques stand in where the document has no links.
            let clique = vertex
                .clique
                .as_deref()
                .filter(|_| !linked)
                .map(Key::Clique);
            let switch = tree.nearest(graph, number, VertexKind::PcieSwitch);
            labels.push([
                label(Scope::Device, Some(Key::Vertex(number))),
                label(Scope::PcieSwitch, switch.map(Key::Vertex)),
                label(
                    Scope::PcieRoot,
                    Some(Key::Vertex(root(graph, tree, number))),
                ),
                label(Scope::NumaNode, node),
                host,
                label(Scope::NvLinkDomain, part.or(clique)),
                label(Scope::Rack, rack),
                block,
                label(Scope::Fabric, Some(Key::Whole)),
            ]);
        }
        Self { labels }
    }

    /// Returns the domain of a device for a scope.
    pub(crate) fn get(&self, place: usize, scope: Scope) -> Option<u32> {
        self.labels
            .get(place)
            .and_then(|labels| labels[scope as usize])
    }
}

/// Returns the highest switch over a vertex, or itself.
fn root(graph: &Graph, tree: &Tree, number: usize) -> usize {
    let switches = tree.up(number).skip(1);
    let switches = switches.take_while(|&place| graph.vertex(place).kind == VertexKind::PcieSwitch);
    switches.last().unwrap_or(number)
}

/// Returns the part of the fabric that each device is in: devices that direct links or
/// common planes join.
fn parts(fabric: &Fabric, devices: usize) -> Vec<Option<usize>> {
    let mut parts: UnionFind<usize> = UnionFind::new(devices);
    let mut first_on: BTreeMap<u32, usize> = BTreeMap::new();
    for device in 0..devices {
        for &(other, _) in fabric.peers(device) {
            parts.union(device, other as usize);
        }
        let planes = fabric.port(device).map_or(&[][..], |port| port.planes());
        for &plane in planes {
            let first = *first_on.entry(plane).or_insert(device);
            parts.union(first, device);
        }
    }
    let linked = |device: usize| fabric.port(device).is_some() || !fabric.peers(device).is_empty();
    let labels = parts.into_labeling();
    let labels = labels.into_iter().enumerate();
    labels
        .map(|(device, part)| linked(device).then_some(part))
        .collect()
}
