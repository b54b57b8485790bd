//! Objects that users write to get partitions.

use dralloc::Features;
use dralloc::model::{DeviceClass, DeviceId, Node, ResourceClaim};
use dralloc_testkit::case::{Allocated, Case};
use dralloc_testkit::partitions::{self, DRIVER, Model, NODE};
use serde_json::{Value, json};

/// Returns the class of MIG devices, as NVIDIA's driver installs it.
pub(crate) fn class() -> DeviceClass {
    let expression =
        "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'";
    serde_json::from_value(json!({
        "metadata": {"name": "mig.nvidia.com"},
        "spec": {"selectors": [{"cel": {"expression": expression}}]},
    }))
    .unwrap()
}

/// Returns what asks for so many devices that an expression selects.
pub(crate) fn selected(count: usize, expression: &str) -> Value {
    json!({
        "deviceClassName": "mig.nvidia.com",
        "allocationMode": "ExactCount",
        "count": count,
        "selectors": [{"cel": {"expression": expression}}],
    })
}

/// Returns what asks for so many instances of a profile.
pub(crate) fn profile(count: usize, profile: &str) -> Value {
    let expression = format!("device.attributes['gpu.nvidia.com'].profile == '{profile}'");
    selected(count, &expression)
}

/// Returns a claim with these requests, named `r0`, `r1` and so on.
pub(crate) fn claim(name: &str, requests: &[Value], constraints: &[Value]) -> ResourceClaim {
    let requests: Vec<Value> = requests
        .iter()
        .enumerate()
        .map(|(place, request)| {
            let name = format!("r{place}");
            match request.as_array() {
                None => json!({"name": name, "exactly": request}),
                Some(alternatives) => json!({"name": name, "firstAvailable": alternatives}),
            }
        })
        .collect();
    serde_json::from_value(json!({
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"devices": {"requests": requests, "constraints": constraints}},
    }))
    .unwrap()
}

/// Returns a device of the node.
pub(crate) fn device(name: &str) -> DeviceId {
    let id = json!({"driver": DRIVER, "pool": NODE, "device": name});
    serde_json::from_value(id).unwrap()
}

/// Returns the question for claims on a node with so many cards.
pub(crate) fn case(
    model: Model,
    cards: usize,
    held: Vec<DeviceId>,
    claims: Vec<ResourceClaim>,
) -> Case {
    Case {
        name: format!("{}-{cards}", model.as_str()),
        features: Features::all(),
        node: Node::new(NODE, []),
        device_classes: vec![class()],
        resource_slices: partitions::slices(model, cards).unwrap(),
        claims,
        allocated: Allocated {
            devices: held,
            ..Allocated::default()
        },
    }
}
