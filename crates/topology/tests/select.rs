//! The best set of up to 16 devices against comparing all sets.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod machines;

use std::cmp::Reverse;

use self::machines::known::{Known, members};
use dralloc_topology::{Document, Question, Ratio, Selector, Table, Term, Topology};
use serde_json::{Value, json};

#[test]
fn every_free_set_of_eight_devices_gives_the_best_set() {
    let (mut questions, mut machines_seen) = (0, 0);
    for name in machines::names() {
        let machine: Value = serde_json::from_str(&machines::text(&name)).unwrap();
        let topology = machines::machine(&name);
        if machine["expectedLevels"]["gpuGpu"].is_null() || topology.device_count() > 8 {
            continue;
        }
        machines_seen += 1;
        let known = Known::new(&machine);
        let table = Table::new(&topology).unwrap();
        let n = topology.device_count();
        let key = |free: u16, set: u16, terms: &[Term]| {
            let (above, below) = known.rings[usize::from(set)];
            let values = terms.iter().map(|term| match term {
                Term::Ring => Ratio::new(above, below).unwrap(),
                Term::Links => Ratio::whole(known.links[usize::from(set)]),
                Term::Packing => Ratio::whole(known.potential[usize::from(free & !set)]),
                _ => Ratio::ZERO,
            });
            (values.collect::<Vec<Ratio>>(), Reverse(members(set)))
        };
        for free in 0_u16..1 << n {
            for count in 0..=n {
                let sets = (0..=free).filter(|set| set & !free == 0);
                let sets: Vec<u16> = sets
                    .filter(|set| set.count_ones() as usize == count)
                    .collect();
                for terms in [
                    &Term::USUAL[..],
                    &[Term::Ring, Term::Links],
                    &[Term::Links, Term::Ring],
                    &[Term::Packing, Term::Ring],
                    &[],
                ] {
                    let best = sets
                        .iter()
                        .copied()
                        .max_by_key(|&set| key(free, set, terms));
                    let found = table.best(free, 0, count, terms);
                    assert_eq!(found, best, "{name} {free:08b} {count} {terms:?}");
                    questions += 1;
                }
            }
            assert_eq!(
                table.potential(free),
                known.potential[usize::from(free)],
                "{name} {free:08b}"
            );
        }
    }
    assert_eq!(
        (machines_seen, questions),
        (19, 5 * (16 * 256 * 9 + 3 * 16 * 5))
    );
}

#[test]
fn required_devices_are_in_the_set() {
    let table = Table::new(&machines::machine("dgx1-v100")).unwrap();
    for required in 0_u16..256 {
        for count in 0..=8 {
            let sets = (0..256).filter(|set| set & required == required);
            let mut sets: Vec<u16> = sets
                .filter(|set| set.count_ones() as usize == count)
                .collect();
            sets.sort_by_key(|&set| members(set));
            let key = |set: u16| (table.ring(set).rings, table.links(set));
            let best = sets.iter().copied().rev().max_by_key(|&set| key(set));
            assert_eq!(
                table.best(255, required, count, &[Term::Ring, Term::Links]),
                best
            );
        }
    }
    assert_eq!(table.best(0b1110, 0b1, 2, &Term::USUAL), None);
}

#[test]
fn larger_meshes_give_the_best_set() {
    let table = Table::new(&machines::machine("mapa-torus2d-16")).unwrap();
    for free in [0xffff, 0x0fff, 0xa5f7, 0x7bde, 0x3ffc, 0x9669] {
        for count in [2, 3, 4, 5, 9, 12] {
            let sets = (0..=u16::MAX).filter(|set| set & !free == 0);
            let sets = sets.filter(|set| set.count_ones() as usize == count);
            let key = |set: u16| {
                (
                    table.ring(set).rings,
                    table.links(set),
                    Reverse(members(set)),
                )
            };
            let best = sets.max_by_key(|&set| key(set));
            let found = table.best(free, 0, count, &[Term::Ring, Term::Links]);
            assert_eq!(found, best, "{free:016b} {count}");
        }
    }
}

