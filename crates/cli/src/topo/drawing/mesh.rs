//! Direct links: pairs, and rings or meshes on circles.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{LinkType, Make, Topology, Wire};

use super::device::{DEVICE, device};
use super::shape::{Anchor, Drawing, Ink, Look, Shape};
use super::{Picture, circle, flow};
use crate::topo::chosen::Mark;
use crate::topo::machine::Machine;
use crate::topo::words;

/// Of more direct links than this there is no drawing.
const MOST_LINKS: usize = 20_000;

/// Has the direct links of a machine, each once, by the numbers of its ends.
pub(super) type Direct = BTreeMap<(usize, usize), Wire>;

/// Returns the direct links of a machine.
pub(super) fn direct(machine: &Machine) -> Direct {
    let topology = &machine.topology;
    let devices = (0..topology.device_count()).filter_map(|device| {
        let vertex = topology.device(device)?;
        Some((&*vertex.id, device))
    });
    let devices: BTreeMap<&str, usize> = devices.collect();
    let links = machine.document.spec.links.iter();
    let links = links.filter(|link| matches!(link.link_type, LinkType::NVLink | LinkType::XGMI));
    let links = links.filter_map(|link| {
        let (&a, &b) = (devices.get(&*link.a)?, devices.get(&*link.b)?);
        Some(((a.min(b), a.max(b)), topology.wire(a, b)?))
    });
    links.collect()
}

/// Returns the direct links as a drawing; none where there are none, or too many.
pub(super) fn mesh(picture: &Picture<'_>, direct: &Direct) -> Option<Drawing> {
    if direct.is_empty() || direct.len() > MOST_LINKS {
        return None;
    }
    let islands = islands(&picture.machine.topology, direct);
    let largest = islands.iter().map(Vec::len).max().unwrap_or(0);
    let most = direct.values().map(|wire| wire.count).max().unwrap_or(1);
    let columns = match (largest, islands.len()) {
        // As many rows as columns, or one less.
        (0..=2, count) => count.saturating_sub(1).isqrt() + 1,
        (_, count) => count.min(3),
    };
    let drawings = islands.iter().map(|island| match &**island {
        [one] => named(picture, *one),
        [a, b] => pair(picture, direct, (*a, *b), most),
        _ => round(picture, direct, island, most),
    });
    Some(flow::grid(drawings.collect(), 36, columns))
}

/// Returns the devices that direct links join, and of the others those that are on no
/// switch either.
fn islands(topology: &Topology, direct: &Direct) -> Vec<Vec<usize>> {
    let mut peers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(a, b) in direct.keys() {
        peers.entry(a).or_default().push(b);
        peers.entry(b).or_default().push(a);
    }
    let mut seen = BTreeSet::new();
    let mut islands = Vec::new();
    for device in 0..topology.device_count() {
        let is_alone = !peers.contains_key(&device);
        if is_alone && topology.port(device).is_some() || !seen.insert(device) {
            continue;
        }
        let mut island = vec![device];
        let mut next = 0;
        while let Some(&member) = island.get(next) {
            next += 1;
            for &peer in peers.get(&member).into_iter().flatten() {
                if seen.insert(peer) {
                    island.push(peer);
                }
            }
        }
        island.sort_unstable();
        islands.push(island);
    }
    islands
}

/// Returns a device by itself.
fn named(picture: &Picture<'_>, number: usize) -> Drawing {
    let vertex = picture.machine.topology.device(number);
    let id = vertex.map_or("", |vertex| &vertex.id);
    let mark = picture.marks.devices.get(number).copied();
    device(vertex, &words::short(id), mark.unwrap_or_default(), DEVICE)
}

/// Returns two devices with their link between.
fn pair(picture: &Picture<'_>, direct: &Direct, (a, b): (usize, usize), most: u32) -> Drawing {
    const BETWEEN: i64 = 72;
    let middle = DEVICE.height / 2;
    let mut drawing = Drawing::default();
    if let Some(wire) = direct.get(&(a, b)) {
        let (from, to) = (DEVICE.width, DEVICE.width + BETWEEN);
        drawing.add(line(
            picture,
            (a, b),
            wire,
            most,
            (from, middle),
            (to, middle),
        ));
        let x = DEVICE.width + BETWEEN / 2;
        let name = level(wire);
        drawing.write((x, middle - 9), 12, Anchor::Middle, Ink::LinkName, name);
    }
    drawing.place(named(picture, a), 0, 0);
    drawing.place(named(picture, b), DEVICE.width + BETWEEN, 0);
    drawing
}

