//! Drawings of machines: layouts of shapes, and a writer of SVG apart from them.
//!
//! Layouts count in whole pixels, so that the same machine gives the same bytes.

mod boxes;
mod circle;
mod device;
mod flow;
mod legend;
mod looks;
mod mesh;
mod page;
mod racks;
mod shape;
mod svg;
mod switches;

use std::fs;
use std::path::Path;

use super::chosen::Marks;
use super::machine::Machine;
use super::places::Places;
use crate::failure::Failure;

/// Of more devices and NICs than this there is no drawing.
const LARGEST: usize = 4096;

/// Up to so many devices have boxes with their names inside of their places; beyond it
/// places are packed.
const SPACIOUS: usize = 16;

/// Is what is drawn.
#[derive(Clone, Copy)]
struct Picture<'p> {
    machine: &'p Machine,
    places: &'p Places,
    marks: &'p Marks,
    /// What is chosen, and how good it is.
    headline: Option<&'p str>,
}

/// Draws a machine into a file.
///
/// # Errors
///
/// If the machine is too large to draw, or the file cannot be written.
pub(super) fn write(
    file: &Path,
    machine: &Machine,
    places: &Places,
    marks: &Marks,
    headline: Option<&str>,
) -> Result<(), Failure> {
    let devices = marks.devices.len() + marks.nics.len();
    if devices > LARGEST {
        let message = format!("expected at most {LARGEST} devices and NICs to draw");
        return Err(Failure::Input(format!("--svg: {message}, found {devices}")));
    }
    let picture = Picture {
        machine,
        places,
        marks,
        headline,
    };
    let text = svg::write(&page::page(&picture), &machine.title());
    fs::write(file, text).map_err(|error| {
        let file = file.display();
        Failure::Input(format!("cannot write `{file}`: {error}"))
    })
}
