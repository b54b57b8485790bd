//! Where devices are by what they publish, without a document.

use dralloc::Certified;
use dralloc_testkit::generate::Random;

use super::*;

const NUMA: &str = "resource.kubernetes.io/numaNode";
const ROOT: &str = "resource.kubernetes.io/pcieRoot";

/// A node with devices of some kinds, each with its root and its NUMA node, as far as it
/// publishes them.
fn world(devices: &[(&str, &str, Option<&str>, Option<i64>)]) -> World {
    let of = |kind: &str| -> Vec<Value> {
        let own = devices.iter().filter(|device| device.0 == kind);
        let own = own.map(|(_, name, root, numa)| {
            let mut attributes = json!({});
            if let Some(root) = root {
                attributes[ROOT] = json!({"string": root});
            }
            if let Some(numa) = numa {
                attributes[NUMA] = json!({"int": numa});
            }
            json!({"name": name, "attributes": attributes})
        });
        own.collect()
    };
    let mut world = World::new(of("gpu"), of("nic"));
    let mut others: Vec<&str> = devices.iter().map(|(kind, ..)| *kind).collect();
    others.retain(|kind| !["gpu", "nic"].contains(kind));
    others.sort_unstable();
    others.dedup();
    for kind in others {
        world.publish(kind, &of(kind));
    }
    world
}

/// Of the devices on a root one says in which NUMA node it is, whichever that is, and
/// however many devices there are beside them.
#[test]
fn a_root_is_in_the_numa_node_that_one_of_its_devices_shows() {
    for nic in ["a-nic", "nic", "z-nic"] {
        for others in [0, 13, 14, 15, 16, 40] {
            let names: Vec<String> = (0..others).map(|number| format!("x{number:02}")).collect();
            let mut devices = vec![
                (nic, "n0", Some("pci1"), None),
                (nic, "n1", Some("pci0"), None),
                ("gpu", "g0", Some("pci0"), Some(3)),
            ];
            devices.extend(names.iter().map(|name| ("x", &**name, None, None)));
            let world = world(&devices);
            let pair = claim(&[("gpu", 1), (nic, 1)], &required("numaNode"));
            let expected = ["g0".to_owned(), "n1".to_owned()];
            assert_eq!(
                world.devices(&pair),
                Some(expected.into()),
                "{nic}, {others}"
            );
        }
    }
}

#[test]
fn a_root_of_two_numa_nodes_is_in_none() {
    let mut devices = vec![
        ("gpu", "g0", Some("pci0"), Some(0)),
        ("nic", "n0", Some("pci0"), None),
    ];
    let pair = claim(&[("gpu", 1), ("nic", 1)], &required("numaNode"));
    assert!(world(&devices).devices(&pair).is_some());
    devices.push(("gpu", "g1", Some("pci0"), Some(1)));
    assert_eq!(world(&devices).devices(&pair), None);
}

/// The order of devices, of their drivers and of their names makes no difference.
#[test]
fn the_order_of_devices_does_not_matter() {
    let policies = [
        preferred("pcieRoot", &["numaNode", "host"]),
        preferred("numaNode", &["host"]),
        json!({"unit": {"requests": {"a": 1, "b": 1}, "mode": "preferred",
            "scope": "pcieRoot", "fallback": ["numaNode", "host"]}}),
        required("numaNode"),
    ];
    let mut found = 0;
    for seed in 0..120 {
        let random = &mut Random::new(seed ^ 0x5eed_0f0d);
        let count = random.between(2, 20);
        let wanted = 1 + u32::try_from(count).unwrap() / 8;
        let devices = (0..count).map(|number| {
            let root = random.chance(70).then(|| random.below(3));
            let numa = random
                .chance(40)
                .then(|| i64::try_from(random.below(2)).unwrap());
            (number % 2, root, numa)
        });
        let devices: Vec<(usize, Option<usize>, Option<i64>)> = devices.collect();
        let asked: Vec<ResourceClaim> = policies
            .iter()
            .map(|policy| claim(&[("a", wanted), ("b", wanted)], policy))
            .collect();
        let mut first: Option<Vec<Option<Vec<i64>>>> = None;
        for _ in 0..4 {
            let mut order: Vec<usize> = (0..count).collect();
            for place in (1..count).rev() {
                order.swap(place, random.below(place + 1));
            }
            let names: Vec<String> = (0..count).map(|place| format!("d{place:02}")).collect();
            let roots: Vec<String> = (0..3).map(|root| format!("pci{root}")).collect();
            let shuffled = order.iter().zip(&names).map(|(number, name)| {
                let (kind, root, numa) = devices[*number];
                (
                    ["a", "b"][kind],
                    &**name,
                    root.map(|root| &*roots[root]),
                    numa,
                )
            });
            let world = world(&shuffled.collect::<Vec<_>>());
            let values = asked.iter().map(|claim| {
                let outcome = world.ask(std::slice::from_ref(claim));
                outcome.allocation().is_some().then(|| values(&outcome))
            });
            let values: Vec<Option<Vec<i64>>> = values.collect();
            found += values.iter().flatten().count();
            assert_eq!(
                *first.get_or_insert_with(|| values.clone()),
                values,
                "seed {seed}"
            );
        }
    }
    assert!(found > 1000, "{found}");
}

/// Without a document no device has links, however many there are: the same is proved, and
/// the proofs hold.
#[test]
fn without_a_document_nothing_is_linked() {
    for count in [2, 16, 17, 20] {
        let names: Vec<String> = (0..count).map(|number| format!("g{number:02}")).collect();
        let devices: Vec<_> = names
            .iter()
            .map(|name| ("gpu", &**name, None, Some(0)))
            .collect();
        let world = world(&devices);
        let snapshot = world.engine.snapshot();
        let policy = Policy::Affinity;
        let options = AllocateOptions::new().policy(&policy);
        let certified = |claims: &[ResourceClaim], options: &AllocateOptions<'_>| {
            let prepared = snapshot.prepare(claims).unwrap();
            let transaction = snapshot.transaction();
            transaction
                .certificate("n", &prepared, options, &mut Workspace::new())
                .unwrap()
        };
        let claims = [claim(&[("gpu", 2)], &json!({"policy": "affinity"}))];
        let results = world
            .ask_with(&claims, &options)
            .allocation()
            .unwrap()
            .results();
        let Certified::Optimal(certificate) = certified(&claims, &options) else {
            panic!("expected a proof");
        };
        let verdict = snapshot.verify_optimality("n", &claims, &results, &certificate);
        assert_eq!(verdict, Ok(()), "{count} devices");

        // A ring is not known to be there, and nobody says that it is.
        let ring = [claim(&[("gpu", 2)], &json!({"minRingGBps": 1}))];
        assert_eq!(world.devices(&ring[0]), None);
        let violations = snapshot.verify("n", &ring, &results).unwrap_err();
        assert!(!violations.is_empty(), "{count} devices");
        let Certified::Infeasible(certificate) = certified(&ring, &AllocateOptions::new()) else {
            panic!("expected a proof that there is none");
        };
        assert_eq!(
            snapshot.verify_certificate("n", &ring, &certificate),
            Ok(())
        );
    }
}
