//! Questions to the engine where links and places count: linked devices of a host,
//! alignment over NUMA nodes, a document for each node, and gangs.
//!
//! Everything is proved to be the best. Before each call something is taken or given back,
//! so that no call asks what was asked before; workspaces and tables are warm.

#![allow(
    clippy::expect_used,
    reason = "a measurement of what is not answered says nothing"
)]

mod objects;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use dralloc::{
    AllocateOptions, Change, DomainScope, GangOptions, GangOutcome, Outcome, Policy,
    PreparedClaims, Transaction, Workspace,
};
use serde_json::{Value, json};

use objects::{add_node, apply, claim, device, document, engine, hold};

/// Asks a node again and again; before each call somebody holds something else.
fn ask(
    transaction: &mut Transaction,
    claims: &PreparedClaims,
    policy: &Policy,
    noise: &[Vec<String>],
    rounds: u64,
) -> Duration {
    let options = AllocateOptions::new().policy(policy);
    let mut workspace = Workspace::new();
    let mut spent = Duration::ZERO;
    let first = noise.len() as u64;
    for round in 0..first + rounds {
        let place = usize::try_from(round).unwrap_or(0) % noise.len();
        hold(transaction, "noise", "n", &noise[place]);
        let start = Instant::now();
        let outcome = transaction.consider("n", claims, &options, &mut workspace);
        // The first of each makes tables.
        if round >= first {
            spent += start.elapsed();
        }
        let outcome = black_box(outcome).expect("an outcome");
        assert!(matches!(outcome, Outcome::Optimal(_)), "{outcome:?}");
    }
    spent
}

/// The best of a host's linked devices, one of them held.
fn affinity(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("affinity");
    for machine in ["dgx1-v100", "mi300x-8", "mapa-torus2d-16", "dgx2-v100"] {
        let (topology, gpus) = document(machine, "n");
        let mut engine = engine(&["gpu"]);
        let gpu = |gpu: usize| device(&format!("gpu-{gpu:02}"), "gpu", &json!({}));
        let devices: Vec<Value> = (0..gpus).map(gpu).collect();
        add_node(&mut engine, "n", &[], &devices);
        apply(&mut engine, Change::Topology(topology));
        let noise: Vec<Vec<String>> = (0..gpus).map(|gpu| vec![format!("gpu-{gpu:02}")]).collect();
        for count in [2, gpus / 2, gpus - 2] {
            let snapshot = engine.snapshot();
            let claims = snapshot.prepare(&[claim("c", &[("gpu", count)], None)]);
            let claims = claims.expect("prepared");
            group.bench_function(format!("{count} of {machine}"), |bencher| {
                let mut transaction = snapshot.transaction();
                bencher.iter_custom(|rounds| {
                    ask(&mut transaction, &claims, &Policy::Affinity, &noise, rounds)
                });
            });
        }
    }
    group.finish();
}

const NUMA_NODES: usize = 34;

/// Four kinds of devices of one NUMA node, of which few have all that is asked for.
fn numa(criterion: &mut Criterion) {
    let kinds = [("gpu", 2), ("nic", 1), ("cpu", 8), ("memory", 2)];
    let mut engine = engine(&["gpu", "nic", "cpu", "memory"]);
    let mut devices = Vec::new();
    for node in 0..NUMA_NODES {
        for (kind, count) in kinds {
            for number in 0..count {
                let name = format!("{kind}-{node:02}-{number}");
                let place = json!({"resource.kubernetes.io/numaNode": {"int": node}});
                devices.push(device(&name, kind, &place));
            }
        }
    }
    add_node(&mut engine, "n", &[], &devices);
    let snapshot = engine.snapshot();
    // All but every eleventh lack one thing or another.
    let short = (0..NUMA_NODES)
        .filter(|node| node % 11 != 10)
        .map(|node| match node % 4 {
            0 => format!("gpu-{node:02}-0"),
            1 => format!("nic-{node:02}-0"),
            2 => format!("cpu-{node:02}-3"),
            _ => format!("memory-{node:02}-1"),
        });
    let short: Vec<String> = short.collect();
    let noise = [vec!["cpu-21-0".to_owned()], vec!["gpu-10-1".to_owned()]];
    let requests = [("gpu", 2), ("nic", 1), ("cpu", 8), ("memory", 2)];
    let required = json!({"affinity": [{"scope": "numaNode", "mode": "required"}]});
    let preferred = json!({"affinity":
        [{"scope": "numaNode", "mode": "preferred", "fallback": ["host"]}]});
    let mut group = criterion.benchmark_group("34 NUMA nodes, 4 kinds");
    for (title, policy, carried) in [
        ("required", Policy::Kubernetes, Some(&required)),
        ("preferred", Policy::Kubernetes, Some(&preferred)),
        ("affinity", Policy::Affinity, None),
    ] {
        let claims = snapshot.prepare(&[claim("c", &requests, carried)]);
        let claims = claims.expect("prepared");
        group.bench_function(title, |bencher| {
            let mut transaction = snapshot.transaction();
            hold(&mut transaction, "held", "n", &short);
            bencher.iter_custom(|rounds| ask(&mut transaction, &claims, &policy, &noise, rounds));
        });
    }
    group.finish();
}

