//! Some devices of a topology against the whole of it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[allow(dead_code, reason = "other test files need more of it")]
mod clusters;
mod machines;

use std::collections::BTreeSet;

use self::clusters::{Chance, cluster, members, topology};
use self::machines::machine;
use dralloc_topology::{
    ASSUMED_LINK, Document, Knapsack, NO_RING, Question, Ratio, Scope, Selector, Shape, Table,
    Term, Topology, USUAL_MIX,
};
use serde_json::json;

const BUT_PACKING: [Term; 4] = [Term::Ring, Term::Links, Term::Bottleneck, Term::Span];

fn mask(places: &[usize]) -> u16 {
    places.iter().fold(0, |mask, place| mask | 1 << place)
}

/// Returns the devices of a set of places.
fn devices_of(part: &[usize], set: u16) -> Vec<usize> {
    let places = members(u32::from(set)).into_iter();
    places.map(|place| part[place]).collect()
}

#[test]
fn a_part_answers_as_the_whole_with_only_its_devices_free() {
    let mut chance = Chance(3);
    let mut alike = 0;
    for name in machines::names() {
        let topology = machine(&name);
        if topology.device_count() > 8 {
            continue;
        }
        let whole = Table::new(&topology).unwrap();
        for part in 0_u16..1 << topology.device_count() {
            let devices = members(u32::from(part));
            let table = Table::of(&topology, &devices).unwrap();
            let all = (1_u16 << devices.len()) - 1;
            assert_eq!(table.len(), devices.len());
            for count in 0..=devices.len() + 1 {
                let terms: Vec<Term> = (0..chance.below(4))
                    .map(|_| BUT_PACKING[usize::try_from(chance.below(4)).unwrap()])
                    .collect();
                let required = u16::try_from(chance.below(u64::from(all) + 1)).unwrap()
                    & u16::try_from(chance.below(u64::from(all) + 1)).unwrap()
                    & u16::try_from(chance.below(u64::from(all) + 1)).unwrap();
                let expected =
                    whole.best(part, mask(&devices_of(&devices, required)), count, &terms);
                let found = table.best(all, required, count, &terms);
                let found = found.map(|set| devices_of(&devices, set));
                let about = format!("{name} {devices:?} {required:b} {count} {terms:?}");
                assert_eq!(
                    found,
                    expected.map(|set| members(u32::from(set))),
                    "{about}"
                );
            }
            // Potential counts from the best of the part, which may be those of the whole.
            let most = |table: &Table, count: usize| {
                let sets = (0..=u16::MAX >> (16 - table.len()))
                    .filter(|set| set.count_ones() as usize == count);
                sets.map(|set| table.ring(set).rings).max()
            };
            let mut sizes = USUAL_MIX.into_iter().map(|(size, _)| size);
            let same = !devices.is_empty()
                && sizes
                    .all(|size| size > devices.len() || most(&table, size) == most(&whole, size));
            alike += usize::from(same);
            for set in 0..=all {
                if same && topology.allowed_sets().is_empty() {
                    let left = mask(&devices_of(&devices, set));
                    assert_eq!(
                        table.potential(set),
                        whole.potential(left),
                        "{name} {left:b}"
                    );
                }
                let of = mask(&devices_of(&devices, set));
                assert_eq!(table.ring(set), whole.ring(of), "{name} {of:b}");
                assert_eq!(table.ring_rate(set), whole.ring_rate(of), "{name} {of:b}");
                assert_eq!(table.links(set), whole.links(of), "{name} {of:b}");
                assert_eq!(table.bottleneck(set), whole.bottleneck(of), "{name} {of:b}");
                assert_eq!(table.span(set), whole.span(of), "{name} {of:b}");
            }
        }
    }
    assert_eq!(alike, 3301);
}

