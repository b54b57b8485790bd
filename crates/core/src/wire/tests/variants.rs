//! Values of one of several sorts: steps of certificates.

use crate::proof::{Certificate, Step};
use crate::wire::{from_json, from_json_strict};

#[test]
fn certificates_are_read_as_they_are_written() {
    let text = r#"{"steps": [
        {"devices": {"request": {"claim": 0, "request": "a"},
                     "devices": [[{"driver": "d", "pool": "p", "device": "x"}]]}},
        {"limit": {"claim": 0, "needed": 33}},
        {"counters": {"requests": [{"claim": 1, "request": "b", "repetition": 1}],
                      "counters": [{"driver": "d", "pool": "p", "counterSet": "s",
                                    "counter": "c", "weight": 2}],
                      "needed": "3", "left": "1500m"}}], "releasingIsFree": true}"#;
    let found: Certificate = from_json_strict(text).unwrap();
    assert_eq!(found, serde_json::from_str(text).unwrap());
    assert_eq!(
        found.steps.get(1),
        Some(&Step::Limit {
            claim: 0,
            needed: 33
        })
    );
}

#[test]
fn what_is_wrong_with_a_certificate_is_said_with_its_place() {
    for (text, path, message) in [
        ("[]", "", "expected an object, found a list"),
        ("{}", "", "field `steps` is missing"),
        (
            r#"{"steps": {}}"#,
            "steps",
            "expected a list, found an object",
        ),
        (
            r#"{"steps": [7]}"#,
            "steps[0]",
            "expected an object, found `7`",
        ),
        (
            r#"{"steps": ["limit"]}"#,
            "steps[0]",
            "expected an object, found `\"limit\"`",
        ),
        (
            r#"{"steps": [{}]}"#,
            "steps[0]",
            "expected a name in double quotes, found `}`",
        ),
        (
            r#"{"steps": [{"limit": {"claim": 0}}]}"#,
            "steps[0].limit",
            "field `needed` is missing",
        ),
        (
            r#"{"steps": [{"limit": {"claim": 0, "needed": 1}, "count": {}}]}"#,
            "steps[0]",
            "expected `}` after one field, found `,`",
        ),
        (
            r#"{"steps": [{"limits": 1}]}"#,
            "steps[0].limits",
            "expected `count`, `distinct`, `groups`, `counters`, `capacities`, `parts`, `least`, \
             `limit`, `allocated`, `releasing`, `placement`, `alternatives`, `values`, or \
             `devices`, found `limits`",
        ),
    ] {
        let fault = from_json::<Certificate>(text).unwrap_err();
        assert_eq!(
            (fault.error.path(), fault.error.message()),
            (path, message),
            "{text}"
        );
    }
    let text = r#"{"steps": [{"limit": {"claim": 0, "needed": 33, "claims": 1}}]}"#;
    let error = from_json_strict::<Certificate>(text).unwrap_err().error;
    assert_eq!(
        error.to_string(),
        "steps[0].limit.claims: unknown field `claims` (did you mean `claim`)"
    );
}
