//! What is wrong with a document, but for its JSON.

mod links;
mod partitions;
mod vertices;

pub(crate) use vertices::bindings;

use std::collections::BTreeMap;

use crate::document::Spec;
use crate::error::{Code, Error};

/// How many vertices a document may have.
pub const MAX_VERTICES: usize = 65_536;
/// How many links a document may have.
pub const MAX_LINKS: usize = 1_048_576;
/// How many allowed sets, and how many templates, a document may have.
pub const MAX_PARTITIONS: usize = 4_096;

/// Maps the ids of vertices to their places.
pub(crate) type Ids<'a> = BTreeMap<&'a str, usize>;

/// Returns the ids of a graph that is right.
///
/// # Errors
///
/// The first thing that is wrong, in the order of the document.
pub(crate) fn spec(spec: &Spec) -> Result<Ids<'_>, Error> {
    limit("spec.vertices", spec.vertices.len(), MAX_VERTICES)?;
    limit("spec.links", spec.links.len(), MAX_LINKS)?;
    let ids = vertices::vertices(&spec.vertices)?;
    links::links(&spec.links, &spec.vertices, &ids)?;
    partitions::allowed_sets(&spec.allowed_sets, &spec.vertices, &ids)?;
    partitions::templates(&spec.partition_templates)?;
    Ok(ids)
}

fn limit(path: &str, found: usize, most: usize) -> Result<(), Error> {
    if found > most {
        let message = format!("expected at most {most}, found {found}");
        return Err(Error::new(Code::LimitExceeded, path, message));
    }
    Ok(())
}

/// Returns the place of a vertex.
fn vertex(ids: &Ids<'_>, path: impl FnOnce() -> String, id: &str) -> Result<usize, Error> {
    ids.get(id).copied().ok_or_else(|| {
        let message = format!("no vertex {}, expected the id of one", quoted(id));
        Error::new(Code::NotFound, path(), message)
    })
}

/// Returns a user's text in backticks, on one line and not too long, as errors show it.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = text
        .chars()
        .take(MOST)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}

/// Refuses a number below one.
fn positive(path: impl FnOnce() -> String, number: Option<i64>) -> Result<(), Error> {
    const MOST: i64 = 1_000_000;
    match number {
        Some(number) if !(1..=MOST).contains(&number) => {
            let message = format!("expected 1 to {MOST}, found {number}");
            Err(Error::new(Code::Invalid, path(), message))
        }
        _ => Ok(()),
    }
}
