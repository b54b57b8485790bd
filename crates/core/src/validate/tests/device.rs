//! Devices: attributes, counters, taints, conditions, nodes.

use serde_json::{Value, json};

use super::resource_slice::{base, check};
use super::{list, map};
use crate::error::Code::{Duplicate, Invalid, LimitExceeded, Unsupported};

#[test]
fn attributes() {
    let ints = |length| map(length, |index| (format!("a{index}"), json!({"int": 1})));
    let lists = |length| json!({"a": {"strings": list(length, |_| json!("x"))}, "b": {"int": 1}});
    let at = |attributes: Value| json!({"/spec/devices/0/attributes": attributes});
    let one = |value: Value| at(json!({"a": value}));
    let mut full = at(ints(31));
    full["/spec/devices/0/capacity"] = json!({"memory": {"value": "1"}});
    check(
        &base(),
        &[
            (
                json!({"/spec/devices/0/name": "gpu-1"}),
                json!({"/spec/devices/0/name": "gpu.1"}),
                "spec.devices[0].name",
                Invalid,
                "expected a DNS label of lower-case letters, digits and `-`, found `gpu.1`",
            ),
            (
                full,
                at(ints(33)),
                "spec.devices[0]",
                LimitExceeded,
                "expected at most 32 attributes and capacities, found 33",
            ),
            (
                at(lists(47)),
                at(lists(48)),
                "spec.devices[0]",
                LimitExceeded,
                "expected at most 48 attribute values, found 49",
            ),
            (
                at(json!({"dra.example.com/a": {"int": 1}})),
                at(json!({"a/b/c": {"int": 1}})),
                "spec.devices[0].attributes",
                Invalid,
                "expected a C identifier of letters, digits and `_`, found `b/c`",
            ),
            (
                one(json!({"string": "x".repeat(64)})),
                one(json!({"string": "x".repeat(65)})),
                "spec.devices[0].attributes[a].string",
                LimitExceeded,
                "expected at most 64 bytes, found 65",
            ),
            (
                one(json!({"version": "1.2.3"})),
                one(json!({"version": "1.2"})),
                "spec.devices[0].attributes[a].version",
                Invalid,
                "expected a semantic version such as `1.2.3`, found `1.2`",
            ),
            (
                one(json!({"bool": false})),
                one(json!({"bool": false, "int": 1})),
                "spec.devices[0].attributes[a]",
                Invalid,
                "expected exactly one of the types of attributes",
            ),
            (
                one(json!({"ints": [1, 1]})),
                one(json!({"ints": []})),
                "spec.devices[0].attributes[a].ints",
                Invalid,
                "expected at least one value, found none",
            ),
            (
                one(json!({"bools": [true]})),
                one(json!({"bools": []})),
                "spec.devices[0].attributes[a].bools",
                Invalid,
                "expected at least one value, found none",
            ),
            (
                one(json!({"strings": ["", "x"]})),
                one(json!({"strings": ["x", "x".repeat(65)]})),
                "spec.devices[0].attributes[a].strings[1]",
                LimitExceeded,
                "expected at most 64 bytes, found 65",
            ),
            (
                one(json!({"versions": ["1.2.3"]})),
                one(json!({"versions": ["1.2.3", "1"]})),
                "spec.devices[0].attributes[a].versions[1]",
                Invalid,
                "expected a semantic version such as `1.2.3`, found `1`",
            ),
        ],
    );
}

#[test]
fn counters_and_taints() {
    let consumed = |index: usize| json!({"counterSet": format!("s{index}"), "counters": {"c": {"value": "1"}}});
    let counters = |length| map(length, |index| (format!("c{index}"), json!({"value": "1"})));
    let with = |field: &str, value: Value| {
        let mut item = consumed(0);
        item[field] = value;
        json!({"/spec/devices/0/consumesCounters": [item]})
    };
    let taint = |_: usize| json!({"key": "a", "effect": "NoSchedule"});
    let taints = |value: Value| json!({"/spec/devices/0/taints": value});
    let place = "spec.devices[0].consumesCounters";
    check(
        &base(),
        &[
            (
                json!({"/spec/devices/0/consumesCounters": list(2, consumed)}),
                json!({"/spec/devices/0/consumesCounters": list(3, consumed)}),
                place,
                LimitExceeded,
                "expected at most 2 counter sets, found 3",
            ),
            (
                json!({}),
                json!({"/spec/devices/0/consumesCounters": [consumed(0), consumed(0)]}),
                "spec.devices[0].consumesCounters[1]",
                Duplicate,
                "duplicate `s0`, expected each counter set once",
            ),
            (
                with("counterSet", json!("a")),
                with("counterSet", json!("")),
                "spec.devices[0].consumesCounters[0].counterSet",
                Invalid,
                "expected a DNS label of lower-case letters, digits and `-`, found ``",
            ),
            (
                with("counters", counters(32)),
                with("counters", counters(33)),
                "spec.devices[0].consumesCounters[0].counters",
                LimitExceeded,
                "expected at most 32 counters, found 33",
            ),
            (
                with("counters", json!({"c": {"value": "0"}})),
                with("counters", json!({"c": {"value": "-1"}})),
                "spec.devices[0].consumesCounters[0].counters[c].value",
                Invalid,
                "expected 0 or more, found `-1`",
            ),
            (
                with("compatibilityGroups", json!(["a", "b"])),
                with("compatibilityGroups", json!(["a", "b", "c"])),
                "spec.devices[0].consumesCounters[0].compatibilityGroups",
                LimitExceeded,
                "expected at most 2 groups, found 3",
            ),
            (
                with("compatibilityGroups", json!([])),
                with("compatibilityGroups", json!(["a", "a"])),
                "spec.devices[0].consumesCounters[0].compatibilityGroups[1]",
                Duplicate,
                "duplicate `a`, expected each group once",
            ),
            (
                with("compatibilityGroups", json!(["a"])),
                with("compatibilityGroups", json!(["A"])),
                "spec.devices[0].consumesCounters[0].compatibilityGroups[0]",
                Invalid,
                "expected a DNS label of lower-case letters, digits and `-`, found `A`",
            ),
            (
                taints(list(16, taint)),
                taints(list(17, taint)),
                "spec.devices[0].taints",
                LimitExceeded,
                "expected at most 16 taints, found 17",
            ),
            (
                taints(json!([{"key": "a", "effect": "None"}])),
                taints(json!([{"key": "a", "effect": "none"}])),
                "spec.devices[0].taints[0].effect",
                Unsupported,
                "expected `None`, `NoSchedule` or `NoExecute`, found `none`",
            ),
        ],
    );
}

