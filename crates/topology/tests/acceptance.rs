//! What users of other pickers complain about, as cases.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod machines;

use std::collections::BTreeSet;

use self::machines::known::members;
use self::machines::{machine, names};
use dralloc_topology::{
    Choice, Document, Knapsack, PairScores, Question, Ratio, Scope, Selector, Table, Term, Topology,
};
use serde_json::{Value, json};

fn select(selector: &Selector, free: &[usize], count: usize, terms: &[Term]) -> Option<Choice> {
    let question = Question {
        free,
        count,
        required: &[],
        terms,
    };
    selector.select(&question).unwrap()
}

#[test]
fn no_other_set_has_more_than_the_best_by_sum_or_ring() {
    // Every free set of every machine of eight, one term at a time.
    let mut questions = 0;
    for name in names() {
        let topology = machine(&name);
        let n = topology.device_count();
        if n > 8 || !topology.allowed_sets().is_empty() {
            continue;
        }
        let table = Table::new(&topology).unwrap();
        let values: Vec<(Ratio, u64)> = (0..1_u32 << n)
            .map(|set| {
                let set = members(u16::try_from(set).unwrap());
                (topology.ring(&set).rings, topology.links(&set))
            })
            .collect();
        for free in 0..1_u16 << n {
            let mut most = vec![(Ratio::ZERO, 0); n + 1];
            for set in (0..=free).filter(|set| set & !free == 0) {
                let (rings, links) = values[usize::from(set)];
                let entry = &mut most[set.count_ones() as usize];
                *entry = (entry.0.max(rings), entry.1.max(links));
            }
            for count in 0..=free.count_ones() as usize {
                let value =
                    |term| values[usize::from(table.best(free, 0, count, &[term]).unwrap())];
                assert_eq!(
                    value(Term::Ring).0,
                    most[count].0,
                    "{name} {free:b} {count}"
                );
                assert_eq!(
                    value(Term::Links).1,
                    most[count].1,
                    "{name} {free:b} {count}"
                );
                questions += 1;
            }
        }
    }
    assert_eq!(questions, 21_952);
}

#[test]
fn a_set_never_scores_less_than_that_of_the_best_partition() {
    // By direct links where only those differ, as scores count them.
    for name in ["dgx1-v100", "a100-pcie-x8-bridge-pairs", "mapa-torus2d-16"] {
        let topology = machine(name);
        let n = topology.device_count();
        let all: Vec<usize> = (0..n).collect();
        let scores = PairScores::of(&topology, &all).unwrap();
        let table = Table::new(&topology).unwrap();
        let masks = if n > 8 {
            vec![u16::MAX, 0xa5f7, 0x7bde]
        } else {
            (0..256).collect()
        };
        for free in masks {
            for count in 1..=free.count_ones() as usize {
                let theirs = scores.best_effort(free, 0, count).unwrap();
                let ours = table.best(free, 0, count, &[Term::Links]).unwrap();
                assert!(
                    table.links(ours) >= table.links(theirs),
                    "{name} {free:b} {count}"
                );
                let ringed = table.best(free, 0, count, &Term::USUAL).unwrap();
                assert!(table.ring(ringed).rings >= table.ring(theirs).rings);
            }
        }
    }
}

#[test]
fn a_broken_device_says_why_rings_are_missing() {
    let degraded = machine("hgx-b200-gpu2-nvlink-down");
    let selector = Selector::new(&degraded).unwrap();
    let all: Vec<usize> = (0..8).collect();
    for count in 2..=7 {
        let choice = select(&selector, &all, count, &Term::USUAL).unwrap();
        assert!(!choice.devices.contains(&2));
        assert_eq!(choice.ring.rings, Ratio::whole(18));
    }
    let choice = select(&selector, &all, 8, &Term::USUAL).unwrap();
    assert_eq!(choice.ring.rings, Ratio::ZERO);
    // The pairs of the broken one are those of the worst level, and over PCIe.
    let worst = degraded.bottleneck(&all).unwrap().level;
    assert!(
        (0..8)
            .filter(|&gpu| gpu != 2)
            .any(|gpu| degraded.level(2, gpu) == worst)
    );
    assert!((0..8).all(|gpu| gpu == 2 || degraded.wire(2, gpu).is_none()));
}

#[test]
fn partitions_are_taken_by_their_members() {
    // Not the first four by bus id, which are of two partitions.
    let shared = machine("hgx-h100-fm-shared-nvswitch");
    let selector = Selector::new(&shared).unwrap();
    let fours: BTreeSet<Vec<usize>> = shared
        .allowed_sets()
        .iter()
        .filter(|set| set.len() == 4)
        .cloned()
        .collect();
    assert_eq!(fours.len(), 2);
    let mut served = 0;
    for free in 0_u16..256 {
        if let Some(choice) = select(&selector, &members(free), 4, &Term::USUAL) {
            assert!(fours.contains(&choice.devices), "{free:b}");
            served += 1;
        }
    }
    // Sixteen sets around each of two, one of them around both.
    assert_eq!(served, 31);
}