/// Returns devices on a circle, their links as chords.
fn round(picture: &Picture<'_>, direct: &Direct, island: &[usize], most: u32) -> Drawing {
    let weight = |a: usize, b: usize| {
        let pair = island.get(a).zip(island.get(b));
        let pair = pair.map(|(&a, &b)| (a.min(b), a.max(b)));
        let wire = pair.and_then(|pair| direct.get(&pair));
        wire.map_or(0, |wire| i64::from(wire.count))
    };
    let order = circle::order(island.len(), &weight);
    let count = i64::try_from(island.len()).unwrap_or(i64::from(i32::MAX));
    let radius = 84.max(17 * count);
    let between = count % 2 == 0;
    let mut places = BTreeMap::new();
    for (number, &point) in (0_i64..).zip(&order) {
        if let Some(&device) = island.get(point) {
            places.insert(device, circle::point(number, count, radius, between));
        }
    }
    // What is left of the circle and above it is the first column and row.
    let left = places.values().map(|place| place.0).min().unwrap_or(0) - DEVICE.width / 2;
    let top = places.values().map(|place| place.1).min().unwrap_or(0) - DEVICE.height / 2;
    let mut drawing = Drawing::default();
    let mut lines = Vec::new();
    for (&(a, b), wire) in direct {
        if let (Some(from), Some(to)) = (places.get(&a), places.get(&b)) {
            let (from, to) = ((from.0 - left, from.1 - top), (to.0 - left, to.1 - top));
            let order = (!is_faint(picture, (a, b)), wire.count);
            lines.push((order, line(picture, (a, b), wire, most, from, to)));
        }
    }
    // Over others what matters: bright over faint, thick over thin.
    lines.sort_by_key(|(order, _)| *order);
    for (_, line) in lines {
        drawing.add(line);
    }
    for (&device, &(x, y)) in &places {
        let (x, y) = (x - left - DEVICE.width / 2, y - top - DEVICE.height / 2);
        drawing.place(named(picture, device), x, y);
    }
    drawing
}

/// Says whether a link is not between chosen devices, while some are.
fn is_faint(picture: &Picture<'_>, (a, b): (usize, usize)) -> bool {
    let chosen = |device| picture.marks.devices.get(device) == Some(&Mark::Chosen);
    picture.marks.has(Mark::Chosen) && !(chosen(a) && chosen(b))
}

fn line(
    picture: &Picture<'_>,
    (a, b): (usize, usize),
    wire: &Wire,
    most: u32,
    from: (i64, i64),
    to: (i64, i64),
) -> Shape {
    let look = match wire.make {
        _ if is_faint(picture, (a, b)) => Look::Faint,
        Make::NvLink => Look::NvLink,
        Make::Xgmi => Look::Xgmi,
    };
    let id = |device: usize| {
        let vertex = picture.machine.topology.device(device);
        vertex.map_or(String::new(), |vertex| words::short(&vertex.id))
    };
    let rate = wire
        .rate
        .map_or(String::new(), |rate| format!(", {rate} GB/s"));
    Shape::Line {
        from,
        to,
        width: width(wire.count, most),
        look,
        tip: Some(format!("{} {}: {}{rate}", id(a), id(b), level(wire))),
    }
}

/// Returns how wide a line for so many links is, in tenths of pixels.
pub(super) fn width(count: u32, most: u32) -> i64 {
    let (count, most) = (i64::from(count), i64::from(most.max(1)));
    if most <= 4 {
        5 + 20 * count
    } else {
        (90 * count / most).max(20)
    }
}

/// Returns the links in the words of a matrix.
pub(super) fn level(wire: &Wire) -> String {
    match wire.make {
        Make::NvLink => format!("NV{}", wire.count),
        Make::Xgmi => format!("XGMI{}", wire.count),
    }
}
