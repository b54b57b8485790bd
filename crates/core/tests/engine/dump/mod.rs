//! A dump is the same for the same state, and an engine made of it goes on alike.

mod steps;

use std::fmt::Write as _;

use dralloc::model::{Amounts, DeviceId, Quantity, ResourceClaim};
use dralloc::{Change, Code, Engine, Features, Held, NodeUse, Removed, Twins};
use serde_json::json;

use super::counters::{partitions, without};
use super::{allocate, claim, class, commit, engine, node};

/// Loads a dump, which must say the same again.
fn loaded(engine: &Engine) -> Engine {
    let dump = engine.dump();
    let loaded = Engine::load(&dump).unwrap();
    assert_eq!(loaded.dump(), dump);
    loaded
}

fn amounts(cpu: u8) -> Amounts {
    [("cpu".into(), Quantity::from_units(cpu.into()))]
        .into_iter()
        .collect()
}

fn without_features(dump: &str) -> String {
    let lines = dump
        .lines()
        .filter(|line| !line.starts_with("  \"features\""));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A claim that has a device, as an event tells of it.
fn allocated(name: &str, version: u32, device: &str, user: &str) -> ResourceClaim {
    let mut claim = claim(name, version, 1);
    let result = json!({"request": "r", "driver": "d", "pool": "p", "device": device});
    claim.status = serde_json::from_value(json!({
        "allocation": {"devices": {"results": [result]}},
        "reservedFor": [{"resource": "pods", "name": "pod", "uid": user}],
    }))
    .unwrap();
    claim
}

/// An engine that knows something of every sort.
fn rich() -> Engine {
    let mut engine = Engine::new(Features::all());
    let changes = [node("n"), class()].into_iter().chain(partitions());
    for change in changes {
        engine.apply(change).unwrap();
    }
    assert_eq!(commit(&mut engine, &claim("a", 5, 1)).unwrap(), ["m0"]);
    // What is known of the claim is older than what it has.
    let event = Change::ResourceClaim(claim("a", 6, 1));
    engine.apply(event).unwrap();
    let event = Change::ResourceClaim(allocated("b", 7, "plain", "user"));
    engine.apply(event).unwrap();
    let consumed = [("m".into(), "1500m".parse().unwrap())]
        .into_iter()
        .collect();
    let device = dralloc::model::DeviceId::new("other", "pool", "shared");
    let held = Held {
        shares: vec![(device.clone(), "share".into())],
        consumed_capacity: vec![(device, consumed)],
        ..Held::default()
    };
    for change in [
        Change::Held(held),
        without("m0"),
        Change::Removed(Removed::NodeUid("gone".into())),
    ] {
        engine.apply(change).unwrap();
    }
    let Change::ResourceSlice(mut newer) = without("m0") else {
        panic!("a slice")
    };
    newer.metadata.resource_version = Some("9".into());
    engine.apply(Change::ResourceSlice(newer)).unwrap();
    let used = |owner: &str, cpu| {
        Change::NodeUse(NodeUse {
            owner: owner.into(),
            node: "n".into(),
            amounts: amounts(cpu),
        })
    };
    engine.apply(used("pod-a", 1)).unwrap();
    engine.apply(used("pod-b", 2)).unwrap();
    let mut transaction = engine.snapshot().transaction();
    transaction.take_amounts("n", "pod-b", &amounts(3)).unwrap();
    transaction.take_amounts("n", "pod-c", &amounts(4)).unwrap();
    transaction.release_amounts("pod-a");
    transaction.commit(&mut engine).unwrap();
    engine
}

#[test]
fn a_dump_shows_all_that_is_known() {
    let engine = rich();
    assert_eq!(
        engine.dump(),
        r#"{
  "apiVersion": "dralloc.dev/v1alpha1",
  "kind": "Dump",
  "revision": 11,
  "lookedAt": true,
  "features": {"kubernetesMinor":37,"relaxedSelectors":false,"gates":{"DRAAdminAccess":true,"DRAConsumableCapacity":true,"DRADerivedAttributes":true,"DRADeviceBindingConditions":true,"DRADeviceCompatibilityGroups":true,"DRADeviceTaints":true,"DRAExtendedResource":true,"DRAFractionalCapacityRange":true,"DRAListTypeAttributes":true,"DRAOptionalNodeOperations":true,"DRAPartitionableDevices":true,"DRAPrioritizedList":true}},
  "nodes": [
    {"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"spec":{},"status":{}}
  ],
  "deviceClasses": [
    {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},"spec":{}}
  ],
  "resourceSlices": [
    {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"c","uid":"c","resourceVersion":"1"},"spec":{"driver":"d","pool":{"name":"p","generation":1,"resourceSliceCount":2},"nodeName":"n","sharedCounters":[{"name":"c","counters":{"x":{"value":"2"}}}]}},
    {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s","uid":"u","resourceVersion":"2"},"spec":{"driver":"d","pool":{"name":"p","generation":1,"resourceSliceCount":2},"nodeName":"n","devices":[{"name":"m1","consumesCounters":[{"counterSet":"c","counters":{"x":{"value":"1"}}}]},{"name":"plain"}]}}
  ],
  "holdings": [
    {"owner":"","has":{"devices":[{"driver":"other","pool":"pool","device":"shared","shareID":"share"},{"driver":"other","pool":"pool","device":"shared","consumedCapacity":{"m":"1500m"}}]}},
    {"owner":"uid-a","has":{"devices":[{"driver":"d","pool":"p","device":"m0"}],"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"m0"}]},"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}},"assumed":{"devices":true}},
    {"owner":"uid-b","has":{"devices":[{"driver":"d","pool":"p","device":"plain"}],"reservedFor":["user"],"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"plain"}]}}}}
  ],
  "lastConsumption": [
    {"driver":"d","pool":"p","device":"m0","consumesCounters":[{"counterSet":"c","counters":{"x":{"value":"1"}}}]},
    {"driver":"d","pool":"p","device":"plain","consumesCounters":[]}
  ],
  "nodeUses": [
    {"owner":"pod-a","lastChange":{"node":"n","amounts":{"cpu":"1"}}},
    {"owner":"pod-b","uses":{"node":"n","amounts":{"cpu":"3"}},"assumed":true,"lastChange":{"node":"n","amounts":{"cpu":"2"}}},
    {"owner":"pod-c","uses":{"node":"n","amounts":{"cpu":"4"}},"assumed":true}
  ],
  "claims": [
    {"name":"default/a","uid":"uid-a","resourceVersion":"6","lastEvent":{}},
    {"name":"default/b","uid":"uid-b","resourceVersion":"7"}
  ],
  "newest": {"resourceSlices":[{"name":"s","uid":"u","resourceVersion":"9"}]},
  "gone": {"nodes":["gone"]}
}"#
    );
    loaded(&engine);
}

#[test]
fn what_devices_are_is_dumped() {
    let published = |driver: &str| {
        let slice = json!({"metadata": {"name": driver, "uid": driver}, "spec": {
            "driver": driver, "nodeName": "n",
            "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": "d0", "attributes": {
                "resource.kubernetes.io/pciBusID": {"string": "0000:01:00.0"},
                "uuid": {"string": "gpu-1"}}}]}});
        Change::ResourceSlice(serde_json::from_value(slice).unwrap())
    };
    let id = |driver: &str, device: &str| DeviceId::new(driver, "p", device);
    let hold = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "DeviceHold",
        "metadata": {"name": "h"}, "spec": {"nodeName": "n", "count": 1,
        "selector": {"driver": "c"}}});
    let overlay = json!({"metadata": {"name": "o"}, "spec": {
        "selector": {"driver": "b"}, "attributes": {"colour": {"string": "red"}}}});
    let mut engine = Engine::new(Features::all());
    for change in [
        node("n"),
        class(),
        Change::AttributeOverlay(serde_json::from_value(overlay).unwrap()),
        published("a"),
        published("b"),
        published("c"),
        Change::DeviceHold(serde_json::from_value(hold).unwrap()),
        Change::Held(Held {
            devices: vec![id("a", "d0")],
            ..Held::default()
        }),
        Change::Removed(Removed::ResourceSlice("a".into())),
        Change::Twins(Twins {
            devices: vec![vec![id("b", "d0"), id("other", "x")]],
        }),
    ] {
        engine.apply(change).unwrap();
    }
    let mut other = loaded(&engine);
    let lines: Vec<String> = engine.dump().lines().map(str::to_owned).collect();
    let start = lines
        .iter()
        .position(|line| line.contains("attributeOverlays"));
    let lines = lines[start.unwrap()..].join("\n");
    assert_eq!(
        lines,
        r#"  "attributeOverlays": [
    {"apiVersion":"dralloc.dev/v1alpha1","kind":"AttributeOverlay","metadata":{"name":"o"},"spec":{"selector":{"driver":"b"},"attributes":{"colour":{"string":"red"}}}}
  ],
  "deviceHolds": [
    {"apiVersion":"dralloc.dev/v1alpha1","kind":"DeviceHold","metadata":{"name":"h"},"spec":{"nodeName":"n","count":1,"selector":{"driver":"c"}}}
  ],
  "twins": [
    [{"driver":"b","pool":"p","device":"d0"},{"driver":"other","pool":"p","device":"x"}]
  ],
  "departed": [
    {"driver":"a","pool":"p","device":"d0","nodeName":"n","uuid":"gpu-1"},
    {"driver":"a","pool":"p","device":"d0","nodeName":"n","pciBusID":"0000:01:00.0"}
  ],
  "holdings": [
    {"owner":"","has":{"devices":[{"driver":"a","pool":"p","device":"d0"}]}},
    {"owner":"DeviceHold/h","has":{"devices":[{"driver":"c","pool":"p","device":"d0"}]}}
  ],
  "lastConsumption": [
    {"driver":"a","pool":"p","device":"d0","consumesCounters":[]}
  ],
  "gone": {"resourceSlices":["a"]}
}"#
    );
    // The thing is held: nobody gets it under another name, until it is free.
    for engine in [&mut engine, &mut other] {
        assert_eq!(commit(engine, &claim("a", 1, 1)), None);
        engine.apply(Change::Held(Held::default())).unwrap();
        let removed = Change::Removed(Removed::DeviceHold("h".into()));
        engine.apply(removed).unwrap();
        assert_eq!(commit(engine, &claim("a", 1, 1)).unwrap(), ["d0"]);
    }
    assert_eq!(other.dump(), engine.dump());
}

