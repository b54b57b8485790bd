//! What changes cost: events, snapshots, savepoints, commits and rollbacks.
//!
//! Every device has its own name, uuid and bus id, and half of the nodes have
//! owners already. Each sample is another node; printed are the shortest and the
//! median of many samples.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::wire::from_json;
use dralloc::{
    AllocateOptions, Change, Engine, Features, Outcome, PreparedClaims, Transaction, Workspace,
};

const GPUS: usize = 8;
const SAMPLES: usize = 2000;

fn main() {
    for nodes in [5_000, 100_000] {
        println!("{nodes} nodes of {GPUS} devices");
        let mut bench = Bench::new(nodes);
        bench.slices();
        bench.snapshots();
        for count in [1, 8] {
            bench.transactions(count, false);
            bench.transactions(count, true);
        }
    }
}

struct Bench {
    engine: Engine,
    names: Vec<String>,
    workspace: Workspace,
}

impl Bench {
    fn new(nodes: usize) -> Self {
        let mut engine = Engine::new(Features::all());
        let class: DeviceClass = from_json(
            r#"{"metadata":{"name":"gpu"},"spec":{"selectors":[{"cel":{"expression":
            "device.driver == 'gpu.nvidia.com'"}}]}}"#,
        )
        .unwrap_or_default();
        assert!(engine.apply(Change::DeviceClass(class)).is_ok());
        let names: Vec<String> = (0..nodes).map(|node| format!("node-{node:06}")).collect();
        for (place, name) in names.iter().enumerate() {
            let node = Change::Node(Node::new(name.as_str(), []));
            assert!(engine.apply(node).is_ok());
            let slice = Change::ResourceSlice(slice(place, name, 1));
            assert!(engine.apply(slice).is_ok());
        }
        let mut bench = Self {
            engine,
            names,
            workspace: Workspace::new(),
        };
        // All nodes are warm, and every second one is in use.
        for place in 0..nodes {
            let mut transaction = bench.engine.snapshot().transaction();
            let claims = bench.claims(&format!("first-{place}"), 4);
            bench.allocate(&mut transaction, &claims, place);
            if place % 2 == 0 {
                assert!(transaction.commit(&mut bench.engine).is_ok());
            }
        }
        bench
    }

    fn claims(&self, name: &str, count: usize) -> PreparedClaims {
        let claim: ResourceClaim = from_json(&format!(
            r#"{{"metadata":{{"name":"{name}","namespace":"default",
            "uid":"{}"}},"spec":{{"devices":{{
            "requests":[{{"name":"gpu","exactly":{{"deviceClassName":"gpu",
            "allocationMode":"ExactCount","count":{count}}}}}]}}}}}}"#,
            uid(name)
        ))
        .unwrap_or_default();
        let claims = self.engine.snapshot().prepare(&[claim]);
        claims.unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn allocate(&mut self, transaction: &mut Transaction, claims: &PreparedClaims, node: usize) {
        let options = AllocateOptions::new();
        let name = &self.names[node];
        let outcome = transaction.allocate(name, claims, &options, &mut self.workspace);
        assert!(matches!(outcome, Ok(Outcome::Optimal(_))));
    }

    /// Replaces one slice; selectors are run again when the node is asked.
    fn slices(&mut self) {
        let claims = self.claims("watch", 1);
        let mut times = Vec::new();
        for sample in 0..SAMPLES {
            let place = sample * 7919 % self.names.len();
            let slice = slice(place, &self.names[place], 2 + sample);
            let start = Instant::now();
            assert!(self.engine.apply(Change::ResourceSlice(slice)).is_ok());
            let snapshot = self.engine.snapshot();
            let options = AllocateOptions::new();
            let name = &self.names[place];
            let answer =
                snapshot
                    .transaction()
                    .consider(name, &claims, &options, &mut self.workspace);
            times.push(start.elapsed());
            assert!(answer.is_ok());
        }
        print("slice replaced, selectors run again", times);
    }

    fn snapshots(&mut self) {
        let times = batches(|| drop(black_box(self.engine.snapshot())));
        print("snapshot", times);
        let transaction = self.engine.snapshot().transaction();
        let times = batches(|| drop(black_box(transaction.savepoint())));
        print("savepoint", times);
        let times = batches(|| drop(black_box(self.engine.snapshot().transaction())));
        print("snapshot and transaction", times);
    }

    fn transactions(&mut self, count: usize, watched: bool) {
        let free: Vec<usize> = (1..self.names.len()).step_by(2).take(SAMPLES).collect();
        let claims: Vec<PreparedClaims> = free
            .iter()
            .map(|place| self.claims(&format!("c{count}{watched}{place}"), count))
            .collect();
        let (mut allocate, mut rollback, mut commit) = (Vec::new(), Vec::new(), Vec::new());
        for (claims, place) in claims.iter().zip(&free) {
            let snapshot = self.engine.snapshot();
            let mut transaction = snapshot.transaction();
            let start = transaction.savepoint();
            self.allocate(&mut transaction, claims, *place);
            assert!(transaction.rollback(&start).is_ok());
            let now = Instant::now();
            self.allocate(&mut transaction, claims, *place);
            allocate.push(now.elapsed());
            let now = Instant::now();
            assert!(transaction.rollback(&start).is_ok());
            rollback.push(now.elapsed());
            self.allocate(&mut transaction, claims, *place);
            let kept = watched.then_some(snapshot);
            let now = Instant::now();
            assert!(transaction.commit(&mut self.engine).is_ok());
            commit.push(now.elapsed());
            drop(kept);
        }
        // Taken back, so that the next samples find the same.
        for place in &free {
            self.engine
                .forget(&uid(&format!("c{count}{watched}{place}")));
        }
        if watched {
            print(
                &format!("commit of {count}, first after a snapshot"),
                commit,
            );
        } else {
            print(&format!("allocate {count}"), allocate);
            print(&format!("rollback of {count}"), rollback);
            print(&format!("commit of {count}, no snapshot"), commit);
        }
    }
}

