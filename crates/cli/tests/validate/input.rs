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
    insta::assert_snapshot!(validate_bytes("a.yaml", b""), @"");
    insta::assert_snapshot!(validate_bytes("a.json", b" \n"), @"");
    insta::assert_snapshot!(validate_bytes("a.yaml", b"\x7fELF\x02\x01\x01\x00\x00\xff"), @"");
    insta::assert_snapshot!(validate_bytes("a.yaml", b"\xff\xfek\x00i\x00n\x00d\x00"), @"");
    insta::assert_snapshot!(validate_bytes("a.yaml", b"\x00\x01\x02"), @"");
}

#[test]
fn json_that_ends_too_early() {
    let json = br#"{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"#;
    insta::assert_snapshot!(validate_bytes("a.json", json), @"");
    let json = br#"{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}},"#;
    insta::assert_snapshot!(validate_bytes("a.json", json), @"");
}

#[test]
fn yaml_with_tabs_and_with_keys_twice() {
    insta::assert_snapshot!(validate("kind: Node\n\tapiVersion: v1\n", &[]), @"");
    insta::assert_snapshot!(validate("kind: Node\nkind: Node\n", &[]), @"");
}

#[test]
fn nesting_without_end() {
    insta::assert_snapshot!(validate(&"[".repeat(100_000), &[]), @"");
    insta::assert_snapshot!(validate_bytes("a.json", "{\"a\":".repeat(100_000).as_bytes()), @"");
}

#[test]
fn lists_and_values_that_are_no_objects() {
    insta::assert_snapshot!(validate("- - a\n", &[]), @"");
    insta::assert_snapshot!(validate("just text\n", &[]), @"");
    insta::assert_snapshot!(validate("apiVersion: v1\nkind: List\nitems: [[]]\n", &[]), @"");
    insta::assert_snapshot!(validate("apiVersion: v1\nmetadata: {name: a}\n", &[]), @"");
    insta::assert_snapshot!(validate("kind: Node\nmetadata: {name: a}\n", &[]), @"");
    insta::assert_snapshot!(validate("apiVersion: v1\nkind: Node\n", &[]), @"");
}

#[test]
fn one_bad_document_hides_no_other() {
    let input = "kind: {\n---\napiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\n\
                 apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: A}\n";
    insta::assert_snapshot!(validate(input, &[]), @"");
}

#[test]
fn files_that_are_not_there() {
    insta::assert_snapshot!(dralloc(&["validate", "-f", "missing.yaml"]).text(), @"");
}
