//! What an API server would refuse of the objects of a cluster.

use dralloc::model::ObjectMeta;
use dralloc::{Error, Features, validate};

use super::{Cluster, Given, ObjectName};
use crate::failure::Failure;
use crate::style;

/// Most faults that are printed.
const FAULTS_MAX: usize = 20;

/// Checks what was written by hand as an API server would.
///
/// Objects with a uid come from a server, which let them through.
pub(crate) fn refuse(cluster: &Cluster, features: &Features) -> Result<(), Failure> {
    let mut faults = Vec::new();
    let mut check = |kind: &str, name: &ObjectName, metadata: &ObjectMeta, found: Vec<Error>| {
        if metadata.uid.is_none() {
            faults.extend(
                found
                    .iter()
                    .map(|fault| format!("{kind} `{name}`: {fault}")),
            );
        }
    };
    for (name, Given { object, .. }) in &cluster.device_classes {
        let found = validate::device_class(object, features);
        check("DeviceClass", name, &object.metadata, found);
    }
    for (name, Given { object, .. }) in &cluster.resource_slices {
        let found = validate::resource_slice(object, features);
        check("ResourceSlice", name, &object.metadata, found);
    }
    for (name, Given { object, .. }) in &cluster.device_taint_rules {
        let found = validate::device_taint_rule(object, features);
        check("DeviceTaintRule", name, &object.metadata, found);
        if object.spec.device_selector.is_none() {
            style::warn(&format!(
                "DeviceTaintRule `{name}` has no `deviceSelector`: it taints no device"
            ));
        }
    }
    for (name, Given { object, .. }) in &cluster.topologies {
        let found = validate::topology(object);
        check("Topology", name, &object.metadata, found);
        let vertices = object.spec.vertices.iter();
        let mut bound =
            vertices.filter(|vertex| vertex.matches.is_some() || vertex.device.is_some());
        if bound.next().is_none() {
            style::warn(&format!(
                "Topology `{name}` finds no device: none of its vertices has `match` or `device`"
            ));
        }
    }
    for (name, Given { object, .. }) in &cluster.attribute_overlays {
        let found = validate::attribute_overlay(object, features);
        check("AttributeOverlay", name, &object.metadata, found);
    }
    for (name, Given { object, .. }) in &cluster.device_healths {
        let found = validate::device_health(object);
        check("DeviceHealth", name, &object.metadata, found);
    }
    for (name, Given { object, .. }) in &cluster.device_holds {
        let found = validate::device_hold(object, features);
        check("DeviceHold", name, &object.metadata, found);
    }
    for (name, Given { object, .. }) in &cluster.pods {
        check("Pod", name, &object.metadata, validate::pod(object));
    }
    if faults.is_empty() {
        return Ok(());
    }
    let more = faults.len().saturating_sub(FAULTS_MAX);
    faults.truncate(FAULTS_MAX);
    if more > 0 {
        faults.push(format!("{more} more faults"));
    }
    Err(Failure::Input(faults.join("\n")))
}