fn uid(name: &str) -> String {
    format!("{:08x}-5f3c-4a52-8d0e-{name:0>12}", name.len())
}

fn slice(place: usize, name: &str, version: usize) -> ResourceSlice {
    let gpus: Vec<String> = (0..GPUS).map(|gpu| device(place, gpu, version)).collect();
    let json = format!(
        r#"{{"metadata":{{"name":"{name}","uid":"{name}","resourceVersion":"{version}"}},
        "spec":{{"driver":"gpu.nvidia.com","nodeName":"{name}","devices":[{}],
        "pool":{{"name":"{name}","generation":1,"resourceSliceCount":1}}}}}}"#,
        gpus.join(",")
    );
    from_json(&json).unwrap_or_default()
}

fn device(place: usize, gpu: usize, version: usize) -> String {
    let id = place * GPUS + gpu;
    format!(
        r#"{{"name":"gpu-{gpu}","attributes":{{
        "architecture":{{"string":"Hopper"}},"index":{{"int":{gpu}}},
        "driverVersion":{{"version":"570.86.{version}"}},
        "productName":{{"string":"NVIDIA H100 80GB HBM3"}},"type":{{"string":"gpu"}},
        "uuid":{{"string":"GPU-{id:08x}-d1c9-4a3e-9f0b-{id:012x}"}},
        "resource.kubernetes.io/pciBusID":{{"string":"0000:{:02x}:00.0"}},
        "resource.kubernetes.io/pcieRoot":{{"string":"pci0000:{:02x}"}}}},
        "capacity":{{"memory":{{"value":"81559Mi"}}}}}}"#,
        id % 256,
        gpu / 2
    )
}

/// Times something too short for a clock, a hundred at a time.
fn batches(mut act: impl FnMut()) -> Vec<Duration> {
    let batch = |_| {
        let start = Instant::now();
        for _ in 0..100 {
            act();
        }
        start.elapsed() / 100
    };
    (0..SAMPLES / 10).map(batch).collect()
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let (shortest, median) = (times[0], times[times.len() / 2]);
    println!("  {what:40} {shortest:>10.2?} {median:>10.2?}");
}
