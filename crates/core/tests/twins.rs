//! One physical device under several names is held once.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "so that tests read as tables"
)]

use dralloc::model::{AllocationResult, DeviceClass, DeviceId, Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Budget, Change, Check, Code, Engine, Features, Find, Held, Outcome,
    PlaceOptions, Reason, Removed, Transaction, Twins, ViolationCode, WholeFailure, Workspace,
};
use serde_json::{Value, json};

/// A slice that is all of a pool; `more` says which nodes have it.
fn slice(driver: &str, pool: &str, more: Value, devices: Value) -> Change {
    let mut spec = json!({
        "driver": driver, "devices": devices,
        "pool": {"name": pool, "generation": 1, "resourceSliceCount": 1},
    });
    for (key, value) in more.as_object().unwrap() {
        spec[key] = value.clone();
    }
    let name = format!("{driver}-{pool}");
    let slice = json!({"metadata": {"name": name, "uid": name}, "spec": spec});
    Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
}

fn on(node: &str) -> Value {
    json!({"nodeName": node})
}

fn bus(name: &str, id: &str) -> Value {
    json!({"name": name, "attributes": {"resource.kubernetes.io/pciBusID": {"string": id}}})
}

fn uuid(name: &str, id: &str) -> Value {
    json!({"name": name, "attributes": {"uuid": {"string": id}}})
}

/// An engine with nodes `n` and `m`, a class for every device, and one for those
/// of each driver.
fn engine(slices: impl IntoIterator<Item = Change>) -> Engine {
    let mut engine = Engine::new(Features::all());
    for node in ["n", "m"] {
        engine.apply(Change::Node(Node::new(node, []))).unwrap();
    }
    for (name, expression) in [
        ("any", "true"),
        ("gpu", "device.driver == 'gpu'"),
        ("vfio", "device.driver == 'vfio'"),
    ] {
        let class = json!({"metadata": {"name": name},
            "spec": {"selectors": [{"cel": {"expression": expression}}]}});
        let class = serde_json::from_value::<DeviceClass>(class).unwrap();
        engine.apply(Change::DeviceClass(class)).unwrap();
    }
    for slice in slices {
        engine.apply(slice).unwrap();
    }
    engine
}

/// A claim with one request.
fn claim(name: &str, class: &str, more: Value) -> ResourceClaim {
    let mut exactly = json!({"deviceClassName": class, "allocationMode": "ExactCount", "count": 1});
    for (key, value) in more.as_object().unwrap() {
        exactly[key] = value.clone();
    }
    let claim = json!({
        "metadata": {"name": name, "namespace": "default", "uid": name},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}},
    });
    serde_json::from_value(claim).unwrap()
}

fn ask(transaction: &mut Transaction, node: &str, claims: &[ResourceClaim]) -> Outcome {
    let prepared = transaction.snapshot().prepare(claims).unwrap();
    let options = AllocateOptions::new().budget(Budget::new().branches(2_000));
    let outcome = transaction.allocate(node, &prepared, &options, &mut Workspace::new());
    let outcome = outcome.unwrap();
    if let Outcome::Optimal(allocation) = &outcome {
        assert_eq!(
            transaction.verify(node, claims, &allocation.results()),
            Ok(())
        );
    }
    outcome
}

/// Returns the names of the devices that a claim gets.
fn give(transaction: &mut Transaction, node: &str, claim: ResourceClaim) -> Option<Vec<String>> {
    match ask(transaction, node, &[claim]) {
        Outcome::Optimal(allocation) => {
            let devices = allocation.devices();
            Some(devices.map(|one| one.device.device.to_string()).collect())
        }
        Outcome::Infeasible(_) => None,
        outcome => panic!("{outcome:?}"),
    }
}

fn gpu(name: &str) -> ResourceClaim {
    claim(name, "gpu", json!({}))
}

fn vfio(name: &str) -> ResourceClaim {
    claim(name, "vfio", json!({}))
}

fn names(devices: &[&str]) -> Option<Vec<String>> {
    Some(devices.iter().map(ToString::to_string).collect())
}

/// A card that two drivers publish, and one that only the second does.
fn two_drivers() -> Engine {
    engine([
        slice("gpu", "p", on("n"), json!([bus("g0", "1")])),
        slice(
            "vfio",
            "p",
            on("n"),
            json!([bus("v0", "1"), bus("v1", "2")]),
        ),
    ])
}