#[test]
fn pairs_stay_bridged_whatever_single_devices_are_taken() {
    for name in ["bridge-pairs-nv4-x8", "a100-pcie-x8-bridge-pairs"] {
        let topology = machine(name);
        let selector = Selector::new(&topology).unwrap();
        let bridged = |set: &[usize]| topology.wire(set[0], set[1]).is_some();
        // Single devices break as few pairs as they can; the others stay whole.
        for singles in 1..=4_usize {
            let mut free: Vec<usize> = (0..8).collect();
            for _ in 0..singles {
                let chosen = select(&selector, &free, 1, &Term::USUAL).unwrap().devices;
                free.retain(|device| !chosen.contains(device));
            }
            for _ in 0..(8 - singles.next_multiple_of(2)) / 2 {
                let pair = select(&selector, &free, 2, &Term::USUAL).unwrap().devices;
                assert!(bridged(&pair), "{name} {pair:?}");
                free.retain(|device| !pair.contains(device));
            }
        }
    }
}

/// Returns racks of hosts of one device each, free where it says so.
fn racks(free: &[usize], size: usize) -> (Topology, Vec<usize>) {
    let mut vertices = vec![json!({"id": "spine", "kind": "fabric"})];
    let (mut links, mut usable) = (Vec::new(), Vec::new());
    for (rack, &free) in free.iter().enumerate() {
        let id = format!("r{rack}");
        vertices.push(json!({"id": id, "kind": "nvLinkDomain"}));
        links.push(json!({"a": id, "b": "spine", "type": "NetTier"}));
        for host in 0..size {
            let name = format!("{id}h{host}");
            vertices.push(json!({"id": name, "kind": "host"}));
            vertices.push(json!({"id": format!("{name}g"), "kind": "gpu"}));
            links.push(json!({"a": name, "b": id, "type": "NVLinkTray"}));
            let tray = json!({"a": format!("{name}g"), "b": name, "type": "Tray", "count": 18});
            links.push(tray);
            if host < free {
                usable.push(rack * size + host);
            }
        }
    }
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices, "links": links},
    });
    let document = Document::read(&document.to_string()).unwrap();
    (Topology::new(&document).unwrap(), usable)
}

/// Returns how many devices a set takes of each rack, the most first.
fn per_rack(set: &[usize], size: usize, racks: usize) -> Vec<usize> {
    let count = |rack| set.iter().filter(|&&device| device / size == rack).count();
    let mut counts: Vec<usize> = (0..racks).map(count).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts
}

#[test]
fn racks_are_filled_to_the_brim_before_another_is_opened() {
    // Eight racks of 18 hosts, of which 16 are usable: 128 hosts are all of them.
    let (topology, usable) = racks(&[16; 8], 18);
    let knapsack = Knapsack::new(&topology).unwrap();
    let ask = |free: &[usize], count| {
        let question = Question {
            free,
            count,
            required: &[],
            terms: &[Term::Ring, Term::Links, Term::Span, Term::Packing],
        };
        knapsack.select(&question).unwrap()
    };
    let all = ask(&usable, 128).unwrap();
    assert_eq!(per_rack(&all.devices, 18, 8), [16; 8]);
    assert_eq!(ask(&usable, 129), None);
    // A rack of 18 is not split while one has room.
    let (free, size): (Vec<usize>, usize) = ((0..144).collect(), 18);
    for (count, expected) in [(18, vec![18]), (16, vec![16]), (36, vec![18, 18])] {
        let choice = ask(&free, count).unwrap();
        let mut counts = per_rack(&choice.devices, size, 8);
        counts.retain(|&count| count > 0);
        assert_eq!(counts, expected);
    }
    let choice = ask(&free, 16).unwrap();
    assert_eq!(
        (choice.span, choice.ring.rings),
        (Scope::NvLinkDomain, Ratio::whole(18))
    );
}

/// Returns the machine with devices, links and sets in another order.
fn shuffled(name: &str, seed: u64) -> Topology {
    let mut machine: Value = serde_json::from_str(&machines::text(name)).unwrap();
    machine.as_object_mut().unwrap().remove("expectedLevels");
    let mut state = seed;
    let mut below = |limit: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((state >> 33) % limit as u64).unwrap()
    };
    for field in ["vertices", "links"] {
        let list = machine["spec"][field].as_array_mut().unwrap();
        for place in (1..list.len()).rev() {
            list.swap(place, below(place + 1));
        }
    }
    Topology::new(&Document::read(&machine.to_string()).unwrap()).unwrap()
}

#[test]
fn racks_have_the_same_values_in_any_order() {
    let terms = [Term::Ring, Term::Links, Term::Span, Term::Packing];
    for name in ["gb200-nvl72-rack", "dgx2-v100"] {
        let plain = machine(name);
        let n = plain.device_count();
        let values = |topology: &Topology| -> Vec<_> {
            let selector = Selector::new(topology).unwrap();
            // All, and those that are left without every fifth by name.
            let held = |device: &usize| {
                let id = &topology.device(*device).unwrap().id;
                id.bytes().map(usize::from).sum::<usize>() % 5 > 0
            };
            let all: Vec<usize> = (0..n).collect();
            let some: Vec<usize> = all.iter().copied().filter(held).collect();
            let counts = [1, 2, 4, 8, 11, n / 2];
            let asked = [&all, &some];
            let choices = asked
                .into_iter()
                .flat_map(|free| counts.map(|count| select(&selector, free, count, &terms)));
            choices
                .map(|choice| {
                    choice.map(|choice| (choice.ring, choice.links, choice.span, choice.potential))
                })
                .collect()
        };
        let expected = values(&plain);
        for seed in 0..4 {
            assert_eq!(values(&shuffled(name, seed)), expected, "{name} {seed}");
        }
    }
}
