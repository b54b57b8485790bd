//! Changes, snapshots and transactions: what is held stays held, and no more.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "tests end where they fail"
)]
#![allow(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "so that tests read as tables"
)]

mod amounts;
mod books;
mod claims;
mod commits;
mod counters;
mod documents;
mod dump;
mod extended_resources;
mod holds;
mod hostile;
mod hypothetical;
mod mixed;
mod order;
mod overlays;
mod shared;
mod states;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "no test file uses everything")]
mod support;
mod trace;

use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Change, Code, Engine, ErrorMode, Features, Outcome, Removed, Scope, Snapshot,
    Transaction, Workspace,
};
use serde_json::json;

fn node(name: &str) -> Change {
    Change::Node(Node::new(name, []))
}

fn class() -> Change {
    let class = json!({"metadata": {"name": "gpu"}});
    Change::DeviceClass(serde_json::from_value::<DeviceClass>(class).unwrap())
}

/// A slice of the only pool of node `n`.
fn slice(uid: &str, version: u32, devices: serde_json::Value) -> Change {
    let slice = json!({
        "metadata": {"name": "s", "uid": uid, "resourceVersion": version.to_string()},
        "spec": {"driver": "d", "nodeName": "n", "devices": devices,
                 "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}},
    });
    Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
}

fn claim(name: &str, version: u32, count: u32) -> ResourceClaim {
    let claim = json!({
        "metadata": {"name": name, "namespace": "default", "uid": format!("uid-{name}"),
                     "resourceVersion": version.to_string()},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {
            "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count}}]}},
    });
    serde_json::from_value(claim).unwrap()
}

fn engine(devices: serde_json::Value) -> Engine {
    let mut engine = Engine::new(Features::all());
    for change in [node("n"), class(), slice("u", 1, devices)] {
        assert!(engine.apply(change).unwrap().is_changed());
    }
    engine
}

fn allocate(transaction: &mut Transaction, claim: &ResourceClaim) -> Option<Vec<String>> {
    let claims = transaction
        .snapshot()
        .prepare(std::slice::from_ref(claim))
        .unwrap();
    let options = AllocateOptions::new();
    match transaction.allocate("n", &claims, &options, &mut Workspace::new()) {
        Ok(Outcome::Optimal(allocation)) => Some(
            allocation
                .devices()
                .map(|device| device.device.device.to_string())
                .collect(),
        ),
        Ok(Outcome::Infeasible(_)) => None,
        other => panic!("{other:?}"),
    }
}

fn commit(engine: &mut Engine, claim: &ResourceClaim) -> Option<Vec<String>> {
    let mut transaction = engine.snapshot().transaction();
    let devices = allocate(&mut transaction, claim);
    transaction.commit(engine).unwrap();
    devices
}

fn names(devices: &[&str]) -> Option<Vec<String>> {
    Some(devices.iter().map(ToString::to_string).collect())
}

#[test]
fn snapshots_and_prepared_claims_are_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Snapshot>();
    shared::<Transaction>();
    shared::<dralloc::PreparedClaims>();
    shared::<Engine>();
}

#[test]
fn an_event_that_was_under_way_does_not_free_what_was_committed() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let a = claim("a", 5, 1);
    engine.apply(Change::ResourceClaim(a.clone())).unwrap();
    assert_eq!(commit(&mut engine, &a), names(&["d0"]));
    // A label changed before the allocation was written.
    engine
        .apply(Change::ResourceClaim(claim("a", 6, 1)))
        .unwrap();
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), None);

    // The allocation is confirmed, and then taken away.
    let result = json!({"request": "r", "driver": "d", "pool": "p", "device": "d0"});
    let mut confirmed = claim("a", 7, 1);
    confirmed.status.allocation =
        serde_json::from_value(json!({"devices": {"results": [result]}})).unwrap();
    engine.apply(Change::ResourceClaim(confirmed)).unwrap();
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), None);
    engine
        .apply(Change::ResourceClaim(claim("a", 8, 1)))
        .unwrap();
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), names(&["d0"]));
}

