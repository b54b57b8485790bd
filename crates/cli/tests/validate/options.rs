//! What can be asked for, and what the summary and the exit code say.

use crate::{validate, validate_file};

const UNKNOWN_FIELD: &str = "testdata/operators/warnings/unknown-field.yaml";

/// A class, and claims of one template that name another.
fn claims(count: usize) -> String {
    let mut input =
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\n".to_owned();
    for number in 0..count {
        input += &format!(
            "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: c-{number:02}}}\n\
             spec: {{devices: {{requests: [{{name: a, exactly: {{deviceClassName: gpus}}}}]}}}}\n"
        );
    }
    input
}

#[test]
fn nothing_found() {
    insta::assert_snapshot!(validate(&claims(0), &[]), @"");
    insta::assert_snapshot!(validate("", &[]), @"");
}

#[test]
fn claims_that_ask_for_the_same_are_told_once() {
    insta::assert_snapshot!(validate(&claims(1), &[]), @"");
    insta::assert_snapshot!(validate(&claims(12), &[]), @"");
    insta::assert_snapshot!(validate(&claims(2), &["-o", "json"]), @"");
}

#[test]
fn strictness_makes_unknown_fields_faults() {
    let run = validate_file(UNKNOWN_FIELD, &["--strict"]);
    insta::assert_snapshot!(run.text(), @"");
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
    let claim = r#"
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a}
spec:
  devices:
    requests: [{name: a, exactly: {deviceClassName: gpu, count: 2}}]
    constraints: [{distinctAttribute: gpu.example.com/numa}]
"#;
    insta::assert_snapshot!(validate(claim, &["--kubernetes-version", "1.36"]), @"");
    insta::assert_snapshot!(validate(claim, &["--kubernetes-version", "1.35"]), @"");
}
