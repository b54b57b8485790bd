//! Devices that work together: terms over links and places.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests end where they fail"
)]

mod brute_force;
mod limits;
mod machine;
mod random;
mod stops;

mod terms;

use dralloc::model::{AllocationResult, DeviceClass, Node, ResourceClaim, ResourceSlice, Topology};
use dralloc::{
    AllocateOptions, Allocation, Change, Engine, Error, Features, Outcome, Policy, Workspace,
};
use serde_json::{Value, json};

/// A node `n` with devices of drivers, of which `gpu` comes from `gpu.example.com` and
/// so on, and topologies; of each driver there is a class, and `any` for all devices.
fn engine(drivers: &[(&str, Vec<Value>)], topologies: &[Value]) -> Engine {
    let mut engine = Engine::new(Features::all());
    let mut class = |name: &str, selectors: Value| {
        let class = json!({"metadata": {"name": name}, "spec": {"selectors": selectors}});
        let class: DeviceClass = serde_json::from_value(class).unwrap();
        engine.apply(Change::DeviceClass(class)).unwrap();
    };
    class("any", json!([]));
    for name in ["gpu", "nic", "cpu"] {
        let expression = format!("device.driver == '{name}.example.com'");
        class(name, json!([{"cel": {"expression": expression}}]));
    }
    engine.apply(Change::Node(Node::new("n", []))).unwrap();
    for (driver, devices) in drivers {
        let slice = json!({"metadata": {"name": driver}, "spec": {
            "driver": format!("{driver}.example.com"), "nodeName": "n", "devices": devices,
            "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1}}});
        let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    for topology in topologies {
        let topology: Topology = serde_json::from_value(topology.clone()).unwrap();
        engine.apply(Change::Topology(topology)).unwrap();
    }
    engine
}

fn claim(requests: &Value) -> ResourceClaim {
    let claim = json!({"metadata": {"name": "c", "namespace": "d"},
        "spec": {"devices": {"requests": requests}}});
    serde_json::from_value(claim).unwrap()
}

/// A request `r` for so many devices of a class.
fn some(class: &str, count: usize) -> Value {
    json!([exactly("r", class, count)])
}

fn exactly(name: &str, class: &str, count: usize) -> Value {
    json!({"name": name, "exactly":
        {"deviceClassName": class, "allocationMode": "ExactCount", "count": count}})
}

/// The answer beside what is held, as `gpu/0`.
fn answer(
    engine: &Engine,
    held: &[String],
    requests: &Value,
    policy: &Policy,
) -> Result<Outcome, Error> {
    let short = ask(engine, held, requests, policy, true);
    let long = ask(engine, held, requests, policy, false);
    if let (Ok(Outcome::Optimal(short)), Ok(Outcome::Optimal(long))) = (&short, &long) {
        assert_eq!(short.results(), long.results());
        assert_eq!(short.objective(), long.objective());
    }
    assert_eq!(short.is_ok(), long.is_ok());
    long
}

fn ask(
    engine: &Engine,
    held: &[String],
    requests: &Value,
    policy: &Policy,
    shortcuts: bool,
) -> Result<Outcome, Error> {
    let snapshot = engine.snapshot();
    let mut transaction = snapshot.transaction();
    let owner: ResourceClaim =
        serde_json::from_value(json!({"metadata": {"name": "h"}, "spec": {}})).unwrap();
    let results = held.iter().map(|id| {
        let (driver, device) = id.split_once('/').unwrap();
        json!({"request": "r", "driver": format!("{driver}.example.com"), "pool": "n",
            "device": device})
    });
    let results: Vec<Value> = results.collect();
    let holding: AllocationResult =
        serde_json::from_value(json!({"devices": {"results": results}})).unwrap();
    transaction.hold(&owner, &holding);
    let claims = snapshot.prepare(&[claim(requests)]).unwrap();
    let options = AllocateOptions::new().policy(policy).shortcuts(shortcuts);
    transaction.allocate("n", &claims, &options, &mut Workspace::new())
}

/// The devices, as `gpu/0`, and values of an answer that is proved the best.
fn best(outcome: Outcome) -> Option<(Vec<String>, Vec<i64>)> {
    match outcome {
        Outcome::Optimal(allocation) => Some((devices(&allocation), values(&allocation))),
        Outcome::Infeasible(_) => None,
        other => panic!("{other:?}"),
    }
}

fn devices(allocation: &Allocation) -> Vec<String> {
    let results = allocation.results().into_iter();
    let devices = results.flat_map(|result| result.devices.results);
    let id = |driver: &str, device: &str| format!("{}/{device}", driver.split('.').next().unwrap());
    devices
        .map(|device| id(&device.driver, &device.device))
        .collect()
}

fn values(allocation: &Allocation) -> Vec<i64> {
    let terms = allocation.objective().iter();
    terms.map(|term| term.value).collect()
}
