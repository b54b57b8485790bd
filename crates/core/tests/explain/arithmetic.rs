//! What is needed against what there is, in numbers and in one line.

use dralloc::Arithmetic;
use serde_json::json;

use crate::{claim, engine, engine_of, explained, holding, with_numa};

#[test]
fn values_are_counted_with_what_a_release_makes_of_them() {
    let mut engine = engine(with_numa(&[0, 0, 0, 0, 1, 1, 1, 2, 2]));
    let requests = [("r0", 1), ("r1", 1), ("r2", 1), ("r3", 1)];
    let asked = [claim("x", &requests, json!([{"matchAttribute": "d/numa"}]))];
    let explanation = explained(&mut engine, &[holding("b", &["1"])], &asked);
    assert_eq!(
        explanation.arithmetic,
        [Arithmetic::Values {
            claim: 0,
            constraint: 0,
            attribute: "d/numa".into(),
            requests: 4,
            needed: 4,
            available: 3,
            after_release: Some(4),
        }]
    );
    assert_eq!(
        explanation.to_string(),
        "4 requests need `d/numa` equal; the largest free group has 3; \
         if claim `default/b` were released it would have 4"
    );
    assert_eq!(
        serde_json::to_value(&explanation.arithmetic).unwrap(),
        json!([{"values": {"claim": 0, "constraint": 0, "attribute": "d/numa", "requests": 4,
                           "needed": 4, "available": 3, "afterRelease": 4}}])
    );
}

#[test]
fn devices_are_counted() {
    let mut engine = engine(with_numa(&[0; 16]));
    let asked = [
        claim("x", &[("a", 9)], json!([])),
        claim("y", &[("b", 8)], json!([])),
    ];
    let explanation = explained(&mut engine, &[], &asked);
    assert_eq!(
        explanation.to_string(),
        "17 devices needed, 16 can serve; no release would help"
    );
    let explanation = explained(&mut engine, &[holding("h", &["3", "4"])], &asked[..1]);
    assert_eq!(explanation.to_string(), "");
    let large = [asked[0].clone(), claim("y", &[("b", 18)], json!([]))];
    let explanation = explained(&mut engine, &[], &large);
    assert_eq!(
        explanation.to_string(),
        "request `b` of claim 1: 18 devices needed, 16 can serve; no release would help"
    );
    let eight = [
        claim("x", &[("a", 8)], json!([])),
        claim("y", &[("b", 8)], json!([])),
    ];
    let explanation = explained(&mut engine, &[], &eight);
    assert_eq!(
        explanation.to_string(),
        "16 devices needed, 14 can serve; if claim `default/h` were released 16 could serve"
    );
}

#[test]
fn counters_are_summed_over_sets() {
    let devices: Vec<_> = (0..8)
        .map(|place| {
            json!({"name": place.to_string(), "consumesCounters": [
                {"counterSet": format!("card-{}", place / 4), "counters": {
                    "memory": {"value": "10Gi"}}}]})
        })
        .collect();
    let sets: Vec<_> = (0..2)
        .map(|card| {
            json!({"name": format!("card-{card}"), "counters": {"memory": {"value": "24Gi"}}})
        })
        .collect();
    let mut engine = engine_of(&[
        json!({ "devices": devices }),
        json!({ "sharedCounters": sets }),
    ]);
    let five = [claim("x", &[("a", 3), ("b", 2)], json!([]))];
    let explanation = explained(&mut engine, &[], &five);
    assert_eq!(
        explanation.arithmetic,
        [Arithmetic::Counters {
            device: None,
            counter_set: None,
            counter: "memory".into(),
            needed: "50Gi".parse().unwrap(),
            left: "48Gi".parse().unwrap(),
            after_release: None,
        }]
    );
    // No card has room for a third one; the sums do not show it.
    let asked = [claim("x", &[("a", 1), ("b", 1), ("c", 1)], json!([]))];
    let holders = [holding("g", &["0"]), holding("h", &["4"])];
    let explanation = explained(&mut engine, &holders, &asked);
    assert_eq!(
        explanation.to_string(),
        "30Gi of counter `memory` needed, 28Gi left; \
         if claim `default/g` were released 38Gi would be left"
    );
    let explanation = explained(
        &mut engine,
        &[holding("g", &["0", "1"]), holding("h", &["4", "5"])],
        &asked[..1],
    );
    // All of it has to fit, so that one of them is not enough.
    assert_eq!(
        explanation.to_string(),
        "request `a`: 10Gi of counter `memory` of set `card-0` needed on device `d/p/2`, \
         4Gi left; if claim `default/g` and claim `default/h` were released it would fit"
    );
}

/// The API lets any count through, and sums of them may be beyond all numbers.
#[test]
fn counts_beyond_all_numbers_are_bad_input() {
    let mut engine = engine(with_numa(&[0; 4]));
    let asked = claim("x", &[("a", 1), ("b", 1), ("c", 1)], json!([]));
    let mut asked = serde_json::to_value(asked).unwrap();
    for request in 0..3 {
        asked["spec"]["devices"]["requests"][request]["exactly"]["count"] = json!(i64::MAX);
    }
    let asked = [serde_json::from_value(asked).unwrap()];
    let explanation = explained(&mut engine, &[], &asked);
    assert_eq!(
        explanation.to_string(),
        "claims[0].spec.devices.requests[0]: 9223372036854775807 devices beside 0 of other \
         requests, expected at most 32 for a claim"
    );
}
