//! What is in the way of claims that do not fit, and that it is.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "so that tests read as tables"
)]

mod arithmetic;
mod classes;
mod conflicts;
mod field;
mod policies;
mod question;
mod random;
mod remedies;
mod satisfiable;

use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::{AllocateOptions, Change, Engine, Explanation, Features, Transaction, Workspace};
use serde_json::{Value, json};

/// One of so many slices of pool `p` of node `n`.
fn slice(name: &str, count: usize, spec: Value) -> Change {
    let mut whole = json!({
        "driver": "d", "nodeName": "n",
        "pool": {"name": "p", "generation": 1, "resourceSliceCount": count},
    });
    for (key, value) in spec.as_object().unwrap() {
        whole[key] = value.clone();
    }
    let slice = json!({"metadata": {"name": name, "uid": name}, "spec": whole});
    Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
}

/// Engine with one node, a class for everything, and devices.
fn engine(devices: Value) -> Engine {
    engine_of(&[json!({ "devices": devices })])
}

/// The same with slices of one pool.
fn engine_of(slices: &[Value]) -> Engine {
    let mut engine = Engine::new(Features::all());
    let class = json!({"metadata": {"name": "gpu"}});
    let class = serde_json::from_value::<DeviceClass>(class).unwrap();
    let mut changes = vec![Change::Node(Node::new("n", [])), Change::DeviceClass(class)];
    for (place, spec) in slices.iter().enumerate() {
        changes.push(slice(&format!("s{place}"), slices.len(), spec.clone()));
    }
    for change in changes {
        engine.apply(change).unwrap();
    }
    engine
}

/// Devices `0`, `1`, … each with an attribute `numa` of its own value.
fn with_numa(values: &[i64]) -> Value {
    let device = |(place, value): (usize, &i64)| json!({"name": place.to_string(), "attributes": {"numa": {"int": value}}});
    values.iter().enumerate().map(device).collect()
}

/// A claim for so many devices in each of some requests.
fn claim(name: &str, counts: &[(&str, u32)], constraints: Value) -> ResourceClaim {
    let requests = counts.iter().map(|(request, count)| {
        json!({"name": request, "exactly": {
            "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count}})
    });
    let claim = json!({
        "metadata": {"name": name, "namespace": "default", "uid": format!("uid-{name}")},
        "spec": {"devices": {"requests": requests.collect::<Vec<_>>(), "constraints": constraints}},
    });
    serde_json::from_value(claim).unwrap()
}

/// A claim that has some devices already.
fn holding(name: &str, devices: &[&str]) -> Change {
    let mut claim = claim(name, &[("r", 1)], json!([]));
    let results = devices
        .iter()
        .map(|device| json!({"request": "r", "driver": "d", "pool": "p", "device": device}));
    let results: Vec<Value> = results.collect();
    claim.status.allocation =
        serde_json::from_value(json!({"devices": {"results": results}})).unwrap();
    Change::ResourceClaim(claim)
}

fn explain(transaction: &Transaction, claims: &[ResourceClaim]) -> Explanation {
    let prepared = transaction.snapshot().prepare(claims).unwrap();
    let options = AllocateOptions::new();
    let explanation = transaction.explain("n", &prepared, &options, &mut Workspace::new());
    explanation.unwrap()
}

/// Explains claims on an engine where some have devices already.
fn explained(engine: &mut Engine, holders: &[Change], claims: &[ResourceClaim]) -> Explanation {
    for holder in holders {
        engine.apply(holder.clone()).unwrap();
    }
    explain(&engine.snapshot().transaction(), claims)
}

/// The conflict in a few words: requests, constraints, holders.
fn conflict(explanation: &Explanation) -> String {
    let Some(conflict) = &explanation.conflict else {
        return "none".to_owned();
    };
    let requests = conflict.requests.iter();
    let mut words: Vec<String> = requests
        .map(|one| format!("{}/{}", one.claim, one.request))
        .collect();
    let constraints = conflict.constraints.iter();
    words.extend(constraints.map(|one| format!("{}#{}", one.claim, one.constraint)));
    words.extend(conflict.holders.iter().map(ToString::to_string));
    if !conflict.irreducible {
        words.push("reducible?".to_owned());
    }
    words.join(", ")
}

/// The class in a few words.
fn class(explanation: &Explanation) -> String {
    match &explanation.class {
        None => "none".to_owned(),
        Some(dralloc::Class::AfterRelease { holders }) => {
            let holders: Vec<String> = holders.iter().map(ToString::to_string).collect();
            format!("afterRelease {}", holders.join(", "))
        }
        Some(dralloc::Class::BadInput { error }) => format!("badInput {error}"),
        Some(class) => class.as_str().to_owned(),
    }
}