/// A cluster of nodes of eight devices in racks of 16; in every third something is held.
fn cluster(nodes: usize, with_documents: bool) -> (dralloc::Engine, Vec<(String, Vec<String>)>) {
    let mut engine = engine(&["gpu"]);
    let mut held = Vec::new();
    for node in 0..nodes {
        let (name, rack) = (format!("n-{node:05}"), format!("r-{}", node / 16));
        let gpu = |gpu: usize| device(&format!("gpu-{gpu:02}"), "gpu", &json!({}));
        let devices: Vec<Value> = (0..8).map(gpu).collect();
        let labels = [("nvidia.com/gpu.clique", rack.as_str())];
        add_node(&mut engine, &name, &labels, &devices);
        if with_documents {
            apply(
                &mut engine,
                Change::Topology(document("dgx1-v100", &name).0),
            );
        }
        if node % 3 == 0 {
            let some = (0..=node % 7).map(|gpu| format!("gpu-{gpu:02}"));
            held.push((name, some.collect()));
        }
    }
    (engine, held)
}

/// The members of a gang over 5,000 nodes.
fn gang(criterion: &mut Criterion) {
    let (engine, held) = cluster(5000, false);
    let snapshot = engine.snapshot();
    let mut group = criterion.benchmark_group("gang over 5,000 nodes of 8");
    for (count, devices, within) in [
        (10, 8, true),
        (128, 8, false),
        (64, 1, true),
        (512, 2, false),
    ] {
        let members = (0..count).map(|pod| {
            let claim = claim(&format!("pod-{pod}"), &[("gpu", devices)], None);
            snapshot.prepare(&[claim]).expect("prepared")
        });
        let members: Vec<PreparedClaims> = members.collect();
        let title = if within { "in a rack" } else { "anywhere" };
        group.bench_function(format!("{count} x {devices} {title}"), |bencher| {
            let mut transaction = snapshot.transaction();
            for (node, some) in &held {
                hold(&mut transaction, node, node, some);
            }
            let mut workspace = Workspace::new();
            let mut options = GangOptions::new();
            if within {
                options = options.within(DomainScope::NvLinkDomain);
            }
            let mut ask = |round: u64| {
                let noise = format!("gpu-{:02}", round % 8);
                hold(&mut transaction, "noise", "n-00001", &[noise]);
                let before = transaction.savepoint();
                let start = Instant::now();
                let outcome = transaction.gang(&members, &options, &mut workspace);
                let outcome = outcome.expect("an outcome");
                assert!(matches!(outcome, GangOutcome::Placed(_)), "{outcome:?}");
                transaction.rollback(&before).expect("held since");
                start.elapsed()
            };
            bencher.iter_custom(|rounds| (0..rounds).map(&mut ask).sum());
        });
    }
    group.finish();
}

/// A document for each node: the first question to each, and after one of them changed.
fn documents(criterion: &mut Criterion) {
    const NODES: usize = 5000;
    let (mut engine, _) = cluster(NODES, true);
    let options = AllocateOptions::new().policy(&Policy::Affinity);
    let mut group = criterion.benchmark_group("a document for each of 5,000 nodes");
    group.sample_size(10);
    let all = |engine: &mut dralloc::Engine, workspace: &mut Workspace| {
        let snapshot = engine.snapshot();
        let claims = snapshot.prepare(&[claim("c", &[("gpu", 4)], None)]);
        let claims = claims.expect("prepared");
        let transaction = snapshot.transaction();
        let start = Instant::now();
        for node in 0..NODES {
            let node = format!("n-{node:05}");
            let outcome = transaction.consider(&node, &claims, &options, workspace);
            black_box(outcome).expect("an outcome");
        }
        start.elapsed()
    };
    group.bench_function("4 of 8 on each, first", |bencher| {
        bencher.iter_custom(|rounds| {
            (0..rounds)
                .map(|_| all(&mut engine, &mut Workspace::new()))
                .sum()
        });
    });
    group.bench_function("4 of 8 on each, after a change", |bencher| {
        let mut workspace = Workspace::new();
        let mut version = 0;
        bencher.iter_custom(|rounds| {
            let asked = (0..rounds).map(|_| {
                version += 1;
                let mut changed = document("dgx1-v100", "n-00007").0;
                changed.spec.vertices[0].model = Some(version.to_string());
                apply(&mut engine, Change::Topology(changed));
                all(&mut engine, &mut workspace)
            });
            asked.sum()
        });
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .without_plots()
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(500));
    targets = affinity, numa, gang, documents
}
criterion_main!(benches);
