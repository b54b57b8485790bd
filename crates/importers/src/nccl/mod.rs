//! Topology files of NCCL and RCCL: XML, devices nested in switches and processors.

mod element;
mod hosts;
mod names;
mod rate;
mod tree;
mod wires;
mod xml;

use dralloc_topology::VertexKind;

use crate::builder::{Builder, vertex};
use crate::error::{Error, Warnings};
use crate::text::Position;

pub(crate) fn import(text: &str, warnings: &mut Warnings) -> Result<Builder, Error> {
    let elements = xml::read(text)?;
    let hosts = hosts::Hosts::new(&elements);
    let names = names::Names::new(&elements, &hosts, warnings)?;
    let mut builder = Builder::default();
    let tree = tree::Tree::build(&elements, &hosts, &names, &mut builder, warnings)?;
    wires::build(&elements, &names, &tree, &mut builder, warnings)?;
    for id in hosts.ids() {
        builder.vertex(Position::START, vertex(id, VertexKind::Host))?;
    }
    Ok(builder)
}
