//! Units: equal groups, each in one place.

use super::*;

fn unit(scope: &str, mode: &str, beside: Value) -> Value {
    let mut unit = json!({"requests": {"gpu": 1, "nic": 1}, "scope": scope, "mode": mode});
    if let Value::Object(beside) = beside {
        unit.as_object_mut().unwrap().extend(beside);
    }
    json!({"unit": unit})
}

#[test]
fn units_are_balanced_by_switch() {
    let world = pairs();
    let policy = unit("pcieSwitch", "required", Value::Null);
    let found = world.devices(&claim(&[("gpu", 4), ("nic", 4)], &policy));
    let expected = [
        "gpu0", "gpu1", "gpu2", "gpu3", "nic0", "nic1", "nic2", "nic3",
    ];
    assert_eq!(found.unwrap(), expected);
    let all = world.devices(&claim(&[("gpu", 8), ("nic", 8)], &policy));
    assert_eq!(all.unwrap().len(), 16);
}

#[test]
fn units_can_be_apart() {
    let world = pairs();
    let apart = |scope: &str| unit("pcieSwitch", "required", json!({"apartOver": scope}));
    let found = |count, scope: &str| {
        world.devices(&claim(&[("gpu", count), ("nic", count)], &apart(scope)))
    };
    assert_eq!(
        found(2, "numaNode").unwrap(),
        ["gpu0", "gpu4", "nic0", "nic4"]
    );
    assert_eq!(found(3, "numaNode"), None);
    let switches = found(4, "pcieSwitch").unwrap();
    assert_eq!(
        switches,
        [
            "gpu0", "gpu2", "gpu4", "gpu6", "nic0", "nic2", "nic4", "nic6"
        ]
    );
    assert_eq!(found(5, "pcieSwitch"), None);
}

/// Five NICs and five GPUs are left, of which one switch has a NIC alone, one a NIC too
/// many, and one two GPUs alone.
#[test]
fn preferred_units_are_as_near_as_they_can_be() {
    let mut world = pairs();
    world.hold(&["gpu2", "gpu3", "gpu4", "nic0", "nic1", "nic2"]);
    let fallback = json!({"fallback": ["numaNode", "host"]});
    let five = [("gpu", 5), ("nic", 5)];
    let outcome = world.ask(&[claim(&five, &unit("pcieSwitch", "preferred", fallback))]);
    // Two of five are not within a switch, and one of these not within a NUMA node.
    assert_eq!(values(&outcome), [2 * 6 * 6 + 6]);
    let [together] = outcome.allocation().unwrap().placement() else {
        panic!("expected one policy");
    };
    let units = together.units.iter().map(|unit| {
        let devices = unit.devices.iter().map(|id| id.device.to_string());
        (unit.level.as_deref(), devices.collect::<Vec<_>>())
    });
    let expected = [
        ("pcieSwitch", ["gpu5", "nic4"]),
        ("pcieSwitch", ["gpu6", "nic6"]),
        ("pcieSwitch", ["gpu7", "nic7"]),
        ("numaNode", ["gpu0", "nic3"]),
        ("host", ["gpu1", "nic5"]),
    ];
    let expected = expected.map(|(level, devices)| (Some(level), devices.map(String::from).into()));
    assert_eq!(units.collect::<Vec<_>>(), expected);
    let required = claim(&five, &unit("pcieSwitch", "required", Value::Null));
    assert_eq!(world.devices(&required), None);
}

#[test]
fn of_equal_units_those_that_are_near_are_chosen() {
    let mut world = pairs();
    world.hold(&["nic0", "nic1", "nic2"]);
    let expected = [
        "gpu2", "gpu4", "gpu5", "gpu6", "gpu7", "nic3", "nic4", "nic5", "nic6", "nic7",
    ];
    for (mode, fields) in [
        ("preferred", json!({"fallback": ["numaNode", "host"]})),
        ("required", Value::Null),
    ] {
        let policy = unit("pcieSwitch", mode, fields);
        let found = world.devices(&claim(&[("gpu", 5), ("nic", 5)], &policy));
        assert_eq!(found.unwrap(), expected, "{mode}");
    }
}

