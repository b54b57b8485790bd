//! `nvidia-smi topo -m`: a matrix of levels.

mod cell;
mod document;
mod fabric;
mod header;
mod matrix;
mod pairs;
mod places;
mod rows;

use crate::builder::Builder;
use crate::error::{Error, Warnings};

pub(crate) fn import(text: &str, warnings: &mut Warnings) -> Result<Builder, Error> {
    let matrix = rows::read(text, warnings)?;
    let pairs = pairs::Pairs::new(&matrix, warnings);
    let places = places::Places::new(&matrix.devices, &pairs);
    places.tell(&matrix.devices, &pairs, warnings);
    let fabric = fabric::Fabric::new(&matrix.devices, &pairs, warnings);
    document::build(&matrix.devices, &places, &fabric)
}
