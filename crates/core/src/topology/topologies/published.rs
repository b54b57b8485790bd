//! What devices publish of their place, as a document.

use std::collections::BTreeMap;

use dralloc_topology::{Link, LinkType, Spec, Vertex, VertexKind};

use super::Bound;
use crate::model::DeviceAttribute;
use crate::rules;
use crate::store::{DeviceEntry, NodeView};

/// Returns a document of the devices of a node, and which vertex each of them is.
///
/// Devices are in NUMA nodes by `resource.kubernetes.io/numaNode`, and on roots by
/// `resource.kubernetes.io/pcieRoot`; those that are parts of one card, by their own
/// `parentUUID` or by their address on the bus, are one vertex.
pub(super) fn document(view: &NodeView) -> (Spec, Vec<Option<Bound>>) {
    let mut spec = Spec::default();
    let host = add(&mut spec, VertexKind::Host);
    let mut places: BTreeMap<(VertexKind, String), String> = BTreeMap::new();
    let mut cards: BTreeMap<String, usize> = BTreeMap::new();
    let mut bound = Vec::with_capacity(view.devices.len());
    let mut gpus = 0;
    for entry in &view.devices {
        let card = card(entry);
        if let Some(known) = card.as_ref().and_then(|card| cards.get(card)) {
            bound.push(Some(Bound::Gpu(*known)));
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
        let numa = integer(entry, "resource.kubernetes.io/numaNode").map(|node| node.to_string());
        let around = inside(VertexKind::NumaNode, numa, host.clone());
        let root = text(entry, "resource.kubernetes.io/pcieRoot");
        let around = inside(VertexKind::PcieSwitch, root, around);
        let device = add(&mut spec, VertexKind::Gpu);
        link(&mut spec, &device, &around);
        bound.push(Some(Bound::Gpu(gpus)));
        if let Some(card) = card {
            cards.insert(card, gpus);
        }
        gpus += 1;
    }
    (spec, bound)
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
