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

/// A case that comes out in another way than the corpus says.
type Exception = (&'static str, &'static str, Option<u64>);

/// Kubernetes visits the keys in random order until one is found, so its cost
/// is one of many.
const RANDOM: Exception = (
    r#"device.attributes["gpu.nvidia.com"].exists(k, k == "type")"#,
    "match",
    Some(61),
);

/// The corpus was recorded with the packages of Kubernetes 1.36, where this
/// had another cost.
const INCLUDES: Exception = (
    r#"device.attributes["example.com"].strs.includes("b")"#,
    "match",
    Some(4),
);

/// The corpus was recorded with cel-go 0.29, which came with Kubernetes 1.37.
const OLD_CEL_GO: [Exception; 2] = [
    (
        r#"device.attributes["gpu.nvidia.com"]["productName"].startsWith("NVIDIA")"#,
        "match",
        Some(7),
    ),
    ("device.attributes.`a-b`.c == 1", "compileError", None),
];

/// Compares every case with what Kubernetes does; returns how many there are.
fn compare(cases: &str, minor: u32, exceptions: &[Exception]) -> usize {
    let options = Options::selector().kubernetes_minor(minor);
    let mut differences = Vec::new();
    for line in cases.lines() {
        let case: Json = serde_json::from_str(line).expect("a case");
        let expression = case["expression"].as_str().expect("an expression");
        let found = corpus::run(expression, &corpus::device(&case, true), &options);
        let exception = exceptions.iter().find(|(other, ..)| *other == expression);
        let expected = &case["expect"];
        let recorded = expected["outcome"].as_str().expect("an outcome");
        let (outcome, cost) = exception.map_or(
            (recorded, expected["cost"].as_u64()),
            |(_, outcome, cost)| (*outcome, *cost),
        );
        differences.extend(found.difference(expression, outcome, cost));
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    cases.lines().count()
}

#[test]
fn outcomes_and_costs_are_those_of_kubernetes() {
    assert_eq!(compare(SELECTORS, 37, &[RANDOM, INCLUDES]), 191);
}

#[test]
fn the_language_is_that_of_kubernetes() {
    assert_eq!(compare(LANGUAGE, 37, &[]), 2315);
}

#[test]
fn the_libraries_are_those_of_kubernetes() {
    assert_eq!(compare(LIBRARIES, 37, &[]), 3401);
}

#[test]
fn the_corpus_holds_at_36() {
    let [first, second] = OLD_CEL_GO;
    assert_eq!(compare(SELECTORS, 36, &[RANDOM, first, second]), 191);
}
