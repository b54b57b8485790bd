//! Plain amounts of nodes, beside devices.

mod books;
mod places;

use dralloc::model::{Amounts, Node, Quantity, ResourceClaim};
use dralloc::{
    AllocateOptions, Change, Code, Engine, Error, Find, NodeCause, NodeUse, Outcome, PlaceOptions,
    Reason, Relist, Removed, Transaction, Workspace,
};
use serde_json::{Value, json};

use super::{claim, engine as devices, slice};

fn amounts(amounts: Value) -> Amounts {
    serde_json::from_value(amounts).unwrap()
}

fn node(name: &str, allocatable: Value) -> Change {
    let mut node = Node::new(name, []);
    node.status.allocatable = amounts(allocatable);
    Change::Node(node)
}

/// Node `n` with one device.
fn engine() -> Engine {
    let mut engine = devices(json!([{"name": "d0"}]));
    let allocatable = json!({"cpu": "4", "memory": "8Gi", "pods": "3"});
    engine.apply(node("n", allocatable)).unwrap();
    engine
}

fn used(owner: &str, node: &str, cpu: &str) -> NodeUse {
    NodeUse {
        owner: owner.into(),
        node: node.into(),
        amounts: amounts(json!({"cpu": cpu, "pods": "1"})),
    }
}

fn ask(
    transaction: &mut Transaction,
    user: &str,
    asked: Value,
    claims: &[ResourceClaim],
) -> Result<Outcome, Error> {
    let claims = transaction.snapshot().prepare(claims).unwrap();
    let asked = amounts(asked);
    let options = AllocateOptions::new().user(user).amounts(&asked);
    transaction.allocate("n", &claims, &options, &mut Workspace::new())
}

fn fits(transaction: &mut Transaction, user: &str, asked: Value) -> bool {
    match ask(transaction, user, asked, &[]) {
        Ok(Outcome::Optimal(allocation)) => {
            assert_eq!(allocation.results(), []);
            true
        }
        Ok(Outcome::Infeasible(Reason::Amount { .. })) => false,
        other => panic!("{other:?}"),
    }
}

/// What is missing, by name.
fn missing(transaction: &mut Transaction, asked: Value) -> (String, String) {
    match ask(transaction, "asks", asked, &[]) {
        Ok(Outcome::Infeasible(Reason::Amount { name, missing })) => {
            (name.to_string(), missing.to_string())
        }
        other => panic!("{other:?}"),
    }
}

fn text(amounts: &Amounts) -> String {
    serde_json::to_string(amounts).unwrap()
}

#[test]
fn what_a_node_lacks_is_told_to_the_last_unit() {
    let mut engine = engine();
    engine
        .apply(Change::NodeUse(used("p", "n", "1500m")))
        .unwrap();
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    assert!(fits(
        &mut transaction,
        "q",
        json!({"cpu": "2500m", "pods": "2"})
    ));
    transaction.rollback(&start).unwrap();
    for (asked, name, less) in [
        (json!({"cpu": "2500000001n"}), "cpu", "1n"),
        (json!({"cpu": "3"}), "cpu", "500m"),
        (json!({"memory": "9Gi", "cpu": "1"}), "memory", "1Gi"),
        (json!({"pods": "3"}), "pods", "1"),
        // The first by name.
        (json!({"pods": "9", "cpu": "9"}), "cpu", "6500m"),
        // What a node does not list it does not have.
        (json!({"example.com/fpga": "1"}), "example.com/fpga", "1"),
        (
            json!({"cpu": "1e40"}),
            "cpu",
            "9999999999999999999999999999999999999997500e-3",
        ),
    ] {
        let expected = (name.to_owned(), less.to_owned());
        assert_eq!(missing(&mut transaction, asked), expected);
    }
    // Nothing is never short.
    assert!(fits(
        &mut transaction,
        "r",
        json!({"example.com/fpga": "0"})
    ));
    // More than there is is in use: nothing more fits, but nothing of it does.
    engine.apply(Change::NodeUse(used("p", "n", "5"))).unwrap();
    let mut transaction = engine.snapshot().transaction();
    let expected = ("cpu".to_owned(), "1001m".to_owned());
    assert_eq!(missing(&mut transaction, json!({"cpu": "1m"})), expected);
    assert!(fits(
        &mut transaction,
        "r",
        json!({"cpu": "0", "pods": "2"})
    ));
}

