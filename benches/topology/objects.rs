//! Engines and claims of the questions.

use std::fs;
use std::path::Path;

use dralloc::model::{AllocationResult, DeviceClass, Node, ResourceClaim, ResourceSlice, Topology};
use dralloc::{Change, Engine, Features, Transaction};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub(crate) fn read<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("an object")
}

/// Returns an engine with classes, which are told apart by the kind that devices show.
pub(crate) fn engine(classes: &[&str]) -> Engine {
    let mut engine = Engine::new(Features::all());
    for class in classes {
        let expression = format!("device.attributes['example.com'].kind == '{class}'");
        let class: DeviceClass = read(json!({"metadata": {"name": class},
            "spec": {"selectors": [{"cel": {"expression": expression}}]}}));
        apply(&mut engine, Change::DeviceClass(class));
    }
    engine
}

pub(crate) fn apply(engine: &mut Engine, change: Change) {
    engine.apply(change).expect("applied");
}

/// Returns a device of a kind with other attributes.
pub(crate) fn device(name: &str, kind: &str, attributes: &Value) -> Value {
    let mut device = json!({"name": name, "attributes": attributes});
    device["attributes"]["kind"] = json!({"string": kind});
    device
}

/// Adds a node with devices.
pub(crate) fn add_node(
    engine: &mut Engine,
    name: &str,
    labels: &[(&str, &str)],
    devices: &[Value],
) {
    let node = Node::new(name, labels.iter().copied());
    apply(engine, Change::Node(node));
    let chunks: Vec<&[Value]> = devices.chunks(64).collect();
    for (number, chunk) in chunks.iter().enumerate() {
        let pool = json!({"name": name, "generation": 1, "resourceSliceCount": chunks.len()});
        let slice: ResourceSlice = read(json!({
            "metadata": {"name": format!("{name}-{number}")},
            "spec": {"driver": "example.com", "nodeName": name, "pool": pool, "devices": chunk},
        }));
        apply(engine, Change::ResourceSlice(slice));
    }
}

/// Returns a document of `testdata/topologies` of which GPU `k` is device `gpu-k` of a node.
pub(crate) fn document(machine: &str, node: &str) -> (Topology, usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/topologies");
    let text = fs::read_to_string(folder.join(format!("{machine}.json"))).expect("a document");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    document["metadata"] = json!({"name": node});
    let mut gpus = 0;
    let vertices = document["spec"]["vertices"].as_array_mut();
    for vertex in vertices.into_iter().flatten() {
        if vertex["kind"] == "gpu" {
            vertex["device"] = json!(format!("example.com/{node}/gpu-{gpus:02}"));
            gpus += 1;
        }
    }
    (read(document), gpus)
}

/// Returns a claim of devices of classes, with a policy or none.
pub(crate) fn claim(
    name: &str,
    requests: &[(&str, usize)],
    policy: Option<&Value>,
) -> ResourceClaim {
    let requests = requests.iter().map(|(class, count)| {
        json!({"name": class, "exactly":
            {"deviceClassName": class, "allocationMode": "ExactCount", "count": count}})
    });
    let requests: Vec<Value> = requests.collect();
    let mut claim = json!({"metadata": {"namespace": "default", "name": name, "uid": name},
        "spec": {"devices": {"requests": requests}}});
    if let Some(policy) = policy {
        let mut parameters = policy.clone();
        parameters["apiVersion"] = "dralloc.dev/v1alpha1".into();
        parameters["kind"] = "PlacementPolicy".into();
        claim["spec"]["devices"]["config"] =
            json!([{"opaque": {"driver": "dralloc.dev", "parameters": parameters}}]);
    }
    read(claim)
}

/// Holds devices of a node for somebody.
pub(crate) fn hold(transaction: &mut Transaction, name: &str, node: &str, devices: &[String]) {
    let results = devices.iter().map(
        |device| json!({"request": "r", "driver": "example.com", "pool": node, "device": device}),
    );
    let results: Vec<Value> = results.collect();
    let held: AllocationResult = read(json!({"devices": {"results": results}}));
    let owner: ResourceClaim =
        read(json!({"metadata": {"name": name, "namespace": "default", "uid": name}, "spec": {}}));
    transaction.hold(&owner, &held);
}