/// Nothing says which NUMA node the second switch is in: it is in one of its own.
#[test]
fn switches_need_no_numa_node() {
    let mut world = World::new(
        vec![json!({"name": "gpu0"}), json!({"name": "gpu1"})],
        vec![json!({"name": "nic0"}), json!({"name": "nic1"})],
    );
    let vertex = |id: &str, kind: &str| json!({"id": id, "kind": kind});
    let link = |a: &str, b: &str| json!({"a": a, "b": b, "type": "PCIe"});
    world.topology(json!({
        "vertices": [vertex("gpu0", "gpu"), vertex("gpu1", "gpu"), vertex("nic0", "nic"),
            vertex("nic1", "nic"), vertex("s0", "pcieSwitch"), vertex("s1", "pcieSwitch"),
            vertex("numa0", "numaNode")],
        "links": [link("gpu0", "s0"), link("nic0", "s0"), link("s0", "numa0"),
            link("gpu1", "s1"), link("nic1", "s1")],
    }));
    let both = [("gpu", 2), ("nic", 2)];
    let preferred = unit(
        "pcieSwitch",
        "preferred",
        json!({"fallback": ["numaNode", "host"]}),
    );
    assert_eq!(values(&world.ask(&[claim(&both, &preferred)])), [0]);
    let apart = unit("pcieSwitch", "required", json!({"apartOver": "numaNode"}));
    assert!(world.devices(&claim(&both, &apart)).is_some());
    world.hold(&["nic0"]);
    let one = [("gpu", 1), ("nic", 1)];
    let found = world.devices(&claim(&one, &preferred));
    assert_eq!(found.unwrap(), ["gpu1", "nic1"]);
}

#[test]
fn counts_that_make_no_units_are_errors() {
    let world = pairs();
    let snapshot = world.engine.snapshot();
    let error = |requests: &[(&str, u32)], units: Value| {
        let policy = json!({"unit": {"requests": units, "scope": "numaNode", "mode": "required"}});
        snapshot
            .prepare(&[claim(requests, &policy)])
            .unwrap_err()
            .to_string()
    };
    let path = "claims[0].spec.devices.config[0].opaque.parameters.unit.requests";
    assert_eq!(
        error(&[("gpu", 3), ("nic", 2)], json!({"gpu": 2, "nic": 1})),
        format!("{path}[gpu]: expected a request for a multiple of 2 devices, found 3")
    );
    assert_eq!(
        error(&[("gpu", 4), ("nic", 3)], json!({"gpu": 2, "nic": 1})),
        format!("{path}[nic]: expected 2 groups, as of request `gpu`, found 3")
    );
    assert_eq!(
        error(&[("gpu", 4)], json!({"gpu": 2, "cpu": 1})),
        format!("{path}[cpu]: expected the name of a request of this policy")
    );
}

#[test]
fn units_share_devices() {
    let shared = |tag: i64| {
        json!({"name": format!("gpu{tag}"), "allowMultipleAllocations": true,
            "capacity": {"cores": {"value": "8", "requestPolicy": {"default": "1"}}},
            "attributes": {"tag": {"int": tag},
                "resource.kubernetes.io/numaNode": {"int": 0}}})
    };
    let world = World::new((0..3).map(shared).collect(), Vec::new());
    let request = |name: &str, tags: &str| {
        let expression = format!("device.attributes['gpu.example.com'].tag in {tags}");
        json!({"name": name, "exactly": {"deviceClassName": "gpu", "count": 2,
            "allocationMode": "ExactCount", "selectors": [{"cel": {"expression": expression}}]}})
    };
    let mut claim = serde_json::to_value(claim(
        &[],
        &json!({"unit": {"requests": {"a": 1, "b": 1}, "scope": "numaNode", "mode": "required"}}),
    ))
    .unwrap();
    claim["spec"]["devices"]["requests"] = json!([request("a", "[0, 1]"), request("b", "[1, 2]")]);
    let outcome = world.ask(&[serde_json::from_value(claim).unwrap()]);
    let allocation = outcome.allocation().unwrap();
    assert_eq!(devices(allocation), ["gpu0", "gpu1", "gpu1", "gpu2"]);
    let [together] = allocation.placement() else {
        panic!("one policy, found {:?}", allocation.placement());
    };
    let units = together.units.iter();
    let units: Vec<Vec<&str>> = units
        .map(|unit| unit.devices.iter().map(|id| &*id.device).collect())
        .collect();
    assert_eq!(units, [["gpu0", "gpu1"], ["gpu1", "gpu2"]]);
}

fn units_of(gpus: u32, scope: &str, beside: Value) -> Value {
    let mut policy = unit(scope, "required", beside);
    policy["unit"]["requests"] = json!({"gpu": gpus});
    policy
}

