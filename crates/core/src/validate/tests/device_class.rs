//! Device classes, and what they share with claims: selectors, configuration.

use serde_json::json;

use super::{all, list, table};
use crate::error::Code::{CelCompile, Invalid, LimitExceeded};
use crate::model::DeviceClass;
use crate::validate::device_class;

#[test]
fn of_classes() {
    let base = json!({
        "metadata": {"name": "gpu.example.com"},
        "spec": {
            "selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}],
            "config": [{"opaque": {"driver": "gpu.example.com", "parameters": {"a": 1}}}],
        },
    });
    let selector = || json!({"cel": {"expression": "true"}});
    let config = || json!({"opaque": {"driver": "gpu.example.com", "parameters": {}}});
    let comment = |length: usize| format!("true //{}", "x".repeat(length - 7));
    // What is estimated: 12, and 4 for each element.
    let costing = |cost: u64| format!("lists.range({}).all(x, true)", (cost - 12) / 4);
    let parameters = |length: usize| json!({"a": "x".repeat(length - 8)});
    table(
        &base,
        |class: &DeviceClass| device_class(class, &all()),
        &[
            (
                json!({"/spec/selectors": list(32, |_| selector())}),
                json!({"/spec/selectors": list(33, |_| selector())}),
                "spec.selectors",
                LimitExceeded,
                "expected at most 32 selectors, found 33",
            ),
            (
                json!({"/spec/selectors": null}),
                json!({"/spec/selectors/-": {}}),
                "spec.selectors[1].cel",
                Invalid,
                "expected a selector of kind `cel`, found none",
            ),
            (
                json!({}),
                json!({"/spec/selectors/0/cel/expression": ""}),
                "spec.selectors[0].cel.expression",
                Invalid,
                "expected a CEL expression, found none",
            ),
            (
                json!({"/spec/selectors/0/cel/expression": comment(10_240)}),
                json!({"/spec/selectors/0/cel/expression": comment(10_241)}),
                "spec.selectors[0].cel.expression",
                LimitExceeded,
                "expected at most 10240 bytes, found 10241",
            ),
            (
                json!({"/spec/selectors/0/cel/expression": costing(1_000_000)}),
                json!({"/spec/selectors/0/cel/expression": costing(1_000_004)}),
                "spec.selectors[0].cel.expression",
                LimitExceeded,
                "expected an estimated cost of at most 1000000, found 1000004",
            ),
            (
                json!({"/spec/selectors/0/cel/expression": "'a'.matches('a')"}),
                json!({"/spec/selectors/0/cel/expression": "string(1).matches('a')"}),
                "spec.selectors[0].cel.expression",
                LimitExceeded,
                "expected an estimated cost of at most 1000000, found 1844674407370955265",
            ),
            (
                json!({"/spec/selectors/0/cel/expression": "[string(1)].all(x, true)"}),
                json!({"/spec/selectors/0/cel/expression": "string(1).split('').all(x, true)"}),
                "spec.selectors[0].cel.expression",
                LimitExceeded,
                "expected an estimated cost of at most 1000000, found one without a bound",
            ),
            (
                json!({"/spec/config": list(32, |_| config())}),
                json!({"/spec/config": list(33, |_| config())}),
                "spec.config",
                LimitExceeded,
                "expected at most 32 configurations, found 33",
            ),
            (
                json!({"/spec/config": null}),
                json!({"/spec/config/-": {}}),
                "spec.config[1].opaque",
                Invalid,
                "expected a configuration of kind `opaque`, found none",
            ),
            (
                json!({"/spec/config/0/opaque/driver": "GPU.example.com"}),
                json!({"/spec/config/0/opaque/driver": "gpu example"}),
                "spec.config[0].opaque.driver",
                Invalid,
                "expected a DNS name of letters, digits, `-` and `.`, found `gpu example`",
            ),
            (
                json!({"/spec/config/0/opaque/parameters": {}}),
                json!({"/spec/config/0/opaque/parameters": null}),
                "spec.config[0].opaque.parameters",
                Invalid,
                "expected a JSON object, found none",
            ),
            (
                json!({"/spec/config/0/opaque/parameters": {"a": []}}),
                json!({"/spec/config/0/opaque/parameters": [1]}),
                "spec.config[0].opaque.parameters",
                Invalid,
                "expected a JSON object, found another JSON value",
            ),
            (
                json!({"/spec/config/0/opaque/parameters": parameters(10_240)}),
                json!({"/spec/config/0/opaque/parameters": parameters(10_241)}),
                "spec.config[0].opaque.parameters",
                LimitExceeded,
                "expected at most 10240 bytes, found 10241",
            ),
            (
                json!({"/spec/extendedResourceName": "example.com/gpu"}),
                json!({"/spec/extendedResourceName": "kubernetes.io/gpu"}),
                "spec.extendedResourceName",
                Invalid,
                "expected a resource name with a domain outside of `kubernetes.io`, found `kubernetes.io/gpu`",
            ),
        ],
    );
}

#[test]
fn expressions_are_compiled() {
    let class: DeviceClass = serde_json::from_value(json!({
        "metadata": {"name": "gpu"},
        "spec": {"selectors": [{"cel": {"expression": "device.driver =="}}]},
    }))
    .unwrap();
    let errors = device_class(&class, &all());
    let places: Vec<_> = errors
        .iter()
        .map(|error| (error.path(), error.code()))
        .collect();
    assert_eq!(places, [("spec.selectors[0].cel.expression", CelCompile)]);
}