fn result(driver: &str, device: &str) -> AllocationResult {
    serde_json::from_value(json!({
        "devices": {"results": [
            {"request": "r", "driver": driver, "pool": "p", "device": device}]},
        "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [
            {"key": "metadata.name", "operator": "In", "values": ["n"]}]}]},
    }))
    .unwrap()
}

#[test]
fn a_device_is_refused_while_another_name_of_it_is_held() {
    let engine = two_drivers();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    let refused = transaction.clone();
    assert_eq!(give(&mut transaction, "n", vfio("b")), names(&["v1"]));
    assert_eq!(give(&mut transaction, "n", vfio("c")), None);

    let ask = claim("b", "vfio", json!({"count": 2}));
    let claims = transaction.snapshot().prepare(&[ask]).unwrap();
    let explanation = refused
        .explain("n", &claims, &AllocateOptions::new(), &mut Workspace::new())
        .unwrap();
    let request = &explanation.requests[0];
    let by_selector = (Check::Selector, 1);
    assert_eq!(request.refused, [(Check::InUse, 1), by_selector]);
    assert_eq!(request.usable, 1);
    let short = WholeFailure::TooFew {
        claim: 0,
        request: "r".into(),
    };
    assert_eq!(explanation.whole, [short]);

    let violations = refused.verify("n", &[vfio("b")], &[result("vfio", "v0")]);
    let violations = violations.unwrap_err();
    assert_eq!(violations[0].code(), ViolationCode::PhysicalDevice);
    assert_eq!(violations.len(), 1);
    assert_eq!(
        violations[0].to_string(),
        "results[0].devices.results[0].device: `vfio/p/v0` is physically one of `gpu/p` that is \
         held, expected another device"
    );

    assert!(transaction.release(&gpu("a")));
    assert_eq!(give(&mut transaction, "n", vfio("d")), names(&["v0"]));
    assert_eq!(give(&mut transaction, "n", gpu("e")), None);
}

#[test]
fn two_names_of_a_device_are_not_given_together() {
    let engine = two_drivers();
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    let two = claim("a", "any", json!({"count": 2}));
    assert_eq!(give(&mut transaction, "n", two), names(&["g0", "v1"]));
    transaction.rollback(&start).unwrap();
    let three = claim("a", "any", json!({"count": 3}));
    let outcome = ask(&mut transaction, "n", &[three]);
    let reason = Reason::Request {
        claim: 0,
        request: 0,
    };
    assert!(matches!(outcome, Outcome::Infeasible(found) if found == reason));
    // Two claims in one question.
    let outcome = ask(&mut transaction, "n", &[gpu("a"), vfio("b")]);
    let Outcome::Optimal(allocation) = outcome else {
        panic!("{outcome:?}")
    };
    let given = allocation.results();
    assert_eq!(&*given[1].devices.results[0].device, "v1");
    let violations = transaction.verify(
        "n",
        &[gpu("a"), vfio("b")],
        &[result("gpu", "g0"), result("vfio", "v0")],
    );
    let violations = violations.unwrap_err();
    assert_eq!(violations.len(), 1);
    assert_eq!(
        violations[0].to_string(),
        "results[1].devices.results[0].device: `vfio/p/v0` is physically `gpu/p/g0` in \
         results[0].devices.results[0], expected another device"
    );
    // All devices are asked for, and not all can be had.
    transaction.rollback(&start).unwrap();
    let all = claim("a", "any", json!({"allocationMode": "All", "count": 0}));
    assert_eq!(give(&mut transaction, "n", all), None);
}

#[test]
fn access_for_administration_is_given_on_any_name_and_holds_none() {
    let engine = two_drivers();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    let admin = claim("b", "any", json!({"adminAccess": true, "count": 3}));
    assert_eq!(
        give(&mut transaction, "n", admin),
        names(&["g0", "v0", "v1"])
    );
    assert!(transaction.release(&gpu("a")));
    assert_eq!(give(&mut transaction, "n", vfio("c")), names(&["v0"]));
}

