//! Racks as trays of boxes, and clusters as racks.

use std::collections::BTreeMap;

use dralloc_topology::{Vertex, VertexKind};

use super::Picture;
use super::device::{Size, device};
use super::flow;
use super::shape::{Anchor, Drawing, Ink, Look, Shape, fitting, text_width};
use crate::topo::places::{Place, PlaceKind};
use crate::topo::words;

/// Up to so many devices are drawn with names.
const NAMED: usize = 144;

/// Are the measures of a drawing of racks.
struct Scale {
    device: Size,
    nic: Size,
    /// Between devices.
    gap: i64,
    /// Between the devices of two NUMA nodes.
    node_gap: i64,
    /// Around the devices of a tray.
    pad: i64,
    /// Between trays.
    tray_gap: i64,
    /// Size of the name of a tray; 0: none.
    tray_name: i64,
    /// Width for the name of a tray.
    tray_room: i64,
    /// Height of a switch in a rack.
    switch: i64,
}

const LARGE: Scale = Scale {
    device: Size {
        width: 44,
        height: 18,
        round: 3,
        text: 11,
    },
    nic: Size {
        width: 14,
        height: 10,
        round: 5,
        text: 0,
    },
    gap: 4,
    node_gap: 12,
    pad: 4,
    tray_gap: 4,
    tray_name: 11,
    tray_room: 40,
    switch: 8,
};

const SMALL: Scale = Scale {
    device: Size {
        width: 12,
        height: 9,
        round: 2,
        text: 0,
    },
    nic: Size {
        width: 7,
        height: 7,
        round: 3,
        text: 0,
    },
    gap: 2,
    node_gap: 4,
    pad: 2,
    tray_gap: 1,
    tray_name: 0,
    tray_room: 0,
    switch: 4,
};

/// No row of racks or trays is wider than this.
const WIDEST: i64 = 900;

/// Returns the places of a rack or cluster, packed.
pub(super) fn racks(picture: &Picture<'_>) -> Drawing {
    let places = picture.places;
    let mut scale = if picture.marks.devices.len() <= NAMED {
        LARGE
    } else {
        SMALL
    };
    if scale.tray_name > 0 {
        let hosts = places.places.iter();
        let hosts = hosts.filter(|place| place.kind == PlaceKind::Host);
        let widths = hosts.map(|host| text_width(&host.name, scale.tray_name));
        scale.tray_room = widths.max().unwrap_or(0).clamp(30, 120) + 8;
    }
    let switches = switches(picture);
    let mut parts: Vec<Option<Drawing>> = Vec::new();
    parts.resize_with(places.places.len(), || None);
    for (number, place) in places.leaves_first() {
        let inner = place.children.iter();
        let inner = inner.filter_map(|&child| parts.get_mut(child)?.take());
        let inner: Vec<Drawing> = inner.collect();
        let switches = switches.get(&number).copied().unwrap_or(0);
        let part = part(picture, &scale, place, inner, switches);
        if let Some(entry) = parts.get_mut(number) {
            *entry = Some(part);
        }
    }
    let root = parts.first_mut().and_then(Option::take);
    root.unwrap_or_default()
}

fn part(
    picture: &Picture<'_>,
    scale: &Scale,
    place: &Place,
    inner: Vec<Drawing>,
    switches: usize,
) -> Drawing {
    let (topology, marks, number) = (&picture.machine.topology, picture.marks, place.number);
    match place.kind {
        PlaceKind::Device => {
            let mark = marks.devices.get(number).copied().unwrap_or_default();
            let name = inside(picture, place);
            device(topology.device(number), &name, mark, scale.device)
        }
        PlaceKind::Nic => {
            let mark = marks.nics.get(number).copied().unwrap_or_default();
            device(topology.nic(number), "", mark, scale.nic)
        }
        PlaceKind::PcieSwitch | PlaceKind::NumaNode => flow::rows(inner, scale.gap, WIDEST),
        PlaceKind::Host => tray(scale, place, inner),
        PlaceKind::Rack => rack(scale, place, inner, switches),
        PlaceKind::Block => {
            let racks = flow::rows(inner, 10, WIDEST);
            framed(
                racks,
                &format!("block {}", words::short(&place.name)),
                12,
                Look::OuterFrame,
            )
        }
        PlaceKind::Fabric | PlaceKind::Whole => flow::rows(inner, 16, WIDEST),
    }
}