#[test]
fn empty_engines_are_dumped_too() {
    let mut features = Features::of_kubernetes(35);
    features.relaxed_selectors = true;
    let engine = loaded(&Engine::new(features));
    assert_eq!(
        engine.dump(),
        r#"{
  "apiVersion": "dralloc.dev/v1alpha1",
  "kind": "Dump",
  "revision": 0,
  "features": {"kubernetesMinor":35,"relaxedSelectors":true,"gates":{"DRAAdminAccess":true,"DRAConsumableCapacity":false,"DRADerivedAttributes":false,"DRADeviceBindingConditions":false,"DRADeviceCompatibilityGroups":false,"DRADeviceTaints":false,"DRAExtendedResource":false,"DRAFractionalCapacityRange":false,"DRAListTypeAttributes":false,"DRAOptionalNodeOperations":false,"DRAPartitionableDevices":false,"DRAPrioritizedList":true}}
}"#
    );
    assert_eq!(*engine.snapshot().features(), features);
}

#[test]
fn a_transaction_shows_what_it_made_different() {
    let mut engine = engine(json!([{"name": "d0"}, {"name": "d1"}]));
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)).unwrap(), ["d0"]);
    let mut transaction = engine.snapshot().transaction();
    let start = (transaction.dump(), transaction.savepoint());
    assert_eq!(start.0, engine.snapshot().dump());
    transaction.add_node("m", "n").unwrap();
    transaction.release(&claim("a", 1, 1));
    assert_eq!(
        allocate(&mut transaction, &claim("b", 1, 1)).unwrap(),
        ["d0"]
    );
    assert_eq!(
        without_features(&transaction.dump()),
        r#"{
  "apiVersion": "dralloc.dev/v1alpha1",
  "kind": "Dump",
  "revision": 4,
  "lookedAt": true,
  "nodes": [
    {"apiVersion":"v1","kind":"Node","metadata":{"name":"m"},"spec":{},"status":{}},
    {"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"spec":{},"status":{}}
  ],
  "deviceClasses": [
    {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},"spec":{}}
  ],
  "resourceSlices": [
    {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s","uid":"u","resourceVersion":"1"},"spec":{"driver":"d","pool":{"name":"p","generation":1,"resourceSliceCount":1},"nodeName":"n","devices":[{"name":"d0"},{"name":"d1"}]}},
    {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s/m","resourceVersion":"1"},"spec":{"driver":"d","pool":{"name":"p/m","generation":1,"resourceSliceCount":1},"nodeName":"m","devices":[{"name":"d0"},{"name":"d1"}]}}
  ],
  "holdings": [
    {"owner":"uid-b","has":{"devices":[{"driver":"d","pool":"p","device":"d0"}],"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"d0"}]},"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}}}
  ],
  "transaction": {"owners":[{"owner":"uid-a"},{"owner":"uid-b","node":"n"}],"addedNodes":["m"]}
}
"#
    );
    // It is loaded as if that had been done.
    let loaded = Engine::load(&transaction.dump()).unwrap();
    let there: Vec<_> = loaded
        .snapshot()
        .nodes()
        .map(|node| node.metadata.name.to_string())
        .collect();
    assert_eq!(there, ["m", "n"]);
    transaction.rollback(&start.1).unwrap();
    assert_eq!(transaction.dump(), start.0);
}

