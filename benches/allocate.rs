//! One-node allocation: what a scheduler asks a thousand nodes in turn.
//!
//! Every device has its own name, uuid and bus id. Nodes rotate, and before
//! each call one device of the node is taken or given back, so that no call
//! asks what was asked before. `consider` is the answer alone, `allocate` also
//! holds it and takes that back.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use dralloc::model::{AllocationResult, DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::wire::{Decoder, Object, from_json};
use dralloc::{
    AllocateOptions, Change, Engine, Features, Outcome, PreparedClaims, Snapshot, Transaction,
    Workspace,
};

const NODES: usize = 1000;
const GPUS: usize = 9;

fn gpu(node: usize, gpu: usize, cut: bool) -> String {
    let id = node * GPUS + gpu;
    let counters = if cut {
        format!(
            r#","consumesCounters":[{{"counterSet":"set-{gpu}",
            "counters":{{"slices":{{"value":"7"}}}}}}]"#
        )
    } else {
        String::new()
    };
    format!(
        r#"{{"name":"gpu-{gpu}","attributes":{{
            "architecture":{{"string":"Hopper"}},"profile":{{"string":"whole"}},"index":{{"int":{gpu}}},
            "driverVersion":{{"version":"570.86.15"}},
            "productName":{{"string":"NVIDIA H100 80GB HBM3"}},"type":{{"string":"gpu"}},
            "uuid":{{"string":"GPU-{id:08x}-d1c9-4a3e-9f0b-{id:012x}"}},
            "resource.kubernetes.io/pciBusID":{{"string":"{:04x}:{:02x}:00.0"}},
            "resource.kubernetes.io/pcieRoot":{{"string":"pci{node:04x}:{:02x}"}}}},
        "capacity":{{"memory":{{"value":"81559Mi"}}}}{counters}}}"#,
        id / 256,
        id % 256,
        gpu / 2
    )
}

/// A GPU cut in three sorts of partitions, as a driver lists them.
fn partitions(node: usize, gpu: usize) -> Vec<String> {
    let sorts = [("1g", 1, 7), ("2g", 2, 3), ("3g", 3, 2)];
    let all = sorts.iter().flat_map(|(sort, slices, count)| {
        (0..*count).map(move |place| {
            format!(
                r#"{{"name":"gpu-{gpu}-{sort}-{place}","attributes":{{
                "type":{{"string":"mig"}},"profile":{{"string":"{sort}"}},
                "uuid":{{"string":"MIG-{node}-{gpu}-{sort}-{place}"}}}},
                "consumesCounters":[{{"counterSet":"set-{gpu}","counters":{{
                "slices":{{"value":"{slices}"}}}}}}]}}"#
            )
        })
    });
    all.collect()
}

fn add_node(engine: &mut Engine, decoder: &mut Decoder, node: usize, cut: bool) {
    let name = format!("node-{node:04}");
    let mut devices: Vec<String> = (0..GPUS).map(|place| gpu(node, place, cut)).collect();
    let mut counters = Vec::new();
    for place in 0..GPUS {
        counters.push(format!(
            r#"{{"name":"set-{place}","counters":{{"slices":{{"value":"7"}}}}}}"#
        ));
        if cut {
            devices.extend(partitions(node, place));
        }
    }
    let parts = [
        devices
            .chunks(60)
            .map(|chunk| format!(r#""devices":[{}]"#, chunk.join(",")))
            .collect::<Vec<_>>(),
        vec![format!(r#""sharedCounters":[{}]"#, counters.join(","))],
    ]
    .concat();
    // Whole GPUs are measured as a driver without partitions publishes them.
    let parts = if cut { &parts[..] } else { &parts[..1] };
    for (number, part) in parts.iter().enumerate() {
        let json = format!(
            r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice",
            "metadata":{{"name":"{name}-{number}","uid":"{name}-{number}","resourceVersion":"1"}},
            "spec":{{"driver":"gpu.nvidia.com","nodeName":"{name}",
            "pool":{{"name":"{name}","generation":1,"resourceSliceCount":{}}},{part}}}}}"#,
            parts.len()
        );
        let mut slices: Vec<ResourceSlice> = Vec::new();
        let read = decoder.decode(&json, &mut |decoded| {
            if let Object::ResourceSlice(slice) = decoded.object {
                slices.push(slice);
            }
            Ok(())
        });
        assert_eq!((read, slices.len()), (Ok(()), 1));
        for slice in slices {
            assert!(engine.apply(Change::ResourceSlice(slice)).is_ok());
        }
    }
    let node = Change::Node(Node::new(name.as_str(), []));
    assert!(engine.apply(node).is_ok());
}

fn snapshot(cut: bool) -> Snapshot {
    let (mut engine, mut decoder) = (Engine::new(Features::all()), Decoder::new());
    let class: DeviceClass = from_json(
        r#"{"metadata":{"name":"gpu"},"spec":{"selectors":[{"cel":{"expression":
        "device.driver == 'gpu.nvidia.com'"}}]}}"#,
    )
    .unwrap_or_default();
    assert!(engine.apply(Change::DeviceClass(class)).is_ok());
    for node in 0..NODES {
        add_node(&mut engine, &mut decoder, node, cut);
    }
    engine.snapshot()
}