#[test]
fn partitions_of_a_card_are_no_twins_of_each_other() {
    let engine = engine([
        slice("gpu", "p", on("n"), json!([bus("g0", "1"), bus("g1", "1")])),
        slice("vfio", "p", on("n"), json!([bus("v0", "1")])),
    ]);
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    let outcome = ask(&mut transaction, "n", &[gpu("a"), gpu("b")]);
    assert!(matches!(outcome, Outcome::Optimal(_)), "{outcome:?}");
    transaction.rollback(&start).unwrap();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    assert_eq!(give(&mut transaction, "n", gpu("b")), names(&["g1"]));
    assert!(transaction.release(&gpu("a")));
    assert_eq!(give(&mut transaction, "n", vfio("c")), None);
    assert!(transaction.release(&gpu("b")));
    assert_eq!(give(&mut transaction, "n", vfio("c")), names(&["v0"]));
    assert_eq!(give(&mut transaction, "n", gpu("d")), None);
}

#[test]
fn a_share_of_a_device_keeps_its_other_names_away() {
    let mut shared = bus("g0", "1");
    shared["allowMultipleAllocations"] = json!(true);
    let engine = engine([
        slice("gpu", "p", on("n"), json!([shared])),
        slice("vfio", "p", on("n"), json!([bus("v0", "1")])),
    ]);
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    assert_eq!(give(&mut transaction, "n", gpu("b")), names(&["g0"]));
    assert_eq!(give(&mut transaction, "n", vfio("c")), None);
    transaction.rollback(&start).unwrap();
    assert_eq!(give(&mut transaction, "n", vfio("c")), names(&["v0"]));
    assert_eq!(give(&mut transaction, "n", gpu("a")), None);
    transaction.rollback(&start).unwrap();
    // Two shares and the other name in one question.
    let outcome = ask(&mut transaction, "n", &[gpu("a"), gpu("b"), vfio("c")]);
    assert!(matches!(outcome, Outcome::Infeasible(_)), "{outcome:?}");
}

#[test]
fn devices_of_two_nodes_are_two_devices() {
    let mut both = bus("g0", "1");
    both["attributes"]["uuid"] = json!({"string": "u"});
    let engine = engine([
        slice("gpu", "n", on("n"), json!([both])),
        slice("gpu", "m", on("m"), json!([both])),
    ]);
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    assert_eq!(give(&mut transaction, "m", gpu("b")), names(&["g0"]));
    // A bus id without a node says nothing.
    let engine = self::engine([
        slice(
            "gpu",
            "p",
            json!({"allNodes": true}),
            json!([bus("g0", "1")]),
        ),
        slice("vfio", "p", on("n"), json!([bus("v0", "1")])),
    ]);
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    assert_eq!(give(&mut transaction, "n", vfio("b")), names(&["v0"]));
}

#[test]
fn a_uuid_counts_where_another_node_has_the_other_name() {
    let local = || slice("vfio", "p", on("n"), json!([uuid("v0", "u")]));
    let everywhere = json!({"allNodes": true});
    let mut engine = engine([slice("gpu", "p", everywhere, json!([uuid("g0", "u")]))]);
    let give_on_m = |engine: &Engine| give(&mut engine.snapshot().transaction(), "m", gpu("b"));
    assert_eq!(give_on_m(&engine), names(&["g0"]));
    let held = Held {
        devices: vec![DeviceId::new("vfio", "p", "v0")],
        ..Held::default()
    };
    engine.apply(Change::Held(held)).unwrap();
    assert_eq!(give_on_m(&engine), names(&["g0"]));
    // Only now it is known what the held device is.
    let applied = engine.apply(local()).unwrap();
    assert_eq!(applied.nodes(), ["m".into(), "n".into()]);
    assert_eq!(give_on_m(&engine), None);
    let removed = Removed::ResourceSlice("vfio-p".into());
    let applied = engine.apply(Change::Removed(removed)).unwrap();
    assert_eq!(applied.nodes(), ["m".into(), "n".into()]);
    assert_eq!(give_on_m(&engine), None);
    engine.apply(Change::Held(Held::default())).unwrap();
    assert_eq!(give_on_m(&engine), names(&["g0"]));
}

#[test]
fn a_pool_that_is_not_complete_still_names_its_devices() {
    let mut engine = two_drivers();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    transaction.commit(&mut engine).unwrap();
    let incomplete = json!({"nodeName": "n",
        "pool": {"name": "p", "generation": 2, "resourceSliceCount": 2}});
    let devices = json!([bus("g0", "1")]);
    engine
        .apply(slice("gpu", "p", incomplete, devices))
        .unwrap();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", vfio("b")), names(&["v1"]));
}

