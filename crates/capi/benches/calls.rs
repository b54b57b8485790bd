//! What a call through the header takes beside the same call from Rust.
//!
//! Compiles `calls.c` with the library that Cargo has just built, and runs both in
//! turn, since the machine may be busy. One node of 5,000 is asked for one of its
//! eight devices; `binary` and `json` ask with prepared claims, `cold` with a claim
//! as JSON, `place` asks all nodes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark ends where it fails"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use dralloc::wire::Decoder;
use dralloc::{
    AllocateOptions, Engine, Features, Find, Outcome, PlaceOptions, Savepoint, Snapshot,
    Transaction, Workspace,
};

const NODES: usize = 5_000;
const SAMPLES: usize = 25;
const CALLS: usize = 10_000;
/// Both are measured so often, in turn.
const ROUNDS: usize = 3;
const NODE: &str = "node-0000";

/// Returns nodes with eight devices each, and a class.
fn objects() -> String {
    let mut text =
        r#"{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},
        "spec":{"selectors":[{"cel":{"expression":"device.driver == 'gpu.example.com'"}}]}}"#
            .to_owned();
    for node in 0..NODES {
        let name = format!("node-{node:04}");
        let device = |device: usize| {
            format!(
                r#"{{"name":"gpu-{device}","attributes":{{"uuid":{{"string":"GPU-{node}-{device}"}},
                "productName":{{"string":"H100"}},"resource.kubernetes.io/pcieRoot":{{"string":"pci{}"}}}},
                "capacity":{{"memory":{{"value":"80Gi"}}}}}}"#,
                device / 2
            )
        };
        let devices: Vec<String> = (0..8).map(device).collect();
        write!(
            text,
            r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{name}"}}}}
            {{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"{name}-gpus","uid":"{name}"}},
            "spec":{{"driver":"gpu.example.com","nodeName":"{name}","devices":[{}],
            "pool":{{"name":"{name}","generation":1,"resourceSliceCount":1}}}}}}"#,
            devices.join(",")
        ).unwrap();
    }
    text
}

const CLAIM: &str = r#"{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"namespace":"default","name":"training","uid":"1f9cd81a-3b4e-4a51-a62d-3b7b7f5e0d61"},"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}}]}}}"#;

/// Is what both ask.
struct World {
    snapshot: Snapshot,
    transaction: Transaction,
    start: Savepoint,
    workspace: Workspace,
}

impl World {
    fn time(&mut self, calls: usize, mut call: impl FnMut(&mut Self)) -> f64 {
        let mut least = f64::MAX;
        call(self);
        for _ in 0..SAMPLES {
            let begin = Instant::now();
            for _ in 0..calls {
                call(self);
            }
            let each =
                begin.elapsed().as_secs_f64() * 1e9 / f64::from(u32::try_from(calls).unwrap());
            least = least.min(each);
        }
        least
    }

    fn allocate(&mut self, claims: &dralloc::PreparedClaims) -> Outcome {
        let options = AllocateOptions::new();
        let outcome = self
            .transaction
            .allocate(NODE, claims, &options, &mut self.workspace);
        outcome.unwrap()
    }

    fn answer(&mut self, claims: &dralloc::PreparedClaims) {
        let Outcome::Optimal(allocation) = self.allocate(claims) else {
            panic!("there are free devices");
        };
        black_box(dralloc_forms::results(&allocation).unwrap());
        self.transaction.rollback(&self.start).unwrap();
    }