fn request(name: &str, selector: &str, count: usize) -> String {
    format!(
        r#"{{"name":"{name}","exactly":{{"deviceClassName":"gpu","allocationMode":"ExactCount",
        "count":{count},"selectors":[{{"cel":{{"expression":
        "device.attributes['gpu.nvidia.com'].{selector}"}}}}]}}}}"#
    )
}

fn claims(snapshot: &Snapshot, requests: &[String], constraints: &str) -> PreparedClaims {
    let claim: ResourceClaim = from_json(&format!(
        r#"{{"metadata":{{"name":"c","namespace":"default"}},"spec":{{"devices":{{
        "requests":[{}],"constraints":[{constraints}]}}}}}}"#,
        requests.join(",")
    ))
    .unwrap_or_default();
    snapshot
        .prepare(&[claim])
        .unwrap_or_else(|error| unreachable!("{error}"))
}

/// Takes one GPU of a node, another than the last time.
fn change(transaction: &mut Transaction, node: usize, round: usize) {
    let mut owner = ResourceClaim::default();
    owner.metadata.name = format!("other-{node}").into();
    let taken: AllocationResult = from_json(&format!(
        r#"{{"devices":{{"results":[{{"request":"r","driver":"gpu.nvidia.com",
        "pool":"node-{node:04}","device":"gpu-{}"}}]}}}}"#,
        round % GPUS
    ))
    .unwrap_or_else(|error| unreachable!("{error}"));
    transaction.hold(&owner, &taken);
}

/// Sums up the time of calls, each on the next node and after a change of it.
///
/// Each node is warm, but not its place in the processor's caches.
fn rotate(
    snapshot: &Snapshot,
    iterations: u64,
    mut call: impl FnMut(&mut Transaction, &str) -> bool,
) -> Duration {
    const BATCH: usize = 100;
    let names: Vec<String> = (0..NODES).map(|node| format!("node-{node:04}")).collect();
    let mut sum = Duration::ZERO;
    let mut done = 0;
    let (mut node, mut round) = (0, 0);
    let mut transaction = snapshot.transaction();
    let unchanged = transaction.savepoint();
    while done < iterations {
        assert!(transaction.rollback(&unchanged).is_ok());
        for place in node..node + BATCH {
            change(&mut transaction, place, round + place);
        }
        let start = Instant::now();
        for name in &names[node..node + BATCH] {
            assert!(black_box(call(&mut transaction, name)));
        }
        sum += start.elapsed();
        done += BATCH as u64;
        node = (node + BATCH) % NODES;
        round += usize::from(node == 0);
    }
    let nanoseconds = sum.as_nanos() * u128::from(iterations) / u128::from(done);
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}

fn allocate(criterion: &mut Criterion) {
    let (whole, cut) = (snapshot(false), snapshot(true));
    let gpu = |count| request("gpu", "type == 'gpu'", count);
    let root = r#"{"matchAttribute":"resource.kubernetes.io/pcieRoot"}"#;
    let mix = [
        request("large", "profile == '3g'", 1),
        request("small", "profile == '1g'", 2),
        request("middle", "profile == '2g'", 1),
    ];
    let questions = [
        ("1-of-8", &whole, claims(&whole, &[gpu(1)], "")),
        ("8-of-8", &whole, claims(&whole, &[gpu(8)], "")),
        ("2-matching", &whole, claims(&whole, &[gpu(2)], root)),
        ("9-of-8", &whole, claims(&whole, &[gpu(9)], "")),
        ("mig-mix", &cut, claims(&cut, &mix, "")),
    ];
    let options = AllocateOptions::new();
    let mut group = criterion.benchmark_group("allocate");
    for (name, snapshot, claims) in &questions {
        let fits = *name != "9-of-8";
        for (how, options) in [("", options), ("search/", options.shortcuts(false))] {
            let mut workspace = Workspace::new();
            rotate(snapshot, NODES as u64, |transaction, node| {
                drop(transaction.consider(node, claims, &options, &mut workspace));
                true
            });
            group.bench_function(format!("{how}consider/{name}"), |bencher| {
                bencher.iter_custom(|iterations| {
                    rotate(snapshot, iterations, |transaction, node| {
                        let answer = transaction.consider(node, claims, &options, &mut workspace);
                        matches!(answer, Ok(Outcome::Optimal(_))) == fits
                    })
                });
            });
            group.bench_function(format!("{how}allocate/{name}"), |bencher| {
                bencher.iter_custom(|iterations| {
                    rotate(snapshot, iterations, |transaction, node| {
                        let start = transaction.savepoint();
                        let answer = transaction.allocate(node, claims, &options, &mut workspace);
                        let is_right = matches!(answer, Ok(Outcome::Optimal(_))) == fits;
                        is_right && transaction.rollback(&start).is_ok()
                    })
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, allocate);
criterion_main!(benches);