#[test]
fn a_removed_claim_frees_its_devices() {
    let mut engine = engine(json!([{"name": "d0"}]));
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d0"]));
    let removed = Change::Removed(Removed::ResourceClaim("uid-a".into()));
    assert!(engine.apply(removed).unwrap().is_changed());
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), names(&["d0"]));
}

#[test]
fn old_versions_and_repeats_change_nothing() {
    let mut engine = engine(json!([{"name": "d0"}]));
    for (version, applied) in [(1, false), (3, true)] {
        let change = slice("u", version, json!([{"name": "d1"}]));
        assert_eq!(engine.apply(change).unwrap().is_changed(), applied);
    }
    let stale = slice("u", 2, json!([{"name": "d2"}]));
    assert!(!engine.apply(stale).unwrap().is_changed());
    assert!(!engine.apply(node("n")).unwrap().is_changed());
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d1"]));
}

#[test]
fn an_object_made_anew_takes_the_place_of_the_old_one() {
    let mut engine = engine(json!([{"name": "d0"}]));
    engine
        .apply(slice("other", 9, json!([{"name": "d1"}])))
        .unwrap();
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d1"]));
    // The late end of the old one is not the end of the new one.
    let removed = Change::Removed(Removed::ResourceSlice("u".into()));
    assert!(!engine.apply(removed).unwrap().is_changed());
}

#[test]
fn a_transaction_belongs_to_its_engine_and_its_moment() {
    let (mut a, mut b) = (
        engine(json!([{"name": "d0"}])),
        engine(json!([{"name": "d0"}])),
    );
    let mut transaction = a.snapshot().transaction();
    allocate(&mut transaction, &claim("a", 1, 1)).unwrap();
    let code = |error: dralloc::Error| error.code();
    assert_eq!(
        transaction.clone().commit(&mut b).map_err(code),
        Err(Code::Conflict)
    );
    let mut other = a.snapshot().transaction();
    allocate(&mut other, &claim("b", 1, 1)).unwrap();
    transaction.commit(&mut a).unwrap();
    assert_eq!(other.commit(&mut a).map_err(code), Err(Code::Conflict));
}

#[test]
fn savepoints_nest_and_stale_ones_are_refused() {
    let engine = engine(json!([{"name": "d0"}, {"name": "d1"}]));
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    assert_eq!(
        allocate(&mut transaction, &claim("a", 1, 1)),
        names(&["d0"])
    );
    let later = transaction.savepoint();
    assert_eq!(
        allocate(&mut transaction, &claim("b", 1, 1)),
        names(&["d1"])
    );
    transaction.rollback(&later).unwrap();
    assert_eq!(
        allocate(&mut transaction, &claim("c", 1, 1)),
        names(&["d1"])
    );
    transaction.rollback(&start).unwrap();
    assert_eq!(
        allocate(&mut transaction, &claim("d", 1, 2)),
        names(&["d0", "d1"])
    );

    let refused = transaction.rollback(&later).unwrap_err();
    assert_eq!(refused.code(), Code::NotFound);
    assert_eq!(allocate(&mut transaction, &claim("e", 1, 1)), None);
    let foreign = engine.snapshot().transaction().savepoint();
    assert_eq!(
        transaction.rollback(&foreign).unwrap_err().code(),
        Code::NotFound
    );
    transaction.rollback(&start).unwrap();
    assert_eq!(
        allocate(&mut transaction, &claim("e", 1, 1)),
        names(&["d0"])
    );
}

#[test]
fn released_devices_are_free_again() {
    let engine = engine(json!([{"name": "d0"}]));
    let mut transaction = engine.snapshot().transaction();
    let a = claim("a", 1, 1);
    assert_eq!(allocate(&mut transaction, &a), names(&["d0"]));
    assert_eq!(allocate(&mut transaction, &a), names(&["d0"]));
    assert!(transaction.release(&a));
    assert!(!transaction.release(&a));
    assert_eq!(
        allocate(&mut transaction, &claim("b", 1, 1)),
        names(&["d0"])
    );
}

