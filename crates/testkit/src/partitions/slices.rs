//! Cards as slices: counter sets apart from devices, both within the API's limits.

use serde_json::{Map, Value, json};

use super::card::{Card, Engines, Instance, MEMORY_SLICES};

/// The driver of the slices.
pub const DRIVER: &str = "gpu.nvidia.com";
/// The node that the slices name, and the pool.
pub const NODE: &str = "node-0";

/// A slice holds at most 8 counter sets.
const SETS: usize = 8;
/// A slice holds at most 64 devices that draw on counters.
const DEVICES: usize = 64;

pub(super) fn slices(card: &Card, cards: usize) -> Vec<Value> {
    let sets: Vec<Value> = (0..cards).map(|number| set(card, number)).collect();
    let devices: Vec<Value> = (0..cards)
        .flat_map(|number| devices(card, number))
        .collect();
    let count = sets.chunks(SETS).len() + devices.chunks(DEVICES).len();
    let mut slices = Vec::with_capacity(count);
    for (place, sets) in sets.chunks(SETS).enumerate() {
        let name = format!("{NODE}-counters-{place}");
        slices.push(slice(&name, count, "sharedCounters", sets));
    }
    for (place, devices) in devices.chunks(DEVICES).enumerate() {
        let name = format!("{NODE}-devices-{place}");
        slices.push(slice(&name, count, "devices", devices));
    }
    slices
}

fn slice(name: &str, count: usize, field: &str, content: &[Value]) -> Value {
    json!({
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": {
            "driver": DRIVER,
            "nodeName": NODE,
            "pool": {"name": NODE, "generation": 1, "resourceSliceCount": count},
            field: content,
        },
    })
}

fn set_name(number: usize) -> String {
    format!("gpu-{number}-counter-set")
}

fn set(card: &Card, number: usize) -> Value {
    json!({"name": set_name(number), "counters": counters(card.engines, card.memory, 0..MEMORY_SLICES)})
}

/// Returns the whole card, then its instances.
fn devices(card: &Card, number: usize) -> Vec<Value> {
    let mut devices = vec![whole(card, number)];
    for instance in card.instances {
        for &start in instance.starts {
            devices.push(partition(card, number, instance, start));
        }
    }
    devices
}

fn whole(card: &Card, number: usize) -> Value {
    let mut attributes = attributes(card, "gpu", number);
    attributes.insert("uuid".into(), json!({"string": uuid(number)}));
    json!({
        "name": format!("gpu-{number}"),
        "attributes": attributes,
        "capacity": capacity(card.engines, card.memory),
        "consumesCounters": consumes(number, card.engines, card.memory, 0..MEMORY_SLICES),
    })
}

fn partition(card: &Card, number: usize, instance: &Instance, start: usize) -> Value {
    let mut attributes = attributes(card, "mig", number);
    attributes.insert("profile".into(), json!({"string": instance.profile}));
    attributes.insert("parentUUID".into(), json!({"string": uuid(number)}));
    let profile = instance.profile.replace('.', "").replace('+', "-");
    let covered = start..start + instance.width;
    json!({
        "name": format!("gpu-{number}-mig-{profile}-{}-{start}", instance.id),
        "attributes": attributes,
        "capacity": capacity(instance.engines, instance.memory),
        "consumesCounters": consumes(number, instance.engines, instance.memory, covered),
    })
}

fn uuid(number: usize) -> String {
    format!("GPU-00000000-0000-4000-8000-{number:012}")
}

fn attributes(card: &Card, kind: &str, number: usize) -> Map<String, Value> {
    let mut attributes = Map::new();
    for (name, value) in [
        ("type", kind),
        ("productName", card.product),
        ("architecture", card.architecture),
    ] {
        attributes.insert(name.into(), json!({"string": value}));
    }
    let version = json!({"version": card.compute_capability});
    attributes.insert("cudaComputeCapability".into(), version);
    let root = json!({"string": format!("pci0000:{number:02x}")});
    attributes.insert("resource.kubernetes.io/pcieRoot".into(), root);
    attributes
}

fn capacity(engines: Engines, memory: &str) -> Value {
    json!({
        "memory": {"value": memory},
        "multiprocessors": {"value": engines.multiprocessors.to_string()},
    })
}

fn consumes(
    number: usize,
    engines: Engines,
    memory: &str,
    covered: std::ops::Range<usize>,
) -> Value {
    json!([{"counterSet": set_name(number), "counters": counters(engines, memory, covered)}])
}

fn counters(engines: Engines, memory: &str, covered: std::ops::Range<usize>) -> Map<String, Value> {
    let mut counters = Map::new();
    for (name, count) in engines.counters() {
        counters.insert(name.into(), json!({"value": count.to_string()}));
    }
    counters.insert("memory".into(), json!({"value": memory}));
    for slice in covered {
        counters.insert(format!("memory-slice-{slice}"), json!({"value": "1"}));
    }
    counters
}
