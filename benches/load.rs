//! Loading a cluster from JSON, and what it takes of memory.
//!
//! Nodes of eight GPUs, each with its own uuid and bus id, one slice a node, as
//! one list in the form of `kubectl get -o json`. The table says how long the
//! decoder and the engine take of processor time, at the shortest of several
//! tries, and how many
//! bytes a device takes of the heap after each step, with all that its slice
//! and its node take. `LOAD_NODES` says of how many nodes, `LOAD_TRIES` how
//! often.

#![expect(clippy::expect_used, reason = "a benchmark fails like a test")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use dralloc::model::{DeviceClass, ResourceClaim};
use dralloc::wire::{Decoder, Object, from_json};
use dralloc::{Change, Engine, Features, Find, PlaceOptions, Workspace};
use dralloc_testkit::heap::{Counter, in_use};

#[global_allocator]
static COUNTER: Counter = Counter;

const GPUS: usize = 8;

fn gpu(text: &mut String, node: usize, gpu: usize) -> std::fmt::Result {
    let id = node * GPUS + gpu;
    write!(
        text,
        r#"{{"attributes":{{"architecture":{{"string":"Hopper"}},"brand":{{"string":"Nvidia"}},"cudaComputeCapability":{{"version":"9.0.0"}},"driverVersion":{{"version":"570.124.6"}},"index":{{"int":{gpu}}},"productName":{{"string":"NVIDIA H100 80GB HBM3"}},"resource.kubernetes.io/pciBusID":{{"string":"{:04x}:{:02x}:00.0"}},"resource.kubernetes.io/pcieRoot":{{"string":"pci0000:{gpu:02x}"}},"type":{{"string":"gpu"}},"uuid":{{"string":"GPU-{id:08x}-d1c9-4a3e-9f0b-{id:012x}"}}}},"capacity":{{"copy-engines":{{"value":"3"}},"memory":{{"value":"81559Mi"}},"multiprocessors":{{"value":"132"}}}},"name":"gpu-{gpu}"}}"#,
        id / 256 % 65536,
        id % 256
    )
}

/// Writes one document of all slices, and one of all nodes.
fn documents(nodes: usize) -> Result<(String, String), std::fmt::Error> {
    let header = r#"{"apiVersion":"v1","items":["#;
    let end = r#"],"kind":"List","metadata":{"resourceVersion":""}}"#;
    let (mut slices, mut machines) = (header.to_owned(), header.to_owned());
    for node in 0..nodes {
        let comma = if node == 0 { "" } else { "," };
        write!(
            machines,
            r#"{comma}{{"apiVersion":"v1","kind":"Node","metadata":{{"labels":{{"kubernetes.io/hostname":"node-{node:05}"}},"name":"node-{node:05}","resourceVersion":"{}","uid":"{node:08x}-5b1e-4d0a-8a39-{node:012x}"}}}}"#,
            900 + node
        )?;
        write!(
            slices,
            r#"{comma}{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"generation":1,"name":"node-{node:05}-gpu.nvidia.com-x7k2p","resourceVersion":"{}","uid":"{node:08x}-77c2-4f8e-b5d4-{node:012x}"}},"spec":{{"devices":["#,
            1000 + node
        )?;
        for place in 0..GPUS {
            if place > 0 {
                slices.push(',');
            }
            gpu(&mut slices, node, place)?;
        }
        write!(
            slices,
            r#"],"driver":"gpu.nvidia.com","nodeName":"node-{node:05}","pool":{{"generation":1,"name":"node-{node:05}","resourceSliceCount":1}}}}}}"#
        )?;
    }
    slices.push_str(end);
    machines.push_str(end);
    Ok((slices, machines))
}

fn decode(decoder: &mut Decoder, text: &str) -> Vec<Change> {
    let mut changes = Vec::new();
    let sink = &mut |decoded: dralloc::wire::Decoded| {
        changes.push(match decoded.object {
            Object::ResourceSlice(slice) => Change::ResourceSlice(slice),
            Object::Node(node) => Change::Node(node),
            other => unreachable!("{other:?}"),
        });
        Ok(())
    };
    decoder.decode(text, sink).expect("what was written");
    changes
}

