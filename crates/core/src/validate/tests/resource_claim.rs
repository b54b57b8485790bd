//! What claims ask for.

use serde_json::{Value, json};

use super::{all, list, object, report, table};
use crate::error::Code::{Duplicate, Invalid, LimitExceeded, Unsupported};
use crate::model::ResourceClaim;
use crate::validate::resource_claim;

/// A claim with a plain request and one with alternatives.
pub(super) fn base() -> Value {
    json!({
        "metadata": {"name": "gpus", "namespace": "default"},
        "spec": {"devices": {
            "requests": [
                {"name": "gpu", "exactly":
                    {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}},
                {"name": "nic", "firstAvailable": [
                    {"name": "fast", "deviceClassName": "nic", "allocationMode": "ExactCount", "count": 2},
                    {"name": "slow", "deviceClassName": "nic", "allocationMode": "All"},
                ]},
            ],
            "constraints": [{"requests": ["gpu", "nic/fast"], "matchAttribute": "example.com/numa"}],
            "config": [{"requests": ["nic"], "opaque": {"driver": "nic.example.com", "parameters": {}}}],
        }},
    })
}

fn request(index: usize) -> Value {
    json!({"name": format!("r{index}"), "exactly":
        {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}})
}

fn alternative(index: usize) -> Value {
    json!({"name": format!("s{index}"), "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1})
}

fn check(rows: &[super::Row]) {
    table(
        &base(),
        |claim: &ResourceClaim| resource_claim(claim, &all()),
        rows,
    );
}

const LABEL: &str = "expected a DNS label of lower-case letters, digits and `-`, found `A`";

#[test]
fn requests() {
    let bare = json!({"/spec/devices/constraints": null, "/spec/devices/config": null});
    let with = |place: &str, value: Value| {
        let mut changes = bare.clone();
        changes[place] = value;
        changes
    };
    check(&[
        (
            with("/spec/devices/requests", list(32, request)),
            with("/spec/devices/requests", list(33, request)),
            "spec.devices.requests",
            LimitExceeded,
            "expected at most 32 requests, found 33",
        ),
        (
            with("/spec/devices/requests", json!([])),
            with("/spec/devices/requests/0/name", json!("A")),
            "spec.devices.requests[0].name",
            Invalid,
            LABEL,
        ),
        (
            with("/spec/devices/requests/1/name", json!("gpu2")),
            with("/spec/devices/requests/1/name", json!("gpu")),
            "spec.devices.requests[1]",
            Duplicate,
            "duplicate `gpu`, expected each request once",
        ),
        (
            bare.clone(),
            with("/spec/devices/requests/0/exactly", Value::Null),
            "spec.devices.requests[0]",
            Invalid,
            "expected one of `exactly` and `firstAvailable`, found none",
        ),
        (
            with("/spec/devices/requests/0/firstAvailable", json!([])),
            with(
                "/spec/devices/requests/0/firstAvailable",
                json!([alternative(0)]),
            ),
            "spec.devices.requests[0]",
            Invalid,
            "expected one of `exactly` and `firstAvailable`, found both",
        ),
        (
            with(
                "/spec/devices/requests/1/firstAvailable",
                list(8, alternative),
            ),
            with(
                "/spec/devices/requests/1/firstAvailable",
                list(9, alternative),
            ),
            "spec.devices.requests[1].firstAvailable",
            LimitExceeded,
            "expected at most 8 alternatives, found 9",
        ),
        (
            bare.clone(),
            with(
                "/spec/devices/requests/1/firstAvailable/1/name",
                json!("fast"),
            ),
            "spec.devices.requests[1].firstAvailable[1]",
            Duplicate,
            "duplicate `fast`, expected each alternative once",
        ),
        (
            bare.clone(),
            with("/spec/devices/requests/1/firstAvailable/1/name", json!("A")),
            "spec.devices.requests[1].firstAvailable[1].name",
            Invalid,
            LABEL,
        ),
    ]);
}

#[test]
fn parts_of_requests() {
    let exactly = "/spec/devices/requests/0/exactly";
    let at = |field: &str, value: Value| json!({ format!("{exactly}/{field}"): value });
    let toleration = |_: usize| json!({"operator": "Exists"});
    check(&[
        (
            at("deviceClassName", json!("a.b")),
            at("deviceClassName", json!("")),
            "spec.devices.requests[0].exactly.deviceClassName",
            Invalid,
            "expected the name of a device class, found none",
        ),
        (
            json!({}),
            json!({"/spec/devices/requests/1/firstAvailable/0/deviceClassName": "A"}),
            "spec.devices.requests[1].firstAvailable[0].deviceClassName",
            Invalid,
            "expected a DNS name of lower-case letters, digits, `-` and `.`, found `A`",
        ),
        (
            at("count", json!(9_223_372_036_854_775_807_i64)),
            at("count", json!(0)),
            "spec.devices.requests[0].exactly.count",
            Invalid,
            "expected 1 or more, found 0",
        ),
        (
            json!({"/spec/devices/requests/1/firstAvailable/1/count": 0}),
            json!({"/spec/devices/requests/1/firstAvailable/1/count": 1}),
            "spec.devices.requests[1].firstAvailable[1].count",
            Invalid,
            "expected no count for mode `All`, found 1",
        ),
        (
            json!({}),
            at("allocationMode", json!("Some")),
            "spec.devices.requests[0].exactly.allocationMode",
            Unsupported,
            "expected `ExactCount` or `All`, found `Some`",
        ),
        (
            at("adminAccess", json!(true)),
            at("selectors", json!([{"cel": {"expression": "true"}}, {}])),
            "spec.devices.requests[0].exactly.selectors[1].cel",
            Invalid,
            "expected a selector of kind `cel`, found none",
        ),
        (
            at("tolerations", list(16, toleration)),
            at("tolerations", list(17, toleration)),
            "spec.devices.requests[0].exactly.tolerations",
            LimitExceeded,
            "expected at most 16 tolerations, found 17",
        ),
        (
            at(
                "tolerations",
                json!([{"key": "a/b", "operator": "Equal", "effect": "NoSchedule"}]),
            ),
            at("tolerations", json!([{"key": "a/b", "operator": "In"}])),
            "spec.devices.requests[0].exactly.tolerations[0].operator",
            Unsupported,
            "expected `Equal` or `Exists`, found `In`",
        ),
        (
            at("tolerations", json!([{"operator": "Equal", "value": "x"}])),
            at("tolerations", json!([{"operator": "Exists", "value": "x"}])),
            "spec.devices.requests[0].exactly.tolerations[0].value",
            Invalid,
            "expected no value for operator `Exists`",
        ),
        (
            at("tolerations", json!([{"operator": "Equal", "value": ""}])),
            at(
                "tolerations",
                json!([{"operator": "Equal", "value": "x y"}]),
            ),
            "spec.devices.requests[0].exactly.tolerations[0].value",
            Invalid,
            "expected letters, digits, `-`, `_` and `.`, found `x y`",
        ),
        (
            at("tolerations", json!([{"operator": "Exists", "key": ""}])),
            at("tolerations", json!([{"operator": "Exists", "key": "-"}])),
            "spec.devices.requests[0].exactly.tolerations[0].key",
            Invalid,
            "expected letters, digits, `-`, `_` and `.` after an optional domain, found `-`",
        ),
        (
            at(
                "tolerations",
                json!([{"operator": "Exists", "effect": "None"}]),
            ),
            at(
                "tolerations",
                json!([{"operator": "Exists", "effect": "Never"}]),
            ),
            "spec.devices.requests[0].exactly.tolerations[0].effect",
            Unsupported,
            "expected `None`, `NoSchedule` or `NoExecute`, found `Never`",
        ),
        (
            at("capacity", json!({"requests": {"memory": "0"}})),
            at("capacity", json!({"requests": {"memory": "-1Gi"}})),
            "spec.devices.requests[0].exactly.capacity.requests[memory]",
            Invalid,
            "expected 0 or more, found `-1Gi`",
        ),
    ]);
}

#[test]
fn derived_attributes() {
    let place = "/spec/devices/requests/0/exactly/derivedAttributes";
    let attribute = |name: &str| json!({"name": name, "expression": "1"});
    let many = |length: usize| {
        let name = |index: usize| format!("d/a{index}");
        let constraint = |index: usize| json!({"requests": ["gpu"], "matchAttribute": name(index)});
        json!({
            place: list(length, |index| attribute(&name(index))),
            "/spec/devices/constraints": list(length.min(32), constraint),
        })
    };
    let sub = "/spec/devices/requests/1/firstAvailable/0/derivedAttributes";
    let numa = || attribute("example.com/numa");
    check(&[
        (
            many(32),
            many(33),
            "spec.devices.requests[0].exactly.derivedAttributes",
            LimitExceeded,
            "expected at most 32 derived attributes, found 33",
        ),
        (
            json!({place: [numa()]}),
            json!({place: [attribute("d/numa")]}),
            "spec.devices.requests[0].exactly.derivedAttributes[0].name",
            Invalid,
            "expected a constraint on this request that reads the attribute",
        ),
        (
            json!({sub: [numa()]}),
            json!({sub: [numa()], "/spec/devices/constraints/0/requests": ["gpu", "nic/slow"]}),
            "spec.devices.requests[1].firstAvailable[0].derivedAttributes[0].name",
            Invalid,
            "expected a constraint on this request that reads the attribute",
        ),
        (
            json!({sub: [numa()], "/spec/devices/constraints/0/requests": ["nic"]}),
            json!({sub: [numa()], "/spec/devices/constraints/0/requests": ["gpu"]}),
            "spec.devices.requests[1].firstAvailable[0].derivedAttributes[0].name",
            Invalid,
            "expected a constraint on this request that reads the attribute",
        ),
        (
            json!({sub: [numa()], "/spec/devices/constraints/0/requests": []}),
            json!({place: [attribute("numa")]}),
            "spec.devices.requests[0].exactly.derivedAttributes[0].name",
            Invalid,
            "expected a domain and a name separated by `/`, found `numa`",
        ),
        (
            json!({place: [numa()]}),
            json!({place: [numa(), numa()]}),
            "spec.devices.requests[0].exactly.derivedAttributes[1]",
            Duplicate,
            "duplicate `example.com/numa`, expected each attribute once",
        ),
        (
            json!({place: [numa()]}),
            json!({place: [{"name": "example.com/numa", "expression": ""}]}),
            "spec.devices.requests[0].exactly.derivedAttributes[0].expression",
            Invalid,
            "expected a CEL expression, found none",
        ),
    ]);
}

#[test]
fn cost_of_derived_attributes() {
    let exactly = "/spec/devices/requests/0/exactly/derivedAttributes";
    let sub = "/spec/devices/requests/1/firstAvailable/0/derivedAttributes";
    // What is estimated: 22, and 5 for each element.
    let numa = |cost: u64| {
        let expression = format!("[lists.range({}).all(x, !false)]", (cost - 22) / 5);
        json!({"name": "example.com/numa", "expression": expression})
    };
    check(&[(
        json!({exactly: [numa(999_997)]}),
        json!({exactly: [numa(999_997)], sub: [numa(27)]}),
        "spec.devices",
        LimitExceeded,
        "expected an estimated cost of all derived attributes of at most 1000000, found 1000024",
    )]);
}

#[test]
fn constraints_and_configuration() {
    let constraints = "/spec/devices/constraints";
    let constraint = |_: usize| json!({"matchAttribute": "example.com/numa"});
    let config = |_: usize| json!({"opaque": {"driver": "nic.example.com", "parameters": {}}});
    let unknown = |name: &str| {
        format!(
            "expected the name of a request of the claim or `request/subrequest`, found `{name}`"
        )
    };
    check(&[
        (
            json!({constraints: list(32, constraint)}),
            json!({constraints: list(33, constraint)}),
            "spec.devices.constraints",
            LimitExceeded,
            "expected at most 32 constraints, found 33",
        ),
        (
            json!({constraints: []}),
            json!({constraints: [{}]}),
            "spec.devices.constraints[0]",
            Invalid,
            "expected one of `matchAttribute` and `distinctAttribute`, found none",
        ),
        (
            json!({constraints: [{"distinctAttribute": "a/b"}]}),
            json!({constraints: [{"matchAttribute": "a/b", "distinctAttribute": "a/b"}]}),
            "spec.devices.constraints[0]",
            Invalid,
            "expected one of `matchAttribute` and `distinctAttribute`, found both",
        ),
        (
            json!({constraints: [{"matchAttribute": "a/b"}]}),
            json!({constraints: [{"matchAttribute": "b"}]}),
            "spec.devices.constraints[0].matchAttribute",
            Invalid,
            "expected a domain and a name separated by `/`, found `b`",
        ),
        (
            json!({constraints: [{"distinctAttribute": "a/b"}]}),
            json!({constraints: [{"distinctAttribute": "a/1"}]}),
            "spec.devices.constraints[0].distinctAttribute",
            Invalid,
            "expected a C identifier of letters, digits and `_`, found `1`",
        ),
        (
            json!({"/spec/devices/constraints/0/requests": ["nic", "nic/slow"]}),
            json!({"/spec/devices/constraints/0/requests": ["gpu", "gpu/fast"]}),
            "spec.devices.constraints[0].requests[1]",
            Invalid,
            unknown("gpu/fast").leak(),
        ),
        (
            json!({"/spec/devices/constraints/0/requests": ["gpu"]}),
            json!({"/spec/devices/constraints/0/requests": ["fast"]}),
            "spec.devices.constraints[0].requests[0]",
            Invalid,
            unknown("fast").leak(),
        ),
        (
            json!({"/spec/devices/constraints/0/requests": ["gpu", "nic"]}),
            json!({"/spec/devices/constraints/0/requests": ["gpu", "gpu"]}),
            "spec.devices.constraints[0].requests[1]",
            Duplicate,
            "duplicate `gpu`, expected each request once",
        ),
        (
            json!({}),
            json!({"/spec/devices/constraints/0/requests": list(33, |_| json!("gpu"))}),
            "spec.devices.constraints[0].requests",
            LimitExceeded,
            "expected at most 32 requests, found 33",
        ),
        (
            json!({"/spec/devices/config": list(32, config)}),
            json!({"/spec/devices/config": list(33, config)}),
            "spec.devices.config",
            LimitExceeded,
            "expected at most 32 configurations, found 33",
        ),
        (
            json!({"/spec/devices/config/0/requests": ["nic/fast"]}),
            json!({"/spec/devices/config/0/requests": ["nic/fast/x"]}),
            "spec.devices.config[0].requests[0]",
            Invalid,
            unknown("nic/fast/x").leak(),
        ),
        (
            json!({}),
            json!({"/spec/devices/config/0/opaque": null}),
            "spec.devices.config[0].opaque",
            Invalid,
            "expected a configuration of kind `opaque`, found none",
        ),
    ]);
}

#[test]
fn two_ways_to_ask_are_a_fault_and_both_are_looked_at() {
    let changes = json!({
        "/spec/devices/requests/0/exactly/count": -1,
        "/spec/devices/requests/0/firstAvailable": [
            {"name": "a", "deviceClassName": "", "allocationMode": "All"},
            {"name": "a", "deviceClassName": "gpu", "allocationMode": "All"},
        ],
    });
    let claim: ResourceClaim = object(&base(), &changes);
    assert_eq!(
        report(&resource_claim(&claim, &all())),
        [
            "spec.devices.requests[0]: invalid: expected one of `exactly` and `firstAvailable`, \
             found both",
            "spec.devices.requests[0].exactly.count: invalid: expected 1 or more, found -1",
            "spec.devices.requests[0].firstAvailable[0].deviceClassName: invalid: expected the \
             name of a device class, found none",
            "spec.devices.requests[0].firstAvailable[1]: duplicate: duplicate `a`, expected each \
             alternative once",
        ]
    );
}
