//! The corpus of selectors: outcomes and costs are those of Kubernetes.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod corpus;

use dralloc_cel::Options;
use serde_json::Value as Json;

const SELECTORS: &str = include_str!("../../../testdata/cel/selectors.jsonl");
const LANGUAGE: &str = include_str!("../../../testdata/cel/language.jsonl");
const LIBRARIES: &str = include_str!("../../../testdata/cel/libraries.jsonl");

/// Selectors whose cost is another one here, with that cost.
const OTHER_COST: &[(&str, u64)] = &[
    // Kubernetes visits the keys in random order until one is found, so its
    // cost is one of many.
    (
        r#"device.attributes["gpu.nvidia.com"].exists(k, k == "type")"#,
        61,
    ),
    // The corpus has the cost of Kubernetes 1.36.
    (r#"device.attributes["example.com"].strs.includes("b")"#, 4),
];

/// Compares every case with what Kubernetes does; returns how many there are.
fn compare(cases: &str) -> usize {
    let mut differences = Vec::new();
    for line in cases.lines() {
        let case: Json = serde_json::from_str(line).expect("a case");
        let expression = case["expression"].as_str().expect("an expression");
        let found = corpus::run(expression, &corpus::device(&case), &Options::selector());
        let outcome = case["expect"]["outcome"].as_str().expect("an outcome");
        let other = OTHER_COST.iter().find(|(other, _)| *other == expression);
        let cost = match other {
            Some((_, other)) => Some(*other),
            None => case["expect"]["cost"].as_u64(),
        };
        differences.extend(found.difference(expression, outcome, cost));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    cases.lines().count()
}

#[test]
fn outcomes_and_costs_are_those_of_kubernetes() {
    assert_eq!(compare(SELECTORS), 191);
}

#[test]
fn the_language_is_that_of_kubernetes() {
    assert_eq!(compare(LANGUAGE), 2306);
}

#[test]
fn the_libraries_are_those_of_kubernetes() {
    assert_eq!(compare(LIBRARIES), 3044);
}
