//! What the field asks for, on known machines.

use std::collections::BTreeSet;

use dralloc::{AllocateOptions, Budget, Certified, Outcome, Policy, Workspace};
use serde_json::{Value, json};

use crate::known::{best, claim, devices, engine, outcome, read, values};

/// What a set costs that has no ring.
const NO_RING: i64 = 2_000_000_000_000_000;

#[test]
fn a_device_without_its_links_is_the_last_to_be_given() {
    let snapshot = engine(&read("hgx-b200-gpu2-nvlink-down")).snapshot();
    for size in 2..=8 {
        let mut transaction = snapshot.transaction();
        let policy = Policy::Affinity;
        let allocation = best(&mut transaction, &claim("c", size), &policy);
        let has_broken = devices(&allocation).contains(&"gpu2".to_owned());
        let ring = values(&allocation)[2];
        if size < 8 {
            assert!(!has_broken && ring < NO_RING, "{size}");
        } else {
            assert!(has_broken && ring == NO_RING, "{size}");
        }
    }
}

#[test]
fn a_device_that_has_lost_some_links_slows_down_those_alone_who_need_it() {
    let mut document = read("hgx-h100-pix-pairs");
    // The switch sees two of the five links that the device says it has.
    let links = document["spec"]["links"].as_array_mut().unwrap();
    links.push(
        json!({"a": "nvsw0", "b": "gpu3", "type": "NVSwitch", "count": 2,
        "bandwidthGBps": 50}),
    );
    let snapshot = engine(&document).snapshot();
    for size in 2..=8 {
        let mut transaction = snapshot.transaction();
        let allocation = best(&mut transaction, &claim("c", size), &Policy::Affinity);
        let has_slow = devices(&allocation).contains(&"gpu3".to_owned());
        // 18 links carry 450 GB/s, 15 of them 375.
        let ring = if size < 8 {
            2_222_222_223
        } else {
            2_666_666_667
        };
        assert_eq!(
            (has_slow, values(&allocation)[2]),
            (size == 8, ring),
            "{size}"
        );
    }
    let mut transaction = snapshot.transaction();
    for (name, ring, fits) in [("a", "375", true), ("b", "375.000000001", false)] {
        let mut eight = claim(name, 8);
        let parameters = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "PlacementPolicy",
            "minRingGBps": ring});
        let config = json!([{"opaque": {"driver": "dralloc.dev", "parameters": parameters}}]);
        eight.spec.devices.config = serde_json::from_value(config).unwrap();
        let outcome = outcome(&mut transaction, &eight, &AllocateOptions::new());
        assert_eq!(outcome.allocation().is_some(), fits, "{ring}");
    }
}

#[test]
fn bridges_stay_whole_for_those_who_need_them() {
    let snapshot = engine(&read("a100-pcie-x8-bridge-pairs")).snapshot();
    let mut transaction = snapshot.transaction();
    for name in ["one", "two", "three", "four"] {
        best(&mut transaction, &claim(name, 1), &Policy::Affinity);
    }
    let bridges = [(0, 2), (1, 3), (4, 5), (6, 7)];
    let bridges = bridges.map(|(a, b)| vec![format!("gpu{a}"), format!("gpu{b}")]);
    for name in ["first pair", "second pair"] {
        let claim = claim(&name.replace(' ', "-"), 2);
        let allocation = best(&mut transaction, &claim, &Policy::Affinity);
        let pair = devices(&allocation);
        assert!(bridges.contains(&pair), "{name}: {pair:?}");
    }
}

#[test]
fn a_budget_that_ends_leaves_an_answer_and_a_gap_that_is_right() {
    let mut gaps = 0;
    for name in ["dgx1-v100", "mi250x-8gcd-frontier-class", "mapa-torus2d-16"] {
        let snapshot = engine(&read(name)).snapshot();
        for size in 2..=7 {
            let policy = Policy::Affinity;
            let claim = claim("c", size);
            let whole = best(&mut snapshot.transaction(), &claim, &policy);
            let whole = values(&whole);
            for branches in [1, 3, 10, 30, 100] {
                let budget = Budget::new().branches(branches);
                let options = AllocateOptions::new().policy(&policy).budget(budget);
                match outcome(&mut snapshot.transaction(), &claim, &options) {
                    Outcome::Optimal(allocation) => assert_eq!(values(&allocation), whole),
                    Outcome::Feasible { allocation, gap } => {
                        let found = values(&allocation);
                        assert_eq!(found[..gap.term], whole[..gap.term], "{name} {size}");
                        assert_eq!(found[gap.term], gap.value, "{name} {size}");
                        assert!(gap.bound < gap.value && gap.bound <= whole[gap.term]);
                        gaps += 1;
                    }
                    Outcome::Unknown(_) => {}
                    other @ Outcome::Infeasible(_) => panic!("{name} {size}: {other:?}"),
                }
            }
        }
    }
    println!("{gaps}");
    assert!(gaps > 10, "{gaps}");
}

#[test]
fn partitions_are_given_as_they_are_and_not_by_bus_order() {
    let mut document = read("hgx-h100-fm-shared-nvswitch");
    // On the bus the devices of the two partitions of four come by turns.
    let bus = [
        "gpu0", "gpu4", "gpu1", "gpu5", "gpu2", "gpu6", "gpu3", "gpu7",
    ];
    let place = |vertex: &Value| bus.iter().position(|id| vertex["id"] == **id);
    let vertices = document["spec"]["vertices"].as_array_mut().unwrap();
    vertices.sort_by_key(|vertex| place(vertex).unwrap_or(bus.len()));
    let snapshot = engine(&document).snapshot();
    for policy in [Policy::Kubernetes, Policy::Affinity] {
        let mut transaction = snapshot.transaction();
        let partition = devices(&best(&mut transaction, &claim("one", 4), &policy));
        assert_eq!(partition, ["gpu0", "gpu1", "gpu2", "gpu3"]);
        let partition = devices(&best(&mut transaction, &claim("two", 4), &policy));
        assert_eq!(partition, ["gpu4", "gpu5", "gpu6", "gpu7"]);
    }
}

#[test]
fn best_sets_of_known_machines_are_proved() {
    let mut unrecorded = BTreeSet::new();
    for name in [
        "dgx1-v100",
        "hgx-b200-gpu2-nvlink-down",
        "mi250x-8gcd-frontier-class",
    ] {
        let snapshot = engine(&read(name)).snapshot();
        for size in 1..=8 {
            let claims = [claim("c", size)];
            let prepared = snapshot.prepare(&claims).unwrap();
            let options = AllocateOptions::new().policy(&Policy::Affinity);
            let mut transaction = snapshot.transaction();
            let certified = transaction
                .certificate("n", &prepared, &options, &mut Workspace::new())
                .unwrap();
            let results = best(&mut transaction, &claims[0], &Policy::Affinity).results();
            let Certified::Optimal(certificate) = certified else {
                unrecorded.insert((name, size));
                continue;
            };
            let verdict = snapshot.verify_optimality("n", &claims, &results, &certificate);
            assert_eq!(verdict, Ok(()), "{name} {size}");
        }
    }
    assert_eq!(unrecorded, BTreeSet::new());
}
