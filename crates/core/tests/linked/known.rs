//! Known machines as nodes, with their vertices bound to devices.

use std::fs;

use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice, Topology};
use dralloc::{
    AllocateOptions, Allocation, Change, Engine, Features, Outcome, Policy, Transaction, Workspace,
};
use serde_json::{Value, json};

/// Reads a file of `testdata/topologies`.
pub(crate) fn read(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/topologies");
    let text = fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Returns an engine with a node `n` of which the devices are the vertices of a document,
/// by their ids and in their order; each publishes the attributes that its vertex has.
pub(crate) fn engine(document: &Value) -> Engine {
    let mut engine = Engine::new(Features::all());
    engine.apply(Change::Node(Node::new("n", []))).unwrap();
    let mut spec = document["spec"].clone();
    for kind in ["gpu", "nic"] {
        let mut devices = Vec::new();
        for vertex in spec["vertices"].as_array_mut().unwrap() {
            if vertex["kind"] == kind {
                let name = vertex["id"].as_str().unwrap().replace('_', "-");
                vertex["device"] = json!(format!("{kind}.example.com/n/{name}"));
                let vertex = vertex.as_object_mut().unwrap();
                let attributes = vertex.remove("attributes").unwrap_or(json!({}));
                devices.push(json!({"name": name, "attributes": attributes}));
            }
        }
        let class = json!({"metadata": {"name": kind}, "spec": {"selectors": [{"cel":
            {"expression": format!("device.driver == '{kind}.example.com'")}}]}});
        let class: DeviceClass = serde_json::from_value(class).unwrap();
        engine.apply(Change::DeviceClass(class)).unwrap();
        let slice = json!({"metadata": {"name": kind}, "spec": {
            "driver": format!("{kind}.example.com"), "nodeName": "n", "devices": devices,
            "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1}}});
        let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    let topology = json!({"metadata": {"name": "m"}, "spec": spec});
    let topology: Topology = serde_json::from_value(topology).unwrap();
    engine.apply(Change::Topology(topology)).unwrap();
    engine
}

/// Is a fabric partition: how many GPUs it says that it has, and the places of those in it.
pub(crate) type Partition<'p> = (usize, &'p [usize]);

/// Lets GPUs publish which partitions of the fabric they are in.
pub(crate) fn publish(document: &mut Value, partitions: &[Partition<'_>]) {
    let vertices = document["spec"]["vertices"].as_array_mut().unwrap();
    let gpus = vertices.iter_mut().filter(|vertex| vertex["kind"] == "gpu");
    for (place, gpu) in gpus.enumerate() {
        for (number, (size, partition)) in partitions.iter().enumerate() {
            if partition.contains(&place) {
                gpu["attributes"][format!("partition{size}")] = json!({"int": number});
            }
        }
    }
}

/// Returns a claim for so many GPUs.
pub(crate) fn claim(name: &str, count: usize) -> ResourceClaim {
    let claim = json!({"metadata": {"name": name, "namespace": "d", "uid": name},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": "gpu",
            "allocationMode": "ExactCount", "count": count}}]}}});
    serde_json::from_value(claim).unwrap()
}

/// Returns the outcome for a claim under a policy.
pub(crate) fn outcome(
    transaction: &mut Transaction,
    claim: &ResourceClaim,
    options: &AllocateOptions<'_>,
) -> Outcome {
    let claims = transaction
        .snapshot()
        .prepare(std::slice::from_ref(claim))
        .unwrap();
    let mut workspace = Workspace::new();
    transaction
        .allocate("n", &claims, options, &mut workspace)
        .unwrap()
}

/// Returns the best answer to a claim under a policy.
pub(crate) fn best(
    transaction: &mut Transaction,
    claim: &ResourceClaim,
    policy: &Policy,
) -> Allocation {
    let options = AllocateOptions::new().policy(policy);
    match outcome(transaction, claim, &options) {
        Outcome::Optimal(allocation) => allocation,
        other => panic!("{other:?}"),
    }
}

/// Returns the names of the devices of an answer.
pub(crate) fn devices(allocation: &Allocation) -> Vec<String> {
    let results = allocation.results().into_iter();
    let devices = results.flat_map(|result| result.devices.results);
    devices.map(|device| device.device.to_string()).collect()
}

/// Returns the values of an answer.
pub(crate) fn values(allocation: &Allocation) -> Vec<i64> {
    let terms = allocation.objective().iter();
    terms.map(|term| term.value).collect()
}
