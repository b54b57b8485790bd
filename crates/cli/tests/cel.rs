//! `dralloc cel`, through the real binary.

mod common;

use common::{Run, dralloc, dralloc_with};

fn check(expression: &str) -> String {
    dralloc(&["cel", "check", expression]).text()
}

#[test]
fn a_valid_selector_is_described() {
    insta::assert_snapshot!(check(r#"device.driver == "gpu.example.com""#), @"");
    insta::assert_snapshot!(
        check(r#"device.attributes["a.b"].model == "x" && device.capacity["a.b"]["m"].isInteger()"#),
        @""
    );
}

#[test]
fn a_fault_has_a_caret_under_it() {
    insta::assert_snapshot!(
        check(r#"device.capacity["a.b"].memory >= quantity("120Gi")"#), @"");
    insta::assert_snapshot!(check("true\n  && device.driver = 'é'"), @"");
    insta::assert_snapshot!(check(r#"device.driver == "é" && device.nam"#), @"");
    insta::assert_snapshot!(check(""), @"");
}

#[test]
fn a_selector_that_costs_too_much_is_refused() {
    let nested = r#"device.attributes["d"].l.all(a, device.attributes["d"].l.all(b, a == b))"#;
    insta::assert_snapshot!(check(nested), @"");
}

#[test]
fn versions_and_dialects_differ() {
    let includes = r#"device.attributes["d"].l.includes("a")"#;
    let run = dralloc(&["cel", "check", "--kubernetes-version", "1.35", includes]);
    insta::assert_snapshot!(run.text(), @"");
    let order = r#"device.capacity["d"].m >= quantity("1Gi")"#;
    let run = dralloc(&["cel", "check", "--dialect", "relaxed", order]);
    insta::assert_snapshot!(run.text(), @"");
}

#[test]
fn the_same_comes_as_json() {
    let selector = r#"device.attributes["a.b"].x == 1"#;
    let run = dralloc(&["cel", "check", "-o", "json", selector]);
    insta::assert_snapshot!(run.text(), @"");
    let run = dralloc_with(&["cel", "check", "-o", "json", "-"], "device.drivr\n");
    insta::assert_snapshot!(run.text(), @"");
}

#[test]
fn a_line_of_selectors_is_answered_by_a_line() {
    let lines = r#"{"expression": "device.attributes['a.b'].x == 1"}
{"group": "other", "expression": "device.driver == 'c.d'", "driver": "c.d", "device": {"name": "n"}}
{"expression": "device.attributes['a.b'].y == 1"}

{"expression": "device.driver"}
{"expression": "true", "device": {"name": "n", "attributes": {"v": {"version": "1"}}}}
{"expression": 1}
{"expression": "false"}
"#;
    let device = "driver: a.b\ndevice:\n  name: n\n  attributes:\n    x: {int: 1}\n";
    let run = eval(device, lines);
    insta::assert_snapshot!(run.text(), @"");
}

#[test]
fn a_device_that_cannot_be_read_is_said_where() {
    insta::assert_snapshot!(
        eval("driver: a.b\ndevice:\n  name: n\n  attributes: 1\n", "").errors.replace(char::is_whitespace, " "),
        @""
    );
    let run = dralloc_with(&["cel", "eval"], "{\"expression\": \"true\"}\n");
    insta::assert_snapshot!(run.text(), @"");
    let run = dralloc(&["cel", "eval", "--device", "missing.json"]);
    insta::assert_snapshot!(run.text(), @"");
}

/// Evaluates lines on a device.
fn eval(device: &str, lines: &str) -> Run {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("device.yaml");
    std::fs::write(&path, device).unwrap();
    let mut run = dralloc_with(&["cel", "eval", "--device", path.to_str().unwrap()], lines);
    run.errors = run.errors.replace(path.to_str().unwrap(), "device.yaml");
    run
}

#[test]
fn the_corpus_comes_out_as_recorded() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cel");
    let run = dralloc(&[
        "cel",
        "eval",
        "--device",
        "testdata/cel/device.json",
        "--selectors",
        "testdata/cel/selectors.jsonl",
        "--kubernetes-version",
        "1.36",
    ]);
    let corpus = std::fs::read_to_string(root.join("selectors.jsonl")).unwrap();
    assert_eq!(run.output.lines().count(), corpus.lines().count());
    for (expected, found) in corpus.lines().zip(run.output.lines()) {
        let expected: serde_json::Value = serde_json::from_str(expected).unwrap();
        let found: serde_json::Value = serde_json::from_str(found).unwrap();
        // Kubernetes visits keys in random order, so this cost is one of several.
        if expected["expression"]
            .as_str()
            .unwrap()
            .contains("exists(k, k ==")
        {
            continue;
        }
        let expected = &expected["expect"];
        assert_eq!(found["outcome"], expected["outcome"], "{found}");
        assert_eq!(found.get("cost"), expected.get("cost"), "{found}");
    }
}