/// Returns a host as a row, its name to the left.
fn tray(scale: &Scale, place: &Place, inner: Vec<Drawing>) -> Drawing {
    let devices = flow::rows(inner, scale.node_gap, WIDEST);
    let name = words::short(&place.name);
    let room = scale.tray_room;
    let (width, height) = (
        devices.width + room + 2 * scale.pad,
        devices.height + 2 * scale.pad,
    );
    let mut tray = Drawing::default();
    tray.add(Shape::Rect {
        x: 0,
        y: 0,
        width,
        height,
        round: scale.pad,
        look: Look::OuterFrame,
        tip: Some(name.clone()),
    });
    tray.place(devices, scale.pad + room, scale.pad);
    (tray.width, tray.height) = (width, height);
    if scale.tray_name > 0 {
        let name = fitting(&name, scale.tray_name, room);
        let at = (scale.pad + 2, height / 2 + 4);
        tray.write(at, scale.tray_name, Anchor::Start, Ink::Quiet, name);
    }
    tray
}

/// Returns a rack: its trays below each other, its switches between them as in the
/// racks that there are.
fn rack(scale: &Scale, place: &Place, mut trays: Vec<Drawing>, switches: usize) -> Drawing {
    let width = trays.iter().map(|tray| tray.width).max().unwrap_or(0);
    if switches > 0 {
        let upper = trays.len().div_ceil(2) + 1;
        let shown = switches.min(64);
        let mut middle = Drawing::default();
        // Two switches are one tray.
        for number in 0..i64::try_from(shown.div_ceil(2)).unwrap_or(0) {
            let pair = if number * 2 + 1 < i64::try_from(shown).unwrap_or(0) {
                2
            } else {
                1
            };
            let each = (width - (pair - 1) * scale.gap) / pair;
            for place in 0..pair {
                middle.add(Shape::Rect {
                    x: place * (each + scale.gap),
                    y: number * (scale.switch + scale.gap),
                    width: each,
                    height: scale.switch,
                    round: scale.switch / 3,
                    look: Look::Switch,
                    tip: None,
                });
            }
            middle.height = number * (scale.switch + scale.gap) + scale.switch;
        }
        middle.width = width;
        trays.insert(upper.min(trays.len()), middle);
    }
    let trays = flow::column(trays, scale.tray_gap);
    let name = format!("rack {}", words::short(&place.name));
    framed(trays, &name, 12, Look::Frame)
}

/// Returns a drawing with a frame and a name above.
fn framed(inner: Drawing, name: &str, size: i64, look: Look) -> Drawing {
    const PAD: i64 = 8;
    let width = inner.width + 2 * PAD;
    let height = inner.height + 2 * PAD + size + 4;
    let mut drawing = Drawing::default();
    drawing.add(Shape::Rect {
        x: 0,
        y: 0,
        width,
        height,
        round: 7,
        look,
        tip: None,
    });
    drawing.place(inner, PAD, PAD + size + 4);
    (drawing.width, drawing.height) = (width, height);
    let name = fitting(name, size, width - 2 * PAD);
    drawing.write(
        (width / 2, PAD + size - 2),
        size,
        Anchor::Middle,
        Ink::Plain,
        name,
    );
    drawing
}

/// Returns the name of a device inside its host: without the name of the host before it.
fn inside(picture: &Picture<'_>, place: &Place) -> String {
    let up = |place: &&Place| picture.places.get(place.parent?);
    let host = std::iter::successors(Some(place), up);
    let host = host.into_iter().find(|place| place.kind == PlaceKind::Host);
    let rest = host.and_then(|host| place.name.strip_prefix(&*host.name));
    let rest = rest.map(|rest| rest.trim_start_matches(['-', '_', '.', '/']));
    words::short(rest.filter(|rest| !rest.is_empty()).unwrap_or(&place.name))
}

/// Returns how many switches are in each rack, by its place.
fn switches(picture: &Picture<'_>) -> BTreeMap<usize, usize> {
    let (topology, places) = (&picture.machine.topology, picture.places);
    let mut racks: BTreeMap<i64, usize> = BTreeMap::new();
    for (number, place) in places.leaves_first() {
        if place.kind != PlaceKind::Device {
            continue;
        }
        let around = topology.device(place.number).into_iter();
        let mut around = around.chain(topology.around(place.number));
        let rack = around.find_map(|vertex| vertex.rack);
        let up = |&number: &usize| places.get(number).and_then(|place| place.parent);
        let mut up = std::iter::successors(Some(number), up);
        let is_rack = |&number: &usize| {
            places
                .get(number)
                .is_some_and(|place| place.kind == PlaceKind::Rack)
        };
        if let (Some(rack), Some(place)) = (rack, up.find(is_rack)) {
            racks.insert(rack, place);
        }
    }
    let vertices = picture.machine.document.spec.vertices.iter();
    let switches = vertices.filter(|vertex| vertex.kind == VertexKind::NvSwitch);
    let mut counts = BTreeMap::new();
    for rack in switches.filter_map(|vertex: &Vertex| vertex.rack) {
        if let Some(&place) = racks.get(&rack) {
            *counts.entry(place).or_insert(0) += 1;
        }
    }
    counts
}
