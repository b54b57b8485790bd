//! Conflicts with exactly the members that they have.

use serde_json::json;

use crate::{claim, class, conflict, engine, explained, holding, with_numa};

#[test]
fn what_fits_has_no_conflict() {
    let mut engine = engine(with_numa(&[0, 1]));
    let explanation = explained(&mut engine, &[], &[claim("a", &[("r", 2)], json!([]))]);
    assert_eq!(conflict(&explanation), "none");
    assert_eq!(class(&explanation), "none");
}

#[test]
fn a_request_that_is_too_large_is_named_alone() {
    let mut engine = engine(with_numa(&[0, 0, 1, 1]));
    let same = json!([{"matchAttribute": "d/numa", "requests": ["x"]}]);
    let asked = [
        claim("a", &[("x", 1), ("y", 1)], same),
        claim("b", &[("z", 5)], json!([])),
    ];
    let explanation = explained(&mut engine, &[holding("h", &["0"])], &asked);
    assert_eq!(conflict(&explanation), "1/z");
    assert_eq!(class(&explanation), "neverPossible");
}

#[test]
fn requests_that_are_too_many_are_named_together() {
    let mut engine = engine(with_numa(&[0, 0, 1, 1]));
    let requests = [("r0", 1), ("r1", 1), ("r2", 1), ("r3", 1), ("r4", 1)];
    let asked = [claim(
        "a",
        &requests,
        json!([{"matchAttribute": "d/numa", "requests": ["r0"]}]),
    )];
    let explanation = explained(&mut engine, &[], &asked);
    assert_eq!(conflict(&explanation), "0/r0, 0/r1, 0/r2, 0/r3, 0/r4");
    assert_eq!(class(&explanation), "neverPossible");
}

#[test]
fn holders_are_named_that_have_what_is_missing() {
    let mut engine = engine(with_numa(&[0, 0, 0, 1, 1, 1]));
    let holders = [
        holding("a", &["0"]),
        holding("b", &["3"]),
        holding("c", &["1"]),
    ];
    let same = json!([{"matchAttribute": "d/numa"}]);
    let asked = [claim("x", &[("r0", 1), ("r1", 1), ("r2", 1)], same)];
    let explanation = explained(&mut engine, &holders, &asked);
    // One of group 0 is enough to make it too small.
    assert_eq!(
        conflict(&explanation),
        "0/r0, 0/r1, 0/r2, 0#0, claim `default/a`, claim `default/b`"
    );
    assert_eq!(class(&explanation), "afterRelease claim `default/b`");
}

#[test]
fn several_have_to_give_back_where_one_is_not_enough() {
    let mut engine = engine(with_numa(&[0, 0, 1, 1]));
    let holders = [
        holding("a", &["0"]),
        holding("b", &["1"]),
        holding("c", &["2"]),
        holding("d", &["3"]),
    ];
    let same = json!([{"matchAttribute": "d/numa"}]);
    let explanation = explained(&mut engine, &holders, &[claim("x", &[("r", 2)], same)]);
    assert_eq!(
        conflict(&explanation),
        "0/r, claim `default/a`, claim `default/b`, claim `default/c`"
    );
    assert_eq!(
        class(&explanation),
        "afterRelease claim `default/a`, claim `default/b`"
    );
}

#[test]
fn two_constraints_conflict_without_anybody_else() {
    let mut engine = engine(with_numa(&[0, 0, 0, 1, 1, 1]));
    let both = json!([
        {"matchAttribute": "d/numa"},
        {"distinctAttribute": "d/numa", "requests": ["r"]},
    ]);
    let explanation = explained(
        &mut engine,
        &[holding("a", &["0"])],
        &[claim("x", &[("q", 1), ("r", 2)], both)],
    );
    assert_eq!(conflict(&explanation), "0/r, 0#0, 0#1");
    assert_eq!(class(&explanation), "neverPossible");
}

#[test]
fn each_constraint_is_left_out_with_what_devices_show_to_the_other() {
    let device = |name: &str, numa: i64, rack: i64| json!({"name": name, "attributes": {"numa": {"int": numa}, "rack": {"int": rack}}});
    let mut engine = engine(json!([
        device("0", 0, 0),
        device("1", 0, 1),
        device("2", 1, 1)
    ]));
    let same = json!([{"matchAttribute": "d/numa"}, {"matchAttribute": "d/rack"}]);
    let explanation = explained(&mut engine, &[], &[claim("x", &[("r", 2)], same)]);
    assert_eq!(conflict(&explanation), "0/r, 0#0, 0#1");
    let whole = serde_json::to_value(&explanation.whole).unwrap();
    let left_out =
        |constraint: usize| json!({"constraint": {"claim": 0, "constraint": constraint}});
    assert_eq!(whole, json!([left_out(0), left_out(1)]));
}
