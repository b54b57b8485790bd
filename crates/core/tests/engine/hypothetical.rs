//! Nodes that a transaction adds or removes.

use dralloc::{AllocateOptions, Code, Outcome, Transaction, Workspace};
use serde_json::json;

use super::{allocate, claim, engine, names};

fn on(transaction: &mut Transaction, node: &str, name: &str) -> Option<String> {
    let claims = transaction
        .snapshot()
        .prepare(&[claim(name, 1, 1)])
        .unwrap();
    let options = AllocateOptions::new();
    match transaction.allocate(node, &claims, &options, &mut Workspace::new()) {
        Ok(Outcome::Optimal(allocation)) => {
            Some(allocation.devices().next().unwrap().device.to_string())
        }
        Ok(_) => None,
        Err(error) => Some(format!("{:?}", error.code())),
    }
}

#[test]
fn a_clone_has_devices_of_its_own_until_it_is_taken_back() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(
        allocate(&mut transaction, &claim("a", 1, 1)),
        names(&["d0"])
    );
    let start = transaction.savepoint();
    assert_eq!(transaction.add_node("m", "n"), Ok(()));
    assert_eq!(on(&mut transaction, "m", "b"), Some("d/p/m/d0".into()));
    let full = transaction.savepoint();
    assert_eq!(on(&mut transaction, "m", "c"), None);
    assert_eq!(transaction.add_node("o", "m"), Ok(()));
    assert_eq!(on(&mut transaction, "o", "c"), Some("d/p/m/o/d0".into()));
    transaction.rollback(&full).unwrap();
    assert_eq!(on(&mut transaction, "o", "c"), Some("NotFound".into()));
    assert_eq!(on(&mut transaction, "m", "c"), None);

    let code = |error: dralloc::Error| error.code();
    let again = transaction.add_node("m", "n").map_err(code);
    assert_eq!(again, Err(Code::Duplicate));
    let unknown = transaction.add_node("q", "nowhere").map_err(code);
    assert_eq!(unknown, Err(Code::NotFound));

    // What was given there cannot be committed, the rest can.
    let refused = transaction.clone().commit(&mut engine).unwrap_err();
    assert_eq!(refused.code(), Code::Conflict);
    assert_eq!(
        refused.message(),
        "node `m` is gone or has other devices than before"
    );
    transaction.rollback(&start).unwrap();
    assert_eq!(on(&mut transaction, "m", "b"), Some("NotFound".into()));
    transaction.commit(&mut engine).unwrap();
    assert!(engine.is_assumed("uid-a"));
    assert!(engine.snapshot().node("m").is_none());
}

#[test]
fn a_removed_node_comes_back_with_the_rollback() {
    let engine = engine(json!([{"name": "d0"}]));
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    assert_eq!(transaction.remove_node("n"), Ok(()));
    assert_eq!(on(&mut transaction, "n", "a"), Some("NotFound".into()));
    let again = transaction.remove_node("n").unwrap_err();
    assert_eq!(again.code(), Code::NotFound);
    transaction.rollback(&start).unwrap();
    assert_eq!(on(&mut transaction, "n", "a"), Some("d/p/d0".into()));
}