#[test]
fn units_are_joined_by_bridges() {
    let text = include_str!("../../../../testdata/topologies/a100-pcie-x8-bridge-pairs.json");
    let mut world = World::of_file(text);
    world.hold(&["gpu2"]);
    let pairs = |count| claim(&[("gpu", count)], &units_of(2, "nvLink", Value::Null));
    let found = world.devices(&pairs(4)).unwrap();
    assert_eq!(found, ["gpu1", "gpu3", "gpu4", "gpu5"]);
    assert_eq!(world.devices(&pairs(6)).unwrap().len(), 6);
    world.hold(&["gpu2", "gpu7"]);
    assert_eq!(world.devices(&pairs(6)), None);
}

/// In the mesh of a DGX-1 links join the halves of the cube, and some devices across.
#[test]
fn units_are_joined_by_meshes() {
    let mut world = World::of_file(include_str!(
        "../../../../testdata/topologies/dgx1-v100.json"
    ));
    let four = |count| claim(&[("gpu", count)], &units_of(4, "nvLink", Value::Null));
    let outcome = world.ask(&[four(8)]);
    let [together] = outcome.allocation().unwrap().placement() else {
        panic!("one policy");
    };
    let units = together.units.iter().map(|unit| {
        let devices = unit.devices.iter().map(|id| id.device.to_string());
        devices.collect::<Vec<_>>().join(" ")
    });
    let units: Vec<String> = units.collect();
    assert_eq!(units, ["gpu0 gpu1 gpu2 gpu3", "gpu4 gpu5 gpu6 gpu7"]);
    world.hold(&["gpu1"]);
    assert_eq!(
        world.devices(&four(4)).unwrap(),
        ["gpu4", "gpu5", "gpu6", "gpu7"]
    );
    world.hold(&["gpu1", "gpu4"]);
    assert_eq!(world.devices(&four(4)), None);
}

/// Returns a document of cards of which the first has links with all others, which have
/// none with each other; devices are matched by the attribute `card`.
fn star(cards: usize) -> Value {
    let ids = (0..cards).map(|card| format!("card{card}"));
    let vertices = ids.clone().map(|id| {
        json!({"id": id, "kind": "gpu",
            "match": {"attribute": "gpu.example.com/card", "value": id}})
    });
    let links = ids.skip(1).map(
        |id| json!({"a": "card0", "b": id, "type": "NVLink", "count": 1, "bandwidthGBps": 25}),
    );
    json!({"vertices": vertices.collect::<Vec<_>>(), "links": links.collect::<Vec<_>>()})
}

/// Returns a node with so many devices of each card of a star.
fn node_of_a_star(devices: &[usize]) -> World {
    let cards = devices.iter().enumerate();
    let gpus = cards.flat_map(|(card, count)| (0..*count).map(move |_| format!("card{card}")));
    let gpus = gpus.enumerate().map(|(gpu, card)| {
        json!({"name": format!("gpu{gpu}"), "attributes": {"card": {"string": card}}})
    });
    let mut world = World::new(gpus.collect(), Vec::new());
    let document = json!({"metadata": {"name": "t"}, "spec": star(devices.len())});
    let document: Topology = serde_json::from_value(document).unwrap();
    world.engine.apply(Change::Topology(document)).unwrap();
    world
}

/// All have links with the first, and no two others with each other: one unit is all there
/// is.
#[test]
fn a_star_of_links_is_no_unit() {
    let mut world = node_of_a_star(&[1, 1, 1, 1]);
    let pairs = |count| claim(&[("gpu", count)], &units_of(2, "nvLink", Value::Null));
    assert_eq!(world.devices(&pairs(4)), None);
    assert_eq!(world.devices(&pairs(2)).unwrap(), ["gpu0", "gpu1"]);
    let mut preferred = units_of(2, "nvLink", json!({"fallback": ["host"]}));
    preferred["unit"]["mode"] = "preferred".into();
    let outcome = world.ask(&[claim(&[("gpu", 4)], &preferred)]);
    // One of two is joined by links, the other by the host.
    assert_eq!(values(&outcome), [3]);
    world.hold(&["gpu0"]);
    assert_eq!(world.devices(&pairs(2)), None);
    // Devices of one card are a unit, too.
    let world = node_of_a_star(&[2, 2, 1, 1]);
    assert_eq!(world.devices(&pairs(6)).unwrap().len(), 6);
    let world = node_of_a_star(&[1, 2, 1, 2]);
    assert_eq!(world.devices(&pairs(6)).unwrap().len(), 6);
    let world = node_of_a_star(&[1, 1, 1, 3]);
    assert_eq!(world.devices(&pairs(6)), None);
}