    fn times(&mut self) -> BTreeMap<&'static str, f64> {
        let claims = dralloc_forms::claims(&mut Decoder::new(), CLAIM).unwrap();
        let claims = self.snapshot.prepare(&claims).unwrap();
        let names: Vec<String> = self
            .snapshot
            .nodes()
            .map(|node| node.metadata.name.to_string())
            .collect();
        let nodes = self.snapshot.node_list(names.iter().map(String::as_str));
        let mut times = BTreeMap::new();
        let binary = self.time(CALLS, |world| {
            let Outcome::Optimal(allocation) = world.allocate(&claims) else {
                panic!("there are free devices");
            };
            black_box(world.snapshot.numbered_devices(&allocation).count());
            world.transaction.rollback(&world.start).unwrap();
        });
        times.insert("binary", binary);
        times.insert("json", self.time(CALLS, |world| world.answer(&claims)));
        let cold = self.time(CALLS, |world| {
            let claims = dralloc_forms::claims(&mut Decoder::new(), CLAIM).unwrap();
            let claims = world.snapshot.prepare(&claims).unwrap();
            world.answer(&claims);
        });
        times.insert("cold", cold);
        let options = PlaceOptions::new().find(Find::All).node_list(&nodes);
        let place = self.time(CALLS / 1000 + 1, |world| {
            let placement = world
                .transaction
                .place(&claims, &options, &mut world.workspace);
            black_box(placement.unwrap().feasible());
        });
        times.insert("place", place);
        times
    }
}

/// Compiles the C program and returns where it is.
fn compile(folder: &Path) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = std::env::current_exe().unwrap();
    let program = folder.join("calls");
    std::fs::copy(
        own.with_file_name("libdralloc_capi.so"),
        folder.join("libdralloc.so.0"),
    )
    .unwrap();
    let status = Command::new("cc")
        .args(["-std=c99", "-D_POSIX_C_SOURCE=200809L", "-O2", "-I"])
        .arg(package.join("../../include"))
        .arg(package.join("benches/calls.c"))
        .arg(folder.join("libdralloc.so.0"))
        .arg("-lpthread")
        .arg("-o")
        .arg(&program)
        .status();
    assert!(status.unwrap().success());
    program
}

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("calls");
    std::fs::create_dir_all(&folder).unwrap();
    let objects = objects();
    std::fs::write(folder.join("objects.json"), &objects).unwrap();
    std::fs::write(folder.join("claim.json"), CLAIM).unwrap();
    let program = compile(&folder);
    let mut engine = Engine::new(Features::all());
    dralloc_forms::apply(&mut engine, &mut Decoder::new(), &objects).unwrap();
    let snapshot = engine.snapshot();
    let transaction = snapshot.transaction();
    let mut world = World {
        start: transaction.savepoint(),
        snapshot,
        transaction,
        workspace: Workspace::new(),
    };
    let (mut rust, mut c) = (BTreeMap::new(), BTreeMap::new());
    for _ in 0..ROUNDS {
        for (name, time) in world.times() {
            keep(&mut rust, name, time);
        }
        let output = Command::new(&program)
            .arg(folder.join("objects.json"))
            .arg(folder.join("claim.json"))
            .arg(CALLS.to_string())
            .env("LD_LIBRARY_PATH", &folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let (name, time) = line.split_once(' ').unwrap();
            keep(&mut c, name, time.parse().unwrap());
        }
    }
    let two = ["two-binary", "two-json"].map(|name| c.remove(name).unwrap_or_default());
    println!("{:<10}{:>12}{:>12}{:>8}", "", "Rust", "C", "ratio");
    for (name, through_c) in &c {
        match rust.get(name) {
            Some(from_rust) => println!(
                "{name:<10}{from_rust:>9.0} ns{through_c:>9.0} ns{:>8.2}",
                through_c / from_rust
            ),
            None => println!("{name:<10}{:>12}{through_c:>9.1} ns", ""),
        }
    }
    let [binary, json] = two;
    println!("two threads do {binary:.2} (binary) and {json:.2} (json) times what one does");
}

/// Keeps the least time, and the best of what two threads do.
fn keep(times: &mut BTreeMap<String, f64>, name: &str, time: f64) {
    let kept = times.entry(name.to_owned()).or_insert(time);
    *kept = if name.starts_with("two-") {
        kept.max(time)
    } else {
        kept.min(time)
    };
}
