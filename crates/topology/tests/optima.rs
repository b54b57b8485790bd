//! Rings and link sums of all sets against recorded optima.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod machines;

use std::cmp::Reverse;

use self::machines::oracle::Oracle;
use dralloc_topology::{Document, Exactness, Ratio, Table, Term, Topology};
use serde_json::{Value, json};

/// Returns all sets of `k` of `n`, in lexicographic order.
fn sets(n: usize, k: usize) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = (0_u32..1 << n)
        .filter(|mask| mask.count_ones() as usize == k)
        .map(|mask| (0..n).filter(|place| mask >> place & 1 == 1).collect())
        .collect();
    found.sort();
    found
}

/// Returns the greatest value, how many sets have it, and the first of them.
fn optimum<T: Ord>(sets: &[Vec<usize>], value: impl Fn(&[usize]) -> T) -> (T, usize, Vec<usize>) {
    let mut best: Option<(T, usize, Vec<usize>)> = None;
    for set in sets {
        let value = value(set);
        match &mut best {
            Some((most, count, _)) if *most == value => *count += 1,
            Some((most, ..)) if *most > value => {}
            _ => best = Some((value, 1, set.clone())),
        }
    }
    best.unwrap()
}

fn places(value: &Value) -> Vec<usize> {
    let places = value.as_array().unwrap().iter();
    places
        .map(|place| usize::try_from(place.as_u64().unwrap()).unwrap())
        .collect()
}

#[test]
fn optima_of_all_sizes_are_those_recorded() {
    let recorded: Value = serde_json::from_str(&machines::text("golden-optima")).unwrap();
    let (mut sums, mut rings) = (0, 0);
    for (name, sizes) in recorded["results"].as_object().unwrap() {
        let topology = machines::machine(name);
        for (size, expected) in sizes.as_object().unwrap() {
            let k: usize = size.parse().unwrap();
            let sets = sets(topology.device_count(), k);
            assert_eq!(
                sets.len() as u64,
                expected["sets"].as_u64().unwrap(),
                "{name} {k}"
            );
            let (links, count, first) = optimum(&sets, |set| topology.links(set));
            assert_eq!(links, expected["max_links"].as_u64().unwrap(), "{name} {k}");
            assert_eq!(
                count as u64,
                expected["optimal_sets"].as_u64().unwrap(),
                "{name} {k}"
            );
            assert_eq!(first, places(&expected["first_optimal"]), "{name} {k}");
            sums += 1;
            let Some(ring) = expected["ring"].as_number() else {
                continue;
            };
            let (found, count, first) = optimum(&sets, |set| rings_of(&topology, set));
            // Recorded with at most four decimals.
            let ten_thousandths = Ratio::new(found.numerator() * 20_000, found.denominator() * 2);
            let ten_thousandths = ten_thousandths.unwrap();
            let rounded = (ten_thousandths.numerator() * 2 + ten_thousandths.denominator())
                / (2 * ten_thousandths.denominator());
            let (whole, decimals) = (rounded / 10_000, rounded % 10_000);
            let shown = format!("{whole}.{decimals:04}");
            let shown = shown.trim_end_matches('0').trim_end_matches('.');
            let ring = ring.to_string();
            assert_eq!(
                shown,
                ring.strip_suffix(".0").unwrap_or(&ring),
                "{name} {k}"
            );
            assert_eq!(
                count as u64,
                expected["ring_optimal_sets"].as_u64().unwrap(),
                "{name} {k}"
            );
            assert_eq!(first, places(&expected["ring_first"]), "{name} {k}");
            rings += 1;
        }
    }
    assert_eq!((sums, rings), (85, 70));
}

fn rings_of(topology: &Topology, set: &[usize]) -> Ratio {
    let ring = topology.ring(set);
    assert_eq!(ring.exactness, Exactness::Exact);
    ring.rings
}

#[test]
fn rings_and_links_of_all_sets_of_eight_devices_are_those_of_the_oracle() {
    let mut compared = 0;
    for name in machines::names() {
        let machine: Value = serde_json::from_str(&machines::text(&name)).unwrap();
        if machine["expectedLevels"]["gpuGpu"].is_null() {
            continue;
        }
        let (oracle, topology) = (Oracle::new(&machine), machines::machine(&name));
        if oracle.size > 8 {
            continue;
        }
        for mask in 0_u32..1 << oracle.size {
            let set: Vec<usize> = (0..oracle.size)
                .filter(|place| mask >> place & 1 == 1)
                .collect();
            assert_eq!(topology.links(&set), oracle.links(&set), "{name} {set:?}");
            let found = rings_of(&topology, &set);
            let (above, below) = oracle.rings(&set);
            assert_eq!(Some(found), Ratio::new(above, below), "{name} {set:?}");
            compared += 1;
        }
    }
    assert_eq!(compared, 16 * 256 + 3 * 16);
}

