//! Places as nested boxes, with the devices of a machine in one row of each.

use super::Picture;
use super::device::{DEVICE, NIC, device};
use super::flow;
use super::shape::{Anchor, Drawing, Ink, Look, Shape, fitting, text_width};
use crate::topo::places::{Place, PlaceKind};
use crate::topo::words;

const PAD: i64 = 10;
const GAP: i64 = 8;
const LABEL: i64 = 11;

/// Rows are no wider than this.
const WIDEST: i64 = 1400;

/// Is a place that is drawn, with the middles of the upper edges of its devices.
#[derive(Default)]
pub(super) struct Boxes {
    pub(super) drawing: Drawing,
    pub(super) devices: Vec<(usize, (i64, i64))>,
}

/// Is a place that is drawn, as its parent sees it.
struct Part {
    kind: PlaceKind,
    boxes: Boxes,
}

/// Returns the places of a machine as nested boxes.
pub(super) fn boxes(picture: &Picture<'_>) -> Boxes {
    let places = picture.places;
    let mut parts: Vec<Option<Part>> = Vec::new();
    parts.resize_with(places.places.len(), || None);
    for (number, place) in places.leaves_first() {
        let inner = place.children.iter();
        let inner = inner.filter_map(|&child| parts.get_mut(child)?.take());
        let part = part(picture, place, inner.collect());
        if let Some(entry) = parts.get_mut(number) {
            *entry = Some(part);
        }
    }
    let root = parts.first_mut().and_then(Option::take);
    root.map(|root| root.boxes).unwrap_or_default()
}

fn part(picture: &Picture<'_>, place: &Place, mut inner: Vec<Part>) -> Part {
    let kind = place.kind;
    let (topology, marks, number) = (&picture.machine.topology, picture.marks, place.number);
    let name = words::short(&place.name);
    match kind {
        PlaceKind::Device => {
            let mark = marks.devices.get(number).copied().unwrap_or_default();
            let drawing = device(topology.device(number), &name, mark, DEVICE);
            let devices = vec![(number, (DEVICE.width / 2, 0))];
            return Part {
                kind,
                boxes: Boxes { drawing, devices },
            };
        }
        PlaceKind::Nic => {
            let mark = marks.nics.get(number).copied().unwrap_or_default();
            let drawing = device(topology.nic(number), &name, mark, NIC);
            return Part {
                kind,
                boxes: Boxes {
                    drawing,
                    devices: Vec::new(),
                },
            };
        }
        _ => {}
    }
    // A switch over one thing says nothing; nor does a place that holds all of another
    // that is named.
    let is_idle = kind == PlaceKind::PcieSwitch || kind == PlaceKind::Whole;
    if is_idle && inner.len() == 1 {
        return inner.swap_remove(0);
    }
    let boxes = arranged(inner);
    Part {
        kind,
        boxes: if kind == PlaceKind::Whole {
            boxes
        } else {
            framed(boxes, kind, &name)
        },
    }
}

/// Returns devices, or else places, in a row with the NICs below them; places beside
/// devices.
fn arranged(inner: Vec<Part>) -> Boxes {
    let (mut devices, mut nics, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for part in inner {
        match part.kind {
            PlaceKind::Device => devices.push(part.boxes),
            PlaceKind::Nic => nics.push(part.boxes.drawing),
            _ => others.push(part.boxes),
        }
    }
    let has_devices = !devices.is_empty();
    let mut upper = beside(devices, GAP);
    if !has_devices {
        upper = beside(std::mem::take(&mut others), PAD);
    }
    if !nics.is_empty() {
        let nics = flow::rows(nics, GAP, upper.drawing.width.max(4 * NIC.width));
        upper = below(upper, nics);
    }
    others.insert(0, upper);
    beside(others, PAD)
}

/// Returns places in rows.
fn beside(parts: Vec<Boxes>, gap: i64) -> Boxes {
    let mut all = Boxes::default();
    let (mut x, mut y) = (0, 0);
    for part in parts {
        if x > 0 && x + part.drawing.width > WIDEST {
            x = 0;
            y = all.drawing.height + gap;
        }
        let width = part.drawing.width;
        all.place(part, x, y);
        x += width + gap;
    }
    all
}

/// Returns devices with a drawing below them, both in the middle.
fn below(devices: Boxes, nics: Drawing) -> Boxes {
    let widest = devices.drawing.width.max(nics.width);
    let mut all = Boxes::default();
    let y = match devices.drawing.height {
        0 => 0,
        height => height + GAP,
    };
    let x = (widest - devices.drawing.width) / 2;
    all.place(devices, x, 0);
    let x = (widest - nics.width) / 2;
    all.drawing.place(nics, x, y);
    all
}

/// Returns a place with a frame around it and its name below.
fn framed(inner: Boxes, kind: PlaceKind, name: &str) -> Boxes {
    let (width, height) = (
        inner.drawing.width + 2 * PAD,
        inner.drawing.height + 2 * PAD + LABEL + 2,
    );
    let look = match kind {
        PlaceKind::PcieSwitch => Look::Frame,
        _ => Look::OuterFrame,
    };
    let long = format!("{} {name}", kind.noun(1));
    let room = width - 8;
    let label = if text_width(&long, LABEL) <= room {
        long
    } else {
        fitting(name, LABEL, room)
    };
    let mut boxes = Boxes::default();
    boxes.drawing.add(Shape::Rect {
        x: 0,
        y: 0,
        width,
        height,
        round: 7,
        look,
        tip: None,
    });
    boxes.place(inner, PAD, PAD);
    boxes.drawing.width = width;
    boxes.drawing.height = height;
    let at = (width / 2, height - PAD + 2);
    boxes
        .drawing
        .write(at, LABEL, Anchor::Middle, Ink::Quiet, label);
    boxes
}

impl Boxes {
    fn place(&mut self, part: Self, x: i64, y: i64) {
        self.drawing.place(part.drawing, x, y);
        let devices = part.devices.into_iter();
        self.devices
            .extend(devices.map(|(device, at)| (device, (at.0 + x, at.1 + y))));
    }
}
