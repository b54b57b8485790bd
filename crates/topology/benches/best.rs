//! How long the best set takes: tables cold and warm, trees of 72 to 4,096 devices,
//! meshes of 24 and 32, and the best partition of go-gpuallocator's scores.
//!
//! Cold is everything from the topology on; warm asks a table that has answered the same
//! questions before. Free devices rotate from sample to sample.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark that cannot go on fails, and is no library"
)]

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use dralloc_topology::{Document, Knapsack, PairScores, Question, Selector, Table, Term, Topology};
use serde_json::{Value, json};

fn machine(name: &str) -> Topology {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/topologies");
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    Topology::new(&Document::read(&text).unwrap()).unwrap()
}

/// Returns a cluster of blocks of racks of 64 devices, 4 a host.
fn cluster(racks: usize) -> Topology {
    let mut vertices: Vec<Value> = vec![json!({"id": "spine", "kind": "fabric"})];
    let mut links: Vec<Value> = Vec::new();
    for rack in 0..racks {
        let (block, id) = (format!("b{}", rack / 8), format!("r{rack}"));
        if rack % 8 == 0 {
            vertices.push(json!({"id": block, "kind": "block"}));
            links.push(json!({"a": block, "b": "spine", "type": "NetTier"}));
        }
        vertices.push(json!({"id": id, "kind": "nvLinkDomain"}));
        links.push(json!({"a": id, "b": block, "type": "NetTier"}));
        for host in 0..16 {
            let name = format!("{id}h{host}");
            vertices.push(json!({"id": name, "kind": "host"}));
            links.push(json!({"a": name, "b": id, "type": "NVLinkTray"}));
            for device in 0..4 {
                let gpu = format!("{name}g{device}");
                vertices.push(json!({"id": gpu, "kind": "gpu", "numaNode": device / 2}));
                links.push(json!({"a": gpu, "b": name, "type": "Tray", "count": 18}));
            }
        }
    }
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices, "links": links},
    });
    Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap()
}

const RING: [Term; 2] = [Term::Ring, Term::Links];

/// Returns masks that look like chance.
fn masks(size: usize) -> Vec<u16> {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u16::try_from(state >> 48).unwrap()
    };
    let all = u16::MAX >> (16 - size);
    (0..64).map(|_| (next() | next()) & all).collect()
}

fn tables(criterion: &mut Criterion) {
    for (name, size) in [
        ("dgx1-v100", 8),
        ("mi250x-8gcd-frontier-class", 8),
        ("mi300x-8", 8),
        ("hgx-h100-pix-pairs", 8),
        ("mapa-torus2d-16", 16),
        ("dgx2-v100", 16),
    ] {
        let topology = machine(name);
        let table = Table::new(&topology).unwrap();
        let masks = masks(size);
        let mut group = criterion.benchmark_group(name);
        for (terms, title) in [
            (&RING[..], "ring, links"),
            (&Term::USUAL[..], "ring, links, packing"),
        ] {
            let mut place = 0;
            // Every size, and every free set once before.
            let mut ask = |table: &Table| {
                place += 1;
                let free = masks[place % masks.len()];
                let count = 1 + place / masks.len() % size;
                table.best(black_box(free), 0, black_box(count), terms)
            };
            for _ in 0..64 * size {
                ask(&table);
            }
            group.bench_function(format!("warm: {title}"), |bencher| {
                bencher.iter(|| ask(&table));
            });
            let all = u16::MAX >> (16 - size);
            let count = size / 2;
            group.bench_function(format!("warm, {count} of all: {title}"), |bencher| {
                bencher.iter(|| table.best(black_box(all), 0, count, terms));
            });
            group.bench_function(format!("cold, {count} of all: {title}"), |bencher| {
                bencher.iter(|| {
                    Table::new(&topology)
                        .unwrap()
                        .best(black_box(all), 0, count, terms)
                });
            });
        }
        group.finish();
    }
}

fn trees(criterion: &mut Criterion) {
    let machines = [
        ("72", machine("gb200-nvl72-rack"), &[8, 36, 72][..]),
        ("576", machine("gb200-8xnvl72-576gpu"), &[8, 64, 256][..]),
        ("4096", cluster(64), &[8, 64, 512, 2048][..]),
    ];
    let terms = &[Term::Ring, Term::Links, Term::Span, Term::Packing];
    for (name, topology, counts) in machines {
        let knapsack = Knapsack::new(&topology).unwrap();
        let mut group = criterion.benchmark_group(name);
        for &count in counts {
            for (title, held) in [("all free", 0), ("some held", 5)] {
                // About one in five is held.
                let held = |device: &usize| held == 0 || !(device * 7919 / 13).is_multiple_of(held);
                let free: Vec<usize> = (0..topology.device_count()).filter(held).collect();
                if free.len() < count {
                    continue;
                }
                group.bench_function(format!("{count}, {title}"), |bencher| {
                    let question = Question {
                        free: &free,
                        count,
                        required: &[],
                        terms,
                    };
                    bencher.iter(|| knapsack.select(black_box(&question)));
                });
            }
        }
        group.finish();
    }
}

/// Returns a mesh with links between all pairs, as `benches/peers/cpsat/best_set.py` draws
/// them.
fn mesh(size: usize) -> Topology {
    let mut state = 1_u64;
    let vertices = (0..size).map(|gpu| json!({"id": format!("g{gpu}"), "kind": "gpu"}));
    let mut links = Vec::new();
    for a in 0..size {
        for b in 0..a {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let count = [10, 12, 25, 50, 100][usize::try_from((state >> 33) % 5).unwrap()];
            let (a, b) = (format!("g{a}"), format!("g{b}"));
            links.push(json!({"a": a, "b": b, "type": "NVLink", "count": count}));
        }
    }
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices.collect::<Vec<Value>>(), "links": links},
    });
    Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap()
}

fn meshes(criterion: &mut Criterion) {
    for size in [24, 32] {
        let selector = Selector::new(&mesh(size)).unwrap();
        let all: Vec<usize> = (0..size).collect();
        criterion.bench_function(&format!("mesh of {size}: 8, links"), |bencher| {
            let question = Question {
                free: &all,
                count: 8,
                required: &[],
                terms: &[Term::Links],
            };
            bencher.iter(|| selector.select(black_box(&question)));
        });
    }
}

fn partitions(criterion: &mut Criterion) {
    for (name, size) in [("dgx1-v100", 8), ("mapa-torus2d-16", 16)] {
        let all: Vec<usize> = (0..size).collect();
        let scores = PairScores::of(&machine(name), &all).unwrap();
        let free = u16::MAX >> (16 - size);
        for count in [2, 3, 4, 5, 15].into_iter().filter(|&count| count <= size) {
            let title = format!("{name}: {count}, best partition");
            criterion.bench_function(&title, |bencher| {
                bencher.iter(|| scores.best_effort(black_box(free), 0, count));
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .nresamples(1001)
        .without_plots()
        .warm_up_time(std::time::Duration::from_millis(50))
        .measurement_time(std::time::Duration::from_millis(200));
    targets = tables, trees, meshes, partitions
}
criterion_main!(benches);
