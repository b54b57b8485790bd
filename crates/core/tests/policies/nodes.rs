//! Policies over many nodes.

use dralloc::model::ResourceClaim;
use dralloc::{ErrorMode, Find, PlaceOptions, Policy, Term, Workspace};
use serde_json::{Value, json};

use super::{by, claim, devices, engine, holding, some, values};

/// Cards of two devices each, by node.
fn cards(counts: &[usize]) -> Vec<Value> {
    let node = |count: usize| {
        let devices = (0..2 * count).map(|device| {
            json!({"name": format!("d{device}"),
                "attributes": {"parentUUID": {"string": format!("card-{}", device / 2)}}})
        });
        devices.collect::<Vec<_>>().into()
    };
    counts.iter().map(|count| node(*count)).collect()
}

#[test]
fn the_best_nodes_are_those_with_the_best_values() {
    let engine = engine(&cards(&[1, 2, 3, 2]), &json!([]));
    let snapshot = engine.snapshot();
    let mut transaction = snapshot.transaction();
    for (node, held) in [("n1", "d2"), ("n2", "d1"), ("n3", "d0")] {
        let owner = json!({"metadata": {"name": node}, "spec": {}});
        let owner: ResourceClaim = serde_json::from_value(owner).unwrap();
        transaction.hold(&owner, &holding(node, &[held]));
    }
    let claims = snapshot.prepare(&[claim(&some(2))]).unwrap();
    let touched = by(Term::ParentsTouched { attribute: None });
    let mut workspace = Workspace::new();
    let mut ask = |find: Find, policy: &Policy| -> Vec<(String, Vec<String>, Vec<i64>)> {
        let options = PlaceOptions::new().find(find).policy(policy);
        let placement = transaction
            .place(&claims, &options, &mut workspace)
            .unwrap();
        assert_eq!(placement.failed(), []);
        let nodes = placement.nodes().iter().map(|node| {
            let allocation = node.allocation();
            assert_eq!(node.gap(), None);
            (
                node.name().to_owned(),
                devices(&allocation),
                values(&allocation),
            )
        });
        nodes.collect()
    };
    let names = |found: &[(String, Vec<String>, Vec<i64>)]| {
        let names = found
            .iter()
            .map(|(name, _, values)| format!("{name} {values:?}"));
        names.collect::<Vec<_>>().join(", ")
    };
    // The rest of a card and one more touch one, as a whole card does.
    let first = ask(Find::First, &touched);
    assert_eq!(names(&first), "n0 [1]");
    let all = ask(Find::All, &touched);
    assert_eq!(names(&all), "n0 [1], n1 [1], n2 [1], n3 [1]");
    assert_eq!(all[1].1, ["d0", "d1"]);
    // Of equal values the node counts that is full afterwards.
    let best = ask(Find::Best(4), &touched);
    assert_eq!(names(&best), "n0 [1], n1 [1], n3 [1], n2 [1]");
    let even = by(Term::Evenness { attribute: None });
    let best = ask(Find::Best(3), &even);
    // Two cards that nobody uses are even, one is not.
    assert_eq!(names(&best), "n2 [2], n0 [4], n1 [4]");
    assert_eq!(best[0].1, ["d2", "d4"]);
    assert_eq!(ask(Find::Count, &even), []);
}

/// Whether something fits does not depend on what is best, so alike nodes are one question.
#[test]
fn nodes_are_counted_without_the_best_of_each() {
    let snapshot = engine(&cards(&[2, 1, 2, 2]), &json!([])).snapshot();
    let claims = snapshot.prepare(&[claim(&some(3))]).unwrap();
    let ask = |options: PlaceOptions<'_>| {
        let options = options
            .policy(&Policy::Pack)
            .nodes(&["n0", "n1", "n2", "n3"]);
        let placement = snapshot.place(&claims, &options, &mut Workspace::new());
        let placement = placement.unwrap();
        (placement.feasible(), placement.solved())
    };
    assert_eq!(ask(PlaceOptions::new().find(Find::All)), (3, 4));
    assert_eq!(ask(PlaceOptions::new().find(Find::Count)), (3, 2));
    // What fails may be a device that only the best answer looks at.
    let abort = PlaceOptions::new().errors(ErrorMode::Abort);
    assert_eq!(ask(abort.find(Find::Count)), (3, 4));
}
