//! Levels: required, preferred, and the ones to fall back to.

use std::collections::BTreeMap;

use dralloc_testkit::generate::Random;

use super::*;

#[test]
fn required_levels_hold_for_all_picks_of_a_policy() {
    let world = pairs();
    let found = |gpus, nics, scope| {
        world.devices(&claim(&[("gpu", gpus), ("nic", nics)], &required(scope)))
    };
    let of = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(found(2, 1, "pcieSwitch"), of(&["gpu0", "gpu1", "nic0"]));
    assert_eq!(found(3, 1, "pcieSwitch"), None);
    assert_eq!(
        found(3, 1, "numaNode"),
        of(&["gpu0", "gpu1", "gpu2", "nic0"])
    );
    assert_eq!(found(5, 1, "numaNode"), None);
    assert_eq!(
        found(5, 1, "host"),
        of(&["gpu0", "gpu1", "gpu2", "gpu3", "gpu4", "nic0"])
    );
}

#[test]
fn required_levels_hold_under_each_policy_unless_carried_ones_are_ignored() {
    let world = pairs();
    let three = claim(&[("gpu", 3)], &required("pcieSwitch"));
    let ask = |options: AllocateOptions<'_>| world.ask_with(std::slice::from_ref(&three), &options);
    for policy in [Policy::Kubernetes, Policy::Pack, Policy::Spread] {
        let outcome = ask(AllocateOptions::new().policy(&policy));
        assert!(matches!(outcome, Outcome::Infeasible(_)), "{policy}");
    }
    let ignored = AllocateOptions::new().carried_policies(dralloc::CarriedPolicies::Ignored);
    let outcome = ask(ignored);
    assert_eq!(
        devices(outcome.allocation().unwrap()),
        ["gpu0", "gpu1", "gpu2"]
    );
}

#[test]
fn preferred_levels_fall_back() {
    let world = pairs();
    let fallback = ["pcieRoot", "numaNode", "host"];
    for (gpus, level, devices) in [
        (2, 0_usize, &["gpu0", "gpu1", "nic0"][..]),
        (3, 2, &["gpu0", "gpu1", "gpu2", "nic0"]),
        (5, 3, &["gpu0", "gpu1", "gpu2", "gpu3", "gpu4", "nic0"]),
    ] {
        let policy = preferred("pcieSwitch", &fallback);
        let outcome = world.ask(&[claim(&[("gpu", gpus), ("nic", 1)], &policy)]);
        assert_eq!(values(&outcome), [i64::try_from(level).unwrap()], "{gpus}");
        let allocation = outcome.allocation().unwrap();
        assert_eq!(super::devices(allocation), devices);
        let [together] = allocation.placement() else {
            panic!("one policy, found {:?}", allocation.placement());
        };
        let reached = ["pcieSwitch", "pcieRoot", "numaNode", "host"][level];
        assert_eq!(together.levels, [Some(reached.into())]);
    }
}

#[test]
fn what_shares_nothing_is_past_the_last_level() {
    let world = pairs();
    let outcome = world.ask(&[claim(
        &[("gpu", 5)],
        &preferred("pcieSwitch", &["numaNode"]),
    )]);
    assert_eq!(values(&outcome), [2]);
}

/// The first GPU alone on its switch has no NIC beside it: who takes GPUs first and looks
/// for a NIC then is wrong.
#[test]
fn gpus_are_chosen_with_their_nics() {
    let place = |names: &[&str], kind: &str, switch: &str| {
        let names = names.iter();
        let ends = names.map(|name| json!({"a": name, "b": switch, "type": "PCIe"}));
        let vertices = [json!({"id": switch, "kind": kind})];
        (vertices.to_vec(), ends.collect::<Vec<Value>>())
    };
    let devices = |kind: &str, count: usize| {
        let names = (0..count).map(|place| json!({"name": format!("{kind}{place}")}));
        names.collect::<Vec<Value>>()
    };
    let mut world = World::new(devices("gpu", 4), devices("nic", 1));
    let (mut vertices, mut links) = place(&["gpu0", "gpu1"], "pcieSwitch", "s0");
    let (more, others) = place(&["gpu2", "gpu3", "nic0"], "pcieSwitch", "s1");
    vertices.extend(more);
    links.extend(others);
    for (kind, count) in [("gpu", 4), ("nic", 1)] {
        let own = (0..count).map(|place| json!({"id": format!("{kind}{place}"), "kind": kind}));
        vertices.extend(own);
    }
    world.topology(json!({"vertices": vertices, "links": links}));
    for policy in [required("pcieSwitch"), preferred("pcieSwitch", &["host"])] {
        let found = world.devices(&claim(&[("gpu", 2), ("nic", 1)], &policy));
        assert_eq!(found.unwrap(), ["gpu2", "gpu3", "nic0"]);
    }
}

