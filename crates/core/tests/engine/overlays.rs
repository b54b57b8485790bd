//! Attribute overlays: what they make of devices, and when.

use dralloc::model::{Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Applied, Change, Engine, Features, Outcome, Relist, Removed, ViolationCode,
    Workspace,
};
use serde_json::{Value, json};

use super::documents::{document, nodes};
use super::{class, engine, names, node, slice};

fn overlay(name: &str, spec: Value) -> Change {
    document("AttributeOverlay", name, spec)
}

fn remove(name: &str) -> Change {
    Change::Removed(Removed::AttributeOverlay(name.into()))
}

/// Asks for all devices that an expression selects.
fn all(expression: &str) -> ResourceClaim {
    let mut claim = super::claim("all", 1, 1);
    let exactly = claim.spec.devices.requests[0].exactly.as_mut().unwrap();
    (exactly.allocation_mode, exactly.count) = ("All".into(), 0);
    exactly.selectors =
        serde_json::from_value(json!([{"cel": {"expression": expression}}])).unwrap();
    claim
}

/// Asks for devices with one value of an attribute.
fn alike(count: u32, attribute: &str) -> ResourceClaim {
    let mut claim = super::claim("alike", 1, count);
    claim.spec.devices.constraints =
        serde_json::from_value(json!([{"matchAttribute": attribute}])).unwrap();
    claim
}

/// Returns what a claim would get on a node, as it is verified.
fn given(engine: &Engine, node: &str, claim: ResourceClaim) -> Option<Vec<String>> {
    let snapshot = engine.snapshot();
    let asked = [claim];
    let claims = snapshot.prepare(&asked).unwrap();
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    let mut transaction = snapshot.transaction();
    match transaction.allocate(node, &claims, &options, &mut workspace) {
        Ok(Outcome::Optimal(allocation)) => {
            assert_eq!(snapshot.verify(node, &asked, &allocation.results()), Ok(()));
            let devices = allocation.devices();
            Some(devices.map(|one| one.device.device.to_string()).collect())
        }
        Ok(Outcome::Infeasible(_)) => None,
        other => panic!("{other:?}"),
    }
}

