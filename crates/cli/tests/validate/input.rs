//! Bad files of all kinds: none ends in a panic, and each is told what is wrong with it.

use std::fs;

use crate::{common, dralloc, validate};

/// Validates a file with some bytes.
fn validate_bytes(name: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, bytes).unwrap();
    let run = dralloc(&["validate", "-f", &file.display().to_string()]);
    let prefix = format!("{}/", folder.path().display());
    common::Run {
        output: run.output.replace(&prefix, ""),
        errors: run.errors.replace(&prefix, ""),
        ..run
    }
    .text()
}

#[test]
fn files_that_are_no_text() {
    insta::assert_snapshot!(validate_bytes("a.yaml", b""), @r"
    nothing found in 0 objects
    stderr: warning: the input holds no object
    exit code 0
    ");
    insta::assert_snapshot!(validate_bytes("a.json", b" \n"), @r"
    nothing found in 0 objects
    stderr: warning: the input holds no object
    exit code 0
    ");
    insta::assert_snapshot!(validate_bytes("a.yaml", b"\x7fELF\x02\x01\x01\x00\x00\xff"), @r"
    a.yaml:1:10: fault: not valid UTF-8 [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
    insta::assert_snapshot!(validate_bytes("a.yaml", b"\xff\xfek\x00i\x00n\x00d\x00"), @r"
    a.yaml:1:1: fault: not valid UTF-8 [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
    insta::assert_snapshot!(validate_bytes("a.yaml", b"\x00\x01\x02"), @r#"
    a.yaml:1:1: fault: not valid YAML: unexpected character: `\u{0}' [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    "#);
}

#[test]
fn json_that_ends_too_early() {
    let json = br#"{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"#;
    insta::assert_snapshot!(validate_bytes("a.json", json), @r"
    a.json:1:59: fault: string without closing double quote [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
    let json = br#"{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}},"#;
    insta::assert_snapshot!(validate_bytes("a.json", json), @r"
    a.json:1:112: fault: expected a value, found the end of the text [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
}

#[test]
fn yaml_with_tabs_and_with_keys_twice() {
    insta::assert_snapshot!(validate("kind: Node\n\tapiVersion: v1\n", &[]), @r"
    <stdin>:1:7: fault: not valid YAML: while scanning a plain scalar, found a tab [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
    insta::assert_snapshot!(validate("kind: Node\nkind: Node\n", &[]), @r"
    <stdin>:2:1: fault: duplicate key `kind`, expected each key once [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
}

#[test]
fn nesting_without_end() {
    insta::assert_snapshot!(validate(&"[".repeat(100_000), &[]), @r"
    <stdin>:1:256: fault: not valid YAML: recursion limit exceeded [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
    insta::assert_snapshot!(validate_bytes("a.json", "{\"a\":".repeat(100_000).as_bytes()), @r"
    a.json:1:50006: fault: more than 10000 brackets open [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
}

#[test]
fn lists_and_values_that_are_no_objects() {
    insta::assert_snapshot!(validate("- - a\n", &[]), @r"
    <stdin>:1:1: fault: expected an object, found a list [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
    insta::assert_snapshot!(validate("just text\n", &[]), @r#"
    <stdin>:1:1: fault: expected an object, found `"just text"` [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    "#);
    insta::assert_snapshot!(validate("apiVersion: v1\nkind: List\nitems: [[]]\n", &[]), @r"
    <stdin>:3:9: fault: items[0]: expected an object, found a list [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
    insta::assert_snapshot!(validate("apiVersion: v1\nmetadata: {name: a}\n", &[]), @r"
    <stdin>:1:1: fault: object without `kind`, expected `apiVersion` and `kind` [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
    insta::assert_snapshot!(validate("kind: Node\nmetadata: {name: a}\n", &[]), @r"
    <stdin>:1:1: fault: object without `apiVersion`, expected `apiVersion` and `kind` [malformed]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
    insta::assert_snapshot!(validate("apiVersion: v1\nkind: Node\n", &[]), @r"
    <stdin>:1:1: fault: Node without `metadata.name`, expected a name [invalid]
    1 fault in 1 object
    exit code 1
    ");
}

#[test]
fn one_bad_document_hides_no_other() {
    let input = "kind: {\n---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\n\
                 apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: A}\n";
    insta::assert_snapshot!(validate(input, &[]), @r"
    <stdin>:1:7: fault: not valid YAML: unclosed bracket '{' [malformed]
    <stdin>:9:18 (document 3): fault: DeviceClass `A`: metadata.name: expected a DNS name of lower-case letters, digits, `-` and `.`, found `A` [invalid]
    2 faults in 2 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
}

#[test]
fn files_that_are_not_there() {
    insta::assert_snapshot!(dralloc(&["validate", "-f", "missing.yaml"]).text(), @r"
    missing.yaml: fault: cannot be read: No such file or directory (os error 2) [not-found]
    1 fault in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    ");
}

#[test]
fn unknown_fields_of_an_object_that_cannot_be_read_are_told() {
    let yaml = "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a}
spec:
  devices:
    requestz: []
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu, counts: 2, count: two}
";
    insta::assert_snapshot!(validate_bytes("a.yaml", yaml.as_bytes()), @r#"
    a.yaml:6:5: warning: ResourceClaim `default/a`: spec.devices.requestz: unknown field `requestz` (did you mean `requests`) [unknown-field]
    a.yaml:9:39: warning: ResourceClaim `default/a`: spec.devices.requests[0].exactly.counts: unknown field `counts` (did you mean `count`) [unknown-field]
    a.yaml:9:57: fault: ResourceClaim `default/a`: spec.devices.requests[0].exactly.count: expected a whole number, found `"two"` [malformed]
    1 fault, 2 warnings in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    "#);
    let json = r#"{"apiVersion": "v1", "items": [
  {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "b"},
   "spec": {"selectors": "none", "selector": []}}
], "kind": "List"}"#;
    insta::assert_snapshot!(validate_bytes("b.json", json.as_bytes()), @r#"
    b.json:3:26: fault: DeviceClass `b`: spec.selectors: expected a list, found `"none"` [malformed]
    b.json:3:34: warning: DeviceClass `b`: spec.selector: unknown field `selector` (did you mean `selectors`) [unknown-field]
    1 fault, 1 warning in 0 objects
    stderr: note: not everything can be read, so objects are not compared with each other
    exit code 2
    "#);
}
