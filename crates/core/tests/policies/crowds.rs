//! Nodes with many devices, of which a few are the best in few steps.

use dralloc::model::ResourceClaim;
use dralloc::{AllocateOptions, Budget, Engine, Outcome, Policy, Workspace};
use serde_json::{Value, json};

use super::{claim, devices, engine, holding, some, values};

/// Branches that are enough for each question here.
const FEW: u64 = 10_000;

/// So many cards of so many plain devices each: `0-0`, `0-1` and so on.
fn cards(cards: usize, devices: usize) -> Engine {
    let device = |card: usize, place: usize| {
        let attributes = json!({"parentUUID": {"string": card.to_string()},
            "odd": {"bool": place % 2 == 1}});
        json!({"name": format!("{card}-{place}"), "attributes": attributes})
    };
    let all = (0..cards).flat_map(|card| (0..devices).map(move |place| device(card, place)));
    engine(&[all.collect()], &json!([]))
}

/// The devices and values of the best answer, with some devices held.
fn best_beside(
    held: &[&str],
    engine: &Engine,
    requests: &Value,
    policy: &Policy,
) -> (String, Vec<i64>) {
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[claim(requests)]).unwrap();
    let budget = Budget::new().branches(FEW);
    let options = AllocateOptions::new().policy(policy).budget(budget);
    let mut transaction = snapshot.transaction();
    if !held.is_empty() {
        let owner = json!({"metadata": {"name": "held"}, "spec": {}});
        let owner: ResourceClaim = serde_json::from_value(owner).unwrap();
        transaction.hold(&owner, &holding("n0", held));
    }
    let found = transaction.allocate("n0", &claims, &options, &mut Workspace::new());
    match found.unwrap() {
        Outcome::Optimal(allocation) => (devices(&allocation).join(" "), values(&allocation)),
        _ => panic!("no answer that is the best"),
    }
}

fn best(engine: &Engine, requests: &Value, policy: &Policy) -> (String, Vec<i64>) {
    best_beside(&[], engine, requests, policy)
}

#[test]
fn one_card_of_many_devices_is_one_card() {
    let engine = cards(1, 200);
    let first = "0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7".to_owned();
    let pack = best(&engine, &some(8), &Policy::Pack);
    assert_eq!(pack, (first.clone(), vec![0, 0, 0, 8, 1]));
    let spread = best(&engine, &some(8), &Policy::Spread);
    assert_eq!(spread, (first, vec![0, 0, 64]));
}

#[test]
fn large_cards_are_told_apart() {
    let engine = cards(3, 100);
    let first = "0-0 0-1 0-2 0-3 0-4 0-5".to_owned();
    let pack = best(&engine, &some(6), &Policy::Pack);
    assert_eq!(pack, (first, vec![0, 0, 0, 6, 1]));
    let even = "0-0 0-1 1-0 1-1 2-0 2-1".to_owned();
    let spread = best(&engine, &some(6), &Policy::Spread);
    assert_eq!(spread, (even, vec![0, 0, 12]));
    // Of the first two are held, of the last one, and of the other none.
    let held = ["0-3", "0-4", "2-0"];
    let begun = "0-0 0-1 0-2 0-5 0-6 0-7".to_owned();
    let pack = best_beside(&held, &engine, &some(6), &Policy::Pack);
    assert_eq!(pack, (begun, vec![0, 0, 0, 6, 0]));
    let even = "0-0 1-0 1-1 1-2 2-1 2-2".to_owned();
    let spread = best_beside(&held, &engine, &some(6), &Policy::Spread);
    assert_eq!(spread, (even, vec![0, 0, 22]));
}

#[test]
fn two_requests_share_large_cards() {
    let engine = cards(2, 100);
    let odd = json!([{"cel": {"expression": "device.attributes['d'].odd"}}]);
    let mut requests = json!([some(2)[0], some(2)[0]]);
    requests[0]["name"] = json!("odd");
    requests[0]["exactly"]["selectors"] = odd;
    let pack = best(&engine, &requests, &Policy::Pack);
    assert_eq!(pack, ("0-1 0-3 0-0 0-2".to_owned(), vec![0, 0, 0, 4, 1]));
    let spread = best(&engine, &requests, &Policy::Spread);
    assert_eq!(spread, ("0-1 0-3 1-0 1-1".to_owned(), vec![0, 0, 8]));
}

#[test]
fn a_thousand_small_cards_are_as_few() {
    let engine = cards(1000, 8);
    let pack = best(&engine, &some(8), &Policy::Pack);
    let first = "0-0 0-1 0-2 0-3 0-4 0-5 0-6 0-7".to_owned();
    assert_eq!(pack, (first, vec![0, 0, 0, 8, 1]));
    let spread = best(&engine, &some(3), &Policy::Spread);
    assert_eq!(spread, ("0-0 1-0 2-0".to_owned(), vec![0, 0, 3]));
}
