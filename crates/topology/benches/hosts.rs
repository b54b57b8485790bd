//! How long it takes to spread devices over 4,096 hosts of 8 devices in 64 racks.
//!
//! Everything from the list of hosts on, nothing is kept between calls. "Some held": one
//! device in five, so that nearly all racks differ. "Partitions": hosts give 1, 2, 4 or 8.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark that cannot go on fails, and is no library"
)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dralloc_topology::{Host, MostHosts, SliceRule, SpreadQuestion, Spreading, spread};

/// Returns 8 blocks of 8 racks of 64 hosts; one device in `held` is held, 0 for none.
fn hosts(levels: usize, held: u64, counts: Option<&[u32]>) -> Vec<Host> {
    let mut state = 1_u64;
    let mut is_free = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::from(held == 0 || !(state >> 33).is_multiple_of(held))
    };
    let hosts = (0..4096).map(|host| {
        let domains = [host / 512, host / 64].map(Some);
        Host {
            domains: domains[2 - levels..].to_vec(),
            devices: 8,
            free: (0..8).map(|_| is_free()).sum(),
            counts: counts.map(<[u32]>::to_vec),
        }
    });
    hosts.collect()
}

fn spreads(criterion: &mut Criterion) {
    let partitions: &[u32] = &[1, 2, 4, 8];
    for (levels, title) in [(1, "racks"), (2, "blocks, racks")] {
        for (held, counts, state) in [
            (0, None, "all free"),
            (5, None, "some held"),
            (5, Some(partitions), "some held, partitions"),
        ] {
            let hosts = hosts(levels, held, counts);
            let mut group = criterion.benchmark_group(format!("{title}, {state}"));
            for count in [8, 64, 512, 2048, 8192] {
                let question = SpreadQuestion::new(&hosts, levels, count);
                assert!(matches!(spread(&question).unwrap(), Spreading::Found(_)));
                group.bench_function(count.to_string(), |bencher| {
                    bencher.iter(|| spread(black_box(&question)));
                });
            }
            let limited = SpreadQuestion {
                most_hosts: Some(MostHosts {
                    level: levels - 1,
                    hosts: 18,
                }),
                slices: SliceRule::MultipleOf(2),
                ..SpreadQuestion::new(&hosts, levels, 512)
            };
            group.bench_function("512, 18 hosts a rack, pairs", |bencher| {
                bencher.iter(|| spread(black_box(&limited)));
            });
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(std::time::Duration::from_millis(50))
        .measurement_time(std::time::Duration::from_millis(200));
    targets = spreads
}
criterion_main!(benches);