#[test]
fn a_part_of_a_cluster_answers_as_the_cluster() {
    let mut chance = Chance(11);
    let terms = [Term::Ring, Term::Links, Term::Span];
    for _ in 0..600 {
        let devices = cluster(&mut chance, 18);
        let topology = topology(&devices);
        let n = devices.len();
        let part: Vec<usize> = (0..n).filter(|_| chance.below(3) > 0).collect();
        let knapsack = Knapsack::new(&topology).unwrap();
        let selector = Selector::of(&topology, &part).unwrap();
        let free: Vec<usize> = (0..n).filter(|_| chance.below(4) > 0).collect();
        let both: Vec<usize> = free
            .iter()
            .copied()
            .filter(|free| part.contains(free))
            .collect();
        for count in 0..=both.len() + 1 {
            let ask = |free| Question {
                free,
                count,
                required: &[],
                terms: &terms,
            };
            let expected = knapsack.select(&ask(&both)).unwrap();
            let found = selector.select(&ask(&free)).unwrap();
            // Among equals a table has the first in the order of devices, a tree that of
            // domains.
            let values = |choice: &dralloc_topology::Choice| {
                (choice.devices.len(), choice.ring, choice.links, choice.span)
            };
            assert_eq!(found.as_ref().map(values), expected.as_ref().map(values));
            let inside = |choice: &dralloc_topology::Choice| {
                choice.devices.iter().all(|device| both.contains(device))
            };
            assert!(found.as_ref().is_none_or(inside));
        }
    }
}

#[test]
fn a_large_part_goes_through_the_tree() {
    let rack = machine("gb200-nvl72-rack");
    let half: Vec<usize> = (36..72).collect();
    let selector = Selector::of(&rack, &half).unwrap();
    let free: Vec<usize> = (0..72).filter(|device| device % 5 > 0).collect();
    let both: Vec<usize> = free
        .iter()
        .copied()
        .filter(|&device| device >= 36)
        .collect();
    let knapsack = Knapsack::new(&rack).unwrap();
    for count in 0..=both.len() + 1 {
        let ask = |free| Question {
            free,
            count,
            required: &[],
            terms: &Term::USUAL,
        };
        assert_eq!(selector.select(&ask(&free)), knapsack.select(&ask(&both)));
    }
    let elsewhere = Question {
        free: &free,
        count: 4,
        required: &[1],
        terms: &Term::USUAL,
    };
    assert_eq!(selector.select(&elsewhere).unwrap(), None);
}

#[test]
fn equal_parts_have_one_shape() {
    let cluster = machine("gb200-8xnvl72-576gpu");
    let tray = |number: usize| Shape::of(&cluster, &[0, 1, 2, 3].map(|gpu| 4 * number + gpu));
    let shapes: BTreeSet<Shape> = (0..144).map(|number| tray(number).unwrap()).collect();
    assert_eq!(shapes.len(), 1);
    let table = Table::of_shape(tray(143).unwrap(), &USUAL_MIX);
    assert_eq!(table.best(0b1110, 0, 2, &Term::USUAL), Some(0b0110));
    assert_eq!(table.best(0b1110, 0, 2, &[Term::Span]), Some(0b1100));
    // The whole of it is too large, a device twice is no list, and neither is one that is
    // not there.
    let many: Vec<usize> = (0..17).collect();
    assert!(Shape::of(&cluster, &many).is_none());
    assert!(Shape::of(&cluster, &many[..16]).is_some());
    assert!(Shape::of(&cluster, &[1, 2, 1]).is_none());
    assert!(Table::of(&cluster, &[575, 576]).is_none());
    assert!(Table::of(&cluster, &[]).unwrap().is_empty());
}

