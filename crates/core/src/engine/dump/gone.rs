//! Which objects are gone, as a dump has it.

use super::document::Gone;
use super::layout::Layout;
use super::read::each;
use crate::engine::Engine;
use crate::error::{Code, Error};
use crate::model::Str;
use crate::store::{Identities, MAX_GONE};

pub(super) fn write(layout: &mut Layout, engine: &Engine) {
    let (objects, documents) = (&engine.objects, &engine.known_documents);
    let gone = Gone {
        nodes: uids(&objects.nodes),
        device_classes: uids(&objects.classes.known),
        resource_slices: uids(&objects.slices.known),
        device_taint_rules: uids(&objects.taint_rules.known),
        resource_claims: uids(&engine.claims),
        topologies: uids(&documents.topologies),
        attribute_overlays: uids(&documents.attribute_overlays),
        device_healths: uids(&documents.device_healths),
        device_holds: uids(&documents.device_holds),
    };
    if gone != Gone::default() {
        layout.field("gone", &gone);
    }
}

fn uids<T>(known: &Identities<T>) -> Vec<Str> {
    known.gone().cloned().collect()
}

pub(super) fn read(engine: &mut Engine, gone: Gone) -> Result<(), Error> {
    let (objects, documents) = (&mut engine.objects, &mut engine.known_documents);
    bury(&mut objects.nodes, "gone.nodes", gone.nodes)?;
    let classes = &mut objects.classes.known;
    bury(classes, "gone.deviceClasses", gone.device_classes)?;
    let slices = &mut objects.slices.known;
    bury(slices, "gone.resourceSlices", gone.resource_slices)?;
    let rules = &mut objects.taint_rules.known;
    bury(rules, "gone.deviceTaintRules", gone.device_taint_rules)?;
    bury(
        &mut engine.claims,
        "gone.resourceClaims",
        gone.resource_claims,
    )?;
    bury(
        &mut documents.topologies,
        "gone.topologies",
        gone.topologies,
    )?;
    let overlays = &mut documents.attribute_overlays;
    bury(overlays, "gone.attributeOverlays", gone.attribute_overlays)?;
    let healths = &mut documents.device_healths;
    bury(healths, "gone.deviceHealths", gone.device_healths)?;
    bury(
        &mut documents.device_holds,
        "gone.deviceHolds",
        gone.device_holds,
    )
}

fn bury<T>(known: &mut Identities<T>, path: &str, uids: Vec<Str>) -> Result<(), Error> {
    if uids.len() > MAX_GONE {
        let message = format!("{} uids, expected at most {MAX_GONE}", uids.len());
        return Err(Error::new(Code::LimitExceeded, message).at(path));
    }
    each(path, uids, |uid| {
        if uid.is_empty() || known.is_gone(&uid) || known.name(&uid).is_some() {
            let message = format!("`{uid}`, expected the uid of an object that is gone, once");
            return Err(Error::new(Code::Invalid, message));
        }
        known.bury(uid);
        Ok(())
    })
}