/// Nothing cuts so many devices, and no answer with them is right.
#[test]
fn many_devices_in_a_star_of_links_are_not_cut() {
    let world = node_of_a_star(&[1, 5, 5, 7]);
    let claims = [claim(&[("gpu", 18)], &units_of(2, "nvLink", Value::Null))];
    let snapshot = world.engine.snapshot();
    let prepared = snapshot.prepare(&claims).unwrap();
    let (options, workspace) = (AllocateOptions::new(), &mut Workspace::new());
    let outcome = snapshot
        .transaction()
        .consider("n", &prepared, &options, workspace);
    assert_eq!(
        outcome.unwrap_err().to_string(),
        "cutting more than 16 devices into units is not supported where `gpu.example.com/n/gpu0` \
         has links with `gpu.example.com/n/gpu1` and `gpu.example.com/n/gpu6`, which have none \
         with each other"
    );
    let plain = [claim(&[("gpu", 18)], &json!({"policy": "kubernetes"}))];
    let answer = world.ask(&plain);
    let answer = answer.allocation().unwrap().results();
    assert_eq!(snapshot.verify("n", &plain, &answer), Ok(()));
    // The same devices of a claim that wants units.
    let mut results = answer.clone();
    results[0].devices.config.clear();
    let violations = snapshot.verify("n", &claims, &results).unwrap_err();
    let codes: Vec<_> = violations.iter().map(dralloc::Violation::code).collect();
    assert!(
        codes.contains(&dralloc::ViolationCode::Placement),
        "{violations:?}"
    );
    // Without the hub each card is a domain.
    let even = node_of_a_star(&[0, 6, 6, 6]);
    let answer = even.ask(&claims);
    let answer = answer.allocation().unwrap().results();
    assert_eq!(even.engine.snapshot().verify("n", &claims, &answer), Ok(()));
}

/// Two units prefer a switch each; a NUMA node may have one of them only.
#[test]
fn units_that_are_preferred_can_be_apart() {
    let mut world = pairs();
    let apart = |scope: &str| unit("pcieSwitch", "preferred", json!({"apartOver": scope}));
    let two = [("gpu", 2), ("nic", 2)];
    let outcome = world.ask(&[claim(&two, &apart("numaNode"))]);
    assert_eq!(values(&outcome), [0]);
    let found = world.devices(&claim(&two, &apart("numaNode"))).unwrap();
    assert_eq!(found, ["gpu0", "gpu4", "nic0", "nic4"]);
    // What is left of the second NUMA node has no GPU and NIC on one switch.
    world.hold(&["gpu4", "gpu5", "nic6", "nic7"]);
    let outcome = world.ask(&[claim(&two, &apart("numaNode"))]);
    assert_eq!(values(&outcome), [1]);
    let found = devices(outcome.allocation().unwrap());
    assert_eq!(found, ["gpu0", "gpu6", "nic0", "nic4"]);
    let three = [("gpu", 3), ("nic", 3)];
    assert_eq!(world.devices(&claim(&three, &apart("numaNode"))), None);
    // What only a NUMA node keeps apart is required in each policy.
    let mut policy = apart("numaNode");
    policy["policy"] = "kubernetes".into();
    let found = world.devices(&claim(&two, &policy)).unwrap();
    assert_eq!(found, ["gpu0", "gpu6", "nic0", "nic4"]);
}

#[test]
fn many_devices_in_several_domains_are_not_cut() {
    let wide = |number: usize| {
        json!({"name": format!("gpu{number}"), "attributes":
            {"resource.kubernetes.io/numaNode": {"ints": [0, 1]}}})
    };
    let world = World::new((0..18).map(wide).collect(), Vec::new());
    let ask = |count, policy: &Value| {
        let snapshot = world.engine.snapshot();
        let prepared = snapshot
            .prepare(&[claim(&[("gpu", count)], policy)])
            .unwrap();
        let (options, workspace) = (AllocateOptions::new(), &mut Workspace::new());
        let outcome = snapshot
            .transaction()
            .consider("n", &prepared, &options, workspace);
        outcome.map(|outcome| outcome.allocation().is_some())
    };
    let required = units_of(2, "numaNode", Value::Null);
    assert_eq!(ask(16, &required), Ok(true));
    let error = ask(18, &required).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cutting more than 16 devices into units is not supported where devices are in several \
         domains of `numaNode`, such as `gpu.example.com/n/gpu0`"
    );
    let mut preferred = units_of(2, "host", json!({"apartOver": "pcieRoot"}));
    preferred["unit"]["mode"] = "preferred".into();
    assert_eq!(ask(16, &preferred), Ok(true));
    assert_eq!(
        ask(18, &preferred).unwrap_err().to_string(),
        "cutting more than 16 devices into units is not supported where units are preferred and \
         must be apart"
    );
}
