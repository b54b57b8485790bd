//! What every minor version of Kubernetes accepts, and at what cost.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod corpus;

use dralloc_cel::Options;
use serde_json::Value as Json;

const VERSIONS: &str = include_str!("../../../testdata/cel/versions.jsonl");

/// A selector that ends by our limit on memory where Kubernetes before 1.37
/// goes on until its limit on cost.
const OUT_OF_MEMORY: &str = "lists.range(1000001).size() == 1";

fn compare(minor: u32) {
    let options = Options::selector().kubernetes_minor(minor);
    let device = corpus::device(&Json::Null, false);
    let mut differences = Vec::new();
    for line in VERSIONS.lines() {
        let case: Json = serde_json::from_str(line).expect("a case");
        let expression = case["expression"].as_str().expect("an expression");
        let expected = &case[minor.to_string()];
        let outcome = expected["outcome"].as_str().expect("an outcome");
        let options = match case["costLimit"].as_u64() {
            Some(limit) => options.cost_limit(limit),
            None => options,
        };
        let found = corpus::run(expression, &device, &options);
        if expression == OUT_OF_MEMORY && minor < 37 {
            assert_eq!(
                (found.outcome, found.message.as_str()),
                (
                    outcome,
                    "strings and lists of the expression exceed the limit on memory"
                )
            );
            continue;
        }
        differences.extend(found.difference(expression, outcome, expected["cost"].as_u64()));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(VERSIONS.lines().count(), 829);
}

#[test]
fn as_in_1_34() {
    compare(34);
}

#[test]
fn as_in_1_35() {
    compare(35);
}

#[test]
fn as_in_1_36() {
    compare(36);
}

#[test]
fn as_in_1_37() {
    compare(37);
}
