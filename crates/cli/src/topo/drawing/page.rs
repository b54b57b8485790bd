//! A whole drawing: title, links, places, legend.

use std::collections::BTreeSet;

use dralloc_topology::VertexKind;

use super::boxes::boxes;
use super::mesh;
use super::racks::racks;
use super::shape::{Anchor, Drawing, Ink, Look, Shape, fitting, text_width};
use super::switches;
use super::{Picture, SPACIOUS, flow, legend};
use crate::topo::words;
use crate::words::counted;

const MARGIN: i64 = 24;
/// How much of a line bold letters may fill, in hundredths: they are wider.
const BOLD: i64 = 86;
/// No drawing is narrower than this inside its margins.
const NARROWEST: i64 = 400;

/// Returns the drawing of a machine.
pub(super) fn page(picture: &Picture<'_>) -> Drawing {
    let direct = mesh::direct(picture.machine);
    let mesh = mesh::mesh(picture, &direct);
    let devices = picture.marks.devices.len();
    let topology = &picture.machine.topology;
    let is_switched = (0..devices).any(|device| topology.port(device).is_some());
    let is_packed = devices > SPACIOUS;
    let mut parts = Vec::new();
    let needs_places = mesh.is_none() || is_switched || picture.places.is_known();
    parts.extend(mesh);
    if needs_places {
        parts.push(if is_packed {
            racks(picture)
        } else {
            switches::above(picture, boxes(picture))
        });
    }
    let content = flow::column(parts, 32);
    let width = content.width.max(NARROWEST);
    let legend = legend::legend(picture, &direct, is_switched && !is_packed, width);

    let mut page = Drawing::default();
    let mut y = MARGIN;
    let title = wrapped(&picture.machine.title(), 18, width * BOLD / 100);
    let counted = wrapped(&counts(picture), 13, width);
    let headline = picture.headline.unwrap_or_default();
    let headline = wrapped(headline, 14, width * BOLD / 100);
    let mut head = Drawing::default();
    for (lines, size, ink) in [
        (title, 18, Ink::Title),
        (counted, 13, Ink::Quiet),
        (headline, 14, Ink::Headline),
    ] {
        for line in lines {
            y += size * 4 / 3;
            head.write((MARGIN, y), size, Anchor::Start, ink, line);
        }
        y += 4;
    }
    y += 14;
    let (legend_y, legend_height) = (y + content.height + 24, legend.height);
    let height = match legend_height {
        0 => y + content.height + MARGIN,
        legend => legend_y + legend + MARGIN - 6,
    };
    let all = width + 2 * MARGIN;
    page.add(Shape::Rect {
        x: 0,
        y: 0,
        width: all,
        height,
        round: 10,
        look: Look::Page,
        tip: None,
    });
    page.place(head, 0, 0);
    let x = MARGIN + (width - content.width) / 2;
    page.place(content, x, y);
    page.place(legend, MARGIN, legend_y);
    (page.width, page.height) = (all, height);
    page
}

/// Returns what there is, counted.
fn counts(picture: &Picture<'_>) -> String {
    let topology = &picture.machine.topology;
    let devices = topology.device_count();
    let models: BTreeSet<Option<&str>> = (0..devices)
        .filter_map(|device| topology.device(device))
        .map(|vertex| vertex.model.as_deref())
        .collect();
    let model = match models.iter().next() {
        Some(Some(model)) if models.len() == 1 => format!(" ({})", words::short(model)),
        _ => String::new(),
    };
    let mut parts = vec![format!("{}{model}", counted(devices, "GPU"))];
    let nics = topology.nic_count();
    if nics > 0 {
        parts.push(counted(nics, "NIC"));
    }
    let vertices = picture.machine.document.spec.vertices.iter();
    let switches = vertices.filter(|vertex| vertex.kind == VertexKind::NvSwitch);
    match switches.count() {
        0 => {}
        1 => parts.push("1 NVSwitch".to_owned()),
        several => parts.push(format!("{several} NVSwitches")),
    }
    if devices > SPACIOUS {
        parts.extend(legend::ports_of(picture).map(|text| format!("{text} from each GPU")));
    }
    parts.join(", ")
}

/// Returns a text in lines, broken at spaces.
fn wrapped(text: &str, size: i64, width: i64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = fitting(word, size, width);
        match lines.last_mut() {
            Some(line) if text_width(line, size) + text_width(&word, size) + size / 2 <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}
