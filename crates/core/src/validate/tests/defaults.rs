//! What the API server fills in.

use serde_json::{Value, json};

use super::object;
use crate::model::{ResourceClaim, ResourceClaimTemplate};
use crate::validate::defaults;

type Defaults<T> = fn(&mut T);

fn given() -> Value {
    json!([
        {"name": "a", "exactly": {"deviceClassName": "c", "tolerations": [{"key": "k"}]}},
        {"name": "b", "exactly": {"deviceClassName": "c", "allocationMode": "All"}},
        {"name": "c", "exactly": {"deviceClassName": "c", "allocationMode": "Other"}},
        {"name": "d", "exactly": {"deviceClassName": "c", "count": 3}},
        {"name": "e", "exactly": {"deviceClassName": ""}},
        {"name": "f", "firstAvailable": [
            {"name": "x", "deviceClassName": "", "tolerations": [{"operator": "Exists"}, {}]},
        ]},
    ])
}

fn filled() -> Value {
    let mut filled = given();
    for (index, mode, count) in [
        (0, "ExactCount", 1),
        (3, "ExactCount", 3),
        (4, "ExactCount", 1),
    ] {
        filled[index]["exactly"]["allocationMode"] = json!(mode);
        filled[index]["exactly"]["count"] = json!(count);
    }
    filled[0]["exactly"]["tolerations"][0]["operator"] = json!("Equal");
    let alternative = &mut filled[5]["firstAvailable"][0];
    alternative["allocationMode"] = json!("ExactCount");
    alternative["count"] = json!(1);
    alternative["tolerations"][1]["operator"] = json!("Equal");
    filled
}

/// As before, but the request without class gets no mode and count.
fn filled_v1beta1() -> Value {
    let mut filled = filled();
    filled[4] = given()[4].clone();
    filled
}

fn results(toleration: &Value) -> Value {
    json!({"allocation": {"devices": {"results": [{"request": "a", "tolerations": [toleration]}]}}})
}

#[test]
fn of_claims() {
    let claim = |requests: Value, toleration: &Value| -> ResourceClaim {
        object(
            &json!({"spec": {"devices": {"requests": requests}}, "status": results(toleration)}),
            &json!({}),
        )
    };
    let cases: [(Defaults<ResourceClaim>, Value); 2] = [
        (defaults::resource_claim, filled()),
        (defaults::resource_claim_v1beta1, filled_v1beta1()),
    ];
    for (apply, expected) in cases {
        let mut found = claim(given(), &json!({"key": "k"}));
        apply(&mut found);
        let expected = claim(expected, &json!({"key": "k", "operator": "Equal"}));
        assert_eq!(found, expected);
        apply(&mut found);
        assert_eq!(found, expected, "again");
    }
}

#[test]
fn of_templates() {
    let template = |requests: Value| -> ResourceClaimTemplate {
        object(
            &json!({"spec": {"spec": {"devices": {"requests": requests}}}}),
            &json!({}),
        )
    };
    let cases: [(Defaults<ResourceClaimTemplate>, Value); 2] = [
        (defaults::resource_claim_template, filled()),
        (defaults::resource_claim_template_v1beta1, filled_v1beta1()),
    ];
    for (apply, expected) in cases {
        let mut found = template(given());
        apply(&mut found);
        assert_eq!(found, template(expected));
    }
}
