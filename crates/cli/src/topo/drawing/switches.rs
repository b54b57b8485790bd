//! A fabric of switches as a bar over the machine.

use dralloc_topology::{LinkType, VertexKind};

use super::Picture;
use super::boxes::Boxes;
use super::mesh;
use super::shape::{Anchor, Drawing, Ink, Look, Shape, text_width};
use crate::topo::chosen::Mark;
use crate::topo::words;
use crate::words::counted;

const HEIGHT: i64 = 30;
const TEXT: i64 = 12;
/// From the bar to the machine.
const DROP: i64 = 44;
const GAP: i64 = 6;

/// Returns the machine below its switches, with a line for the links of each device;
/// the machine alone where nothing goes into switches.
pub(super) fn above(picture: &Picture<'_>, boxes: Boxes) -> Drawing {
    let topology = &picture.machine.topology;
    let ports = boxes.devices.iter().filter_map(|&(device, at)| {
        let port = topology.port(device)?;
        Some((device, at, port))
    });
    let ports: Vec<_> = ports.collect();
    let most = ports.iter().map(|(_, _, port)| port.count).max();
    let Some(most) = most else {
        return boxes.drawing;
    };
    let width = boxes.drawing.width;
    let mut drawing = bar(picture, width);
    let machine = HEIGHT + DROP;
    let mut lines = Vec::new();
    for (device, at, port) in ports {
        let chosen = picture.marks.devices.get(device) == Some(&Mark::Chosen);
        let is_faint = picture.marks.has(Mark::Chosen) && !chosen;
        let vertex = topology.device(device);
        let id = vertex.map_or(String::new(), |vertex| words::short(&vertex.id));
        let rate = port
            .rate
            .map_or(String::new(), |rate| format!(", {rate} GB/s"));
        let count = counted(port.count, "link");
        lines.push(Shape::Line {
            from: (at.0, HEIGHT),
            to: (at.0, machine + at.1),
            width: mesh::width(port.count, most).min(60),
            look: if is_faint { Look::Faint } else { Look::NvLink },
            tip: Some(format!("{id}: {count} into the switches{rate}")),
        });
    }
    drawing.place(boxes.drawing, 0, machine);
    // Over the frames of places, and below nothing.
    for line in lines {
        drawing.add(line);
    }
    drawing
}

/// Returns the switches beside each other over a width.
fn bar(picture: &Picture<'_>, width: i64) -> Drawing {
    let spec = &picture.machine.document.spec;
    let of_kind = |kind: VertexKind| -> Vec<String> {
        let vertices = spec.vertices.iter().filter(|vertex| vertex.kind == kind);
        vertices.map(|vertex| words::short(&vertex.id)).collect()
    };
    let mut switches = of_kind(VertexKind::NvSwitch);
    let mut noun = "NVSwitch";
    if switches.is_empty() {
        switches = of_kind(VertexKind::NvLinkDomain);
        noun = "NVLink domain";
    }
    let trunks = spec.links.iter();
    let trunks = trunks.filter(|link| link.link_type == LinkType::NVSwitchTrunk);
    let is_joined = trunks.count() > 0;
    let count = i64::try_from(switches.len()).unwrap_or(1).max(1);
    let mut drawing = Drawing {
        width,
        height: HEIGHT,
        shapes: Vec::new(),
    };
    // One ground for all: a device has links into each of them.
    rect(&mut drawing, 0, 0, width, Look::Switch);
    let each = (width - (count + 1) * GAP) / count;
    let fits = switches
        .iter()
        .all(|name| text_width(name, TEXT) + 4 <= each);
    if count == 1 || !fits || is_joined {
        let joined = if is_joined { ", joined" } else { "" };
        let label = match &*switches {
            [one] => format!("{noun} {one}"),
            _ => format!("{count} x {noun}{joined}"),
        };
        let at = (width / 2, HEIGHT / 2 + 4);
        drawing.write(at, TEXT, Anchor::Middle, Ink::SwitchId, label);
        return drawing;
    }
    for (number, name) in (0_i64..).zip(switches) {
        let x = GAP + number * (each + GAP);
        rect(&mut drawing, x, 5, each, Look::Chip);
        let at = (x + each / 2, HEIGHT / 2 + 4);
        drawing.write(at, TEXT, Anchor::Middle, Ink::SwitchId, name);
    }
    drawing
}

fn rect(drawing: &mut Drawing, x: i64, inset: i64, width: i64, look: Look) {
    drawing.add(Shape::Rect {
        x,
        y: inset,
        width,
        height: HEIGHT - 2 * inset,
        round: 6 - inset / 2,
        look,
        tip: None,
    });
}
