//! An engine that knows what a cluster has.

use dralloc::model::ResourceClaim;
use dralloc::{Change, Engine};

use super::{Cluster, ObjectName, extended};
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
    let mut apply = |kind: &str, name: &ObjectName, change| match engine.apply(change) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Input(format!("{kind} `{name}`: {error}"))),
    };
    for (name, given) in &cluster.nodes {
        apply("Node", name, Change::Node(given.object.clone()))?;
    }
    // Overlays come before the slices that they are laid over: each is made once.
    for (name, given) in std::mem::take(&mut cluster.attribute_overlays) {
        let change = Change::AttributeOverlay(given.object);
        apply("AttributeOverlay", &name, change)?;
    }
    for (name, given) in std::mem::take(&mut cluster.device_classes) {
        apply("DeviceClass", &name, Change::DeviceClass(given.object))?;
    }
    for (name, given) in std::mem::take(&mut cluster.resource_slices) {
        apply("ResourceSlice", &name, Change::ResourceSlice(given.object))?;
    }
    for (name, given) in std::mem::take(&mut cluster.device_taint_rules) {
        if gates.taint_rules {
            apply(
                "DeviceTaintRule",
                &name,
                Change::DeviceTaintRule(given.object),
            )?;
        }
    }
    for (name, given) in std::mem::take(&mut cluster.topologies) {
        apply("Topology", &name, Change::Topology(given.object))?;
    }
    for (name, given) in std::mem::take(&mut cluster.device_healths) {
        apply("DeviceHealth", &name, Change::DeviceHealth(given.object))?;
    }
    for (name, given) in std::mem::take(&mut cluster.device_holds) {
        apply("DeviceHold", &name, Change::DeviceHold(given.object))?;
    }
    for (name, given) in &cluster.pods {
        if let Some(used) = extended::in_use(name, &given.object) {
            apply("Pod", name, Change::NodeUse(used))?;
        }
    }
    for (name, given) in &cluster.claims {
        if is_wanted(&given.object) {
            apply(
                "ResourceClaim",
                name,
                Change::ResourceClaim(given.object.clone()),
            )?;
        }
    }
    Ok(engine)
}
