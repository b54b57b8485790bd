//! What boxes and lines mean.

use std::collections::BTreeMap;

use dralloc_topology::{Make, Wire};

use super::Picture;
use super::device::{self, Size};
use super::flow;
use super::mesh::{self, Direct};
use super::shape::{Anchor, Drawing, Ink, Look, Shape, text_width};
use crate::topo::chosen::Mark;

const TEXT: i64 = 12;
const HEIGHT: i64 = 18;

/// So many kinds of links are explained.
const MOST: usize = 12;

const SAMPLE: Size = Size {
    width: 24,
    height: 14,
    round: 3,
    text: 0,
};

const NIC: Size = Size {
    width: 24,
    height: 14,
    round: 7,
    text: 0,
};

/// Returns the legend, no wider than `most` if that can be.
pub(super) fn legend(picture: &Picture<'_>, direct: &Direct, lines: bool, most: i64) -> Drawing {
    let mut items = Vec::new();
    let marks = picture.marks;
    for (mark, name) in [
        (Mark::Chosen, "chosen"),
        (Mark::Free, "free"),
        (Mark::Taken, "taken"),
    ] {
        let is_told = marks.has(Mark::Chosen) || marks.has(Mark::Taken);
        if is_told && marks.has(mark) {
            items.push(item(device::device(None, "", mark, SAMPLE), name));
        }
    }
    if !marks.nics.is_empty() {
        items.push(item(device::device(None, "", Mark::Free, NIC), "NIC"));
    }
    let mut kinds: BTreeMap<(Make, u32), Wire> = BTreeMap::new();
    for wire in direct.values() {
        kinds.entry((wire.make, wire.count)).or_insert(*wire);
    }
    let widest = direct.values().map(|wire| wire.count).max().unwrap_or(1);
    for (&(make, count), wire) in kinds.iter().take(MOST) {
        let text = named(&mesh::level(wire), wire);
        items.push(item(line(make, mesh::width(count, widest)), &text));
    }
    if lines {
        let sample = |text: String| item(line(Make::NvLink, 60), &text);
        items.extend(ports_of(picture).map(sample));
    } else if picture.machine.has_switches() {
        let mut sample = Drawing {
            width: SAMPLE.width,
            height: SAMPLE.height,
            shapes: Vec::new(),
        };
        sample.add(Shape::Rect {
            x: 0,
            y: 3,
            width: SAMPLE.width,
            height: 8,
            round: 2,
            look: Look::Switch,
            tip: None,
        });
        items.push(item(sample, "NVSwitch"));
    }
    flow::rows(items, 18, most)
}

/// Returns what devices have into switches.
pub(super) fn ports_of(picture: &Picture<'_>) -> Option<String> {
    let topology = &picture.machine.topology;
    let ports = (0..topology.device_count()).filter_map(|device| topology.port(device));
    let most = ports.max_by_key(|port| port.count)?;
    let links = if most.count == 1 { "link" } else { "links" };
    let links = format!("{} {links} into the switches", most.count);
    Some(named(&links, &most))
}

fn named(name: &str, wire: &Wire) -> String {
    match wire.rate {
        Some(rate) => format!("{name}, {rate} GB/s"),
        None => name.to_owned(),
    }
}

fn line(make: Make, width: i64) -> Drawing {
    let look = match make {
        Make::NvLink => Look::NvLink,
        Make::Xgmi => Look::Xgmi,
    };
    let mut drawing = Drawing {
        width: SAMPLE.width,
        height: SAMPLE.height,
        shapes: Vec::new(),
    };
    let middle = SAMPLE.height / 2;
    drawing.add(Shape::Line {
        from: (3, middle),
        to: (SAMPLE.width - 3, middle),
        width,
        look,
        tip: None,
    });
    drawing
}

fn item(sample: Drawing, text: &str) -> Drawing {
    let left = sample.width + 6;
    let mut item = Drawing::default();
    item.place(sample, 0, 2);
    item.write((left, 13), TEXT, Anchor::Start, Ink::Quiet, text.to_owned());
    item.width = left + text_width(text, TEXT);
    item.height = HEIGHT;
    item
}