fn engine() -> (Engine, ResourceClaim) {
    let mut engine = Engine::new(Features::all());
    let class: DeviceClass = from_json(
        r#"{"metadata":{"name":"gpu"},"spec":{"selectors":[{"cel":{"expression":
        "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'gpu'"}}]}}"#,
    )
    .expect("a class");
    let claim = from_json(
        r#"{"metadata":{"name":"c","namespace":"default"},"spec":{"devices":{"requests":[{"name":"gpu",
        "exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1,"selectors":[
        {"cel":{"expression":"device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0"}},
        {"cel":{"expression":"device.attributes['gpu.nvidia.com'].driverVersion.compareTo(semver('550.0.0')) >= 0"}}
        ]}}]}}}"#,
    )
    .expect("a claim");
    let class = Change::DeviceClass(class);
    engine.apply(class).expect("what is well formed");
    (engine, claim)
}

fn apply(engine: &mut Engine, changes: Vec<Change>) {
    for change in changes {
        engine.apply(change).expect("what is well formed");
    }
}

/// Returns the processor time of this thread, or the time of day where it is not
/// known; other jobs of the machine do not count.
fn clock() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    let known = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = known.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn number(name: &str, default: usize) -> usize {
    let value = std::env::var(name).ok();
    value
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// Prints how long things take, at the shortest.
fn time(out: &mut impl io::Write, slices: &str, machines: &str, tries: usize) -> io::Result<()> {
    let mut shortest = [Duration::MAX; 3];
    for _ in 0..tries {
        let mut decoder = Decoder::new();
        let start = clock();
        let changes = decode(&mut decoder, slices);
        let reading = clock().saturating_sub(start);
        let (mut engine, _) = engine();
        apply(&mut engine, decode(&mut decoder, machines));
        let start = clock();
        apply(&mut engine, changes);
        let applying = clock().saturating_sub(start);
        let times = [reading, applying, reading + applying];
        for (shortest, time) in shortest.iter_mut().zip(times) {
            *shortest = time.min(*shortest);
        }
        drop(black_box(engine));
    }
    for (name, time) in ["decode", "apply", "both"].iter().zip(shortest) {
        writeln!(out, "{name:<22}{:9.1} ms", milliseconds(time))?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let nodes = number("LOAD_NODES", 5000);
    let (slices, machines) = documents(nodes).expect("room for text");
    let megabytes = slices.len() / 1_000_000;
    writeln!(out, "{nodes} slices of {GPUS} devices, {megabytes} MB")?;
    time(&mut out, &slices, &machines, number("LOAD_TRIES", 5))?;

    let start = in_use();
    let mut last = start;
    let mut report = |what: &str| {
        let now = in_use();
        let devices = isize::try_from(nodes * GPUS).unwrap_or(isize::MAX);
        let (more, all) = (now - last, now - start);
        last = now;
        let of_device = |bytes: isize| bytes / devices;
        writeln!(
            out,
            "{what:<22}{:9} bytes a device, {:6} together: {:7.1} MB",
            of_device(more),
            of_device(all),
            f64::from(i32::try_from(all / 1000).unwrap_or(i32::MAX)) / 1e3
        )
    };
    let mut decoder = Decoder::new();
    let (mut engine, claim) = engine();
    report("class")?;
    let changes = decode(&mut decoder, &slices);
    report("slices decoded")?;
    apply(&mut engine, changes);
    report("slices applied")?;
    let changes = decode(&mut decoder, &machines);
    report("nodes decoded")?;
    apply(&mut engine, changes);
    report("nodes applied")?;
    drop(decoder);
    report("decoder gone")?;
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[claim]).expect("claims");
    let mut workspace = Workspace::new();
    let options = PlaceOptions::new().find(Find::Count);
    let placement = snapshot.place(&claims, &options, &mut workspace);
    let placement = placement.expect("an answer");
    assert_eq!(placement.feasible(), nodes);
    drop(placement);
    report("placed: views, rows")?;
    drop((workspace, claims));
    report("workspace gone")?;
    drop(black_box((snapshot, engine)));
    Ok(())
}
