//! What claims have: assumed, confirmed, shared, on its way out.

use dralloc::model::{ResourceClaim, ResourceClaimConsumerReference};
use dralloc::{AllocateOptions, Change, Code, Outcome, Releasing, Removed, Workspace};
use serde_json::json;

use super::{allocate, claim, commit, engine, names, slice};

/// The claim as an event shows it, with `d0` for these users.
fn allocated(name: &str, version: u32, users: &[&str]) -> ResourceClaim {
    let result = json!({"request": "r", "driver": "d", "pool": "p", "device": "d0"});
    let mut claim = claim(name, version, 1);
    claim.status.allocation =
        serde_json::from_value(json!({"devices": {"results": [result]}})).unwrap();
    let users = users.iter().map(|uid| ResourceClaimConsumerReference {
        uid: (*uid).into(),
        ..ResourceClaimConsumerReference::default()
    });
    claim.status.reserved_for = users.collect();
    claim
}

#[test]
fn what_is_forgotten_is_as_the_last_event_said() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let a = claim("a", 1, 1);
    assert_eq!(commit(&mut engine, &a), names(&["d0"]));
    assert!(engine.is_assumed("uid-a"));
    let applied = engine.forget("uid-a");
    assert_eq!(applied.claims(), ["uid-a".into()]);
    assert_eq!(applied.pools(), [("d".into(), "p".into())]);
    assert!(!engine.is_assumed("uid-a"));
    assert!(!engine.forget("uid-a").is_changed());
    assert_eq!(commit(&mut engine, &a), names(&["d0"]));

    // The echo confirms it: there is nothing to forget any more.
    let echo = engine.apply(Change::ResourceClaim(allocated("a", 2, &[])));
    assert!(!echo.unwrap().is_changed());
    assert!(!engine.is_assumed("uid-a"));
    assert!(!engine.forget("uid-a").is_changed());
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), None);
}

#[test]
fn the_last_user_gives_back_what_a_claim_has() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let shared = allocated("a", 2, &["pod-1"]);
    engine.apply(Change::ResourceClaim(shared.clone())).unwrap();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(transaction.reserve(&shared, "pod-1"), Ok(false));
    assert_eq!(transaction.reserve(&shared, "pod-2"), Ok(true));
    transaction.commit(&mut engine).unwrap();
    assert!(engine.is_assumed("uid-a"));

    // An event that was under way does not end the use by the second.
    engine
        .apply(Change::ResourceClaim(allocated("a", 3, &["pod-1"])))
        .unwrap();
    let mut transaction = engine.snapshot().transaction();
    assert!(!transaction.unreserve(&shared, "pod-1"));
    assert!(!transaction.unreserve(&shared, "pod-1"));
    assert_eq!(allocate(&mut transaction, &claim("b", 1, 1)), None);
    let both_there = transaction.savepoint();
    assert!(transaction.unreserve(&shared, "pod-2"));
    assert_eq!(
        allocate(&mut transaction, &claim("b", 1, 1)),
        names(&["d0"])
    );
    transaction.rollback(&both_there).unwrap();
    assert_eq!(allocate(&mut transaction, &claim("b", 1, 1)), None);

    engine
        .apply(Change::ResourceClaim(allocated(
            "a",
            4,
            &["pod-1", "pod-2"],
        )))
        .unwrap();
    assert!(!engine.is_assumed("uid-a"));
}

#[test]
fn users_are_counted_up_to_their_limit() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let users: Vec<String> = (0..257).map(|index| format!("pod-{index}")).collect();
    let users: Vec<&str> = users.iter().map(String::as_str).collect();
    let refused = engine.apply(Change::ResourceClaim(allocated("a", 2, &users)));
    let refused = refused.unwrap_err();
    assert_eq!(
        (refused.code(), refused.path()),
        (Code::LimitExceeded, "status.reservedFor")
    );
    // It was refused whole.
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), names(&["d0"]));
    engine.forget("uid-b");

    let full = allocated("a", 2, &users[..256]);
    engine.apply(Change::ResourceClaim(full.clone())).unwrap();
    let mut transaction = engine.snapshot().transaction();
    let code = |error: dralloc::Error| error.code();
    assert_eq!(
        transaction.reserve(&full, "pod-256").map_err(code),
        Err(Code::LimitExceeded)
    );
    assert_eq!(
        transaction.reserve(&claim("b", 1, 1), "pod").map_err(code),
        Err(Code::NotFound)
    );
}

#[test]
fn devices_on_their_way_out_are_free_for_who_asks_so() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let old = allocated("a", 2, &["pod-1"]);
    engine.apply(Change::ResourceClaim(old.clone())).unwrap();
    let mut transaction = engine.snapshot().transaction();
    let ask = |transaction: &mut dralloc::Transaction, releasing: Releasing| {
        let claims = transaction.snapshot().prepare(&[claim("b", 1, 1)]).unwrap();
        let options = AllocateOptions::new().releasing(releasing);
        let outcome = transaction.allocate("n", &claims, &options, &mut Workspace::new());
        matches!(outcome, Ok(Outcome::Optimal(_)))
    };
    assert!(!ask(&mut transaction, Releasing::Free));
    assert!(transaction.mark_releasing(&old, true));
    assert!(!transaction.mark_releasing(&claim("b", 1, 1), true));
    assert!(!ask(&mut transaction, Releasing::Taken));
    let marked = transaction.savepoint();
    assert!(ask(&mut transaction, Releasing::Free));
    transaction.rollback(&marked).unwrap();
    transaction.commit(&mut engine).unwrap();

    let mut transaction = engine.snapshot().transaction();
    assert!(ask(&mut transaction, Releasing::Free));
    // Both have it now, until the first is gone.
    transaction.commit(&mut engine).unwrap();
    let removed = |uid: &str| Change::Removed(Removed::ResourceClaim(uid.into()));
    engine.apply(removed("uid-a")).unwrap();
    assert_eq!(commit(&mut engine, &claim("c", 1, 1)), None);
    engine.apply(removed("uid-b")).unwrap();
    assert_eq!(commit(&mut engine, &claim("c", 1, 1)), names(&["d0"]));
}

