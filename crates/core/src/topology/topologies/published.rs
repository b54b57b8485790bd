//! What devices publish of their place, as a document.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{Link, LinkType, Spec, Vertex, VertexKind};

use super::Bound;
use crate::model::DeviceAttribute;
use crate::rules;
use crate::store::{DeviceEntry, NodeView};

/// Is what devices that are in one place say of it, if they agree.
type Told<K, V> = BTreeMap<K, BTreeSet<V>>;

/// Returns a document of the devices of a node, and which vertex each of them is.
///
/// Devices are in NUMA nodes by `resource.kubernetes.io/numaNode`, and on roots by
/// `resource.kubernetes.io/pcieRoot`; those that are parts of one card, by their own
/// `parentUUID` or by their address on the bus, are one vertex. What one device on a root,
/// or one part of a card, says holds for all of them: a NIC that shows the root of a GPU is
/// in its NUMA node. Where two say different things nothing is known, so the order of
/// devices does not matter.
pub(super) fn document(view: &NodeView) -> (Spec, Vec<Option<Bound>>) {
    let cards: Vec<String> = view.devices.iter().map(name).collect();
    let (mut roots, mut numas) = (Told::new(), Told::new());
    for (entry, card) in view.devices.iter().zip(&cards) {
        let root = text(entry, "resource.kubernetes.io/pcieRoot");
        tell(&mut roots, card, root);
        tell(
            &mut numas,
            card,
            integer(entry, "resource.kubernetes.io/numaNode"),
        );
    }
    let mut parts: BTreeMap<&String, usize> = BTreeMap::new();
    for card in &cards {
        *parts.entry(card).or_default() += 1;
    }
    let mut numa_of_root = Told::new();
    for card in roots.keys() {
        if let Some(root) = agreed(&roots, card) {
            let numas = numas.get(card).into_iter().flatten();
            numas.for_each(|numa| tell(&mut numa_of_root, root, Some(*numa)));
        }
    }
    let mut spec = Spec::default();
    let host = add(&mut spec, VertexKind::Host);
    let mut places: BTreeMap<(VertexKind, String), String> = BTreeMap::new();
    let mut vertices: BTreeMap<&str, usize> = BTreeMap::new();
    let mut bound = Vec::with_capacity(view.devices.len());
    for card in &cards {
        let next = vertices.len();
        let number = *vertices.entry(card).or_insert(next);
        bound.push(Some(Bound::Gpu(number)));
        if number < next {
            continue;
        }
        let mut inside = |kind: VertexKind, value: Option<String>, around: String| {
            let Some(value) = value else {
                return around;
            };
            let place = places.entry((kind, value)).or_insert_with(|| {
                let place = add(&mut spec, kind);
                link(&mut spec, &place, &around);
                place
            });
            place.clone()
        };
        let root = agreed(&roots, card);
        let numa = match root {
            Some(root) => agreed(&numa_of_root, root),
            None => agreed(&numas, card),
        };
        let numa = numa.map(ToString::to_string);
        // Parts of a card are on one root, whichever that is.
        let is_in_parts = parts.get(card).is_some_and(|parts| *parts > 1);
        let of_card = || is_in_parts.then(|| card.clone());
        let root = root.map(|root| format!("root {root}")).or_else(of_card);
        let around = inside(VertexKind::NumaNode, numa, host.clone());
        let around = inside(VertexKind::PcieSwitch, root, around);
        let device = add(&mut spec, VertexKind::Gpu);
        link(&mut spec, &device, &around);
    }
    (spec, bound)
}

/// Notes what is said of a place.
fn tell<V: Ord>(told: &mut Told<String, V>, place: &str, value: Option<V>) {
    let known = told.entry(place.to_owned()).or_default();
    known.extend(value);
}

/// Returns what is said of a place, if that is one thing.
fn agreed<'t, V: Ord>(told: &'t Told<String, V>, place: &str) -> Option<&'t V> {
    let known = told.get(place).filter(|known| known.len() == 1);
    known.and_then(BTreeSet::first)
}

/// Returns what tells the card of a device, or else the device, from others.
fn name(entry: &DeviceEntry) -> String {
    match card(entry) {
        Some(card) => format!("card {card}"),
        None => format!("device {}", entry.id()),
    }
}

/// Returns what tells the card of a device from others.
pub(in crate::topology) fn card(entry: &DeviceEntry) -> Option<String> {
    let (device, driver) = (entry.device(), entry.driver());
    let parent =
        rules::own_text(device, driver, "parentUUID").map(|uuid| format!("{driver}/{uuid}"));
    parent.or_else(|| text(entry, "resource.kubernetes.io/pciBusID"))
}

fn text(entry: &DeviceEntry, name: &str) -> Option<String> {
    rules::lookup_text(entry.device(), entry.driver(), name).map(ToString::to_string)
}

fn integer(entry: &DeviceEntry, name: &str) -> Option<i64> {
    match rules::lookup(entry.device(), entry.driver(), name) {
        Some(DeviceAttribute::Int(number)) if *number >= 0 => Some(*number),
        _ => None,
    }
}

fn add(spec: &mut Spec, kind: VertexKind) -> String {
    let id = spec.vertices.len().to_string();
    spec.vertices.push(Vertex {
        id: id.clone(),
        kind,
        ..Vertex::default()
    });
    id
}

fn link(spec: &mut Spec, inner: &str, outer: &str) {
    spec.links.push(Link {
        a: inner.to_owned(),
        b: outer.to_owned(),
        link_type: LinkType::PCIe,
        ..Link::default()
    });
}
