//! Topology files of NCCL and RCCL: XML, devices nested in switches and processors.

mod element;
mod hosts;
mod names;
mod rate;
mod tree;
mod wires;
mod xml;

use crate::builder::Builder;
use crate::error::{Error, Warnings};

pub(crate) fn import(text: &str, warnings: &mut Warnings) -> Result<Builder, Error> {
    let elements = xml::read(text)?;
    let hosts = hosts::Hosts::new(&elements);
    let names = names::Names::new(&elements, &hosts, warnings)?;
    let mut builder = Builder::default();
    let tree = tree::Tree::build(&elements, &hosts, &names, &mut builder, warnings)?;
    wires::build(&elements, &names, &tree, &mut builder, warnings)?;
    tree.finish(&hosts, &mut builder)?;
    Ok(builder)
}
