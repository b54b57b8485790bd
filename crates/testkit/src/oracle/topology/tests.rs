//! The oracle against what it is to be compared with, before any search.

use std::collections::BTreeMap;

use dralloc_topology::{Nics, Table, Term, Topology, VertexKind};
use serde_json::{Value, json};

use super::super::world::Place;
use super::super::{Cel, Options, search};
use super::{Machine, value};
use crate::generate::{self, Random};

/// Returns the places of devices in the order of vertices of a kind, without those that
/// are one vertex with another.
fn here(machine: &Machine, kind: VertexKind) -> BTreeMap<usize, Place> {
    let seats = machine.seats.iter().rev();
    let seats = seats.filter_map(|(place, vertex)| Some(((*vertex)?, *place)));
    seats
        .filter(|(vertex, _)| machine.is_kind(*vertex, kind))
        .collect()
}

fn mask(set: &[usize]) -> u16 {
    set.iter().fold(0, |mask, place| mask | 1 << place)
}

/// Compares the values of a set with those of tables, and counts them.
fn compare(machine: &Machine, topology: &Topology, random: &mut Random, name: &str) -> usize {
    let gpus = here(machine, VertexKind::Gpu);
    let nics = here(machine, VertexKind::Nic);
    let number = |kind: VertexKind, vertex: &usize| {
        let mut before = machine.plan.vertices[..*vertex].iter();
        before.by_ref().filter(|one| one.kind == kind).count()
    };
    let devices: Vec<usize> = gpus
        .keys()
        .map(|one| number(VertexKind::Gpu, one))
        .collect();
    let cards: Vec<usize> = nics
        .keys()
        .map(|one| number(VertexKind::Nic, one))
        .collect();
    let table = Table::of(topology, &devices).unwrap();
    let near = Nics::of(topology, &devices, &cards).unwrap();
    let free = gpus.keys().enumerate();
    let free = free.filter(|(_, vertex)| machine.free.contains(*vertex));
    let free = mask(&free.map(|(place, _)| place).collect::<Vec<_>>());
    let mut all: Vec<usize> = (0..gpus.len()).collect();
    let mut compared = 0;
    for size in 0..=gpus.len().min(5) {
        random.shuffle(&mut all);
        let set = &all[..size];
        let mut others: Vec<usize> = (0..nics.len()).collect();
        random.shuffle(&mut others);
        others.truncate(random.below(3));
        let mut places: Vec<Place> = set
            .iter()
            .map(|place| *gpus.values().nth(*place).unwrap())
            .collect();
        let of = |term: &str| value(machine, term, &places).unwrap();
        let cost = |term| i128::from(table.cost(free, mask(set), term));
        assert_eq!(of("ring"), cost(Term::Ring), "{name} ring {set:?}");
        assert_eq!(of("links"), cost(Term::Links), "{name} links {set:?}");
        let bottleneck = cost(Term::Bottleneck);
        assert_eq!(of("bottleneck"), bottleneck, "{name} bottleneck {set:?}");
        let lost = table.cost(free, mask(set) & free, Term::Packing);
        assert_eq!(of("linkPotential"), i128::from(lost), "{name} {set:?}");
        let uplink = if nics.is_empty() {
            0
        } else {
            near.uplink_cost(mask(set).into())
        };
        assert_eq!(of("hostUplink"), i128::from(uplink), "{name} {set:?}");
        places.extend(others.iter().map(|nic| *nics.values().nth(*nic).unwrap()));
        let of = value(machine, "nicAlignment", &places).unwrap();
        let near = near.alignment(mask(set).into(), mask(&others).into());
        let near = if nics.is_empty() { 0 } else { near };
        assert_eq!(of, i128::from(near), "{name} alignment {set:?} {others:?}");
        compared += 1;
    }
    compared
}

#[test]
fn values_of_random_sets_are_those_of_tables() {
    let mut compared = 0;
    for seed in 0..600 {
        let question = generate::linked_question(seed);
        let cel = Cel::default();
        let world = search::world(&question.case, &cel, Options::default()).unwrap();
        let machine = Machine::new(&world, &question.topologies);
        let is_known = machine.seats.values().any(Option::is_some);
        let Some(document) = question.topologies.first().filter(|_| is_known) else {
            continue;
        };
        if machine.plan.vertices.len() != document.spec.vertices.len() {
            continue;
        }
        let topology = Topology::of(&document.spec).unwrap();
        let mut random = Random::new(seed);
        compared += compare(&machine, &topology, &mut random, &format!("seed {seed}"));
    }
    println!("{compared} sets");
    assert!(compared > 1_000, "{compared}");
}

#[test]
fn values_of_known_machines_are_those_of_tables() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/topologies/");
    for name in [
        "a100-pcie-x8-bridge-pairs",
        "dgx-a100",
        "hgx-b200-gpu2-nvlink-down",
        "hgx-h100-fm-shared-nvswitch",
        "hgx-h100-pix-pairs",
        "mi200-8p-hypercube",
        "mi250x-8gcd-frontier-class",
        "gb200-tray",
    ] {
        let text = std::fs::read_to_string(format!("{folder}{name}.json")).unwrap();
        let mut document: Value = serde_json::from_str(&text).unwrap();
        let mut devices = Vec::new();
        for vertex in document["spec"]["vertices"].as_array_mut().unwrap() {
            if vertex["kind"] == "gpu" || vertex["kind"] == "nic" {
                let id = vertex["id"].as_str().unwrap().to_lowercase();
                vertex["device"] = json!(format!("d/p/{id}"));
                devices.push(json!({"name": id}));
            }
        }
        let case = json!({"name": "known-0", "features": {}, "node": {"metadata": {"name": "n"}},
            "resourceSlices": [{"metadata": {"name": "s"}, "spec": {"driver": "d",
                "nodeName": "n", "devices": devices,
                "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}}]});
        let case = serde_json::from_value(case).unwrap();
        let document = serde_json::from_value(json!({"metadata": {"name": "m"},
            "spec": document["spec"]}));
        let document: dralloc::model::Topology = document.unwrap();
        let topology = Topology::of(&document.spec).unwrap();
        let cel = Cel::default();
        let world = search::world(&case, &cel, Options::default()).unwrap();
        let machine = Machine::new(&world, &[document]);
        for seed in 0..4 {
            compare(&machine, &topology, &mut Random::new(seed), name);
        }
    }
}
