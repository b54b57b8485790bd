//! The nodes of a slice.

use serde_json::{Value, json};

use super::resource_slice::{base, check};
use crate::error::Code::{Invalid, Unsupported};

const WAYS: &str = "expected exactly one of `nodeName`, `nodeSelector`, `allNodes` and \
    `perDeviceNodeSelection`, found";

#[test]
fn nodes() {
    let term = |key: &str| json!({"matchExpressions": [{"key": key, "operator": "Exists"}]});
    let selector = |terms: Value| json!({"/spec/nodeName": null, "/spec/nodeSelector": {"nodeSelectorTerms": terms}});
    let one = |field: &str, requirement: Value| selector(json!([{ field: [requirement] }]));
    let labels = "spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0]";
    let fields = "spec.nodeSelector.nodeSelectorTerms[0].matchFields[0]";
    let at = |place: &str, field: &str| -> &'static str { format!("{place}.{field}").leak() };
    check(
        &base(),
        &[
            (
                json!({"/spec/nodeName": "a.b"}),
                json!({"/spec/nodeName": "A"}),
                "spec.nodeName",
                Invalid,
                "expected a DNS name of lower-case letters, digits, `-` and `.`, found `A`",
            ),
            (
                json!({}),
                json!({"/spec/nodeName": "", "/spec/allNodes": true}),
                "spec.nodeName",
                Invalid,
                "expected the name of a node or no field, found none",
            ),
            (
                json!({"/spec/nodeName": null, "/spec/allNodes": true}),
                json!({"/spec/nodeName": null}),
                "spec",
                Invalid,
                format!("{WAYS} 0").leak(),
            ),
            (
                json!({}),
                json!({"/spec/allNodes": true}),
                "spec",
                Invalid,
                format!("{WAYS} 2").leak(),
            ),
            (
                json!({}),
                json!({"/spec/allNodes": false}),
                "spec.allNodes",
                Invalid,
                "expected `true` or no field",
            ),
            (
                json!({"/spec/nodeName": null, "/spec/perDeviceNodeSelection": true, "/spec/devices/0/allNodes": true}),
                json!({"/spec/perDeviceNodeSelection": false}),
                "spec.perDeviceNodeSelection",
                Invalid,
                "expected `true` or no field",
            ),
            (
                selector(json!([term("a")])),
                selector(json!([term("a"), term("b")])),
                "spec.nodeSelector.nodeSelectorTerms",
                Invalid,
                "expected exactly one term, found 2",
            ),
            (
                selector(json!([{}])),
                selector(json!([])),
                "spec.nodeSelector.nodeSelectorTerms",
                Invalid,
                "expected at least one term, found none",
            ),
            (
                one(
                    "matchExpressions",
                    json!({"key": "a", "operator": "In", "values": ["x", ""]}),
                ),
                one("matchExpressions", json!({"key": "a", "operator": "In"})),
                at(labels, "values"),
                Invalid,
                "expected at least one value, found none",
            ),
            (
                one(
                    "matchExpressions",
                    json!({"key": "a/b", "operator": "DoesNotExist"}),
                ),
                one(
                    "matchExpressions",
                    json!({"key": "a", "operator": "Exists", "values": ["x"]}),
                ),
                at(labels, "values"),
                Invalid,
                "expected no values for this operator, found 1",
            ),
            (
                one(
                    "matchExpressions",
                    json!({"key": "a", "operator": "Gt", "values": ["x"]}),
                ),
                one(
                    "matchExpressions",
                    json!({"key": "a", "operator": "Gt", "values": ["1", "2"]}),
                ),
                at(labels, "values"),
                Invalid,
                "expected one value, found 2",
            ),
            (
                one(
                    "matchExpressions",
                    json!({"key": "a", "operator": "Lt", "values": ["1"]}),
                ),
                one(
                    "matchExpressions",
                    json!({"key": "a", "operator": "Le", "values": ["1"]}),
                ),
                at(labels, "operator"),
                Unsupported,
                "expected `In`, `NotIn`, `Exists`, `DoesNotExist`, `Gt` or `Lt`, found `Le`",
            ),
            (
                one(
                    "matchExpressions",
                    json!({"key": "a/B", "operator": "Exists"}),
                ),
                one(
                    "matchExpressions",
                    json!({"key": "a/B/c", "operator": "Exists"}),
                ),
                at(labels, "key"),
                Invalid,
                "expected letters, digits, `-`, `_` and `.` after an optional domain, found `a/B/c`",
            ),
            (
                one(
                    "matchExpressions",
                    json!({"key": "a", "operator": "NotIn", "values": ["x"]}),
                ),
                one(
                    "matchExpressions",
                    json!({"key": "a", "operator": "NotIn", "values": ["x y"]}),
                ),
                at(labels, "values[0]"),
                Invalid,
                "expected letters, digits, `-`, `_` and `.`, found `x y`",
            ),
            (
                one(
                    "matchFields",
                    json!({"key": "metadata.name", "operator": "In", "values": ["n"]}),
                ),
                one(
                    "matchFields",
                    json!({"key": "metadata.name", "operator": "In", "values": ["n", "m"]}),
                ),
                at(fields, "values"),
                Invalid,
                "expected one value, found 2",
            ),
            (
                one(
                    "matchFields",
                    json!({"key": "metadata.name", "operator": "NotIn", "values": ["n"]}),
                ),
                one(
                    "matchFields",
                    json!({"key": "metadata.name", "operator": "Exists", "values": ["n"]}),
                ),
                at(fields, "operator"),
                Unsupported,
                "expected `In` or `NotIn`, found `Exists`",
            ),
            (
                json!({}),
                one(
                    "matchFields",
                    json!({"key": "metadata.uid", "operator": "In", "values": ["n"]}),
                ),
                at(fields, "key"),
                Unsupported,
                "expected `metadata.name`, found `metadata.uid`",
            ),
            (
                json!({}),
                one(
                    "matchFields",
                    json!({"key": "metadata.name", "operator": "In", "values": ["N"]}),
                ),
                at(fields, "values[0]"),
                Invalid,
                "expected a DNS name of lower-case letters, digits, `-` and `.`, found `N`",
            ),
        ],
    );
}