/// Returns a machine with its vertices in another order.
fn permuted(machine: &Value, seed: u64) -> Topology {
    let mut machine = machine.clone();
    machine.as_object_mut().unwrap().remove("expectedLevels");
    let vertices = machine["spec"]["vertices"].as_array_mut().unwrap();
    let mut state = seed;
    for place in (1..vertices.len()).rev() {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        vertices.swap(
            place,
            usize::try_from((state >> 33) % (place as u64 + 1)).unwrap(),
        );
    }
    Topology::new(&Document::read(&machine.to_string()).unwrap()).unwrap()
}

#[test]
fn the_order_of_devices_changes_no_value() {
    for name in machines::names() {
        let machine: Value = serde_json::from_str(&machines::text(&name)).unwrap();
        let topology = machines::machine(&name);
        if topology.device_count() > 8 {
            continue;
        }
        let terms = &[
            Term::Ring,
            Term::Links,
            Term::Bottleneck,
            Term::Span,
            Term::Packing,
        ];
        let values = |topology: &Topology, held: &[&str]| -> Vec<_> {
            let held: Vec<Option<usize>> = held.iter().map(|id| topology.find(id)).collect();
            let free = (0..topology.device_count()).filter(|&device| !held.contains(&Some(device)));
            let free: Vec<usize> = free.collect();
            let selector = Selector::new(topology).unwrap();
            let counts = 0..=free.len();
            counts
                .map(|count| {
                    let question = Question {
                        free: &free,
                        count,
                        required: &[],
                        terms,
                    };
                    let choice = selector.select(&question).unwrap();
                    choice.map(|choice| {
                        let worst = topology.bottleneck(&choice.devices);
                        (
                            choice.ring,
                            choice.links,
                            worst,
                            choice.span,
                            choice.potential,
                        )
                    })
                })
                .collect()
        };
        for seed in 0..6 {
            let other = permuted(&machine, seed);
            for held in [
                &[][..],
                &["gpu0"],
                &["gpu1", "gpu3"],
                &["gpu0", "gpu3", "gpu2"],
            ] {
                assert_eq!(
                    values(&topology, held),
                    values(&other, held),
                    "{name} {seed}"
                );
            }
        }
    }
}

fn select(selector: &Selector, free: &[usize], count: usize) -> Vec<usize> {
    let question = Question {
        free,
        count,
        required: &[],
        terms: &Term::USUAL,
    };
    selector.select(&question).unwrap().unwrap().devices
}

#[test]
fn a_device_without_links_is_taken_last() {
    let degraded = machines::machine("hgx-b200-gpu2-nvlink-down");
    let selector = Selector::new(&degraded).unwrap();
    let all: Vec<usize> = (0..8).collect();
    for count in 1..8 {
        assert!(!select(&selector, &all, count).contains(&2), "{count}");
    }
    let table = Table::new(&degraded).unwrap();
    for free in 0_u16..256 {
        let linked = (free & !0b100).count_ones() as usize;
        for count in 2..=linked {
            let set = table.best(free, 0, count, &Term::USUAL).unwrap();
            assert_eq!(set & 0b100, 0, "{free:08b} {count}");
        }
    }
    let question = Question {
        free: &all,
        count: 8,
        required: &[],
        terms: &Term::USUAL,
    };
    let choice = selector.select(&question).unwrap().unwrap();
    assert_eq!(choice.ring.rings, Ratio::ZERO);
    // With six others free, a single device is better the one that no ring misses.
    assert_eq!(select(&selector, &[1, 2, 3, 4, 5, 6, 7], 1), [2]);
}