#[test]
fn links_are_a_level() {
    let text = include_str!("../../../../testdata/topologies/a100-pcie-x8-bridge-pairs.json");
    let world = World::of_file(text);
    let pair = world.devices(&claim(&[("gpu", 2)], &required("nvLink")));
    assert_eq!(pair.unwrap(), ["gpu0", "gpu2"]);
    assert_eq!(
        world.devices(&claim(&[("gpu", 3)], &required("nvLink"))),
        None
    );
    let outcome = world.ask(&[claim(&[("gpu", 3)], &preferred("nvLink", &["host"]))]);
    assert_eq!(values(&outcome), [1]);
}

#[test]
fn attributes_alone_tell_levels() {
    let device = |name: &str, numa: i64| {
        json!({"name": name, "attributes":
            {"resource.kubernetes.io/numaNode": {"int": numa}}})
    };
    let gpus = vec![device("a", 0), device("b", 1), device("c", 1)];
    let world = World::new(gpus, vec![device("d", 1)]);
    let both = claim(&[("gpu", 1), ("nic", 1)], &required("numaNode"));
    assert_eq!(world.devices(&both).unwrap(), ["b", "d"]);
}

/// What short ways find in one domain is what the search finds.
#[test]
fn short_ways_to_one_domain_are_those_of_the_search() {
    let kinds = ["gpu", "nic", "cpu"];
    let levels = ["pcieRoot", "numaNode", "host", "rack"];
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..600 {
        let random = &mut Random::new(seed ^ 0x0d0a_a1e5);
        let domains = random.between(1, 5);
        let mut publish = |kind: &str| -> Vec<Value> {
            let device = |number: usize| {
                let numa = random.below(domains);
                let root = random.chance(50).then(|| random.below(2));
                let mut attributes = json!({});
                match random.below(20) {
                    0 => {}
                    1 => attributes["resource.kubernetes.io/numaNode"] = json!({"ints": [0, 1]}),
                    _ => attributes["resource.kubernetes.io/numaNode"] = json!({"int": numa}),
                }
                if let Some(root) = root {
                    let root = format!("pci{numa}-{root}");
                    attributes["resource.kubernetes.io/pcieRoot"] = json!({"string": root});
                }
                json!({"name": format!("{kind}{number}"), "attributes": attributes})
            };
            (0..10).map(device).collect()
        };
        let mut world = World::new(publish("gpu"), publish("nic"));
        world.publish("cpu", &publish("cpu"));
        let any = json!({"metadata": {"name": "any"}, "spec": {"selectors": [
            {"cel": {"expression": "true"}}]}});
        let any = serde_json::from_value(any).unwrap();
        world.engine.apply(Change::DeviceClass(any)).unwrap();
        let held: Vec<String> = (0..random.below(12))
            .map(|_| format!("{}{}", random.pick(&kinds), random.below(10)))
            .collect();
        world.hold(&held.iter().map(String::as_str).collect::<Vec<_>>());
        let policy = if random.chance(50) {
            required(random.pick(&levels))
        } else {
            let first = random.below(3);
            preferred(levels[first], &levels[first + 1..])
        };
        let mut asked = claim(&[], &policy);
        let requests = (0..random.between(1, 4)).map(|number| {
            let class = if random.chance(5) {
                "any"
            } else {
                random.pick(&kinds)
            };
            let exactly = json!({"deviceClassName": class, "count": random.between(1, 3),
                "allocationMode": "ExactCount"});
            serde_json::from_value(json!({"name": format!("r{number}"), "exactly": exactly}))
        });
        asked.spec.devices.requests = requests.collect::<Result<_, _>>().unwrap();
        let ask = |shortcuts| {
            let outcome = world.ask_with(
                std::slice::from_ref(&asked),
                &AllocateOptions::new().shortcuts(shortcuts),
            );
            let Some(allocation) = outcome.allocation() else {
                return format!("{outcome:?}");
            };
            let placement = allocation.placement();
            format!(
                "{:?} {:?} {placement:?}",
                devices(allocation),
                values(&outcome)
            )
        };
        let found = ask(true);
        assert_eq!(found, ask(false), "seed {seed}: {asked:?}, held {held:?}");
        let kind = format!(
            "{} {}",
            policy["affinity"][0]["mode"],
            found.starts_with('[')
        );
        *counts.entry(kind).or_default() += 1;
    }
    let common = counts.values().filter(|count| **count > 30).count();
    assert_eq!(common, 3, "{counts:?}");
}
