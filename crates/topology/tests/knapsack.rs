//! The best set in trees of domains against comparing all sets of small ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod clusters;
mod machines;

use self::clusters::{
    Asked, Chance, Device, cluster, links, members, potential, rings, span, topology,
};
use dralloc_topology::{
    Document, Knapsack, Method, Question, Ratio, Scope, Selector, Term, Topology,
};
use serde_json::{Value, json};

#[test]
fn small_trees_give_the_best_set() {
    let mut chance = Chance(7);
    let mut compared = 0;
    for _ in 0..1500 {
        let devices = cluster(&mut chance, 11);
        let topology = topology(&devices);
        let knapsack = Knapsack::new(&topology).unwrap();
        for _ in 0..4 {
            let asked = Asked::of(&mut chance, devices.len());
            let (free, terms) = (asked.free, asked.terms);
            let value = |set: u32| -> Vec<i64> {
                let devices_of = members(set);
                let signed = |value: u64| i64::try_from(value).unwrap();
                let values = terms.iter().map(|term| match term {
                    Term::Ring => signed(rings(&devices, &devices_of)),
                    Term::Links => signed(links(&devices, &devices_of)),
                    Term::Span => -(span(&devices, &devices_of) as i64),
                    _ => signed(potential(&devices, free & !set)),
                });
                values.collect()
            };
            let best = asked.best(&topology, value);
            let found = asked.select(&knapsack);
            let about = format!("{devices:?} {asked}");
            assert_eq!(
                found.as_ref().map(|choice| choice.devices.clone()),
                best,
                "{about}"
            );
            if let Some(choice) = found {
                let set = &choice.devices;
                assert_eq!(
                    choice.ring.rings,
                    Ratio::whole(rings(&devices, set)),
                    "{about}"
                );
                assert_eq!(topology.ring(set).rings, choice.ring.rings, "{about}");
                assert_eq!(choice.links, links(&devices, set), "{about}");
                assert_eq!(topology.links(set), choice.links, "{about}");
                assert_eq!(choice.span, span(&devices, set), "{about}");
                let left = set.iter().fold(free, |mask, device| mask & !(1 << device));
                let packing = terms.contains(&Term::Packing);
                assert_eq!(
                    choice.potential,
                    packing.then(|| potential(&devices, left)),
                    "{about}"
                );
                assert_eq!(choice.method, Method::Tree);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 4938);
}

fn select(
    topology: &Topology,
    free: &[usize],
    count: usize,
    terms: &[Term],
) -> dralloc_topology::Choice {
    let question = Question {
        free,
        count,
        required: &[],
        terms,
    };
    Selector::new(topology)
        .unwrap()
        .select(&question)
        .unwrap()
        .unwrap()
}

#[test]
fn racks_and_clusters_give_whole_hosts() {
    let rack = machines::machine("gb200-nvl72-rack");
    let all: Vec<usize> = (0..72).collect();
    let half = select(&rack, &all, 36, &Term::USUAL);
    assert_eq!(half.devices, (0..36).collect::<Vec<usize>>());
    assert_eq!(
        (half.ring.rings, half.links),
        (Ratio::whole(18), 18 * 36 * 35 / 2)
    );
    // Two hosts are broken: they give what they have before a whole one does.
    let free: Vec<usize> = all
        .iter()
        .copied()
        .filter(|device| ![0, 9, 10, 11].contains(device))
        .collect();
    let few = select(&rack, &free, 4, &Term::USUAL);
    assert_eq!(few.devices, [1, 2, 3, 8]);
    let near = select(
        &rack,
        &free,
        4,
        &[Term::Ring, Term::Links, Term::Span, Term::Packing],
    );
    assert_eq!((near.devices, near.span), (vec![4, 5, 6, 7], Scope::Host));

    let cluster = machines::machine("gb200-8xnvl72-576gpu");
    let all: Vec<usize> = (0..576).collect();
    let terms = &[Term::Ring, Term::Links, Term::Span, Term::Packing];
    let large = select(&cluster, &all, 100, terms);
    assert_eq!((large.ring.rings, large.span), (Ratio::ZERO, Scope::Block));
    assert_eq!(large.devices, (0..100).collect::<Vec<usize>>());
    // A rack that is broken already is the one for 64.
    let free: Vec<usize> = all
        .iter()
        .copied()
        .filter(|device| !(150..154).contains(device))
        .collect();
    let some = select(&cluster, &free, 64, terms);
    assert!(
        some.devices
            .iter()
            .all(|device| (144..216).contains(device))
    );
    assert_eq!(
        (some.ring.rings, some.span),
        (Ratio::whole(18), Scope::NvLinkDomain)
    );
}

#[test]
fn one_host_serves_before_a_rack_that_would_be_left_empty() {
    // Hosts of 3 and 3 devices in one rack, of 5 and 2 in the other.
    let sizes = [(0, 3), (0, 3), (1, 5), (1, 2)];
    let mut devices = Vec::new();
    for (host, (rack, size)) in (0..).zip(sizes) {
        let device = Device {
            block: 0,
            rack,
            host,
            node: host,
            links: 1,
        };
        devices.extend(std::iter::repeat_n(device, size));
    }
    let topology = topology(&devices);
    let knapsack = Knapsack::new(&topology).unwrap();
    let free: Vec<usize> = (0..13).collect();
    let question = Question {
        free: &free,
        count: 5,
        required: &[],
        terms: &[Term::Span, Term::Packing],
    };
    let choice = knapsack.select(&question).unwrap().unwrap();
    assert_eq!(
        (choice.devices, choice.span),
        (vec![6, 7, 8, 9, 10], Scope::NumaNode)
    );
}

#[test]
fn what_would_take_too_long_is_refused() {
    let domain = |size: u64| -> Vec<Device> {
        let device = |host| Device {
            block: 0,
            rack: 0,
            host,
            node: host,
            links: 1 + host % 2,
        };
        (0..size).map(device).collect()
    };
    assert!(Knapsack::new(&topology(&domain(1024))).is_ok());
    assert_eq!(
        Knapsack::new(&topology(&domain(1025)))
            .unwrap_err()
            .to_string(),
        "spec.links: expected at most 1024 devices in an `NVLink` domain where some have fewer \
         links than others, found 1025"
    );
}

#[test]
fn order_of_terms_is_limited() {
    let rack = machines::machine("gb200-nvl72-rack");
    let knapsack = Knapsack::new(&rack).unwrap();
    let question = Question {
        free: &[0],
        count: 1,
        required: &[],
        terms: &[Term::Packing, Term::Ring],
    };
    assert_eq!(
        knapsack.select(&question).unwrap_err().to_string(),
        "expected terms out of `ring`, `links`, `span`, `packing` in this order for more than 16 \
         devices, found `ring`"
    );
}

#[test]
fn allowed_sets_hold_in_racks_too() {
    let mut document: Value = serde_json::from_str(&machines::text("gb200-nvl72-rack")).unwrap();
    let ids: Vec<String> = (0..18)
        .flat_map(|tray| (0..4).map(move |gpu| format!("r0t{tray}g{gpu}")))
        .collect();
    document["spec"]["allowedSets"] = json!([
        {"partition": 0, "vertices": &ids[..36]},
        {"partition": 1, "vertices": &ids[36..]},
        {"partition": 2, "vertices": &ids[4..8]},
    ]);
    let rack = Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap();
    let all: Vec<usize> = (0..72).collect();
    assert_eq!(
        select(&rack, &all, 36, &Term::USUAL).devices,
        (0..36).collect::<Vec<usize>>()
    );
    assert_eq!(
        select(&rack, &all[1..], 36, &Term::USUAL).devices,
        (36..72).collect::<Vec<usize>>()
    );
    assert_eq!(select(&rack, &all, 4, &Term::USUAL).devices, [4, 5, 6, 7]);
    let question = Question {
        free: &all,
        count: 5,
        required: &[],
        terms: &Term::USUAL,
    };
    assert_eq!(Selector::new(&rack).unwrap().select(&question), Ok(None));
}
