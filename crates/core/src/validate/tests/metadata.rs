//! Metadata, for a kind in namespaces and one that is not.

use serde_json::json;

use super::{all, table};
use crate::error::Code::{Invalid, LimitExceeded, Unsupported};
use crate::model::{DeviceTaintRule, ResourceClaimTemplate};
use crate::validate::{device_taint_rule, resource_claim_template};

#[test]
fn of_templates() {
    let base = json!({
        "metadata": {"name": "one-gpu", "namespace": "default", "labels": {}, "annotations": {}},
        "spec": {"metadata": {"labels": {"a": "b"}, "annotations": {"a": "b c"}}, "spec": {"devices": {
            "requests": [{"name": "gpu", "exactly":
                {"deviceClassName": "gpu.example.com", "allocationMode": "ExactCount", "count": 1}}],
        }}},
    });
    let owner = json!({"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"});
    let controller =
        json!({"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "controller": true});
    table(
        &base,
        |template: &ResourceClaimTemplate| resource_claim_template(template, &all()),
        &[
            (
                json!({"/metadata/name": "a.b"}),
                json!({"/metadata/name": "A"}),
                "metadata.name",
                Invalid,
                "expected a DNS name of lower-case letters, digits, `-` and `.`, found `A`",
            ),
            (
                json!({"/metadata/name": null, "/metadata/generateName": "gpu-"}),
                json!({"/metadata/name": null}),
                "metadata.name",
                Invalid,
                "expected a name or a prefix in `generateName`, found none",
            ),
            (
                json!({"/metadata/name": null, "/metadata/generateName": "gpu-"}),
                json!({"/metadata/name": null, "/metadata/generateName": "-gpu-"}),
                "metadata.generateName",
                Invalid,
                "expected a DNS name of lower-case letters, digits, `-` and `.`, found `-gpu-00000`",
            ),
            (
                json!({"/metadata/namespace": null}),
                json!({"/metadata/namespace": "a.b"}),
                "metadata.namespace",
                Invalid,
                "expected a DNS label of lower-case letters, digits and `-`, found `a.b`",
            ),
            (
                json!({"/metadata/generation": 0}),
                json!({"/metadata/generation": -1}),
                "metadata.generation",
                Invalid,
                "expected 0 or more, found -1",
            ),
            (
                json!({"/metadata/labels/a~1b": ""}),
                json!({"/metadata/labels/a~1b~1c": ""}),
                "metadata.labels",
                Invalid,
                "expected letters, digits, `-`, `_` and `.` after an optional domain, found `a/b/c`",
            ),
            (
                json!({"/metadata/labels/a": "b"}),
                json!({"/metadata/labels/a": "b c"}),
                "metadata.labels[a]",
                Invalid,
                "expected letters, digits, `-`, `_` and `.`, found `b c`",
            ),
            (
                json!({"/metadata/annotations/Example.com~1a": "b c"}),
                json!({"/metadata/annotations/a b": ""}),
                "metadata.annotations",
                Invalid,
                "expected letters, digits, `-`, `_` and `.` after an optional domain, found `a b`",
            ),
            (
                json!({"/metadata/annotations/a": "x".repeat(262_143)}),
                json!({"/metadata/annotations/a": "x".repeat(262_144)}),
                "metadata.annotations",
                LimitExceeded,
                "expected at most 262144 bytes in all annotations, found 262145",
            ),
            (
                json!({"/metadata/ownerReferences": [owner]}),
                json!({"/metadata/ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p"}]}),
                "metadata.ownerReferences[0].uid",
                Invalid,
                "expected a uid, found none",
            ),
            (
                json!({"/metadata/ownerReferences": [owner, controller]}),
                json!({"/metadata/ownerReferences": [controller, controller]}),
                "metadata.ownerReferences",
                Invalid,
                "expected at most one controller, found 2",
            ),
            (
                json!({"/metadata/finalizers": ["a/b"]}),
                json!({"/metadata/finalizers": ["a/b", ""]}),
                "metadata.finalizers[1]",
                Invalid,
                "expected letters, digits, `-`, `_` and `.` after an optional domain, found ``",
            ),
            (
                json!({"/metadata/finalizers": ["orphan"]}),
                json!({"/metadata/finalizers": ["orphans"]}),
                "metadata.finalizers[0]",
                Invalid,
                "expected a domain and a name separated by `/`, found `orphans`",
            ),
            (
                json!({"/metadata/ownerReferences": [{"apiVersion": "a/v1", "kind": "K", "name": "n", "uid": "u"}]}),
                json!({"/metadata/ownerReferences": [{"apiVersion": "a/", "kind": "K", "name": "n", "uid": "u"}]}),
                "metadata.ownerReferences[0].apiVersion",
                Invalid,
                "expected an API version such as `v1` or `apps/v1`, found `a/`",
            ),
            (
                json!({}),
                json!({"/spec/metadata/name": "x"}),
                "spec.metadata",
                Invalid,
                "expected only `labels` and `annotations` in the metadata for claims",
            ),
            (
                json!({"/spec/metadata/labels/c": "d"}),
                json!({"/spec/metadata/labels/c": "-"}),
                "spec.metadata.labels[c]",
                Invalid,
                "expected letters, digits, `-`, `_` and `.`, found `-`",
            ),
            (
                json!({}),
                json!({"/spec/spec/devices/requests/0/exactly/count": -1}),
                "spec.spec.devices.requests[0].exactly.count",
                Invalid,
                "expected 1 or more, found -1",
            ),
        ],
    );
}

