//! Commits conflict over what they were decided by, and nothing else.

use dralloc::model::ResourceSlice;
use dralloc::{
    AllocateOptions, Change, Code, Engine, Error, Outcome, Removed, Transaction, Workspace,
};
use serde_json::json;

use super::{claim, class, node};

/// A slice of one device for a node, in a pool of the same name.
fn local(name: &str, version: u32, device: &str) -> Change {
    let slice = json!({
        "metadata": {"name": name, "uid": format!("slice-{name}"), "resourceVersion": version.to_string()},
        "spec": {"driver": "d", "nodeName": name, "devices": [{"name": device}],
                 "pool": {"name": name, "generation": version, "resourceSliceCount": 1}},
    });
    Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
}

fn two_nodes() -> Engine {
    let mut engine = Engine::new(dralloc::Features::all());
    let changes = [
        class(),
        node("a"),
        node("b"),
        local("a", 1, "d0"),
        local("b", 1, "d0"),
    ];
    for change in changes {
        assert!(engine.apply(change).unwrap().is_changed());
    }
    engine
}

fn on(engine: &Engine, node: &str, name: &str) -> Transaction {
    let mut transaction = engine.snapshot().transaction();
    let claims = transaction
        .snapshot()
        .prepare(&[claim(name, 1, 1)])
        .unwrap();
    let options = AllocateOptions::new();
    let outcome = transaction.allocate(node, &claims, &options, &mut Workspace::new());
    assert!(matches!(outcome, Ok(Outcome::Optimal(_))), "{outcome:?}");
    transaction
}

fn conflict(result: Result<dralloc::Applied, Error>) -> String {
    let error = result.unwrap_err();
    assert_eq!(error.code(), Code::Conflict);
    error.message().to_owned()
}

#[test]
fn disjoint_transactions_commit_and_others_say_what_changed() {
    let mut engine = two_nodes();
    let (one, two, three) = (
        on(&engine, "a", "x"),
        on(&engine, "b", "y"),
        on(&engine, "a", "z"),
    );
    let applied = one.commit(&mut engine).unwrap();
    assert_eq!(applied.claims(), ["uid-x".into()]);
    assert_eq!(applied.pools(), [("d".into(), "a".into())]);
    two.commit(&mut engine).unwrap();
    assert_eq!(
        conflict(three.commit(&mut engine)),
        "pool `d/a` has other devices in use than before"
    );
}

#[test]
fn a_node_that_changed_is_a_conflict_only_for_who_used_it() {
    let mut engine = two_nodes();
    let (one, two) = (on(&engine, "a", "x"), on(&engine, "b", "y"));
    let applied = engine.apply(local("a", 2, "d1")).unwrap();
    assert_eq!(applied.nodes(), ["a".into()]);
    assert_eq!(
        conflict(one.commit(&mut engine)),
        "node `a` is gone or has other devices than before"
    );
    two.commit(&mut engine).unwrap();
}

#[test]
fn a_claim_that_changed_or_went_away_is_a_conflict() {
    let mut engine = two_nodes();
    let (one, two, three) = (
        on(&engine, "a", "x"),
        on(&engine, "b", "x"),
        on(&engine, "b", "y"),
    );
    one.commit(&mut engine).unwrap();
    assert_eq!(
        conflict(two.commit(&mut engine)),
        "claim `uid-x` has other devices or users than before"
    );
    engine
        .apply(Change::Removed(Removed::ResourceClaim("uid-y".into())))
        .unwrap();
    assert_eq!(
        conflict(three.commit(&mut engine)),
        "claim `uid-y` is gone, expected one that is there"
    );
}

#[test]
fn a_status_is_believed_until_an_event_tells_of_the_claim() {
    let mut engine = two_nodes();
    let mut stated = claim("x", 1, 1);
    stated.status.allocation = serde_json::from_value(json!({"devices": {"results": [
        {"request": "r", "driver": "d", "pool": "a", "device": "d0"}]}}))
    .unwrap();
    let believe = |engine: &Engine| {
        let mut transaction = engine.snapshot().transaction();
        let claims = transaction.snapshot().prepare(&[stated.clone()]).unwrap();
        let options = AllocateOptions::new();
        let outcome = transaction.allocate("a", &claims, &options, &mut Workspace::new());
        assert!(matches!(outcome, Ok(Outcome::Optimal(_))), "{outcome:?}");
        transaction
    };
    let late = believe(&engine);
    believe(&engine).commit(&mut engine).unwrap();
    assert!(engine.is_assumed("uid-x") && engine.forget("uid-x").is_changed());
    assert!(!engine.is_assumed("uid-x"));
    engine
        .apply(Change::ResourceClaim(claim("x", 2, 1)))
        .unwrap();
    assert_eq!(
        conflict(late.commit(&mut engine)),
        "claim `uid-x` is known by an event now, not by its status"
    );
}

#[test]
fn a_transaction_does_not_see_what_comes_after_its_snapshot() {
    let mut engine = two_nodes();
    let before = engine.snapshot();
    engine.apply(local("a", 2, "d1")).unwrap();
    engine
        .apply(Change::Removed(Removed::Node("b".into())))
        .unwrap();
    let devices = |snapshot: &dralloc::Snapshot, node: &str| {
        let claims = snapshot.prepare(&[claim("x", 1, 1)]).unwrap();
        let mut transaction = snapshot.transaction();
        let outcome = transaction.allocate(
            node,
            &claims,
            &AllocateOptions::new(),
            &mut Workspace::new(),
        );
        match outcome {
            Ok(Outcome::Optimal(allocation)) => {
                allocation.devices().next().unwrap().device.to_string()
            }
            other => format!("{:?}", other.map_err(|error| error.code())),
        }
    };
    let after = engine.snapshot();
    assert_eq!(devices(&before, "a"), "d/a/d0");
    assert_eq!(devices(&after, "a"), "d/a/d1");
    assert_eq!(devices(&before, "b"), "d/b/d0");
    assert_eq!(devices(&after, "b"), "Err(NotFound)");
}