#[test]
fn amounts_and_devices_are_held_together_or_not_at_all() {
    let mut engine = engine();
    let mut transaction = engine.snapshot().transaction();
    let (a, b) = (claim("a", 1, 1), claim("b", 1, 1));
    let start = transaction.savepoint();
    let asked = || json!({"cpu": "3", "memory": "1Gi"});
    let one = ask(&mut transaction, "pod-a", asked(), std::slice::from_ref(&a));
    let Ok(Outcome::Optimal(allocation)) = one else {
        panic!("{one:?}")
    };
    assert_eq!(allocation.devices().count(), 1);
    assert_eq!(
        text(&transaction.amounts_in_use("n")),
        r#"{"cpu":"3","memory":"1073741824"}"#
    );
    // Amounts that are short are told before devices.
    let two = ask(&mut transaction, "pod-b", asked(), std::slice::from_ref(&b));
    assert!(
        matches!(two, Ok(Outcome::Infeasible(Reason::Amount { .. }))),
        "{two:?}"
    );
    let two = ask(
        &mut transaction,
        "pod-b",
        json!({"cpu": "1"}),
        std::slice::from_ref(&b),
    );
    let too_few = Reason::Request {
        claim: 0,
        request: 0,
    };
    assert!(matches!(two, Ok(Outcome::Infeasible(reason)) if reason == too_few));
    assert_eq!(
        text(&transaction.amounts_in_use("n")),
        r#"{"cpu":"3","memory":"1073741824"}"#
    );
    // A user that asks again needs nothing twice.
    assert!(fits(&mut transaction, "pod-a", json!({"cpu": "4"})));
    assert_eq!(text(&transaction.amounts_in_use("n")), r#"{"cpu":"4"}"#);
    let later = transaction.savepoint();
    assert!(transaction.release_amounts("pod-a"));
    assert!(!transaction.release_amounts("pod-a"));
    assert_eq!(text(&transaction.amounts_in_use("n")), "{}");
    transaction.rollback(&later).unwrap();
    assert_eq!(text(&transaction.amounts_in_use("n")), r#"{"cpu":"4"}"#);
    transaction.rollback(&start).unwrap();
    assert_eq!(text(&transaction.amounts_in_use("n")), "{}");
    assert!(!transaction.release_amounts("pod-a"));
    ask(&mut transaction, "pod-b", asked(), &[b]).unwrap();
    transaction.commit(&mut engine).unwrap();
    assert!(engine.is_assumed("pod-b") && engine.is_assumed("uid-b"));
    let snapshot = engine.snapshot();
    assert_eq!(
        text(&snapshot.amounts_in_use("n")),
        r#"{"cpu":"3","memory":"1073741824"}"#
    );
}

#[test]
fn an_exact_apply_is_not_asked() {
    let mut engine = engine();
    let mut transaction = engine.snapshot().transaction();
    let ten = amounts(json!({"cpu": "10"}));
    transaction.take_amounts("n", "p", &ten).unwrap();
    transaction.take_amounts("nowhere", "q", &ten).unwrap();
    // The same owner somewhere else: it uses amounts of one node.
    transaction
        .take_amounts("n", "q", &amounts(json!({"cpu": "1"})))
        .unwrap();
    assert_eq!(text(&transaction.amounts_in_use("n")), r#"{"cpu":"11"}"#);
    assert_eq!(text(&transaction.amounts_in_use("nowhere")), "{}");
    let negative = amounts(json!({"cpu": "-1"}));
    let error = transaction.take_amounts("n", "q", &negative).unwrap_err();
    let expected = (Code::Invalid, "amounts[cpu]", "`-1`, expected 0 or more");
    assert_eq!((error.code(), error.path(), error.message()), expected);
    let error = ask(&mut transaction, "r", json!({"cpu": "-1"}), &[]).unwrap_err();
    assert_eq!((error.code(), error.path(), error.message()), expected);
    let claims = transaction.snapshot().prepare(&[]).unwrap();
    let options = AllocateOptions::new().amounts(&ten);
    let nobody = transaction.allocate("n", &claims, &options, &mut Workspace::new());
    let error = nobody.unwrap_err();
    assert_eq!((error.code(), error.path()), (Code::Invalid, "amounts"));
    assert_eq!(text(&transaction.amounts_in_use("n")), r#"{"cpu":"11"}"#);
    transaction.commit(&mut engine).unwrap();
    let mut odd = used("o", "n", "1");
    odd.amounts = negative;
    assert_eq!(
        engine.apply(Change::NodeUse(odd)).unwrap_err().code(),
        Code::Invalid
    );
    assert_eq!(
        text(&engine.snapshot().amounts_in_use("n")),
        r#"{"cpu":"11"}"#
    );
}