#[test]
fn a_held_device_that_nobody_publishes_any_more_is_still_there() {
    let everywhere = json!({"allNodes": true});
    let mut both = bus("g0", "1");
    both["attributes"]["uuid"] = json!({"string": "u"});
    let cards = || slice("gpu", "p", on("n"), json!([both, bus("g1", "2")]));
    let mut engine = engine([
        cards(),
        slice(
            "vfio",
            "p",
            on("n"),
            json!([bus("v0", "1"), bus("v1", "2")]),
        ),
        slice("net", "s", everywhere, json!([uuid("x0", "u")])),
    ]);
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    transaction.commit(&mut engine).unwrap();
    let two = || claim("b", "any", json!({"count": 2}));
    let one = || claim("b", "any", json!({}));
    let gone = Change::Removed(Removed::ResourceSlice("gpu-p".into()));
    engine.apply(gone).unwrap();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", two()), None);
    assert_eq!(give(&mut transaction, "n", one()), names(&["v1"]));
    assert_eq!(
        give(&mut transaction, "m", claim("c", "any", json!({}))),
        None
    );
    let violations = transaction.verify("n", &[vfio("d")], &[result("vfio", "v0")]);
    assert_eq!(
        violations.unwrap_err()[0].code(),
        ViolationCode::PhysicalDevice
    );
    assert!(transaction.release(&gpu("a")));
    assert_eq!(
        give(&mut transaction, "m", claim("c", "any", json!({}))),
        names(&["x0"])
    );
    assert_eq!(give(&mut transaction, "n", vfio("d")), names(&["v0"]));
    // Published again it is what it says now.
    let Change::ResourceSlice(mut again) = cards() else {
        panic!()
    };
    again.metadata.uid = Some("again".into());
    again.spec.devices[0].attributes = dralloc::model::Map::new();
    engine.apply(Change::ResourceSlice(again)).unwrap();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "m", one()), names(&["x0"]));
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", two()), names(&["g1", "x0"]));
    assert_eq!(give(&mut transaction, "n", vfio("d")), names(&["v0"]));
}

#[test]
fn a_host_declares_what_drivers_do_not_say() {
    let plain = |name: &str| json!({"name": name});
    let mut engine = engine([
        slice("gpu", "p", on("n"), json!([plain("g0"), plain("g1")])),
        slice("vfio", "p", on("n"), json!([plain("v0")])),
    ]);
    let id = |driver: &str, device: &str| DeviceId::new(driver, "p", device);
    let card = vec![id("gpu", "g0"), id("gpu", "g1"), id("vfio", "v0")];
    let declared = Twins {
        devices: vec![card],
    };
    let before = engine.snapshot();
    let applied = engine.apply(Change::Twins(declared.clone())).unwrap();
    assert_eq!(
        (applied.is_changed(), applied.nodes()),
        (true, &["n".into()][..])
    );
    let again = engine.apply(Change::Twins(declared)).unwrap();
    assert!(!again.is_changed());

    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    assert_eq!(give(&mut transaction, "n", gpu("b")), names(&["g1"]));
    assert_eq!(give(&mut transaction, "n", vfio("c")), None);
    // A clone of the node has the same devices under other names.
    transaction.add_node("k", "n").unwrap();
    assert_eq!(give(&mut transaction, "k", vfio("c")), names(&["v0"]));
    assert_eq!(give(&mut transaction, "k", gpu("d")), None);
    let mut transaction = before.transaction();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    assert_eq!(give(&mut transaction, "n", vfio("c")), names(&["v0"]));

    let none = engine.apply(Change::Twins(Twins::default())).unwrap();
    assert_eq!(none.nodes(), ["n".into()]);
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(give(&mut transaction, "n", gpu("a")), names(&["g0"]));
    assert_eq!(give(&mut transaction, "n", vfio("c")), names(&["v0"]));
}