/// Claims of one template share all but their names.
#[test]
fn claims_of_one_template_have_shares_and_holdings_of_their_own() {
    let engine = engine(json!([{"name": "d0", "allowMultipleAllocations": true}]));
    let snapshot = engine.snapshot();
    let (mut workspace, options) = (Workspace::new(), AllocateOptions::new());
    let mut ids = Vec::new();
    let mut together = snapshot.transaction();
    for name in ["a", "b", "a"] {
        let claims = snapshot.prepare(&[claim(name, 1, 1)]).unwrap();
        let answer = together.allocate("n", &claims, &options, &mut workspace);
        let Ok(Outcome::Optimal(allocation)) = answer else {
            panic!("{answer:?}")
        };
        let result = &allocation.results()[0].devices.results[0];
        assert_eq!((&*result.device, &*result.request), ("d0", "r"));
        ids.push(result.share_id.clone().unwrap());
    }
    assert_ne!(ids[0], ids[1]);
    // What has something already returns that.
    assert_eq!(ids[0], ids[2]);

    // Alone each has the same share, whoever was there before it.
    for (name, id) in [("b", &ids[1]), ("a", &ids[0])] {
        let claims = snapshot.prepare(&[claim(name, 1, 1)]).unwrap();
        let mut alone = snapshot.transaction();
        let answer = alone.allocate("n", &claims, &options, &mut workspace);
        let Ok(Outcome::Optimal(allocation)) = answer else {
            panic!("{answer:?}")
        };
        let result = &allocation.results()[0].devices.results[0];
        assert_eq!(result.share_id.as_ref(), Some(id));
    }
}

/// Devices that were published in another order have numbers in that order.
#[test]
fn what_is_held_does_not_depend_on_the_order_of_publication() {
    let mut engine = engine(json!([{"name": "d3"}, {"name": "d1"}]));
    let devices = json!([{"name": "d0"}, {"name": "d1"}, {"name": "d2"}, {"name": "d3"}]);
    engine.apply(slice("u", 2, devices)).unwrap();
    assert_eq!(commit(&mut engine, &claim("a", 1, 2)), names(&["d0", "d1"]));
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    for _ in 0..2 {
        let two = allocate(&mut transaction, &claim("b", 1, 2));
        assert_eq!(two, names(&["d2", "d3"]));
        assert_eq!(allocate(&mut transaction, &claim("c", 1, 1)), None);
        transaction.rollback(&start).unwrap();
    }
    assert!(transaction.release(&claim("a", 1, 2)));
    let all = names(&["d0", "d1", "d2", "d3"]);
    assert_eq!(allocate(&mut transaction, &claim("b", 1, 4)), all);
    transaction.rollback(&start).unwrap();
    assert_eq!(allocate(&mut transaction, &claim("b", 1, 3)), None);
}

/// What is kept for the claims of one pod beside an allocated one serves the next
/// pod of the template, but not its names.
#[test]
fn beside_an_allocated_claim_each_has_shares_of_its_own() {
    let mut engine = engine(json!([{"name": "d0", "allowMultipleAllocations": true}]));
    assert_eq!(commit(&mut engine, &claim("x", 1, 1)), names(&["d0"]));
    let snapshot = engine.snapshot();
    let share = |name: &str, workspace: &mut Workspace| {
        let claims = [claim("x", 1, 1), claim(name, 1, 1)];
        let claims = snapshot.prepare(&claims).unwrap();
        let mut transaction = snapshot.transaction();
        let options = AllocateOptions::new();
        let answer = transaction.allocate("n", &claims, &options, workspace);
        let Ok(Outcome::Optimal(allocation)) = answer else {
            panic!("{answer:?}")
        };
        let share = &allocation.results()[1].devices.results[0].share_id;
        share.clone().unwrap()
    };
    let mut warm = Workspace::new();
    let (a, b) = (share("a", &mut warm), share("b", &mut warm));
    assert_ne!(a, b);
    assert_eq!(b, share("b", &mut Workspace::new()));
    assert_eq!(a, share("a", &mut warm));
}

/// Nobody uses a claim that an event shows without its devices.
#[test]
fn users_of_a_claim_that_lost_its_devices_are_forgotten() {
    let mut engine = engine(json!([{"name": "d0"}]));
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d0"]));
    let mut shown = claim("a", 2, 1);
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[claim("a", 1, 1)]).unwrap();
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    let mut transaction = snapshot.transaction();
    let had = transaction.allocate("n", &claims, &options, &mut workspace);
    let Ok(Outcome::Optimal(allocation)) = had else {
        panic!("{had:?}")
    };
    shown.status.allocation = Some(allocation.results()[0].clone());
    engine.apply(Change::ResourceClaim(shown)).unwrap();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(transaction.reserve(&claim("a", 1, 1), "user"), Ok(true));
    transaction.commit(&mut engine).unwrap();
    assert!(engine.is_assumed("uid-a"));

    engine
        .apply(Change::ResourceClaim(claim("a", 3, 1)))
        .unwrap();
    assert!(!engine.is_assumed("uid-a"));
    let mut transaction = engine.snapshot().transaction();
    let error = transaction.reserve(&claim("a", 1, 1), "user").unwrap_err();
    assert_eq!(error.code(), Code::NotFound);
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), names(&["d0"]));
}
