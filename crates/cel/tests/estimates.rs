//! The estimated cost of selectors, as Kubernetes 1.37 estimates it.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

use dralloc_cel::{Options, estimate_cost};
use serde_json::Value;

/// Expressions and what `k8s.io/dynamic-resource-allocation` estimates for them.
const ESTIMATES: &str = include_str!("../../../testdata/cel/estimates.jsonl");

fn selector(source: &str) -> u64 {
    estimate_cost(source, &Options::selector()).expect("expression compiles")
}

#[test]
fn estimates_are_those_of_kubernetes() {
    let mut checked = 0;
    let mut failures = Vec::new();
    for line in ESTIMATES.lines() {
        let case: Value = serde_json::from_str(line).expect("line is JSON");
        let source = case["expression"].as_str().expect("has an expression");
        let options = match case["derived"].as_bool() {
            Some(true) => Options::derived_attribute(),
            _ => Options::selector(),
        };
        let expected = case["maxCost"].as_u64().expect("has a cost");
        match estimate_cost(source, &options) {
            Ok(cost) if cost == expected => {}
            other => failures.push(format!("{source}\n  {expected} expected, {other:?} found")),
        }
        checked += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(checked, COUNT);
}

/// Lines of the file: none may get lost.
const COUNT: usize = 1672;

#[test]
fn includes_has_a_rule_from_1_37_on() {
    let source = "device.attributes['a'].b.includes('c')";
    assert_eq!(selector(source), 68);
    let options = Options::selector().kubernetes_minor(36);
    assert_eq!(estimate_cost(source, &options), Ok(5));
}

#[test]
fn what_does_not_compile_has_no_estimate() {
    let error = |source| {
        estimate_cost(source, &Options::selector())
            .expect_err("expression does not compile")
            .to_string()
    };
    assert_eq!(
        error("device.name"),
        "undefined field `name` at line 1, column 7"
    );
    assert_eq!(
        error("'a'.matches('[')"),
        dralloc_cel::Program::compile("'a'.matches('[')", &Options::selector())
            .expect_err("pattern is invalid")
            .to_string()
    );
    assert_eq!(
        error("1"),
        "a selector must evaluate to `bool`, not `int` at line 1, column 1"
    );
}
