//! Capacities and request policies.

use serde_json::{Value, json};

use super::list;
use super::resource_slice::{base, check};
use crate::error::Code::{Duplicate, Invalid, LimitExceeded};

#[test]
fn capacity() {
    let mut base = base();
    base["spec"]["devices"][0]["allowMultipleAllocations"] = json!(true);
    let at = |capacity: Value| json!({"/spec/devices/0/capacity": {"memory": capacity}});
    let policy = |policy: Value| at(json!({"value": "10", "requestPolicy": policy}));
    let values =
        |default: &str, values: Value| policy(json!({"default": default, "validValues": values}));
    let range =
        |default: &str, range: Value| policy(json!({"default": default, "validRange": range}));
    let memory = "spec.devices[0].capacity[memory].requestPolicy";
    let place = |field: &str| -> &'static str { format!("{memory}.{field}").leak() };
    let numbers = |length: usize| list(length, |index| json!((index + 1).to_string()));
    let mut dedicated = policy(json!({}));
    dedicated["/spec/devices/0/allowMultipleAllocations"] = json!(false);
    let large = at(json!({"value": "10E", "requestPolicy":
        {"default": "1", "validRange": {"min": "0", "max": "10E", "step": "1"}}}));
    check(
        &base,
        &[
            (
                at(json!({"value": "0"})),
                at(json!({"value": "-1"})),
                "spec.devices[0].capacity[memory].value",
                Invalid,
                "expected 0 or more, found `-1`",
            ),
            (
                json!({"/spec/devices/0/capacity": {"a.b/memory": {"value": "1"}}}),
                json!({"/spec/devices/0/capacity": {"a-b": {"value": "1"}}}),
                "spec.devices[0].capacity",
                Invalid,
                "expected a C identifier of letters, digits and `_`, found `a-b`",
            ),
            (
                policy(json!({})),
                dedicated,
                memory,
                Invalid,
                "expected no policy on a device without `allowMultipleAllocations`",
            ),
            (
                policy(json!({"default": "20"})),
                policy(json!({"default": "-1"})),
                place("default"),
                Invalid,
                "expected 0 or more, found `-1`",
            ),
            (
                values("1", json!(["1"])),
                policy(json!({"default": "1", "validValues": ["1"], "validRange": {"min": "0"}})),
                memory,
                Invalid,
                "expected at most one of `validValues` and `validRange`, found both",
            ),
            (
                policy(json!({"validValues": []})),
                policy(json!({"validValues": ["1"]})),
                place("default"),
                Invalid,
                "expected a default beside `validValues` or `validRange`, found none",
            ),
            (
                range("1", json!({"min": "1"})),
                policy(json!({"validRange": {"min": "1"}})),
                place("default"),
                Invalid,
                "expected a default beside `validValues` or `validRange`, found none",
            ),
            (
                values("2", numbers(10)),
                values("2", numbers(11)),
                place("validValues"),
                LimitExceeded,
                "expected at most 10 values, found 11",
            ),
            (
                values("2000m", json!(["1", "2"])),
                values("3", json!(["1", "2"])),
                place("default"),
                Invalid,
                "expected one of `validValues`, found `3`",
            ),
            (
                values("1", json!(["1", "1500m", "2"])),
                values("1", json!(["1", "3", "2"])),
                place("validValues[2]"),
                Invalid,
                "expected ascending values, found `2` after `3`",
            ),
            (
                values("1", json!(["1", "10"])),
                values("1", json!(["1", "11"])),
                place("validValues[1]"),
                Invalid,
                "expected at most the capacity `10`, found `11`",
            ),
            (
                values("1", json!(["1", "2"])),
                values("1", json!(["1", "1000m"])),
                place("validValues[1]"),
                Duplicate,
                "duplicate `1000m`, expected each value once",
            ),
            (
                values("0", json!(["0", "1"])),
                values("1", json!(["-1", "1"])),
                place("validValues[0]"),
                Invalid,
                "expected 0 or more, found `-1`",
            ),
            (
                range("0", json!({"min": "0"})),
                range("0", json!({"max": "1"})),
                place("validRange.min"),
                Invalid,
                "expected a smallest amount, found none",
            ),
            (
                range("1", json!({"min": "0"})),
                range("1", json!({"min": "-1"})),
                place("validRange.min"),
                Invalid,
                "expected 0 or more, found `-1`",
            ),
            (
                range("10", json!({"min": "10"})),
                range("11", json!({"min": "11"})),
                place("validRange.min"),
                Invalid,
                "expected at most the capacity `10`, found `11`",
            ),
            (
                range("2", json!({"min": "2"})),
                range("1", json!({"min": "2"})),
                place("default"),
                Invalid,
                "expected at least `min` `2`, found `1`",
            ),
            (
                range("2", json!({"min": "2", "max": "2"})),
                range("3", json!({"min": "2", "max": "2"})),
                place("default"),
                Invalid,
                "expected at most `max` `2`, found `3`",
            ),
            (
                range("2", json!({"min": "2", "max": "10"})),
                range("2", json!({"min": "2", "max": "11"})),
                place("validRange.max"),
                Invalid,
                "expected at most the capacity `10`, found `11`",
            ),
            (
                range("2", json!({"min": "1", "step": "1"})),
                range("2", json!({"min": "1", "step": "0"})),
                place("validRange.step"),
                Invalid,
                "expected more than 0, found `0`",
            ),
            (
                range("2", json!({"min": "2", "step": "8"})),
                range("2", json!({"min": "2", "step": "9"})),
                place("validRange.step"),
                Invalid,
                "expected `min` and one step within the capacity `10`, found `9`",
            ),
            (
                range("5", json!({"min": "1", "step": "2"})),
                range("4", json!({"min": "1", "step": "2"})),
                place("default"),
                Invalid,
                "expected whole steps of `2` from `min`, found `4`",
            ),
            (
                range("1", json!({"min": "1", "max": "7", "step": "2"})),
                range("1", json!({"min": "1", "max": "8", "step": "2"})),
                place("validRange.max"),
                Invalid,
                "expected whole steps of `2` from `min`, found `8`",
            ),
            (
                range("1500m", json!({"min": "500m", "step": "500m"})),
                range("1600m", json!({"min": "500m", "step": "500m"})),
                place("default"),
                Invalid,
                "expected whole steps of `500m` from `min`, found `1600m`",
            ),
            (
                range("1500m", json!({"min": "1"})),
                range("1500u", json!({"min": "0"})),
                place("default"),
                Invalid,
                "expected whole thousandths, found `1500u`",
            ),
            (
                json!({}),
                large,
                place("validRange.max"),
                Invalid,
                "expected an amount of 64 bits, found `10E`",
            ),
        ],
    );
}

#[test]
fn two_faults_are_two_errors() {
    let mut item = base();
    item["spec"]["devices"][0] = json!({"name": "gpu-0", "allowMultipleAllocations": true,
        "capacity": {"memory": {"value": "10", "requestPolicy":
            {"default": "4", "validRange": {"min": "5", "max": "3"}}}}});
    let item = serde_json::from_value(item).unwrap();
    let errors = crate::validate::resource_slice(&item, &super::all());
    let policy = "spec.devices[0].capacity[memory].requestPolicy";
    assert_eq!(
        super::report(&errors),
        [
            format!("{policy}.default: invalid: expected at least `min` `5`, found `4`"),
            format!("{policy}.validRange.max: invalid: expected at least `min` `5`, found `3`"),
            format!("{policy}.default: invalid: expected at most `max` `3`, found `4`"),
        ]
    );
}
