//! An engine that knows what a cluster has.

use dralloc::model::ResourceClaim;
use dralloc::{Change, Engine, Features, Snapshot};

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
    add_nodes(&mut engine, cluster)?;
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
    add_held(&mut engine, cluster, is_wanted)?;
    Ok(engine)
}

/// Makes an engine under other features that is told what another was told of a cluster,
/// and what is held by now.
///
/// # Errors
///
/// If the engine refuses an object.
pub(super) fn load_again(
    known: &Snapshot,
    cluster: &Cluster,
    features: Features,
    is_wanted: impl Fn(&ResourceClaim) -> bool,
) -> Result<Engine, Failure> {
    let mut engine = Engine::new(features);
    add_nodes(&mut engine, cluster)?;
    let overlays = known.attribute_overlays();
    copy_all(&mut engine, overlays, Change::AttributeOverlay)?;
    copy_all(&mut engine, known.device_classes(), Change::DeviceClass)?;
    copy_all(&mut engine, known.resource_slices(), Change::ResourceSlice)?;
    copy_all(
        &mut engine,
        known.device_taint_rules(),
        Change::DeviceTaintRule,
    )?;
    copy_all(&mut engine, known.topologies(), Change::Topology)?;
    copy_all(&mut engine, known.device_healths(), Change::DeviceHealth)?;
    copy_all(&mut engine, known.device_holds(), Change::DeviceHold)?;
    add_held(&mut engine, cluster, is_wanted)?;
    Ok(engine)
}

fn add_nodes(engine: &mut Engine, cluster: &Cluster) -> Result<(), Failure> {
    let nodes = cluster.nodes.values().map(|given| &given.object);
    copy_all(engine, nodes, Change::Node)
}

/// Adds what pods and claims have.
fn add_held(
    engine: &mut Engine,
    cluster: &Cluster,
    is_wanted: impl Fn(&ResourceClaim) -> bool,
) -> Result<(), Failure> {
    for (name, given) in &cluster.pods {
        if let Some(used) = extended::in_use(name, &given.object) {
            let change = Change::NodeUse(used);
            engine
                .apply(change)
                .map_err(|error| refused("Pod", name, &error))?;
        }
    }
    let claims = cluster.claims.values().map(|given| &given.object);
    let wanted = claims.filter(|claim| is_wanted(claim));
    copy_all(engine, wanted, Change::ResourceClaim)
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

/// Adds objects that stay where they are.
fn copy_all<'c, T: Kind + Clone + 'c>(
    engine: &mut Engine,
    mut objects: impl Iterator<Item = &'c T>,
    change: impl Fn(T) -> Change,
) -> Result<(), Failure> {
    objects.try_for_each(|object| {
        let name = ObjectName::of(object.metadata());
        apply(engine, &name, object.clone(), &change)
    })
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