#[test]
fn a_commit_conflicts_over_the_other_name() {
    let mut engine = two_drivers();
    let snapshot = engine.snapshot();
    let (mut one, mut two) = (snapshot.transaction(), snapshot.transaction());
    let mut three = snapshot.transaction();
    assert_eq!(give(&mut one, "n", gpu("a")), names(&["g0"]));
    assert_eq!(give(&mut two, "n", vfio("b")), names(&["v0"]));
    three.hold(&vfio("c"), &result("vfio", "v0"));
    one.commit(&mut engine).unwrap();
    let error = two.commit(&mut engine).unwrap_err();
    assert_eq!(error.code(), Code::Conflict);
    assert_eq!(
        error.message(),
        "pool `gpu/p` has other devices in use than before"
    );
    // What was decided elsewhere is not asked about.
    three.commit(&mut engine).unwrap();
    let mut transaction = engine.snapshot().transaction();
    assert!(transaction.release(&vfio("c")));
    assert_eq!(give(&mut transaction, "n", vfio("d")), names(&["v1"]));
}

#[test]
fn nodes_are_told_apart_by_what_is_held_of_other_names() {
    let shared = json!({"allNodes": true});
    let node = |name: &str| {
        let devices = json!([bus("v0", "1"), uuid("v1", name)]);
        let cards = json!([bus("g0", "1")]);
        [
            slice("vfio", name, on(name), devices),
            slice("gpu", name, on(name), cards),
        ]
    };
    let all = ["a", "b", "c", "d", "e", "f"];
    let mut slices: Vec<Change> = all.into_iter().flat_map(node).collect();
    // Of these the nodes see nothing.
    slices.push(slice(
        "net",
        "far",
        json!({"nodeSelector": {"nodeSelectorTerms": [{"matchFields": [
            {"key": "metadata.name", "operator": "In", "values": ["m"]}]}]}}),
        json!([uuid("y0", "e"), uuid("y1", "f")]),
    ));
    slices.push(slice(
        "net",
        "s",
        shared,
        json!([uuid("x0", "a"), uuid("x1", "b")]),
    ));
    let mut engine = engine(slices);
    for name in all {
        engine.apply(Change::Node(Node::new(name, []))).unwrap();
    }
    let held = Held {
        devices: vec![
            DeviceId::new("gpu", "c", "g0"),
            DeviceId::new("net", "s", "x1"),
            DeviceId::new("net", "far", "y0"),
        ],
        ..Held::default()
    };
    engine.apply(Change::Held(held)).unwrap();
    let snapshot = engine.snapshot();
    let ask = claim("x", "vfio", json!({"count": 2}));
    let claims = snapshot.prepare(&[ask]).unwrap();
    let options = PlaceOptions::new().find(Find::All);
    let mut workspace = Workspace::new();
    let placement = snapshot
        .transaction()
        .place(&claims, &options, &mut workspace)
        .unwrap();
    let nodes: Vec<&str> = placement.nodes().iter().map(|node| node.name()).collect();
    // `b` and `e` have twins of network devices, `c` one of the card.
    assert_eq!(nodes, ["a", "d", "f"]);
}

#[test]
fn what_cannot_fit_is_known_without_trying_it_all() {
    let devices = |prefix: &str| {
        let devices = (0..20).map(|id| bus(&format!("{prefix}{id}"), &format!("{id:02}")));
        Value::Array(devices.collect())
    };
    let engine = engine([
        slice("gpu", "p", on("n"), devices("g")),
        slice("vfio", "p", on("n"), devices("v")),
    ]);
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    let outcome = ask(
        &mut transaction,
        "n",
        &[claim("a", "any", json!({"count": 21}))],
    );
    assert!(matches!(outcome, Outcome::Infeasible(_)), "{outcome:?}");
    let twenty = claim("a", "any", json!({"count": 20}));
    let given = give(&mut transaction, "n", twenty).unwrap();
    assert_eq!((given.len(), &*given[19]), (20, "g19"));
    transaction.rollback(&start).unwrap();
    let claims: Vec<ResourceClaim> = (0..21)
        .map(|number| claim(&number.to_string(), "any", json!({})))
        .collect();
    let outcome = ask(&mut transaction, "n", &claims);
    assert!(
        matches!(outcome, Outcome::Infeasible(Reason::Count)),
        "{outcome:?}"
    );
    let outcome = ask(&mut transaction, "n", &claims[..20]);
    assert!(matches!(outcome, Outcome::Optimal(_)), "{outcome:?}");
}
