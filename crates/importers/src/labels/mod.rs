//! Labels of Kubernetes nodes: where each host is.

mod document;
mod json;
mod key;
mod levels;
mod nodes;

use crate::builder::Builder;
use crate::error::{Error, Warnings};

pub(crate) fn import(text: &str, warnings: &mut Warnings) -> Result<Builder, Error> {
    let nodes = nodes::read(text, warnings)?;
    let levels = levels::Levels::new(&nodes, warnings);
    document::build(&nodes, &levels, warnings)
}
