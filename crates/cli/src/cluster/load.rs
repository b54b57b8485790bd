//! An engine that knows what a cluster has.

use dralloc::model::ResourceClaim;
use dralloc::{Change, Engine};

use super::kind::Kind;
use super::{Cluster, ObjectName, Objects, extended};
use crate::failure::Failure;
use crate::gates::Gates;

/// Moves what nodes offer, and what is held of it, into an engine.
///
/// # Errors
///
/// If the engine refuses an object.
pub(crate) fn load(
    cluster: &mut Cluster,
    gates: &Gates,
    is_wanted: impl Fn(&ResourceClaim) -> bool,
) -> Result<Engine, Failure> {
    let mut engine = Engine::new(gates.features);
    for (name, given) in &cluster.nodes {
        apply(&mut engine, name, given.object.clone(), Change::Node)?;
    }
    // Overlays come before the slices that they are laid over: each is made once.
    let overlays = &mut cluster.attribute_overlays;
    move_all(&mut engine, overlays, Change::AttributeOverlay)?;
    cluster.has_no_slices = cluster.resource_slices.is_empty();
    let classes = cluster.device_classes.keys();
    cluster.class_names = classes.map(|name| name.name.clone()).collect();
    move_all(
        &mut engine,
        &mut cluster.device_classes,
        Change::DeviceClass,
    )?;
    let slices = &mut cluster.resource_slices;
    move_all(&mut engine, slices, Change::ResourceSlice)?;
    let mut rules = std::mem::take(&mut cluster.device_taint_rules);
    if gates.taint_rules {
        move_all(&mut engine, &mut rules, Change::DeviceTaintRule)?;
    }
    move_all(&mut engine, &mut cluster.topologies, Change::Topology)?;
    move_all(
        &mut engine,
        &mut cluster.device_healths,
        Change::DeviceHealth,
    )?;
    move_all(&mut engine, &mut cluster.device_holds, Change::DeviceHold)?;
    for (name, given) in &cluster.pods {
        if let Some(used) = extended::in_use(name, &given.object) {
            let change = Change::NodeUse(used);
            engine
                .apply(change)
                .map_err(|error| refused("Pod", name, &error))?;
        }
    }
    for (name, given) in &cluster.claims {
        if is_wanted(&given.object) {
            apply(
                &mut engine,
                name,
                given.object.clone(),
                Change::ResourceClaim,
            )?;
        }
    }
    Ok(engine)
}

/// Moves all objects of a kind.
fn move_all<T: Kind>(
    engine: &mut Engine,
    objects: &mut Objects<T>,
    change: impl Fn(T) -> Change,
) -> Result<(), Failure> {
    let mut objects = std::mem::take(objects).into_iter();
    objects.try_for_each(|(name, given)| apply(engine, &name, given.object, &change))
}

fn apply<T: Kind>(
    engine: &mut Engine,
    name: &ObjectName,
    object: T,
    change: impl Fn(T) -> Change,
) -> Result<(), Failure> {
    let applied = engine.apply(change(object));
    applied.map_err(|error| refused(T::KIND, name, &error))?;
    Ok(())
}

fn refused(kind: &str, name: &ObjectName, error: &dralloc::Error) -> Failure {
    Failure::Input(format!("{kind} `{name}`: {error}"))
}
