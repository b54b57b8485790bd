//! Would claims fit if nothing were held.

use dralloc::model::{Node, ResourceClaim};
use dralloc::{
    AllocateOptions, Budget, Change, Code, Engine, Find, Outcome, PlaceOptions, Reason, StopCause,
    Transaction, Workspace,
};
use serde_json::json;

use crate::{claim, engine, holding, with_numa};

fn ask(transaction: &Transaction, claims: &[ResourceClaim]) -> Outcome {
    let prepared = transaction.snapshot().prepare(claims).unwrap();
    let options = AllocateOptions::new();
    let outcome = transaction.satisfiable("n", &prepared, &options, &mut Workspace::new());
    outcome.unwrap()
}

fn devices(outcome: &Outcome) -> Vec<String> {
    let Outcome::Optimal(allocation) = outcome else {
        panic!("{outcome:?}");
    };
    let devices = allocation.devices();
    devices.map(|one| one.device.device.to_string()).collect()
}

fn full() -> Engine {
    let mut engine = engine(with_numa(&[0, 0, 1]));
    for holder in [holding("a", &["0", "1"]), holding("b", &["2"])] {
        engine.apply(holder).unwrap();
    }
    engine
}

#[test]
fn what_is_held_does_not_count() {
    let transaction = full().snapshot().transaction();
    let same = json!([{"matchAttribute": "d/numa"}]);
    let fits = ask(&transaction, &[claim("x", &[("r", 2)], same.clone())]);
    assert_eq!(devices(&fits), ["0", "1"]);
    let reason = |outcome| match outcome {
        Outcome::Infeasible(reason) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        reason(ask(&transaction, &[claim("x", &[("r", 3)], same)])),
        Reason::Exhausted
    );
    assert_eq!(
        reason(ask(&transaction, &[claim("x", &[("r", 4)], json!([]))])),
        Reason::Request {
            claim: 0,
            request: 0
        }
    );
    // Nothing of it is held.
    assert_eq!(transaction.dump(), full().snapshot().transaction().dump());
}

#[test]
fn a_claim_that_has_something_is_asked_for_anew() {
    let engine = full();
    let mut known = claim("b", &[("r", 1)], json!([]));
    assert_eq!(
        devices(&ask(&engine.snapshot().transaction(), &[known.clone()])),
        ["0"]
    );
    known.status.allocation = serde_json::from_value(json!({"devices": {"results": [
        {"request": "r", "driver": "d", "pool": "p", "device": "2"}]}}))
    .unwrap();
    known.metadata.uid = Some("of nobody".into());
    assert_eq!(
        devices(&ask(&engine.snapshot().transaction(), &[known.clone()])),
        ["0"]
    );
    known.metadata.deletion_timestamp = Some("2026-01-01T00:00:00Z".into());
    let outcome = ask(&engine.snapshot().transaction(), &[known]);
    assert!(matches!(
        outcome,
        Outcome::Infeasible(Reason::Releasing { claim: 0 })
    ));
}

#[test]
fn a_budget_may_end_it() {
    let transaction = full().snapshot().transaction();
    let prepared = transaction
        .snapshot()
        .prepare(&[claim("x", &[("r", 2)], json!([]))])
        .unwrap();
    let options = AllocateOptions::new().budget(Budget::new().branches(1));
    let outcome = transaction.satisfiable("n", &prepared, &options, &mut Workspace::new());
    assert!(matches!(outcome, Ok(Outcome::Unknown(StopCause::Branches))));
}

#[test]
fn many_nodes_are_asked_the_same() {
    let mut engine = full();
    engine.apply(Change::Node(Node::new("m", []))).unwrap();
    let snapshot = engine.snapshot();
    let prepared = snapshot
        .prepare(&[claim("x", &[("r", 2)], json!([]))])
        .unwrap();
    let mut workspace = Workspace::new();
    let placed = |nothing_held, workspace: &mut Workspace| {
        let options = PlaceOptions::new()
            .find(Find::All)
            .nothing_held(nothing_held);
        let placement = snapshot.place(&prepared, &options, workspace).unwrap();
        let nodes = placement.nodes().iter();
        nodes.map(|node| node.name().to_owned()).collect::<Vec<_>>()
    };
    for _ in 0..2 {
        assert_eq!(placed(false, &mut workspace), [""; 0]);
        assert_eq!(placed(true, &mut workspace), ["n"]);
    }
    let options = PlaceOptions::new().nothing_held(true);
    let mut transaction = snapshot.transaction();
    let error = transaction.place_and_allocate(&prepared, &options, &mut workspace);
    let error = error.unwrap_err();
    assert_eq!((error.code(), error.path()), (Code::Invalid, "nothingHeld"));
}
