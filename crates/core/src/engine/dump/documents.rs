//! Objects of `dralloc.dev`, as a dump has them.

use std::sync::Arc;

use super::layout::Layout;
use super::read::check_new;
use crate::engine::Engine;
use crate::engine::documents::{Document, Documents, check};
use crate::engine::form::object;
use crate::engine::objects::identity_of;
use crate::error::Error;

pub(super) fn write(layout: &mut Layout, documents: &Documents) {
    let Documents {
        topologies,
        graphs: _,
        attribute_overlays,
        device_healths,
        device_holds,
    } = documents;
    layout.list("topologies", topologies.values().map(|one| object(&**one)));
    let overlays = attribute_overlays.values();
    layout.list("attributeOverlays", overlays.map(|one| object(&**one)));
    layout.list(
        "deviceHealths",
        device_healths.values().map(|one| object(&**one)),
    );
    layout.list(
        "deviceHolds",
        device_holds.values().map(|one| object(&**one)),
    );
}

/// Keeps an object; what it holds or changes is told elsewhere in the dump.
pub(super) fn keep<T: Document>(engine: &mut Engine, object: T) -> Result<(), Error> {
    check(&object, &engine.features)?;
    let identity = identity_of(object.metadata());
    let known = T::known(&mut engine.known_documents);
    check_new(known, &identity)?;
    let name = identity.name.clone();
    known.put(identity, ());
    let documents = Arc::make_mut(&mut engine.documents);
    T::index(documents, &name, Some(&object));
    T::listed(documents).insert(name, Arc::new(object));
    Ok(())
}