fn red() -> ResourceClaim {
    all(r#"device.attributes["d"].?color.orValue("") == "red""#)
}

#[test]
fn selectors_and_constraints_see_what_overlays_say() {
    let bus = |bus: u8| {
        json!({"resource.kubernetes.io/pciBusID": {"string": format!("0000:0{bus}:00.0")},
        "model": {"string": if bus == 1 { "a" } else { "b" }}})
    };
    let devices = json!([{"name": "d0", "attributes": bus(0)},
        {"name": "d1", "attributes": bus(1)}, {"name": "d2", "attributes": bus(2)}]);
    let mut engine = engine(devices.clone());
    assert_eq!(given(&engine, "n", red()), None);
    assert_eq!(given(&engine, "n", alike(2, "d/color")), None);
    let before = engine.snapshot();

    let by_model = json!({"selector": {"driver": "d", "attributes": {"model": {"string": "b"}}},
        "attributes": {"color": {"string": "red"}}});
    let applied = engine.apply(overlay("by-model", by_model.clone())).unwrap();
    assert_eq!(nodes(&applied), ["n"]);
    assert_eq!(applied.pools(), [("d".into(), "p".into())]);
    let again = engine.apply(overlay("by-model", by_model));
    assert_eq!(again.unwrap(), Applied::default());
    assert_eq!(given(&engine, "n", red()), names(&["d0", "d2"]));
    assert_eq!(
        given(&engine, "n", alike(2, "d/color")),
        names(&["d0", "d2"])
    );
    assert_eq!(given(&engine, "n", alike(3, "d/color")), None);

    let by_bus = json!({"selector": {"attributes": {
            "resource.kubernetes.io/pciBusID": {"string": "0000:01:00.0"}}},
        "attributes": {"d/color": {"string": "red"}}});
    engine.apply(overlay("by-bus", by_bus)).unwrap();
    assert_eq!(
        given(&engine, "n", alike(3, "d/color")),
        names(&["d0", "d1", "d2"])
    );

    // What the driver publishes again is no news; what it publishes anew is overlaid.
    assert_eq!(
        engine.apply(slice("u", 2, devices)).unwrap(),
        Applied::default()
    );
    let one = json!([{"name": "d4", "attributes": bus(1)}, {"name": "d5"}]);
    engine.apply(slice("u", 3, one)).unwrap();
    assert_eq!(given(&engine, "n", red()), names(&["d4"]));

    // Verification goes by the same attributes.
    let snapshot = engine.snapshot();
    let result = json!([{"devices": {"results": [
            {"request": "r", "driver": "d", "pool": "p", "device": "d5"}]},
        "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [
            {"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}}]);
    let result: Vec<_> = serde_json::from_value(result).unwrap();
    let mut claim = red();
    let exactly = claim.spec.devices.requests[0].exactly.as_mut().unwrap();
    (exactly.allocation_mode, exactly.count) = ("ExactCount".into(), 1);
    let violations = snapshot.verify("n", &[claim.clone()], &result).unwrap_err();
    let codes: Vec<_> = violations.iter().map(dralloc::Violation::code).collect();
    assert_eq!(codes, [ViolationCode::Selector]);
    assert_eq!(given(&engine, "n", claim), names(&["d4"]));

    for name in ["by-bus", "by-model"] {
        assert!(engine.apply(remove(name)).unwrap().is_changed());
    }
    assert_eq!(given(&engine, "n", red()), None);
    let transaction = before.transaction();
    assert_eq!(transaction.snapshot().attribute_overlays().count(), 0);
}

#[test]
fn names_and_order_of_overlays() {
    let mut engine = engine(json!([
        {"name": "d0", "attributes": {"color": {"string": "red"}, "size": {"int": 1}}},
        {"name": "d1", "attributes": {"d/color": {"string": "red"}, "x/tint": {"string": "red"}}},
        {"name": "d2", "attributes": {"tint": {"string": "red"}, "color": {"int": 3}}},
    ]));
    let tint = || all(r#"device.attributes["d"].?tint.orValue("") == "red""#);
    let renames = json!([{"from": "color", "to": "d/tint"}, {"from": "d/tint", "to": "color"}]);
    // Later names win, and see what earlier ones left; the order of coming is none.
    for (overlays, red_devices, tinted) in [
        (vec![], vec!["d0", "d1"], vec!["d2"]),
        (
            vec![("a", json!({"selector": {}, "rename": renames}))],
            vec!["d2"],
            vec!["d0", "d1"],
        ),
        (
            vec![(
                "a",
                json!({"selector": {}, "rename": [{"from": "x/tint", "to": "tint"},
            {"from": "color", "to": "color_2"}]}),
            )],
            vec![],
            vec!["d1", "d2"],
        ),
        (
            vec![(
                "a",
                json!({"selector": {}, "rename": [{"from": "tint", "to": "color"}]}),
            )],
            vec!["d0", "d1", "d2"],
            vec![],
        ),
        (
            vec![
                (
                    "b",
                    json!({"selector": {"attributes": {"color": {"string": "red"}}},
                "attributes": {"color": {"string": "blue"}}}),
                ),
                (
                    "a",
                    json!({"selector": {"device": "d0"},
                "attributes": {"d/color": {"string": "green"}}}),
                ),
                (
                    "c",
                    json!({"selector": {"attributes": {"d/color": {"string": "green"}}},
                "attributes": {"color": {"string": "red"}, "tint": {"string": "red"}}}),
                ),
            ],
            vec!["d0"],
            vec!["d0", "d2"],
        ),
    ] {
        for (name, spec) in &overlays {
            assert!(
                engine
                    .apply(overlay(name, spec.clone()))
                    .unwrap()
                    .is_changed()
            );
        }
        let devices = |devices: Vec<&str>| (!devices.is_empty()).then(|| names(&devices)).flatten();
        // `color` of `d2` is a number: it is no error to compare it with a text.
        let red = all(r#"dyn(device.attributes["d"].?color.orValue("")) == "red""#);
        assert_eq!(
            given(&engine, "n", red),
            devices(red_devices),
            "{overlays:?}"
        );
        assert_eq!(given(&engine, "n", tint()), devices(tinted), "{overlays:?}");
        engine.replace(Relist::AttributeOverlays(vec![])).unwrap();
    }
}

#[test]
fn overlays_follow_the_labels_of_nodes() {
    let pool =
        |name: &str, count: u8| json!({"name": name, "generation": 1, "resourceSliceCount": count});
    let published = |name: &str, spec: Value| {
        let slice = json!({"metadata": {"name": name}, "spec": spec});
        Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
    };
    let labelled = |name: &str, rack: &str| Change::Node(Node::new(name, [("rack", rack)]));
    let rack = json!({"nodeSelectorTerms": [{"matchExpressions": [
        {"key": "rack", "operator": "In", "values": ["7"]}]}]});
    let mut engine = Engine::new(Features::all());
    let spec =
        json!({"selector": {"nodeSelector": rack}, "attributes": {"color": {"string": "red"}}});
    for change in [
        class(),
        overlay("rack-7", spec),
        published(
            "a",
            json!({"driver": "d", "nodeName": "a", "pool": pool("a", 1),
            "devices": [{"name": "a0"}]}),
        ),
        published(
            "b",
            json!({"driver": "d", "nodeName": "b", "pool": pool("b", 1),
            "devices": [{"name": "b0"}]}),
        ),
        published(
            "each",
            json!({"driver": "d", "perDeviceNodeSelection": true,
            "pool": pool("each", 1), "devices": [
                {"name": "ea", "nodeName": "a"}, {"name": "eb", "nodeName": "b"},
                {"name": "all", "allNodes": true}]}),
        ),
        labelled("a", "7"),
        labelled("b", "8"),
    ] {
        assert!(engine.apply(change).unwrap().is_changed());
    }
    let given = |engine: &Engine| ["a", "b"].map(|node| given(engine, node, red()));
    assert_eq!(given(&engine), [names(&["a0", "ea"]), None]);
    assert_eq!(
        nodes(&engine.apply(labelled("b", "7")).unwrap()),
        ["a", "b"]
    );
    assert_eq!(given(&engine), [names(&["a0", "ea"]), names(&["b0", "eb"])]);
    engine.apply(labelled("a", "8")).unwrap();
    assert_eq!(given(&engine), [None, names(&["b0", "eb"])]);
    // A node that is gone has no labels; its devices wait for it.
    let gone = Change::Removed(Removed::Node("b".into()));
    engine.apply(gone).unwrap();
    engine.apply(node("b")).unwrap();
    assert_eq!(given(&engine), [None, None]);
    engine.apply(labelled("b", "7")).unwrap();
    assert_eq!(given(&engine), [None, names(&["b0", "eb"])]);
}

#[test]
fn what_an_overlay_leaves_as_it_is_is_not_made_anew() {
    let mut engine = engine(json!([{"name": "d0", "attributes": {"color": {"string": "red"}}}]));
    for spec in [
        json!({"selector": {"driver": "other"}, "attributes": {"color": {"string": "blue"}}}),
        json!({"selector": {"pool": "other"}, "attributes": {"color": {"string": "blue"}}}),
        json!({"selector": {"device": "d1"}, "attributes": {"color": {"string": "blue"}}}),
        json!({"selector": {}, "attributes": {"d/color": {"string": "red"}}}),
        json!({"selector": {}, "rename": [{"from": "x", "to": "color"}]}),
        json!({"selector": {}}),
    ] {
        let applied = engine.apply(overlay("o", spec.clone())).unwrap();
        assert!(applied.is_changed(), "{spec}");
        assert!(
            applied.nodes().is_empty() && applied.pools().is_empty(),
            "{spec}"
        );
    }
    assert_eq!(given(&engine, "n", red()), names(&["d0"]));
}

/// Three drivers spell the NUMA node in three ways; overlays for a bus id, a driver, a
/// product and a label of the node make one name of them, which selectors, constraints
/// and placement policies read alike.
#[test]
fn spellings_of_numa_nodes_become_one() {
    const NUMA: &str = "resource.kubernetes.io/numaNode";
    let mut engine = Engine::new(Features::all());
    let published = |driver: &str, devices: Value| {
        let slice = json!({"metadata": {"name": driver}, "spec": {"driver": driver,
            "nodeName": "n", "devices": devices,
            "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}}});
        Change::ResourceSlice(serde_json::from_value(slice).unwrap())
    };
    let gpu = |name: &str, bus: &str, numa: u8| {
        json!({"name": name, "attributes": {"numaNode": {"int": numa},
            "resource.kubernetes.io/pciBusID": {"string": bus}}})
    };
    let nic = |name: &str, product: &str, numa: u8| {
        json!({"name": name, "attributes": {"numa": {"int": numa},
            "productName": {"string": product}}})
    };
    let cpu = |name: &str, numa: u8| json!({"name": name, "attributes": {"dra.cpu/numaNode": {"int": numa}}});
    let changes = [
        class(),
        Change::Node(Node::new("n", [("rack", "7")])),
        published(
            "gpu.example.com",
            json!([gpu("g0", "0000:01:00.0", 0), gpu("g1", "0000:02:00.0", 1)]),
        ),
        published(
            "nic.example.com",
            json!([nic("n0", "cx6", 0), nic("n1", "cx7", 1)]),
        ),
        published("dra.cpu", json!([cpu("c0", 0), cpu("c1", 1)])),
    ];
    for change in changes {
        engine.apply(change).unwrap();
    }
    let of_one = |spec: Value| {
        let requests = ["gpu.example.com", "nic.example.com", "dra.cpu"].map(|driver| {
            let expression = format!("device.driver == '{driver}'");
            json!({"name": &driver[..3], "exactly": {"deviceClassName": "gpu",
                "allocationMode": "ExactCount", "count": 1,
                "selectors": [{"cel": {"expression": expression}}]}})
        });
        let mut devices = json!({"requests": requests});
        for (key, value) in spec.as_object().unwrap() {
            devices[key] = value.clone();
        }
        let claim = json!({"metadata": {"name": "one", "namespace": "x"},
            "spec": {"devices": devices}});
        serde_json::from_value::<ResourceClaim>(claim).unwrap()
    };
    let questions = || {
        let level = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "PlacementPolicy",
            "affinity": [{"scope": "numaNode", "mode": "required"}]});
        [
            all(&format!(
                "device.attributes['resource.kubernetes.io'].?numaNode.orValue(9) == 1"
            )),
            of_one(json!({"constraints": [{"matchAttribute": NUMA}]})),
            of_one(json!({"config": [{"opaque": {"driver": "dralloc.dev", "parameters": level}}]})),
        ]
    };
    for question in questions() {
        assert_eq!(given(&engine, "n", question), None);
    }
    let rename = |from: &str| json!([{"from": from, "to": NUMA}]);
    let rack = json!({"nodeSelectorTerms": [{"matchExpressions": [
        {"key": "rack", "operator": "In", "values": ["7"]}]}]});
    // Only one of each driver is known: they have it in common.
    let overlays = [
        (
            "bus",
            json!({"selector": {"attributes": {
                "resource.kubernetes.io/pciBusID": {"string": "0000:02:00.0"}}},
                "rename": rename("gpu.example.com/numaNode")}),
        ),
        (
            "driver",
            json!({"selector": {"driver": "dra.cpu"}, "rename": rename("dra.cpu/numaNode")}),
        ),
        (
            "product",
            json!({"selector": {"driver": "nic.example.com",
                "attributes": {"productName": {"string": "cx7"}}}, "rename": rename("numa")}),
        ),
    ];
    for (name, spec) in overlays {
        engine.apply(overlay(name, spec)).unwrap();
    }
    let [selected, constrained, leveled] = questions();
    assert_eq!(given(&engine, "n", selected), names(&["c1", "g1", "n1"]));
    for question in [constrained, leveled] {
        assert_eq!(given(&engine, "n", question), names(&["g1", "n1", "c1"]));
    }
    // With a label of the node for the rest, the first ones have it in common, too.
    let nodes = |driver: &str, from: &str| {
        json!({"selector": {"driver": driver, "nodeSelector": rack.clone()},
            "rename": rename(from)})
    };
    engine
        .apply(overlay("rack-gpu", nodes("gpu.example.com", "numaNode")))
        .unwrap();
    engine
        .apply(overlay("rack-nic", nodes("nic.example.com", "numa")))
        .unwrap();
    let [_, constrained, leveled] = questions();
    for question in [constrained, leveled] {
        assert_eq!(given(&engine, "n", question), names(&["g0", "n0", "c0"]));
    }
    engine.apply(node("n")).unwrap();
    let [_, constrained, leveled] = questions();
    for question in [constrained, leveled] {
        assert_eq!(given(&engine, "n", question), names(&["g1", "n1", "c1"]));
    }
}