#[test]
fn only_allowed_sets_are_chosen() {
    let shared = machines::machine("hgx-h100-fm-shared-nvswitch");
    let table = Table::new(&shared).unwrap();
    let allowed: Vec<u16> = shared
        .allowed_sets()
        .iter()
        .map(|set| set.iter().fold(0, |mask, device| mask | 1 << device))
        .collect();
    assert_eq!(allowed.len(), 15);
    for free in 0_u16..256 {
        for count in 1..=8 {
            let found = table.best(free, 0, count, &Term::USUAL);
            let fits = |set: &&u16| **set & !free == 0 && set.count_ones() as usize == count;
            assert_eq!(found.is_some(), allowed.iter().any(|set| fits(&set)));
            assert!(found.is_none_or(|set| allowed.contains(&set)));
        }
    }
    let selector = Selector::new(&shared).unwrap();
    let all: Vec<usize> = (0..8).collect();
    // Partition 2, then partition 1.
    assert_eq!(select(&selector, &all, 4), [0, 1, 2, 3]);
    assert_eq!(select(&selector, &[1, 4, 5, 6, 7], 4), [4, 5, 6, 7]);
    let three = Question {
        free: &all,
        count: 3,
        required: &[],
        terms: &Term::USUAL,
    };
    assert_eq!(selector.select(&three).unwrap(), None);
    // One device leaves a whole partition of four, and a pair beside it.
    let first = select(&selector, &all, 1);
    let free: Vec<usize> = all
        .iter()
        .copied()
        .filter(|device| !first.contains(device))
        .collect();
    assert_eq!(select(&selector, &free, 4), [4, 5, 6, 7]);
    let second = select(&selector, &free, 1);
    assert_eq!((first, second), (vec![0], vec![1]));
}

#[test]
fn bridges_stay_whole_after_single_devices() {
    for name in ["bridge-pairs-nv4-x8", "a100-pcie-x8-bridge-pairs"] {
        let topology = machines::machine(name);
        let selector = Selector::new(&topology).unwrap();
        let mut free: Vec<usize> = (0..8).collect();
        let mut take = |count: usize| {
            let chosen = select(&selector, &free, count);
            free.retain(|device| !chosen.contains(device));
            chosen
        };
        for _ in 0..4 {
            assert_eq!(take(1).len(), 1);
        }
        for _ in 0..2 {
            let pair = take(2);
            assert!(topology.wire(pair[0], pair[1]).is_some(), "{name} {pair:?}");
        }
    }
}

#[test]
fn half_of_a_cube_mesh_is_one_with_two_crossed_rings() {
    let selector = Selector::new(&machines::machine("dgx1-v100")).unwrap();
    let question = |count, free| Question {
        free,
        count,
        required: &[],
        terms: &Term::USUAL,
    };
    let all: Vec<usize> = (0..8).collect();
    let choice = selector.select(&question(4, &all)).unwrap().unwrap();
    assert_eq!(
        (choice.devices, choice.ring.rings, choice.links),
        (vec![0, 1, 2, 3], Ratio::whole(4), 9)
    );
    let choice = selector
        .select(&question(4, &[0, 1, 3, 4, 5, 6]))
        .unwrap()
        .unwrap();
    assert_eq!((choice.ring.rings, choice.links), (Ratio::whole(2), 6));
}

#[test]
fn terms_have_names() {
    for term in [
        Term::Ring,
        Term::Links,
        Term::Bottleneck,
        Term::Span,
        Term::Packing,
    ] {
        assert_eq!(term.to_string().parse(), Ok(term));
    }
    let error = "rings".parse::<Term>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected one of `ring`, `links`, `bottleneck`, `span`, `packing`, found `rings`"
    );
}

#[test]
fn more_than_sixteen_devices_have_no_table() {
    assert!(Table::new(&machines::machine("gb200-nvl72-rack")).is_none());
    let vertices: Vec<Value> = (0..33)
        .map(|id| json!({"id": format!("g{id}"), "kind": "gpu"}))
        .collect();
    let links: Vec<Value> = (1..33)
        .map(|id| json!({"a": "g0", "b": format!("g{id}"), "type": "NVLink"}))
        .collect();
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices, "links": links},
    });
    let topology = Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap();
    assert_eq!(
        Selector::new(&topology).unwrap_err().to_string(),
        "spec.links: expected at most 16 devices in the domain around direct links, or 32 in all"
    );
}
