//! Who uses what, by changes, lists and commits.

use super::*;

#[test]
fn changes_and_lists_say_who_uses_what() {
    let mut engine = engine();
    let in_use = |engine: &Engine, node: &str| text(&engine.snapshot().amounts_in_use(node));
    let applied = engine.apply(Change::NodeUse(used("p", "n", "1"))).unwrap();
    assert_eq!(
        (applied.is_changed(), applied.nodes()),
        (true, &["n".into()][..])
    );
    assert!(
        !engine
            .apply(Change::NodeUse(used("p", "n", "1000m")))
            .unwrap()
            .is_changed()
    );
    let applied = engine.apply(Change::NodeUse(used("p", "m", "2"))).unwrap();
    assert_eq!(applied.nodes(), ["m".into(), "n".into()]);
    assert_eq!(
        (in_use(&engine, "n"), in_use(&engine, "m")),
        ("{}".into(), r#"{"cpu":"2","pods":"1"}"#.into())
    );
    let mut transaction = engine.snapshot().transaction();
    assert!(fits(&mut transaction, "q", json!({"cpu": "3"})));
    transaction
        .take_amounts("n", "p", &amounts(json!({"cpu": "1"})))
        .unwrap();
    let applied = transaction.commit(&mut engine).unwrap();
    assert_eq!(applied.nodes(), ["m".into(), "n".into()]);
    assert!(engine.is_assumed("p") && engine.is_assumed("q"));
    assert_eq!(in_use(&engine, "n"), r#"{"cpu":"4"}"#);
    // It is taken back, to what was said before.
    assert_eq!(engine.forget("p").nodes(), ["m".into(), "n".into()]);
    assert!(!engine.forget("p").is_changed());
    assert_eq!(
        (in_use(&engine, "n"), in_use(&engine, "m")),
        (r#"{"cpu":"3"}"#.into(), r#"{"cpu":"2","pods":"1"}"#.into())
    );
    // A list that was under way has not heard of `q`, but of `p`, which is gone.
    engine
        .replace(Relist::NodeUses(vec![used("r", "m", "1")]))
        .unwrap();
    assert_eq!(
        (in_use(&engine, "n"), in_use(&engine, "m")),
        (r#"{"cpu":"3"}"#.into(), r#"{"cpu":"1","pods":"1"}"#.into())
    );
    engine.apply(Change::NodeUse(used("q", "n", "3"))).unwrap();
    assert!(!engine.is_assumed("q"));
    let same = engine.replace(Relist::NodeUses(vec![
        used("q", "n", "3"),
        used("r", "m", "1"),
    ]));
    assert!(!same.unwrap().is_changed());
    let twice = engine.replace(Relist::NodeUses(vec![
        used("q", "n", "1"),
        used("q", "m", "1"),
    ]));
    let twice = twice.unwrap_err();
    assert_eq!((twice.code(), twice.path()), (Code::Duplicate, "[1].owner"));
    let negative = engine
        .replace(Relist::NodeUses(vec![used("q", "n", "-1")]))
        .unwrap_err();
    assert_eq!(
        (negative.code(), negative.path()),
        (Code::Invalid, "[0].amounts[cpu]")
    );
    assert_eq!(in_use(&engine, "n"), r#"{"cpu":"3","pods":"1"}"#);
    let removed = Change::Removed(Removed::NodeUse("q".into()));
    assert!(engine.apply(removed.clone()).unwrap().is_changed());
    assert!(!engine.apply(removed).unwrap().is_changed());
    assert_eq!(in_use(&engine, "n"), "{}");
}

#[test]
fn commits_conflict_only_where_too_little_is_left() {
    let mut engine = engine();
    engine.apply(node("m", json!({"cpu": "4"}))).unwrap();
    let open = |engine: &Engine, user: &str, cpu: &str| {
        let mut transaction = engine.snapshot().transaction();
        assert!(fits(&mut transaction, user, json!({"cpu": cpu})));
        transaction
    };
    let (a, b) = (open(&engine, "a", "2"), open(&engine, "b", "2"));
    let (c, again) = (open(&engine, "c", "1"), open(&engine, "a", "1"));
    let mut over = open(&engine, "d", "1");
    // Taken without asking, so that it is too much already.
    over.take_amounts("n", "e", &amounts(json!({"cpu": "9"})))
        .unwrap();
    a.commit(&mut engine).unwrap();
    b.commit(&mut engine).unwrap();
    let error = c.commit(&mut engine).unwrap_err();
    let expected = (Code::Conflict, "node `n` has `1` of `cpu` too little now");
    assert_eq!((error.code(), error.message()), expected);
    assert_eq!(
        (error.path(), error.scope()),
        ("node", dralloc::Scope::Node)
    );
    let error = again.commit(&mut engine).unwrap_err();
    let expected = (
        Code::Conflict,
        "`a` uses other amounts of nodes than before",
    );
    assert_eq!((error.code(), error.message()), expected);
    over.commit(&mut engine).unwrap();
    assert_eq!(
        text(&engine.snapshot().amounts_in_use("n")),
        r#"{"cpu":"14"}"#
    );

    engine.replace(Relist::NodeUses(vec![])).unwrap();
    for owner in ["a", "b", "d", "e"] {
        assert!(engine.forget(owner).is_changed());
    }
    // The node itself may have less, or be gone.
    let (a, b) = (open(&engine, "a", "3"), open(&engine, "b", "1"));
    engine.apply(node("n", json!({"cpu": "2"}))).unwrap();
    assert_eq!(a.commit(&mut engine).unwrap_err().code(), Code::Conflict);
    let c = open(&engine, "c", "1");
    b.commit(&mut engine).unwrap();
    engine
        .apply(Change::Removed(Removed::Node("n".into())))
        .unwrap();
    let error = c.commit(&mut engine).unwrap_err();
    assert_eq!(
        error.message(),
        "node `n` is gone, expected one that is there"
    );
    // Hypothetical nodes have amounts of their own, and are gone after it.
    let mut transaction = engine.snapshot().transaction();
    transaction.add_node("m-1", "m").unwrap();
    transaction
        .take_amounts("m", "x", &amounts(json!({"cpu": "4"})))
        .unwrap();
    let claims = transaction.snapshot().prepare(&[]).unwrap();
    let four = amounts(json!({"cpu": "4"}));
    let options = AllocateOptions::new().user("y").amounts(&four);
    let answer = transaction.allocate("m-1", &claims, &options, &mut Workspace::new());
    assert!(matches!(answer, Ok(Outcome::Optimal(_))));
    assert_eq!(
        transaction.commit(&mut engine).unwrap_err().code(),
        Code::Conflict
    );
}