#[test]
fn binding_conditions() {
    let conditions = |success: Value, failure: Value| {
        json!({
            "/spec/devices/0/bindingConditions": success,
            "/spec/devices/0/bindingFailureConditions": failure,
        })
    };
    let names = |length| list(length, |index| json!(format!("c{index}")));
    check(
        &base(),
        &[
            (
                conditions(json!(["a"]), json!(["b"])),
                conditions(json!(["a"]), json!([])),
                "spec.devices[0].bindingFailureConditions",
                Invalid,
                "expected conditions beside `bindingConditions`, found none",
            ),
            (
                conditions(json!([]), json!([])),
                conditions(json!([]), json!(["b"])),
                "spec.devices[0].bindingConditions",
                Invalid,
                "expected conditions beside `bindingFailureConditions`, found none",
            ),
            (
                conditions(names(4), json!(["b"])),
                conditions(names(5), json!(["b"])),
                "spec.devices[0].bindingConditions",
                LimitExceeded,
                "expected at most 4 conditions, found 5",
            ),
            (
                conditions(json!(["a"]), names(4)),
                conditions(json!(["a"]), json!(["b", "b"])),
                "spec.devices[0].bindingFailureConditions[1]",
                Duplicate,
                "duplicate `b`, expected each condition once",
            ),
            (
                conditions(json!(["a", "b"]), json!(["c"])),
                conditions(json!(["a", "b"]), json!(["b"])),
                "spec.devices[0].bindingFailureConditions[0]",
                Invalid,
                "expected a condition that is not in `bindingConditions` too",
            ),
            (
                conditions(json!(["example.com/Ready"]), json!(["b"])),
                conditions(json!(["example.com/"]), json!(["b"])),
                "spec.devices[0].bindingConditions[0]",
                Invalid,
                "expected letters, digits, `-`, `_` and `.` after an optional domain, found `example.com/`",
            ),
        ],
    );
}

#[test]
fn nodes() {
    let mut base = base();
    base["spec"].as_object_mut().unwrap().remove("nodeName");
    base["spec"]["perDeviceNodeSelection"] = json!(true);
    base["spec"]["devices"][0]["nodeName"] = json!("node-1");
    let ways = "expected exactly one of `nodeName`, `nodeSelector` and `allNodes`, found";
    let selector = json!({"nodeSelectorTerms": [
        {"matchExpressions": [{"key": "a", "operator": "Exists"}]},
        {"matchExpressions": [{"key": "b", "operator": "Exists"}]},
    ]});
    check(
        &base,
        &[
            (
                json!({"/spec/devices/0/nodeName": null, "/spec/devices/0/allNodes": true}),
                json!({"/spec/devices/0/nodeName": null}),
                "spec.devices[0]",
                Invalid,
                format!("{ways} 0").leak(),
            ),
            (
                json!({"/spec/devices/0/nodeName": null, "/spec/devices/0/nodeSelector": selector}),
                json!({"/spec/devices/0/nodeSelector": selector}),
                "spec.devices[0]",
                Invalid,
                format!("{ways} 2").leak(),
            ),
            (
                json!({}),
                json!({"/spec/devices/0/allNodes": false}),
                "spec.devices[0].allNodes",
                Invalid,
                "expected `true` or no field",
            ),
            (
                json!({"/spec/perDeviceNodeSelection": null, "/spec/allNodes": true, "/spec/devices/0/nodeName": null}),
                json!({"/spec/perDeviceNodeSelection": null, "/spec/allNodes": true}),
                "spec.devices[0]",
                Invalid,
                "expected no selection of nodes without `perDeviceNodeSelection`",
            ),
        ],
    );
}