#[test]
fn sets_that_are_allowed_count_if_they_are_wholly_inside() {
    let shared = machine("hgx-h100-fm-shared-nvswitch");
    // Four that are allowed together, half of the others, and in another order.
    let part = [6, 3, 2, 1, 0, 7];
    let table = Table::of(&shared, &part).unwrap();
    let allowed: Vec<u16> = shared
        .allowed_sets()
        .iter()
        .filter_map(|set| {
            let places = set
                .iter()
                .map(|device| part.iter().position(|other| other == device));
            places
                .collect::<Option<Vec<usize>>>()
                .map(|places| mask(&places))
        })
        .collect();
    // Six alone, a pair or two, and the four.
    assert!(allowed.contains(&0b01_1110), "{allowed:?}");
    let chosen = |count| table.best(0b11_1111, 0, count, &Term::USUAL);
    assert_eq!(chosen(4), Some(0b01_1110));
    assert_eq!(chosen(3), None);
    assert_eq!(chosen(6), None);
    for set in 0_u16..64 {
        let count = set.count_ones() as usize;
        let found = table.best(set, set, count, &[]);
        assert_eq!(found.is_some(), allowed.contains(&set), "{set:b}");
    }
    // None is inside of what has no whole set, single devices aside.
    let table = Table::of(&shared, &[0, 4]).unwrap();
    assert_eq!(table.best(0b11, 0, 2, &[]), None);
}

#[test]
fn costs_have_the_order_of_measures() {
    let terms = [
        Term::Ring,
        Term::Links,
        Term::Bottleneck,
        Term::Span,
        Term::Packing,
    ];
    let mut chance = Chance(5);
    for name in machines::names() {
        let topology = machine(&name);
        if topology.device_count() > 8 || !topology.allowed_sets().is_empty() {
            continue;
        }
        let table = Table::new(&topology).unwrap();
        let all = (1_u16 << table.len()) - 1;
        let better = |free: u16, a: u16, b: u16, term: Term| match term {
            Term::Ring => table.ring(a).rings > table.ring(b).rings,
            Term::Links => table.links(a) > table.links(b),
            Term::Bottleneck => table.bottleneck(a) < table.bottleneck(b),
            Term::Span => table.span(a) < table.span(b),
            Term::Packing => table.potential(free & !a) > table.potential(free & !b),
        };
        for _ in 0..4000 {
            let mut any = || u16::try_from(chance.below(u64::from(all) + 1)).unwrap();
            let free = any() | any();
            let (a, b) = (any() & free, any() & free);
            if a.count_ones() != b.count_ones() {
                continue;
            }
            for term in terms {
                let (cost_a, cost_b) = (table.cost(free, a, term), table.cost(free, b, term));
                assert!(cost_a >= 0);
                let about = format!("{name} {free:b} {a:b} {b:b} {term}");
                assert_eq!(cost_a < cost_b, better(free, a, b, term), "{about}");
            }
        }
    }
}

#[test]
fn the_best_completion_costs_least() {
    let mut chance = Chance(9);
    for name in [
        "dgx1-v100",
        "mi250x-8gcd-frontier-class",
        "bridge-pairs-nv4-x8",
    ] {
        let table = Table::new(&machine(name)).unwrap();
        for _ in 0..600 {
            let mut any = || u16::try_from(chance.below(256)).unwrap();
            let free = any() | any();
            let open = free & (any() | any());
            let required = open & any() & any();
            let count = usize::try_from(chance.below(9)).unwrap();
            let mut terms = vec![Term::Packing, Term::Links, Term::Ring, Term::Span];
            terms.rotate_left(usize::try_from(chance.below(4)).unwrap());
            terms.truncate(1 + usize::try_from(chance.below(4)).unwrap());
            let sets = (0_u16..256).filter(|set| set & !open == 0 && required & !set == 0);
            let sets = sets.filter(|set| set.count_ones() as usize == count);
            let costs = |set: u16| (table.costs(free, set, &terms), members(u32::from(set)));
            let expected = sets.min_by_key(|&set| costs(set));
            let found = table.best_within(free, open, required, count, &terms);
            assert_eq!(
                found, expected,
                "{name} {free:b} {open:b} {required:b} {count} {terms:?}"
            );
        }
    }
}

