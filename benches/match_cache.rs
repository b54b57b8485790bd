//! The match cache: what selectors A to E say of 5,000 devices of one node.
//!
//! `cold`: nothing was ever evaluated, attributes are not parsed yet. `new`:
//! the selector is new, the devices are not. `warm`: nothing changed. `changed`:
//! one of 40 slices did.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::wire::{Decoder, Object, from_json};
use dralloc::{Change, Engine, Features, PreparedClaims, Snapshot, Workspace};
use dralloc_benches::SELECTORS;

const SLICES: usize = 40;
const DEVICES: usize = 125;

/// A GPU as its driver publishes it, with name, uuid and bus id of its own.
fn device(slice: usize, index: usize) -> String {
    let (product, architecture, memory) = match slice % 2 {
        0 => ("NVIDIA A100-SXM4-80GB", "Ampere", "81920Mi"),
        _ => ("NVIDIA H100 80GB HBM3", "Hopper", "81559Mi"),
    };
    let id = slice * DEVICES + index;
    format!(
        r#"{{"name":"gpu-{id}","attributes":{{
            "architecture":{{"string":"{architecture}"}},"brand":{{"string":"Nvidia"}},
            "cudaComputeCapability":{{"version":"9.0.0"}},
            "cudaDriverVersion":{{"version":"12.8.0"}},
            "driverVersion":{{"version":"570.86.15"}},"index":{{"int":{index}}},
            "minor":{{"int":{index}}},"productName":{{"string":"{product}"}},
            "type":{{"string":"gpu"}},
            "uuid":{{"string":"GPU-{id:08x}-d1c9-4a3e-9f0b-{id:012x}"}},
            "resource.kubernetes.io/pciBusID":{{"string":"{:04x}:{:02x}:00.0"}},
            "resource.kubernetes.io/pcieRoot":{{"string":"pci{:04x}:{:02x}"}}}},
        "capacity":{{"memory":{{"value":"{memory}"}}}}}}"#,
        id / 256,
        id % 256,
        id / 1024,
        id / 8 % 128
    )
}

fn slice(decoder: &mut Decoder, slice: usize, version: usize) -> ResourceSlice {
    let devices: Vec<String> = (0..DEVICES).map(|index| device(slice, index)).collect();
    let json = format!(
        r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
        "metadata":{{"name":"slice-{slice:02}","uid":"uid-{slice}","resourceVersion":"{version}"}},
        "spec":{{"driver":"gpu.nvidia.com","nodeName":"node-1",
        "pool":{{"name":"node-1","generation":1,"resourceSliceCount":{SLICES}}},
        "devices":[{}]}}}}"#,
        devices.join(",")
    );
    let mut slices = Vec::new();
    let read = decoder.decode(&json, &mut |decoded| {
        if let Object::ResourceSlice(slice) = decoded.object {
            slices.push(slice);
        }
        Ok(())
    });
    assert_eq!((read, slices.len()), (Ok(()), 1));
    slices.remove(0)
}

fn engine(slices: &[ResourceSlice]) -> Engine {
    let mut engine = Engine::new(Features::all());
    let mut class = DeviceClass::default();
    class.metadata.name = "gpu".into();
    let slices = slices.iter().cloned().map(Change::ResourceSlice);
    let others = [
        Change::Node(Node::new("node-1", [])),
        Change::DeviceClass(class),
    ];
    for change in slices.chain(others) {
        assert!(engine.apply(change).is_ok());
    }
    engine
}

/// Returns a claim with a selector, or with none.
fn claims(snapshot: &Snapshot, selector: Option<&str>) -> PreparedClaims {
    let selectors = selector.map(|selector| {
        let text = selector.replace('"', "\\\"");
        format!(r#"{{"cel":{{"expression":"{text}"}}}}"#)
    });
    let claim: ResourceClaim = from_json(&format!(
        r#"{{"metadata":{{"name":"c","namespace":"default"}},
        "spec":{{"devices":{{"requests":[{{"name":"r","exactly":{{"deviceClassName":"gpu",
        "allocationMode":"ExactCount","count":1,"selectors":[{}]}}}}]}}}}}}"#,
        selectors.unwrap_or_default()
    ))
    .unwrap_or_default();
    snapshot
        .prepare(&[claim])
        .unwrap_or_else(|error| unreachable!("{error}"))
}

fn count(snapshot: &Snapshot, claims: &PreparedClaims, workspace: &mut Workspace) -> usize {
    let count = snapshot.count_matches("node-1", black_box(claims), workspace);
    count.unwrap_or_else(|error| unreachable!("{error}"))
}

/// Takes a snapshot and makes the view of the node.
fn snapshot(engine: &Engine) -> Snapshot {
    let snapshot = engine.snapshot();
    let all = claims(&snapshot, None);
    assert_eq!(
        count(&snapshot, &all, &mut Workspace::new()),
        SLICES * DEVICES
    );
    snapshot
}

/// Measures what is much faster than to prepare it: in a few rounds that stand
/// for all iterations.
fn sampled<T>(
    iterations: u64,
    mut prepare: impl FnMut() -> T,
    mut measure: impl FnMut(&T) -> usize,
) -> Duration {
    let rounds = u32::try_from(iterations.min(5)).unwrap_or(5);
    let mut sum = Duration::ZERO;
    for _ in 0..rounds {
        let prepared = prepare();
        let start = Instant::now();
        black_box(measure(&prepared));
        sum += start.elapsed();
    }
    let nanoseconds = sum.as_nanos() * u128::from(iterations) / u128::from(rounds.max(1));
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}

fn match_cache(criterion: &mut Criterion) {
    let mut decoder = Decoder::new();
    let slices: Vec<ResourceSlice> = (0..SLICES)
        .map(|number| slice(&mut decoder, number, 1))
        .collect();
    let mut changing = engine(&slices);
    let mut version = 1;
    let known = snapshot(&changing);
    let mut group = criterion.benchmark_group("match");
    group.throughput(Throughput::Elements((SLICES * DEVICES) as u64));
    for (name, selector) in SELECTORS {
        let claims = claims(&known, Some(selector));
        group.bench_function(format!("cold/{name}"), |bencher| {
            bencher.iter_custom(|iterations| {
                sampled(
                    iterations,
                    || snapshot(&engine(&slices)),
                    |snapshot| count(snapshot, &claims, &mut Workspace::new()),
                )
            });
        });
        group.bench_function(format!("new/{name}"), |bencher| {
            bencher.iter(|| count(&known, &claims, &mut Workspace::new()));
        });
        let mut workspace = Workspace::new();
        group.bench_function(format!("warm/{name}"), |bencher| {
            bencher.iter(|| count(&known, &claims, &mut workspace));
        });
        group.bench_function(format!("changed/{name}"), |bencher| {
            bencher.iter_custom(|iterations| {
                let change = || {
                    version += 1;
                    let slice = slice(&mut decoder, version % SLICES, version);
                    assert!(changing.apply(Change::ResourceSlice(slice)).is_ok());
                    snapshot(&changing)
                };
                sampled(iterations, change, |snapshot| {
                    count(snapshot, &claims, &mut workspace)
                })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, match_cache);
criterion_main!(benches);
