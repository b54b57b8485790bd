//! Where it is known from what claims have.

use super::*;

#[test]
fn the_books_win_over_the_status_of_a_claim() {
    let a = allocated("a", 2);
    let both = [a.clone(), claim("b", 1, 1)];
    let pair = |transaction: &mut Transaction| {
        let allocation = fits(transaction, "n", &both);
        let devices = devices(&allocation);
        devices
            .into_iter()
            .map(|(.., device)| device)
            .collect::<Vec<_>>()
    };
    // Nothing is known: the status is believed, and held.
    let mut engine = cluster();
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    assert_eq!(pair(&mut transaction), ["d/n/d0", "d/n/d1"]);
    transaction.rollback(&start).unwrap();
    let unused = fits(&mut transaction, "n", &[claim("c", 1, 1)]);
    assert_eq!(devices(&unused), [(0, 0, "d/n/d0".into())]);
    transaction.rollback(&start).unwrap();
    assert_eq!(pair(&mut transaction), ["d/n/d0", "d/n/d1"]);
    transaction.commit(&mut engine).unwrap();
    assert!(engine.is_assumed("uid-a") && engine.is_assumed("uid-b"));
    assert_eq!(commit(&mut engine, &claim("c", 1, 1)), names(&["x0"]));

    // An event said that it has none.
    let mut engine = cluster();
    engine
        .apply(Change::ResourceClaim(claim("a", 3, 1)))
        .unwrap();
    let mut transaction = engine.snapshot().transaction();
    let allocation = fits(&mut transaction, "n", &[claim("b", 1, 1), a.clone()]);
    let expected = [(0, 0, "d/n/d0".to_owned()), (1, 0, "d/n/d1".to_owned())];
    assert_eq!(devices(&allocation), expected);
    // A transaction took it away.
    let mut engine = cluster();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(pair(&mut transaction), ["d/n/d0", "d/n/d1"]);
    assert!(transaction.release(&a) && transaction.release(&both[1]));
    let allocation = fits(&mut transaction, "n", &[both[1].clone(), a.clone()]);
    assert_eq!(devices(&allocation), expected);
    // A list without it makes it unknown again.
    engine
        .apply(Change::ResourceClaim(claim("a", 3, 1)))
        .unwrap();
    engine.replace(Relist::ResourceClaims(vec![])).unwrap();
    assert_eq!(
        pair(&mut engine.snapshot().transaction()),
        ["d/n/d0", "d/n/d1"]
    );
}

#[test]
fn what_a_host_holds_by_itself_is_not_held_twice() {
    let mut engine = cluster();
    engine
        .apply(Change::Held(Held {
            devices: vec![dralloc::model::DeviceId::new("d", "n", "d0")],
            ..Held::default()
        }))
        .unwrap();
    let mut transaction = engine.snapshot().transaction();
    let allocation = fits(
        &mut transaction,
        "n",
        &[allocated("a", 2), claim("b", 1, 1)],
    );
    let expected = [(0, 0, "d/n/d0".to_owned()), (1, 0, "d/n/d1".to_owned())];
    assert_eq!(devices(&allocation), expected);
    transaction.commit(&mut engine).unwrap();
    assert!(!engine.is_assumed("uid-a") && engine.is_assumed("uid-b"));
    engine.apply(Change::Held(Held::default())).unwrap();
    assert_eq!(commit_on_n(&mut engine, &claim("c", 1, 1)), ["d/n/d0"]);
}

fn commit_on_n(engine: &mut Engine, claim: &ResourceClaim) -> Vec<String> {
    let mut transaction = engine.snapshot().transaction();
    let allocation = fits(&mut transaction, "n", std::slice::from_ref(claim));
    transaction.commit(engine).unwrap();
    devices(&allocation)
        .into_iter()
        .map(|(.., device)| device)
        .collect()
}

#[test]
fn what_a_host_made_a_claim_hold_is_returned() {
    let engine = cluster();
    let mut transaction = engine.snapshot().transaction();
    let a = claim("a", 1, 1);
    transaction.hold(&a, &result("n"));
    let results = fits(&mut transaction, "n", &[a.clone(), claim("b", 1, 1)]).results();
    assert_eq!(text(&results[0]), text(&result("n")));
    assert_eq!(&*results[1].devices.results[0].device, "d1");
    // Access for administration holds no device, and is returned as well.
    let mut admin = result("n");
    admin.devices.results[0].admin_access = Some(true);
    transaction.hold(&a, &admin);
    let results = fits(&mut transaction, "n", std::slice::from_ref(&a)).results();
    assert_eq!(results, [admin]);
    assert_eq!(transaction.reserve(&a, "pod"), Ok(true));
    assert!(transaction.release(&a));
}

#[test]
fn a_commit_needs_what_allocated_claims_had() {
    let mut engine = cluster();
    let a = allocated("a", 2);
    engine.apply(Change::ResourceClaim(a.clone())).unwrap();
    let claims = [a.clone(), claim("b", 1, 1)];
    let mut transaction = engine.snapshot().transaction();
    fits(&mut transaction, "n", &claims);
    // Another device of the pool is taken meanwhile, and given back.
    let other = transaction.clone();
    let mut third = engine.snapshot().transaction();
    fits(&mut third, "m", &[claim("c", 1, 1)]);
    third.commit(&mut engine).unwrap();
    other.commit(&mut engine).unwrap();
    assert!(!engine.is_assumed("uid-a") && engine.is_assumed("uid-b"));
    engine.forget("uid-b");

    engine
        .apply(Change::ResourceClaim(claim("a", 3, 1)))
        .unwrap();
    let error = transaction.commit(&mut engine).unwrap_err();
    assert_eq!(
        (error.code(), error.message()),
        (
            Code::Conflict,
            "claim `uid-a` has other devices or users than before"
        )
    );
}

#[test]
fn a_dump_has_what_claims_were_given_word_for_word() {
    let mut engine = cluster();
    engine
        .apply(Change::ResourceClaim(allocated("a", 2)))
        .unwrap();
    engine
        .apply(Change::ResourceClaim(claim("p", 3, 1)))
        .unwrap();
    let claims = [claim("b", 1, 1), claim("a", 1, 1)];
    let mut transaction = engine.snapshot().transaction();
    let results = fits(&mut transaction, "n", &claims).results();
    transaction.commit(&mut engine).unwrap();
    let dump = engine.dump();
    let loaded = Engine::load(&dump).unwrap();
    assert_eq!(loaded.dump(), dump);
    let mut transaction = loaded.snapshot().transaction();
    assert_eq!(
        text(&fits(&mut transaction, "n", &claims).results()),
        text(&results)
    );
    // That a claim has nothing is known, whatever its status says.
    let mut stale = allocated("p", 2);
    stale.status.allocation = Some(result("m"));
    let found = fits(&mut transaction, "n", &[stale]);
    assert_eq!(devices(&found), [(0, 0, "net/net/x0".into())]);
}