#[test]
fn of_taint_rules() {
    let base = json!({
        "metadata": {"name": "broken"},
        "spec": {"deviceSelector": {}, "taint": {"key": "example.com/broken", "effect": "NoExecute"}},
    });
    let dns = "expected a DNS name of letters, digits, `-` and `.`, found `_`";
    table(
        &base,
        |rule: &DeviceTaintRule| device_taint_rule(rule, &all()),
        &[
            (
                json!({"/metadata/namespace": ""}),
                json!({"/metadata/namespace": "default"}),
                "metadata.namespace",
                Invalid,
                "expected no namespace on this kind of object",
            ),
            (
                json!({"/spec/deviceSelector/driver": "Gpu.example.com"}),
                json!({"/spec/deviceSelector/driver": "_"}),
                "spec.deviceSelector.driver",
                Invalid,
                dns,
            ),
            (
                json!({"/spec/deviceSelector/pool": "a/b"}),
                json!({"/spec/deviceSelector/pool": "a//b"}),
                "spec.deviceSelector.pool",
                Invalid,
                "expected DNS names separated by `/`, found `a//b`",
            ),
            (
                json!({"/spec/deviceSelector/device": "gpu-0"}),
                json!({"/spec/deviceSelector/device": "gpu.0"}),
                "spec.deviceSelector.device",
                Invalid,
                "expected a DNS label of lower-case letters, digits and `-`, found `gpu.0`",
            ),
            (
                json!({"/spec/deviceSelector": null}),
                json!({"/spec/taint/key": "/"}),
                "spec.taint.key",
                Invalid,
                "expected a DNS name of lower-case letters, digits, `-` and `.`, found ``",
            ),
            (
                json!({"/spec/taint/value": "a"}),
                json!({"/spec/taint/value": "a/b"}),
                "spec.taint.value",
                Invalid,
                "expected letters, digits, `-`, `_` and `.`, found `a/b`",
            ),
            (
                json!({"/spec/taint/effect": "None"}),
                json!({"/spec/taint/effect": null}),
                "spec.taint.effect",
                Invalid,
                "expected `None`, `NoSchedule` or `NoExecute`, found none",
            ),
            (
                json!({"/spec/taint/effect": "NoSchedule"}),
                json!({"/spec/taint/effect": "Evict"}),
                "spec.taint.effect",
                Unsupported,
                "expected `None`, `NoSchedule` or `NoExecute`, found `Evict`",
            ),
        ],
    );
}
