//! What placement policies require of places and links, and what they prefer.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod allowed_sets;
mod brute_force;
mod joint;
mod levels;
mod partitions;
mod published;
mod random_node;
mod reasons;
mod rings;
mod units;

use dralloc::model::{DeviceClass, DeviceId, Node, ResourceClaim, ResourceSlice, Topology};
use dralloc::{AllocateOptions, Allocation, Change, Engine, Features, Outcome, Policy, Workspace};
use serde_json::{Value, json};

/// A node `n` with the GPUs and NICs of a topology document, which are found by their ids.
struct World {
    engine: Engine,
}

impl World {
    /// The machine of a document in `testdata/topologies`.
    fn of_file(text: &str) -> Self {
        let document: Value = serde_json::from_str(text).unwrap();
        let vertices = document["spec"]["vertices"].as_array().unwrap();
        let of_kind = |kind: &str| {
            let own = vertices.iter().filter(|vertex| vertex["kind"] == kind);
            own.map(|vertex| json!({"name": vertex["id"]})).collect()
        };
        let mut world = Self::new(of_kind("gpu"), of_kind("nic"));
        world.topology(document["spec"].clone());
        world
    }

    /// A node with devices of two drivers, and no document.
    fn new(gpus: Vec<Value>, nics: Vec<Value>) -> Self {
        let mut engine = Engine::new(Features::all());
        engine.apply(Change::Node(Node::new("n", []))).unwrap();
        let mut world = Self { engine };
        for (kind, devices) in [("gpu", gpus), ("nic", nics)] {
            world.publish(kind, &devices);
        }
        world
    }

    /// Adds the devices of a driver, and a class for them.
    fn publish(&mut self, kind: &str, devices: &[Value]) {
        let driver = format!("{kind}.example.com");
        let class = json!({"metadata": {"name": kind}, "spec": {"selectors": [
            {"cel": {"expression": format!("device.driver == '{driver}'")}}]}});
        let class: DeviceClass = serde_json::from_value(class).unwrap();
        self.engine.apply(Change::DeviceClass(class)).unwrap();
        let slice = json!({"metadata": {"name": kind}, "spec": {"driver": driver,
            "nodeName": "n", "devices": devices,
            "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1}}});
        let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
        self.engine.apply(Change::ResourceSlice(slice)).unwrap();
    }

    /// Adds a document, of which GPUs and NICs are devices by their ids.
    fn topology(&mut self, mut spec: Value) {
        for vertex in spec["vertices"].as_array_mut().unwrap() {
            let kind = vertex["kind"].as_str().unwrap();
            if ["gpu", "nic"].contains(&kind) {
                let id = vertex["id"].as_str().unwrap();
                vertex["device"] = format!("{kind}.example.com/n/{id}").into();
            }
        }
        let document = json!({"metadata": {"name": "t"}, "spec": spec});
        let document: Topology = serde_json::from_value(document).unwrap();
        self.engine.apply(Change::Topology(document)).unwrap();
    }

    /// Gives devices, by their names, to a claim of somebody else.
    fn hold(&mut self, devices: &[&str]) {
        let results = devices.iter().map(|device| {
            json!({"request": "r", "driver": format!("{}.example.com", &device[..3]),
                "pool": "n", "device": device})
        });
        let results: Vec<Value> = results.collect();
        let claim = json!({"metadata": {"name": "holder", "namespace": "x", "uid": "holder"},
            "status": {"allocation": {"devices": {"results": results}}}});
        let claim: ResourceClaim = serde_json::from_value(claim).unwrap();
        self.engine.apply(Change::ResourceClaim(claim)).unwrap();
    }

    fn ask(&self, claims: &[ResourceClaim]) -> Outcome {
        self.ask_with(claims, &AllocateOptions::new())
    }

    fn ask_with(&self, claims: &[ResourceClaim], options: &AllocateOptions<'_>) -> Outcome {
        let snapshot = self.engine.snapshot();
        let claims = snapshot.prepare(claims).unwrap();
        let transaction = snapshot.transaction();
        let outcome = transaction.consider("n", &claims, options, &mut Workspace::new());
        outcome.unwrap()
    }

    fn devices(&self, claim: &ResourceClaim) -> Option<Vec<String>> {
        self.ask(std::slice::from_ref(claim))
            .allocation()
            .map(devices)
    }

    fn explain(&self, claim: &ResourceClaim) -> String {
        let snapshot = self.engine.snapshot();
        let claims = snapshot.prepare(std::slice::from_ref(claim)).unwrap();
        let transaction = snapshot.transaction();
        let options = AllocateOptions::new();
        let found = transaction.explain("n", &claims, &options, &mut Workspace::new());
        found.unwrap().to_string()
    }
}

/// A claim with requests for numbers of devices of classes of the same name, and a policy
/// for all of them.
fn claim(requests: &[(&str, u32)], policy: &Value) -> ResourceClaim {
    let requests = requests.iter();
    let requests = requests.map(|(class, count)| {
        json!({"name": class, "exactly":
            {"deviceClassName": class, "allocationMode": "ExactCount", "count": count}})
    });
    let requests: Vec<Value> = requests.collect();
    let mut parameters = policy.clone();
    parameters["apiVersion"] = "dralloc.dev/v1alpha1".into();
    parameters["kind"] = "PlacementPolicy".into();
    let claim = json!({"metadata": {"name": "c", "namespace": "x"}, "spec": {"devices": {
        "requests": requests,
        "config": [{"opaque": {"driver": "dralloc.dev", "parameters": parameters}}]}}});
    serde_json::from_value(claim).unwrap()
}

fn required(scope: &str) -> Value {
    json!({"affinity": [{"scope": scope, "mode": "required"}]})
}

fn preferred(scope: &str, fallback: &[&str]) -> Value {
    json!({"affinity": [{"scope": scope, "mode": "preferred", "fallback": fallback}]})
}

fn devices(allocation: &Allocation) -> Vec<String> {
    let results = allocation.results().into_iter();
    let devices = results.flat_map(|result| result.devices.results);
    devices.map(|device| device.device.to_string()).collect()
}

fn values(outcome: &Outcome) -> Vec<i64> {
    let terms = outcome.allocation().unwrap().objective().iter();
    terms.map(|term| term.value).collect()
}

/// A document of two sockets with two switches each, and two GPUs and two NICs on each switch.
fn pairs() -> World {
    let text = include_str!("../../../../testdata/topologies/hgx-h100-pix-pairs.json");
    World::of_file(text)
}