#[test]
fn what_is_no_dump_is_refused_with_its_place() {
    let dump = rich().dump();
    let mut refused = String::new();
    for (find, replace) in [
        ("{", ""),
        ("\n}", ""),
        ("dralloc.dev/v1alpha1", "dralloc.dev/v2"),
        ("\"Dump\"", "\"List\""),
        ("\"revision\": ", "\"revision\": -"),
        ("\"revision\"", "\"revisions\""),
        ("\"kind\":\"Node\"", "\"kind\":\"Pod\""),
        ("\"kind\":\"Node\"", "\"kind\":\"Other\""),
        ("\"spec\":{},\"status\"", "\"spec\":7,\"status\""),
        ("\"nodeName\":\"n\"", "\"nodeNames\":\"n\""),
        (
            "{\"name\":\"s\",\"uid\":\"u\",\"resourceVersion\":\"9\"",
            "{\"name\":\"s\",\"uid\":\"c\",\"resourceVersion\":\"9\"",
        ),
        (
            "{\"name\":\"s\",\"uid\":\"u\"",
            "{\"name\":\"c\",\"uid\":\"u\"",
        ),
        ("DRAAdminAccess", "DRANonsense"),
        ("\"kubernetesMinor\":37", "\"kubernetesMinor\":99"),
        ("\"owner\":\"uid-b\"", "\"owner\":\"uid-a\""),
        ("\"reservedFor\":[\"user\"]", "\"reserved\":[\"user\"]"),
        ("\"m\":\"1500m\"", "\"m\":\"-1\""),
        ("\"m\":\"1500m\"", "\"m\":\"one\""),
        ("\"holdings\": [", "\"holdings\": [{\"owner\":\"nobody\"},"),
        (
            "\"device\":\"m0\",\"consumes",
            "\"device\":\"other\",\"consumes",
        ),
        (
            "\"device\":\"m0\",\"consumes",
            "\"device\":\"plain\",\"consumes",
        ),
        (
            "\"name\":\"default/b\",\"uid\":\"uid-b\"",
            "\"name\":\"default/b\",\"uid\":\"uid-a\"",
        ),
        ("\"name\":\"default/b\"", "\"name\":\"default/a\""),
        (
            "\"uid-b\",\"resourceVersion\":\"7\"",
            "\"uid-b\",\"resourceVersion\":\"7a\"",
        ),
        (
            "[{\"name\":\"s\",\"uid\":\"u\",",
            "[{\"name\":\"other\",\"uid\":\"u\",",
        ),
        ("[\"gone\"]", "[\"gone\",\"gone\"]"),
        ("{\"nodes\":[\"gone\"]", "{\"resourceSlices\":[\"c\"]"),
    ] {
        assert!(dump.contains(find), "{find}");
        let error = Engine::load(&dump.replacen(find, replace, 1)).expect_err(find);
        writeln!(refused, "{}: {error}", error.code()).unwrap();
    }
    assert_eq!(
        refused,
        "\
malformed: expected an object, found `\"apiVersion\"`
malformed: expected `,` or `}`, found the end of the text
unsupported: apiVersion: `Dump` of `dralloc.dev/v2`, expected `Dump` of `dralloc.dev/v1alpha1`
unsupported: apiVersion: `List` of `dralloc.dev/v1alpha1`, expected `Dump` of `dralloc.dev/v1alpha1`
invalid: revision: `-11`, expected at least 0
unknown-field: revisions: unknown field `revisions` (did you mean `revision`)
malformed: nodes[0]: expected one object of kind `Node`
malformed: nodes[0]: expected one object of kind `Node`
malformed: nodes[0].spec: expected an object, found `7`
unknown-field: resourceSlices[0].spec.nodeNames: unknown field `nodeNames` (did you mean `nodeName`)
invalid: resourceSlices[1].metadata.uid: uid `c` of `s` is that of `c`, expected another
duplicate: resourceSlices[1]: `c` has the name of another, expected its own
invalid: features.gates: unknown gate `DRANonsense`, expected one of DRAAdminAccess, DRADeviceCompatibilityGroups, DRAConsumableCapacity, DRADerivedAttributes, DRADeviceBindingConditions, DRADeviceTaints, DRAExtendedResource, DRAFractionalCapacityRange, DRAListTypeAttributes, DRAOptionalNodeOperations, DRAPartitionableDevices, DRAPrioritizedList
invalid: features.kubernetesMinor: `99`, expected a number from 0 to 37
duplicate: holdings[2].owner: owner `uid-a` comes twice, expected each owner once
unknown-field: holdings[2].has.reserved: unknown field `reserved`
invalid: holdings[0].has.devices[1].consumedCapacity: `-1` of `m`, expected an amount that is not negative
malformed: holdings[0].has.devices[1].consumedCapacity.m: invalid quantity `one`: expected a number and a suffix, found `o`
invalid: holdings[0].has: owner `nobody` has nothing, expected devices or users
not-found: lastConsumption[0]: device `d/p/other` is not held, expected one of `holdings`
duplicate: lastConsumption[1]: device `d/p/plain` comes twice, expected each device once
invalid: claims[1]: uid `uid-a` of `default/b` is that of `default/a`, expected another
duplicate: claims[1]: `default/a` has the name of another, expected its own
malformed: claims[1].resourceVersion: `7a`, expected a whole number
not-found: newest.resourceSlices[0].name: `other` is not there, expected the name of an object
invalid: gone.nodes[1]: `gone`, expected the uid of an object that is gone, once
invalid: gone.resourceSlices[0]: `c`, expected the uid of an object that is gone, once
"
    );
}

#[test]
fn what_is_too_much_is_refused() {
    let dump = rich().dump();
    let list = |count: usize, name: &str| {
        let names: Vec<String> = (0..count)
            .map(|place| format!("\"{name}-{place}\""))
            .collect();
        names.join(",")
    };
    let users = |count| dump.replace("\"user\"", &list(count, "user"));
    assert!(Engine::load(&users(512)).is_ok());
    let error = Engine::load(&users(513)).unwrap_err();
    assert_eq!(error.code(), Code::LimitExceeded);
    assert_eq!(error.path(), "holdings[2].has.reservedFor");
    let gone = |count| dump.replace("\"gone\"]", &(list(count, "gone") + "]"));
    assert!(Engine::load(&gone(65_536)).is_ok());
    let error = Engine::load(&gone(65_537)).unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (Code::LimitExceeded, "gone.nodes")
    );
    let open = "[".repeat(100_000);
    let deep = dump.replace("\"nodes\": [", &format!("\"nodes\": [{open}"));
    assert_eq!(Engine::load(&deep).unwrap_err().code(), Code::Malformed);
}