#[test]
fn questions_that_make_no_sense_are_errors() {
    let engine = engine(json!([{"name": "d0"}]));
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[claim("a", 1, 1)]).unwrap();
    let ask = |snapshot: &Snapshot, node: &str| {
        let options = AllocateOptions::new();
        let mut transaction = snapshot.transaction();
        transaction
            .allocate(node, &claims, &options, &mut Workspace::new())
            .map_err(|error| (error.code(), error.scope()))
            .err()
    };
    assert_eq!(
        ask(&snapshot, "nowhere"),
        Some((Code::NotFound, Scope::Node))
    );
    let mut other = Engine::new(Features::none());
    other.apply(node("n")).unwrap();
    assert_eq!(
        ask(&other.snapshot(), "n"),
        Some((Code::Invalid, Scope::Request))
    );
    let twice = snapshot
        .prepare(&[claim("a", 1, 1), claim("a", 2, 1)])
        .unwrap_err();
    assert_eq!((twice.code(), twice.path()), (Code::Duplicate, "claims[1]"));
}

#[test]
fn devices_that_cannot_be_judged_are_skipped_on_request() {
    let engine = engine(json!([
        {"name": "d0", "attributes": {"v": {"version": "one"}}}, {"name": "d1"}]));
    let mut one = claim("a", 1, 1);
    let request = one.spec.devices.requests[0].exactly.as_mut().unwrap();
    request.selectors = serde_json::from_value(json!([{"cel": {"expression": "true"}}])).unwrap();
    let mut all = one.clone();
    all.spec.devices.requests[0]
        .exactly
        .as_mut()
        .unwrap()
        .allocation_mode = "All".into();
    let snapshot = engine.snapshot();
    let ask = |claim: &ResourceClaim, errors: ErrorMode| {
        let claims = snapshot.prepare(std::slice::from_ref(claim)).unwrap();
        let options = AllocateOptions::new().errors(errors);
        let mut transaction = snapshot.transaction();
        transaction.allocate("n", &claims, &options, &mut Workspace::new())
    };
    assert_eq!(
        ask(&one, ErrorMode::Abort).unwrap_err().code(),
        Code::Attribute
    );
    assert!(matches!(
        ask(&one, ErrorMode::Skip),
        Ok(Outcome::Optimal(_))
    ));
    assert!(matches!(
        ask(&all, ErrorMode::Skip),
        Ok(Outcome::Infeasible(_))
    ));
}

#[test]
fn the_counts_of_an_explanation_add_up() {
    let engine = engine(json!([
        {"name": "d0", "taints": [{"key": "k", "effect": "NoSchedule"}]},
        {"name": "d1"}, {"name": "d2", "attributes": {"x": {"int": 1}}}, {"name": "d3"}]));
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(
        allocate(&mut transaction, &claim("a", 1, 1)),
        names(&["d1"])
    );
    let mut three = claim("b", 1, 3);
    three.spec.devices.constraints =
        serde_json::from_value(json!([{"matchAttribute": "d/x"}])).unwrap();
    let claims = transaction.snapshot().prepare(&[three]).unwrap();
    let explanation = transaction
        .explain("n", &claims, &AllocateOptions::new(), &mut Workspace::new())
        .unwrap();
    let request = &explanation.requests[0];
    let refused: Vec<(&str, usize)> = request
        .refused
        .iter()
        .map(|(check, count)| (check.as_str(), *count))
        .collect();
    assert_eq!(refused, [("in use", 1), ("taint", 1), ("constraint", 1)]);
    assert_eq!((request.considered, request.usable), (4, 1));
    let sum: usize = request.refused.iter().map(|(_, count)| count).sum();
    assert_eq!(sum + request.usable, request.considered);
    let too_few = dralloc::WholeFailure::TooFew {
        claim: 0,
        request: "r".into(),
    };
    assert_eq!(explanation.whole, [too_few]);
}
