//! What devices have in common: by the document, and by what they publish.

use std::collections::BTreeSet;

use dralloc_topology::VertexKind;

use super::fabric::Fabric;
use super::plan::Plan;
use crate::oracle::constraints::{Item, items};
use crate::oracle::objective::published;
use crate::oracle::world::Offer;

/// The words of policies for what is no link, from near to far; the first counts 1.
pub(super) const SCOPES: [&str; 7] = [
    "pcieSwitch",
    "pcieRoot",
    "numaNode",
    "host",
    "nvLinkDomain",
    "rack",
    "block",
];

/// Is what tells a domain of a scope from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Vertex(usize),
    Number(Option<Box<Key>>, i64),
    Clique(String),
    Part(BTreeSet<usize>),
    Whole,
    Value(Item),
    Node,
}

/// Returns the domains of devices for a scope, as numbers.
pub(super) fn domains(
    scope: &str,
    (plan, fabric): (&Plan, &Fabric),
    devices: &[(&Offer<'_>, Option<usize>)],
) -> Vec<BTreeSet<usize>> {
    let is_shown = devices
        .iter()
        .any(|(offer, vertex)| vertex.is_some() && !shown(scope, offer).is_empty());
    let keys = devices.iter().map(|(offer, vertex)| {
        let told = vertex.and_then(|vertex| told(scope, plan, fabric, vertex));
        let mut shown = shown(scope, offer);
        if let ("numaNode", false, Some(vertex)) = (scope, is_shown, vertex) {
            // The number that the kernel has for it.
            let node = plan.vertices[*vertex].numa_node.filter(|node| *node >= 0);
            shown.extend(node.map(|node| Key::Value(Item::Int(node))));
        }
        (told, shown)
    });
    let keys: Vec<(Option<Key>, BTreeSet<Key>)> = keys.collect();
    let all = |(told, shown): &(Option<Key>, BTreeSet<Key>)| -> BTreeSet<Key> {
        shown.iter().chain(told).cloned().collect()
    };
    // Each class is a domain; a device with one value joins it with what the document says.
    let mut classes: Vec<BTreeSet<Key>> = keys
        .iter()
        .flat_map(&all)
        .map(|key| BTreeSet::from([key]))
        .collect();
    classes.extend(
        keys.iter()
            .filter(|(_, shown)| shown.len() < 2)
            .map(&all)
            .filter(|keys| !keys.is_empty()),
    );
    loop {
        let meet = |(one, other): &(usize, usize)| !classes[*one].is_disjoint(&classes[*other]);
        let mut pairs = (0..classes.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        let Some((one, other)) = pairs.find(meet) else {
            break;
        };
        let joined = classes.remove(one);
        classes[other].extend(joined);
    }
    let numbers = |keys: BTreeSet<Key>| {
        let class = |key: Key| classes.iter().position(|class| class.contains(&key));
        keys.into_iter().filter_map(class).collect()
    };
    keys.iter().map(all).map(numbers).collect()
}

/// Returns what the document says of a vertex.
fn told(scope: &str, plan: &Plan, fabric: &Fabric, vertex: usize) -> Option<Key> {
    let nearest = |kind| plan.nearest(vertex, kind).map(Key::Vertex);
    let up = plan.up(vertex);
    let number = |of: fn(&dralloc_topology::Vertex) -> Option<i64>| {
        up.iter().find_map(|place| of(&plan.vertices[*place]))
    };
    let has = |kind| plan.vertices.iter().any(|other| other.kind == kind);
    match scope {
        // Devices publish roots, and not the switches below them.
        "pcieSwitch" if plan.is_published => None,
        "pcieRoot" if plan.is_published => nearest(VertexKind::PcieSwitch),
        "pcieSwitch" => nearest(VertexKind::PcieSwitch),
        "pcieRoot" => {
            let is_switch = |place: &&usize| plan.vertices[**place].kind == VertexKind::PcieSwitch;
            let root = up[1..].iter().take_while(is_switch).last();
            Some(Key::Vertex(*root.unwrap_or(&vertex)))
        }
        "numaNode" => nearest(VertexKind::NumaNode).or_else(|| {
            let node = plan.vertices[vertex].numa_node.filter(|node| *node >= 0)?;
            let host = told("host", plan, fabric, vertex);
            Some(Key::Number(host.map(Box::new), node))
        }),
        "host" if has(VertexKind::Host) => nearest(VertexKind::Host),
        "host" => Some(Key::Whole),
        "nvLinkDomain" => {
            let is_gpu = |other: &usize| plan.vertices[*other].kind == VertexKind::Gpu;
            let gpus: Vec<usize> = (0..plan.vertices.len()).filter(is_gpu).collect();
            if is_gpu(&vertex) && fabric.is_linked(vertex) {
                return Some(Key::Part(fabric.reached(vertex, &gpus)));
            }
            let clique = plan.vertices[vertex].clique.clone();
            let clique = clique.filter(|_| !gpus.iter().any(|gpu| fabric.is_linked(*gpu)));
            clique.map(Key::Clique)
        }
        "rack" => {
            let block = told("block", plan, fabric, vertex).map(Box::new);
            let rack = number(|vertex| vertex.rack).map(|rack| Key::Number(block, rack));
            rack.or_else(|| nearest(VertexKind::NvLinkDomain))
        }
        "block" => nearest(VertexKind::Block)
            .or_else(|| Some(Key::Number(None, number(|vertex| vertex.block)?))),
        _ => None,
    }
}

/// Returns what a device says itself.
fn shown(scope: &str, offer: &Offer<'_>) -> BTreeSet<Key> {
    match scope {
        "host" | "rack" | "block" if offer.slice.spec.node_name.is_some() => {
            BTreeSet::from([Key::Node])
        }
        "pcieRoot" | "numaNode" => {
            let name = format!("resource.kubernetes.io/{scope}");
            let values = published(offer, &name).map(items).unwrap_or_default();
            let known = |value: &Item| !matches!(value, Item::Int(number) if *number < 0);
            values.into_iter().filter(known).map(Key::Value).collect()
        }
        _ => BTreeSet::new(),
    }
}
