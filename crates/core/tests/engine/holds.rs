//! Device holds: what device plugins gave away is given to no claim.

use dralloc::model::{Node, ResourceSlice};
use dralloc::{Applied, Change, Code, Engine, Features, Relist, Removed};
use serde_json::{Value, json};

use super::documents::{hold, id, nodes, refused};
use super::{claim, class, commit, engine, names, node, slice};

#[test]
fn held_devices_are_kept_from_claims_until_the_hold_goes() {
    let mut engine = engine(json!([{"name": "d0"}, {"name": "d1"}, {"name": "d2"}]));
    let two = hold(
        "h",
        json!({"nodeName": "n", "devices": [id("d0"), id("d1")]}),
    );
    let applied = engine.apply(two.clone()).unwrap();
    assert_eq!(nodes(&applied), ["n"]);
    assert_eq!(applied.pools(), [("d".into(), "p".into())]);
    assert_eq!(applied.claims(), ["DeviceHold/h".into()]);
    assert_eq!(engine.apply(two).unwrap(), Applied::default());
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d2"]));
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), None);

    // A transaction that chose before it comes too late.
    let late = engine.snapshot();
    let one = hold("h", json!({"nodeName": "n", "devices": [id("d1")]}));
    engine.apply(one).unwrap();
    let mut transaction = late.transaction();
    assert!(transaction.release(&claim("a", 1, 1)));
    assert_eq!(
        super::allocate(&mut transaction, &claim("b", 1, 1)),
        names(&["d2"])
    );
    assert_eq!(
        transaction.commit(&mut engine).unwrap_err().code(),
        Code::Conflict
    );
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), names(&["d0"]));

    // No claim is taken for it, and nobody but itself gives it back.
    let removed = Change::Removed(Removed::ResourceClaim("DeviceHold/h".into()));
    assert_eq!(engine.apply(removed).unwrap(), Applied::default());
    assert_eq!(engine.forget("DeviceHold/h"), Applied::default());
    let mut imitation = claim("x", 1, 1);
    imitation.metadata.uid = Some("DeviceHold/h".into());
    let mut transaction = engine.snapshot().transaction();
    assert!(transaction.release(&imitation));
    let refusal = transaction.commit(&mut engine).unwrap_err();
    assert_eq!(refusal.code(), Code::Conflict);
    let expected = "invalid: metadata: `DeviceHold/h` names a hold of devices, expected a claim";
    assert_eq!(
        refused(&mut engine, Change::ResourceClaim(imitation)),
        expected
    );
    assert_eq!(commit(&mut engine, &claim("c", 1, 1)), None);

    let gone = engine.apply(Change::Removed(Removed::DeviceHold("h".into())));
    assert_eq!(nodes(&gone.unwrap()), ["n"]);
    assert_eq!(commit(&mut engine, &claim("c", 1, 1)), names(&["d1"]));
}

#[test]
fn a_hold_may_come_before_its_devices() {
    let mut engine = Engine::new(Features::all());
    let early = [
        hold("ids", json!({"nodeName": "n", "devices": [id("d1")]})),
        hold(
            "count",
            json!({"nodeName": "n", "count": 1,
            "selector": {"attributes": {"model": {"string": "a"}}}}),
        ),
    ];
    for change in early {
        engine.apply(change).unwrap();
    }
    let devices = json!([{"name": "d0", "attributes": {"model": {"string": "a"}}},
        {"name": "d1"}, {"name": "d2"}]);
    for change in [class(), slice("u", 1, devices), node("n")] {
        engine.apply(change).unwrap();
    }
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d2"]));
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), None);
    // A device that is published as another is not counted any more.
    let devices = json!([{"name": "d0"}, {"name": "d1"}, {"name": "d2"}]);
    let applied = engine.apply(slice("u", 2, devices)).unwrap();
    assert_eq!(applied.claims(), ["DeviceHold/count".into()]);
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), names(&["d0"]));
}

