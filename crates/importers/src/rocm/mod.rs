//! `rocm-smi --showtopo` and `amd-smi topology`: matrices of links.

mod blocks;
mod document;
mod links;
mod nodes;

use crate::builder::Builder;
use crate::error::{Error, Warnings};

pub(crate) fn import(text: &str, warnings: &mut Warnings) -> Result<Builder, Error> {
    let blocks = blocks::Blocks::read(text)?;
    let links = links::links(&blocks, warnings)?;
    let nodes = nodes::Nodes::new(&blocks, warnings)?;
    document::build(&blocks, &links, &nodes)
}
