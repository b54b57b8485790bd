//! Which vertex each device is.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::DeviceAttribute;
use dralloc_topology::{Link, LinkType, Spec, Vertex, VertexKind};

use super::plan::Plan;
use crate::oracle::objective::published as shown;
use crate::oracle::world::{Offer, Place, World};

/// Returns the vertex of each device, by its id, else by what it shows.
pub(super) fn bound(
    world: &World<'_>,
    plan: &Plan,
    places: &[Place],
) -> BTreeMap<Place, Option<usize>> {
    let find = |place: &Place| (*place, vertex_of(world, plan, world.offer(*place)));
    places.iter().map(find).collect()
}

fn vertex_of(world: &World<'_>, plan: &Plan, offer: &Offer<'_>) -> Option<usize> {
    let is_device = |vertex: &Vertex| matches!(vertex.kind, VertexKind::Gpu | VertexKind::Nic);
    let devices = plan.vertices.iter().enumerate();
    let devices: Vec<(usize, &Vertex)> = devices.filter(|(_, one)| is_device(one)).collect();
    let id = offer.id.to_string();
    let by_id = devices
        .iter()
        .find(|(_, one)| one.device.as_ref() == Some(&id));
    if let Some((number, _)) = by_id {
        return Some(*number);
    }
    let names: BTreeSet<&String> = devices
        .iter()
        .filter_map(|(_, one)| Some(&one.matches.as_ref()?.attribute))
        .collect();
    names.into_iter().find_map(|name| {
        let value = text(offer, name)?;
        let is_of = |(number, vertex): &&(usize, &Vertex)| {
            let matches = vertex.matches.as_ref();
            let shows = matches.is_some_and(|one| one.attribute == *name && one.value == value);
            let host = plan.nearest(*number, VertexKind::Host);
            let name = host.and_then(|host| plan.vertices[host].name.as_ref());
            shows && name.is_none_or(|name| *name == *world.case.node.metadata.name)
        };
        let found: Vec<usize> = devices.iter().filter(is_of).map(|(one, _)| *one).collect();
        match *found {
            [one] => Some(one),
            _ => None,
        }
    })
}

fn text(offer: &Offer<'_>, name: &str) -> Option<String> {
    match shown(offer, name)? {
        DeviceAttribute::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Returns what tells the card of a device from others.
pub(super) fn card(offer: &Offer<'_>) -> Option<String> {
    let driver = &*offer.id.driver;
    let own = offer
        .device
        .attributes
        .get("parentUUID")
        .or_else(|| shown(offer, &format!("{driver}/parentUUID")));
    match own {
        Some(DeviceAttribute::String(uuid)) => Some(format!("card {driver}/{uuid}")),
        _ => text(offer, "resource.kubernetes.io/pciBusID").map(|bus| format!("bus {bus}")),
    }
}

/// Returns what devices publish of their place as a document of one host: NUMA nodes, roots
/// as switches, parts of a card as one vertex. A card is where one of its parts says, and a
/// root where one of its cards says, unless others say something else.
pub(super) fn published(
    world: &World<'_>,
    places: &[Place],
) -> (Plan, BTreeMap<Place, Option<usize>>) {
    let of_card = |place: &Place| {
        let own = card(world.offer(*place));
        own.unwrap_or_else(|| format!("alone {place:?}"))
    };
    let beside = |place: &Place| -> Vec<&Offer<'_>> {
        let same = places
            .iter()
            .filter(|other| of_card(other) == of_card(place));
        same.map(|other| world.offer(*other)).collect()
    };
    let root = |place: &Place| {
        let shown = beside(place).into_iter();
        only(shown.filter_map(|offer| text(offer, "resource.kubernetes.io/pcieRoot")))
    };
    let numas = |place: &Place| -> Vec<i64> {
        let shown = beside(place).into_iter();
        shown.filter_map(numa_node).collect()
    };
    let numa = |place: &Place| match root(place) {
        None => only(numas(place).into_iter()),
        here => {
            let there = places.iter().filter(|other| root(other) == here);
            only(there.flat_map(numas))
        }
    };
    let mut spec = Spec::default();
    let mut seats = BTreeMap::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let add = |spec: &mut Spec, kind, inside: Option<usize>| {
        let number = spec.vertices.len();
        spec.vertices.push(Vertex {
            id: number.to_string(),
            kind,
            ..Vertex::default()
        });
        spec.links.extend(inside.map(|inside| Link {
            a: number.to_string(),
            b: inside.to_string(),
            link_type: LinkType::PCIe,
            ..Link::default()
        }));
        number
    };
    let host = add(&mut spec, VertexKind::Host, None);
    for place in places {
        let mut around = host;
        let steps = [
            (
                VertexKind::NumaNode,
                numa(place).map(|numa| format!("numa {numa}")),
            ),
            (
                VertexKind::PcieSwitch,
                root(place).map(|root| format!("root {root}")).or_else(|| {
                    (beside(place).len() > 1).then(|| format!("of {}", of_card(place)))
                }),
            ),
            (VertexKind::Gpu, Some(of_card(place))),
        ];
        for (kind, name) in steps {
            if let Some(name) = name {
                let vertex = known.entry(name);
                around = *vertex.or_insert_with(|| add(&mut spec, kind, Some(around)));
            }
        }
        seats.insert(*place, Some(around));
    }
    let plan = Plan {
        is_published: true,
        ..Plan::new(&spec)
    };
    (plan, seats)
}

fn numa_node(offer: &Offer<'_>) -> Option<i64> {
    match shown(offer, "resource.kubernetes.io/numaNode") {
        Some(DeviceAttribute::Int(node @ 0..)) => Some(*node),
        _ => None,
    }
}

/// Returns what all say, if they say one thing.
fn only<T: Ord>(said: impl Iterator<Item = T>) -> Option<T> {
    let mut said: BTreeSet<T> = said.collect();
    if said.len() == 1 {
        said.pop_first()
    } else {
        None
    }
}