#[test]
fn a_count_holds_all_that_may_be_counted() {
    let devices = json!([
        {"name": "d0", "attributes": {"slot": {"int": 0}, "d/model": {"string": "a"}}},
        {"name": "d1", "attributes": {"slot": {"int": 1}, "model": {"string": "a"}}},
        {"name": "d2", "attributes": {"slot": {"int": 2}, "model": {"string": "b"}}},
    ]);
    let model = |model: &str| json!({"attributes": {"model": {"string": model}}});
    for (spec, free) in [
        (json!({"count": 1}), vec![]),
        (json!({"count": 7}), vec![]),
        (json!({"count": 0}), vec!["d0", "d1", "d2"]),
        (json!({}), vec!["d0", "d1", "d2"]),
        (
            json!({"count": 1, "selector": {"driver": "other"}}),
            vec!["d0", "d1", "d2"],
        ),
        (json!({"count": 1, "selector": model("a")}), vec!["d2"]),
        (
            json!({"count": 1, "selector": {"attributes": {"d/model": {"string": "a"}}}}),
            vec!["d2"],
        ),
        (
            json!({"count": 1, "selector": {"attributes": {"slot": {"string": "0"}}}}),
            vec!["d0", "d1", "d2"],
        ),
        (
            json!({"count": 1, "disjointFrom": [model("b")]}),
            vec!["d2"],
        ),
        (
            json!({"count": 1, "disjointFrom": [model("b"), {"device": "d0"}]}),
            vec!["d0", "d2"],
        ),
        (
            json!({"count": 1, "selector": model("a"), "disjointFrom": [{"device": "d1"}]}),
            vec!["d1", "d2"],
        ),
    ] {
        let mut engine = engine(devices.clone());
        let mut spec = spec;
        spec["nodeName"] = json!("n");
        engine.apply(hold("h", spec.clone())).unwrap();
        let count = u32::try_from(free.len()).unwrap();
        assert_eq!(
            commit(&mut engine, &claim("a", 1, count + 1)),
            None,
            "{spec}"
        );
        if count > 0 {
            assert_eq!(
                commit(&mut engine, &claim("b", 1, count)),
                names(&free),
                "{spec}"
            );
        }
    }
}

#[test]
fn a_count_follows_what_its_node_sees() {
    let shared = |uid: &str, spec: Value| {
        let slice = json!({"metadata": {"name": uid, "uid": uid}, "spec": spec});
        Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
    };
    let pool = |name: &str| json!({"name": name, "generation": 1, "resourceSliceCount": 1});
    let zone = json!({"nodeSelectorTerms": [{"matchExpressions": [
        {"key": "zone", "operator": "In", "values": ["a"]}]}]});
    let in_zone = |zone: &str| Change::Node(Node::new("n", [("zone", zone)]));
    let mut engine = Engine::new(Features::all());
    for change in [
        class(),
        node("m"),
        in_zone("b"),
        hold("h", json!({"nodeName": "n", "count": 1})),
        shared(
            "s",
            json!({"driver": "d", "nodeSelector": zone, "pool": pool("s"),
            "devices": [{"name": "s0"}]}),
        ),
        shared(
            "t",
            json!({"driver": "d", "perDeviceNodeSelection": true, "pool": pool("t"),
            "devices": [{"name": "t0", "nodeName": "m"}, {"name": "t1", "nodeName": "n"}]}),
        ),
    ] {
        engine.apply(change).unwrap();
    }
    let free = |engine: &Engine, node: &str| {
        let snapshot = engine.snapshot();
        let claims = snapshot.prepare(&[claim("a", 1, 1)]).unwrap();
        let options = dralloc::AllocateOptions::new();
        let mut workspace = dralloc::Workspace::new();
        let mut transaction = snapshot.transaction();
        let outcome = transaction.allocate(node, &claims, &options, &mut workspace);
        match outcome.unwrap() {
            dralloc::Outcome::Optimal(allocation) => {
                let device = allocation.devices().next().unwrap().device;
                device.device.to_string()
            }
            other => format!("{other:?}").split_once('(').unwrap().0.to_owned(),
        }
    };
    assert_eq!(
        (free(&engine, "n"), free(&engine, "m")),
        ("Infeasible".into(), "t0".into())
    );
    // Now the node sees the shared slice, and its device may be given away.
    let applied = engine.apply(in_zone("a")).unwrap();
    assert_eq!(applied.claims(), ["DeviceHold/h".into()]);
    let pools = [("d".into(), "s".into()), ("d".into(), "t".into())];
    assert_eq!(applied.pools(), pools);
    assert_eq!(free(&engine, "n"), "Infeasible");
    let listed = engine.replace(Relist::DeviceHolds(vec![])).unwrap();
    assert_eq!(nodes(&listed), ["n"]);
    assert_eq!(free(&engine, "n"), "s0");
}
