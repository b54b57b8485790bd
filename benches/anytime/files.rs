//! Questions of the workload files that `peers` generates.

use dralloc::model::{DeviceClass, DeviceId, Node, ResourceClaim, ResourceSlice};
use dralloc::{Change, Engine, Features, Held};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Case;

fn list<T: DeserializeOwned>(workload: &Value, name: &str) -> Vec<T> {
    let list = workload.get(name).cloned().unwrap_or(Value::Array(vec![]));
    serde_json::from_value(list).expect("objects")
}

fn id(device: &Value) -> DeviceId {
    let text = |name: &str| device[name].as_str().unwrap_or_default();
    DeviceId::new(text("driver"), text("pool"), text("device"))
}

/// Returns what a file asks of single nodes.
pub(crate) fn cases(path: &str) -> Vec<Case> {
    let text = std::fs::read(path).expect("a file");
    let workload: Value = serde_json::from_slice(&text).expect("JSON");
    let mut engine = Engine::new(Features::all());
    let mut apply = |change| engine.apply(change).expect("applied");
    for node in list::<Node>(&workload, "nodes") {
        apply(Change::Node(node));
    }
    for class in list::<DeviceClass>(&workload, "deviceClasses") {
        apply(Change::DeviceClass(class));
    }
    for slice in list::<ResourceSlice>(&workload, "resourceSlices") {
        apply(Change::ResourceSlice(slice));
    }
    let mut held = Held::default();
    let devices = list::<Value>(&workload["allocated"], "devices");
    held.devices.extend(devices.iter().map(id));
    for device in list::<Value>(&workload["allocated"], "shared") {
        let share = device["shareID"].as_str().unwrap_or_default();
        held.shares.push((id(&device), share.into()));
    }
    for device in list::<Value>(&workload["allocated"], "capacity") {
        let taken = serde_json::from_value(device["capacity"].clone()).expect("amounts");
        held.consumed_capacity.push((id(&device), taken));
    }
    apply(Change::Held(held));
    let claims: Vec<ResourceClaim> = list(&workload, "claims");
    let snapshot = engine.snapshot();
    let runs = workload["runs"].as_array().into_iter().flatten();
    let runs = runs.filter(|run| run["kind"] == "node");
    let case = |run: &Value| {
        let places = run["claims"].as_array().into_iter().flatten();
        let places = places.filter_map(|place| usize::try_from(place.as_u64()?).ok());
        let claims: Vec<_> = places
            .filter_map(|place| claims.get(place).cloned())
            .collect();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Case {
            name: format!("{}/{}", text(&workload["name"]), text(&run["name"])),
            node: text(&run["node"]),
            transaction: snapshot.transaction(),
            claims: snapshot.prepare(&claims).expect("prepared"),
        }
    };
    runs.map(case).collect()
}
