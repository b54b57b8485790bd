//! What is wrong with vertices.

use std::collections::BTreeMap;

use super::{Ids, quoted};
use crate::document::Vertex;
use crate::error::{Code, Error};

pub(super) fn vertices(vertices: &[Vertex]) -> Result<Ids<'_>, Error> {
    let mut ids = Ids::new();
    let mut devices: BTreeMap<&str, &str> = BTreeMap::new();
    for (index, vertex) in vertices.iter().enumerate() {
        let at = |field: &str| format!("spec.vertices[{index}].{field}");
        if vertex.id.is_empty() {
            return Err(Error::new(
                Code::Invalid,
                at("id"),
                "expected an id, found none",
            ));
        }
        if let Some(first) = ids.insert(&vertex.id, index) {
            let message = format!(
                "vertex {} is at `spec.vertices[{first}]` already, expected each id once",
                quoted(&vertex.id)
            );
            return Err(Error::new(Code::Duplicate, at("id"), message));
        }
        if let Some(device) = &vertex.device {
            if vertex.matches.is_some() {
                let message = "expected either `device` or `match`, found both";
                return Err(Error::new(Code::Invalid, at("device"), message));
            }
            if device.split('/').count() != 3 || device.split('/').any(str::is_empty) {
                let message = format!("expected driver/pool/device, found {}", quoted(device));
                return Err(Error::new(Code::Invalid, at("device"), message));
            }
            if let Some(other) = devices.insert(device, &vertex.id) {
                return Err(bound_twice(at("device"), device, other));
            }
        }
        if let Some(found) = &vertex.matches {
            for (field, text) in [
                ("match.attribute", &found.attribute),
                ("match.value", &found.value),
            ] {
                if text.is_empty() {
                    return Err(Error::new(
                        Code::Invalid,
                        at(field),
                        "expected a text, found none",
                    ));
                }
            }
        }
    }
    for (index, vertex) in vertices.iter().enumerate() {
        if let Some(host) = &vertex.host {
            super::vertex(&ids, || format!("spec.vertices[{index}].host"), host)?;
        }
    }
    Ok(ids)
}

/// Refuses two vertices of one host that are bound by the same value; machines alike have
/// the same values each.
///
/// # Errors
///
/// The second of them, in the order of the document.
pub(crate) fn bindings(
    vertices: &[Vertex],
    host: impl Fn(usize) -> Option<usize>,
) -> Result<(), Error> {
    let mut matches: BTreeMap<(Option<usize>, &str, &str), &str> = BTreeMap::new();
    for (index, vertex) in vertices.iter().enumerate() {
        let Some(found) = &vertex.matches else {
            continue;
        };
        let key = (host(index), &*found.attribute, &*found.value);
        if let Some(other) = matches.insert(key, &vertex.id) {
            let path = format!("spec.vertices[{index}].match.value");
            return Err(bound_twice(path, &found.value, other));
        }
    }
    Ok(())
}

fn bound_twice(path: String, device: &str, other: &str) -> Error {
    let message = format!(
        "{} is vertex {}, expected each device once",
        quoted(device),
        quoted(other)
    );
    Error::new(Code::Duplicate, path, message)
}