#[test]
fn costs_are_what_they_say() {
    let table = Table::new(&machine("dgx1-v100")).unwrap();
    let cost = |set: u16, term| table.cost(0xff, set, term);
    // Four rings of 25 GB/s: ten seconds. One device, or none, has nothing to send.
    assert_eq!(cost(0b1111, Term::Ring), 10_000_000_000);
    assert_eq!(table.ring_rate(0b1111), Some(Ratio::whole(100_000)));
    assert_eq!((cost(0b1000, Term::Ring), cost(0, Term::Ring)), (0, 0));
    assert_eq!(table.ring_rate(0b1000), None);
    assert_eq!(cost(0b1000_0001, Term::Ring), NO_RING);
    assert_eq!(table.ring_rate(0b1000_0001), Some(Ratio::ZERO));
    // Six pairs of two links at best, and nine links.
    assert_eq!(cost(0b1111, Term::Links), 3);
    assert_eq!((cost(0b1000, Term::Links), cost(0, Term::Links)), (0, 0));
    assert_eq!(cost(0b1111, Term::Bottleneck), 9_999_999_999);
    assert_eq!(cost(0b1000_0001, Term::Bottleneck), 60_000_000_000);
    assert_eq!(cost(0b1000, Term::Bottleneck), 0);
    assert_eq!(cost(0b1111, Term::Span), Scope::NumaNode as i64);
    assert_eq!(cost(0b1111_1111, Term::Span), Scope::Host as i64);
    let all = table.potential(0xff);
    assert_eq!(cost(0xff, Term::Packing), i64::try_from(all).unwrap());
    assert_eq!(cost(0, Term::Packing), 0);
    // Thirds of rings are rounded up.
    let thirds = Table::new(&machine("mi250x-8gcd-frontier-class")).unwrap();
    for set in 0..256 {
        let Some(rate) = thirds.ring_rate(set).filter(|&rate| rate > Ratio::ZERO) else {
            continue;
        };
        let cost = u128::try_from(thirds.cost(255, set, Term::Ring)).unwrap();
        let rate = (u128::from(rate.numerator()), u128::from(rate.denominator()));
        assert!(cost * rate.0 >= 1_000_000_000_000_000 * rate.1, "{set:b}");
        assert!(
            (cost - 1) * rate.0 < 1_000_000_000_000_000 * rate.1,
            "{set:b}"
        );
    }
}

#[test]
fn links_without_rates_and_too_many_links_have_costs() {
    let link = |a: &str, b: &str| json!({"a": a, "b": b, "type": "NVLink", "count": 2});
    let mut links = vec![link("g0", "g1")];
    let mut vertices = Vec::new();
    for gpu in ["g0", "g1", "g2", "g3"] {
        vertices.push(json!({"id": gpu, "kind": "gpu"}));
    }
    // Two devices with more links into switches than 32 bits can count.
    for switch in 0..4400 {
        let id = format!("s{switch}");
        vertices.push(json!({"id": id, "kind": "nvSwitch"}));
        for gpu in ["g1", "g2", "g3"] {
            links.push(json!({"a": gpu, "b": id, "type": "NVSwitch", "count": 1_000_000}));
        }
    }
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices, "links": links},
    });
    let topology = Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap();
    let table = Table::new(&topology).unwrap();
    assert_eq!(ASSUMED_LINK.thousandths(), 20_000);
    assert_eq!(table.ring_rate(0b0011), Some(Ratio::whole(40_000)));
    assert_eq!(table.cost(0b1111, 0b0011, Term::Ring), 25_000_000_000);
    assert_eq!(table.cost(0b1111, 0b0110, Term::Ring), 12);
    assert_eq!(table.links(0b1110), u64::from(u32::MAX));
    assert_eq!(table.best(0b1111, 0, 2, &Term::USUAL), Some(0b0110));
}