#[test]
fn larger_meshes_are_told_by_their_smallest_cut() {
    let torus = machines::machine("mapa-torus2d-16");
    let all: Vec<usize> = (0..16).collect();
    let ring = torus.ring(&all);
    assert_eq!(ring.exactness, Exactness::AtMost);
    let (mut least, n) = (u64::MAX, 16);
    for side in 1_u32..(1 << n) - 1 {
        let mut cut = 0;
        for a in 0..n {
            for b in 0..a {
                if (side >> a ^ side >> b) & 1 == 1 {
                    cut += torus.wire(a, b).map_or(0, |wire| u64::from(wire.count));
                }
            }
        }
        least = least.min(cut);
    }
    assert_eq!(ring.rings, Ratio::whole(least));
}

/// Returns a machine of six devices with links and switches at random.
fn mixed(chance: &mut impl FnMut(u64) -> u64) -> Topology {
    let mut vertices: Vec<Value> = vec![json!({"id": "s", "kind": "nvSwitch"})];
    let mut links = Vec::new();
    for a in 0..6 {
        vertices.push(json!({"id": format!("g{a}"), "kind": "gpu"}));
        if chance(3) > 0 {
            let (id, count) = (format!("g{a}"), 1 + chance(6));
            links.push(json!({"a": id, "b": "s", "type": "NVSwitch", "count": count}));
        }
        for b in 0..a {
            if chance(2) > 0 {
                let (a, b, count) = (format!("g{a}"), format!("g{b}"), 1 + chance(4));
                links.push(json!({"a": a, "b": b, "type": "NVLink", "count": count}));
            }
        }
    }
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices, "links": links},
    });
    Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap()
}

#[test]
fn links_and_switches_together_are_proved_too() {
    let mut state = 3_u64;
    let mut chance = |limit: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let (mut proofs, mut fractions) = (0, 0);
    for _ in 0..150 {
        let topology = mixed(&mut chance);
        let table = Table::new(&topology).unwrap();
        for mask in 0_u16..64 {
            let set: Vec<usize> = (0..6).filter(|place| mask >> place & 1 == 1).collect();
            let ring = topology.ring(&set);
            assert_eq!(ring, table.ring(mask));
            if let Some(proof) = topology.ring_proof(&set) {
                assert_eq!(proof.rings, ring.rings);
                assert!(proof.holds(&topology), "{proof:?}");
                proofs += 1;
                fractions += usize::from(ring.rings.denominator() > 1);
            }
        }
        for free in 0_u16..64 {
            for count in 2..=5 {
                let sets = (0..=free).filter(|set| set & !free == 0);
                let sets = sets.filter(|set| set.count_ones() as usize == count);
                let key = |set: u16| {
                    let members: Vec<usize> =
                        (0..6).filter(|place| set >> place & 1 == 1).collect();
                    (
                        topology.ring(&members).rings,
                        topology.links(&members),
                        Reverse(members),
                    )
                };
                let best = sets.max_by_key(|&set| key(set));
                assert_eq!(table.best(free, 0, count, &[Term::Ring, Term::Links]), best);
            }
        }
    }
    assert_eq!((proofs, fractions), (6168, 18));
}

#[test]
fn proofs_of_rings_hold_and_changed_ones_do_not() {
    let (mut proofs, mut changed) = (0, 0);
    for name in [
        "dgx1-v100",
        "mi200-8p-hypercube",
        "mi250x-8gcd-frontier-class",
        "mi300x-8",
    ] {
        let topology = machines::machine(name);
        for mask in 0_u32..256 {
            let set: Vec<usize> = (0..8).filter(|place| mask >> place & 1 == 1).collect();
            let proof = topology.ring_proof(&set);
            assert_eq!(proof.is_some(), set.len() > 2, "{name} {set:?}");
            let Some(proof) = proof else {
                continue;
            };
            assert_eq!(proof.rings, topology.ring(&set).rings);
            assert!(proof.holds(&topology), "{name} {proof:?}");
            proofs += 1;
            let mut others = vec![proof.clone(); 4];
            others[0].rings =
                Ratio::new(proof.rings.numerator() + 1, proof.rings.denominator()).unwrap();
            others[1].denominator += 1;
            others[2].devices.pop();
            if let Some((_, weight)) = others[3].cycles.first_mut() {
                *weight += 1;
            }
            for place in 0..proof.cycles.len() {
                let mut other = proof.clone();
                other.cycles.remove(place);
                others.push(other);
            }
            for place in 0..proof.prices.len() {
                let mut other = proof.clone();
                other.prices[place].1 -= 1;
                others.push(other);
            }
            // Where there is no ring, any denominator and no rings at all are right.
            for other in others.iter().filter(|other| **other != proof) {
                let empty = proof.rings == Ratio::ZERO && other.rings == Ratio::ZERO;
                if !empty {
                    assert!(!other.holds(&topology), "{name} {other:?}");
                    changed += 1;
                }
            }
        }
    }
    assert_eq!(proofs, 4 * 219);
    assert!(changed > 2000, "{changed}");
}
