//! The best answer under policies.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod cases;
mod crowds;
mod limit;
mod nodes;
mod random;
mod stopped;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "no test file uses everything")]
mod support;
mod terms;

use dralloc::model::{AllocationResult, DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::{Allocation, Change, Engine, Features, Policy, Term};
use serde_json::{Value, json};

/// An engine with a node for each list of devices, `n0` and so on.
fn engine(nodes: &[Value], counters: &Value) -> Engine {
    let mut engine = Engine::new(Features::all());
    let class: DeviceClass = serde_json::from_value(json!({"metadata": {"name": "c"}})).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    for (number, devices) in nodes.iter().enumerate() {
        let node = format!("n{number}");
        engine.apply(Change::Node(Node::new(&node, []))).unwrap();
        for (part, content) in [("devices", devices), ("sharedCounters", counters)] {
            let mut slice = json!({"metadata": {"name": format!("{node}-{part}")}, "spec": {
                "driver": "d", "nodeName": node,
                "pool": {"name": node, "generation": 1, "resourceSliceCount": 2}}});
            slice["spec"][part] = content.clone();
            let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
            engine.apply(Change::ResourceSlice(slice)).unwrap();
        }
    }
    engine
}

fn claim(requests: &Value) -> ResourceClaim {
    let claim = json!({"metadata": {"name": "c", "namespace": "n"},
        "spec": {"devices": {"requests": requests}}});
    serde_json::from_value(claim).unwrap()
}

/// A request for so many devices of the class.
fn some(count: u32) -> Value {
    json!([{"name": "r", "exactly":
        {"deviceClassName": "c", "allocationMode": "ExactCount", "count": count}}])
}

fn holding(node: &str, devices: &[&str]) -> AllocationResult {
    let devices = devices.iter();
    let devices =
        devices.map(|it| json!({"request": "r", "driver": "d", "pool": node, "device": it}));
    let devices: Vec<Value> = devices.collect();
    serde_json::from_value(json!({"devices": {"results": devices}})).unwrap()
}

fn devices(allocation: &Allocation) -> Vec<String> {
    let results = allocation.results().into_iter();
    let devices = results.flat_map(|result| result.devices.results);
    devices.map(|device| device.device.to_string()).collect()
}

fn values(allocation: &Allocation) -> Vec<i64> {
    let terms = allocation.objective().iter();
    terms.map(|term| term.value).collect()
}

fn by(term: Term) -> Policy {
    Policy::Terms(vec![term])
}
