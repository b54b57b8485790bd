//! Devices and NICs as boxes.

use dralloc_topology::Vertex;

use super::shape::{Anchor, Drawing, Ink, Look, Shape, fitting, text_width};
use crate::topo::chosen::Mark;

/// Is the size of a box and of the name in it; of size 0 there is none.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) width: i64,
    pub(super) height: i64,
    pub(super) round: i64,
    pub(super) text: i64,
}

/// A device with its name.
pub(super) const DEVICE: Size = Size {
    width: 58,
    height: 32,
    round: 5,
    text: 13,
};

/// A NIC with its name: round, to be told from devices.
pub(super) const NIC: Size = Size {
    width: 48,
    height: 22,
    round: 11,
    text: 11,
};

/// Returns the box of a device or NIC, with its name or what fits of it.
pub(super) fn device(vertex: Option<&Vertex>, name: &str, mark: Mark, size: Size) -> Drawing {
    let mut drawing = Drawing {
        width: size.width,
        height: size.height,
        shapes: Vec::new(),
    };
    drawing.add(Shape::Rect {
        x: 0,
        y: 0,
        width: size.width,
        height: size.height,
        round: size.round,
        look: look(mark),
        tip: vertex.map(tip),
    });
    if size.text > 0 {
        // A name that is a little too long is written smaller, others are cut.
        let room = size.width - 6;
        let text = (size.text - 3..=size.text).rev();
        let text = text.filter(|&text| text_width(name, text) <= room).max();
        let text = text.unwrap_or(size.text - 3);
        let base = size.height / 2 + text * 36 / 100;
        let ink = match mark {
            Mark::Chosen => Ink::ChosenId,
            Mark::Free | Mark::Taken => Ink::Id,
        };
        let name = fitting(name, text, room);
        drawing.write((size.width / 2, base), text, Anchor::Middle, ink, name);
    }
    drawing
}

/// Returns how a device with a mark looks.
pub(super) fn look(mark: Mark) -> Look {
    match mark {
        Mark::Free => Look::Free,
        Mark::Chosen => Look::Chosen,
        Mark::Taken => Look::Taken,
    }
}

fn tip(vertex: &Vertex) -> String {
    match &vertex.model {
        Some(model) => format!("{} ({model})", vertex.id),
        None => vertex.id.clone(),
    }
}
