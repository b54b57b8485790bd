//! What can be asked for, and what the summary and the exit code say.

use crate::{validate, validate_file};

const UNKNOWN_FIELD: &str = "testdata/operators/warnings/unknown-field.yaml";

/// A class, and claims of one template that name another.
fn claims(count: usize) -> String {
    let class = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\n";
    let claim = |number| {
        format!(
            "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: c-{number:02}}}\n\
             spec: {{devices: {{requests: [{{name: a, exactly: {{deviceClassName: gpus}}}}]}}}}\n"
        )
    };
    let documents = [class.to_owned()].into_iter().chain((0..count).map(claim));
    documents.collect::<Vec<_>>().join("---\n")
}

#[test]
fn nothing_found() {
    insta::assert_snapshot!(validate(&claims(0), &[]), @r"
    nothing found in 1 object
    exit code 0
    ");
    insta::assert_snapshot!(validate("", &[]), @r"
    nothing found in 0 objects
    stderr: warning: the input holds no object
    exit code 0
    ");
}

#[test]
fn claims_that_ask_for_the_same_are_told_once() {
    insta::assert_snapshot!(validate(&claims(1), &[]), @r"
    <stdin>:8:66 (document 2): warning: ResourceClaim `default/c-00`: spec.devices.requests[0].exactly.deviceClassName: there is no DeviceClass `gpus`: the only one given is `gpu` [unknown-class]
    1 warning in 2 objects
    stderr: note: no ResourceSlice is given: whether devices match what is asked for is not looked at; `kubectl get resourceslices -o yaml` prints what to give with `-f`, too
    exit code 0
    ");
    insta::assert_snapshot!(validate(&claims(12), &[]), @r"
    <stdin>:8:66 (document 2): warning: ResourceClaim `default/c-00`: spec.devices.requests[0].exactly.deviceClassName: there is no DeviceClass `gpus`: the only one given is `gpu` (and 11 more ResourceClaims like it) [unknown-class]
    1 warning in 13 objects
    stderr: note: no ResourceSlice is given: whether devices match what is asked for is not looked at; `kubectl get resourceslices -o yaml` prints what to give with `-f`, too
    exit code 0
    ");
    insta::assert_snapshot!(validate(&claims(2), &["-o", "json"]), @r#"
    {
      "objects": 3,
      "faults": 0,
      "warnings": 1,
      "hints": 0,
      "findings": [
        {
          "severity": "warning",
          "code": "unknown-class",
          "file": "<stdin>",
          "document": 2,
          "line": 8,
          "column": 66,
          "kind": "ResourceClaim",
          "namespace": "default",
          "name": "c-00",
          "path": "spec.devices.requests[0].exactly.deviceClassName",
          "message": "there is no DeviceClass `gpus`: the only one given is `gpu`",
          "others": 1
        }
      ]
    }
    stderr: note: no ResourceSlice is given: whether devices match what is asked for is not looked at; `kubectl get resourceslices -o yaml` prints what to give with `-f`, too
    exit code 0
    "#);
}

#[test]
fn pods_that_name_the_same_are_told_once() {
    let template = |name: &str, namespace: &str| {
        format!(
            "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\n\
             metadata: {{name: {name}, namespace: {namespace}}}\n\
             spec: {{spec: {{devices: {{requests: [{{name: a, exactly: {{deviceClassName: gpu}}}}]}}}}}}\n"
        )
    };
    let pod = |name: &str, namespace: &str, wanted: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: {namespace}}}\n\
             spec: {{containers: [], resourceClaims: [{{name: a, resourceClaimTemplateName: {wanted}}}]}}\n"
        )
    };
    let documents = [
        template("here", "default"),
        template("there", "team-a"),
        pod("c", "default", "her"),
        pod("a", "default", "her"),
        pod("b", "default", "here"),
        pod("d", "team-a", "her"),
        pod("e", "default", "there"),
        pod("f", "default", "there"),
        pod("g", "default", "her"),
    ];
    insta::assert_snapshot!(validate(&documents.join("---\n"), &[]), @r"
    <stdin>:14:78 (document 3): warning: Pod `default/c`: spec.resourceClaims[0].resourceClaimTemplateName: there is no ResourceClaimTemplate `her` in namespace `default`; did you mean `here`? (and 2 more Pods like it) [missing-template]
    <stdin>:29:78 (document 6): warning: Pod `team-a/d`: spec.resourceClaims[0].resourceClaimTemplateName: there is no ResourceClaimTemplate `her` in namespace `team-a` [missing-template]
    <stdin>:34:78 (document 7): warning: Pod `default/e`: spec.resourceClaims[0].resourceClaimTemplateName: there is no ResourceClaimTemplate `there` in namespace `default`, but in `team-a`: pods use only what is in their own namespace (and 1 more Pod like it) [other-namespace]
    3 warnings in 9 objects
    stderr: note: no DeviceClass and no ResourceSlice are given: whether devices match what is asked for is not looked at; `kubectl get deviceclasses,resourceslices -o yaml` prints what to give with `-f`, too
    exit code 0
    ");
}

#[test]
fn what_is_a_fault_is_not_switched_off() {
    let disabled = ["--strict", "--disable", "unknown-field"];
    let run = validate_file(UNKNOWN_FIELD, &disabled);
    assert_eq!(
        run.text(),
        validate_file(UNKNOWN_FIELD, &["--strict"]).text()
    );
    let run = validate_file(UNKNOWN_FIELD, &disabled[1..]);
    insta::assert_snapshot!(run.text(), @r"
    nothing found in 3 objects
    exit code 0
    ");
}

#[test]
fn of_classes_with_one_resource_the_newest_counts() {
    let class = |name: &str, created: &str| {
        format!(
            "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\n\
             metadata: {{name: {name}, creationTimestamp: \"{created}\"}}\n\
             spec: {{extendedResourceName: example.com/gpu}}\n"
        )
    };
    let documents = [
        class("a", "2026-01-01T00:00:00Z"),
        class("b", "2026-03-01T00:00:00Z"),
        class("c", "2026-02-01T00:00:00Z"),
    ];
    insta::assert_snapshot!(validate(&documents.join("---\n"), &[]), @r"
    <stdin>:9:30 (document 2): warning: DeviceClass `b`: spec.extendedResourceName: DeviceClass `a` serves `example.com/gpu`, too; only DeviceClass `b` counts [same-extended-resource]
    <stdin>:14:30 (document 3): warning: DeviceClass `c`: spec.extendedResourceName: DeviceClass `a` serves `example.com/gpu`, too; only DeviceClass `b` counts [same-extended-resource]
    2 warnings in 3 objects
    exit code 0
    ");
}

#[test]
fn strictness_makes_unknown_fields_faults() {
    let run = validate_file(UNKNOWN_FIELD, &["--strict"]);
    insta::assert_snapshot!(run.text(), @r"
    testdata/operators/warnings/unknown-field.yaml:28:9 (document 3): fault: ResourceClaim `default/a`: spec.devices.requests[0].exactly.selector: unknown field `selector` (did you mean `selectors`) [unknown-field]
    1 fault in 3 objects
    exit code 1
    ");
}

#[test]
fn codes_are_checked() {
    let run = validate_file(UNKNOWN_FIELD, &["--disable", "decimal-suffix,unknown"]);
    assert_eq!(run.code, 2);
    let first = run.errors.lines().next().unwrap();
    assert_eq!(
        first,
        "error: invalid value 'unknown' for '--disable <CODE>'"
    );
}

#[test]
fn a_version_decides_what_is_a_fault() {
    let claim = r"
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a}
spec:
  devices:
    requests: [{name: a, exactly: {deviceClassName: gpu, count: 2}}]
    constraints: [{distinctAttribute: gpu.example.com/numa}]
";
    insta::assert_snapshot!(validate(claim, &["--kubernetes-version", "1.36"]), @r"
    nothing found in 1 object
    stderr: note: no DeviceClass and no ResourceSlice are given: whether devices match what is asked for is not looked at; `kubectl get deviceclasses,resourceslices -o yaml` prints what to give with `-f`, too
    exit code 0
    ");
    insta::assert_snapshot!(validate(claim, &["--kubernetes-version", "1.35"]), @r"
    <stdin>:8:39: fault: ResourceClaim `default/a`: spec.devices.constraints[0].distinctAttribute: expected feature `DRAConsumableCapacity` to be on [feature-disabled]
    1 fault in 1 object
    stderr: note: no DeviceClass and no ResourceSlice are given: whether devices match what is asked for is not looked at; `kubectl get deviceclasses,resourceslices -o yaml` prints what to give with `-f`, too
    exit code 1
    ");
}
