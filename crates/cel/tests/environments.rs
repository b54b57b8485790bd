//! What every minor version of Kubernetes accepts of expressions that are being
//! written and of stored ones, by the features that are on.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests fail like tests"
)]

mod corpus;

use dralloc_cel::{Options, Output, Program, estimate_cost};
use serde_json::Value as Json;

const ENVIRONMENTS: &str = include_str!("../../../testdata/cel/environments.jsonl");

/// Names of features in the corpus, and whether consumable capacity and list
/// attributes are on.
const FEATURES: [(&str, bool, bool); 4] = [
    ("none", false, false),
    ("consumableCapacity", true, false),
    ("listAttributes", false, true),
    ("both", true, true),
];

fn options(minor: u32, is_new: bool, (_, capacity, lists): (&str, bool, bool)) -> Options {
    let options = Options::selector()
        .kubernetes_minor(minor)
        .consumable_capacity(capacity)
        .list_attributes(lists);
    if is_new {
        options.new_expression()
    } else {
        options
    }
}

#[test]
fn environments_are_those_of_kubernetes() {
    let device = corpus::device(&Json::Null, false);
    let mut differences = Vec::new();
    for line in ENVIRONMENTS.lines() {
        let case: Json = serde_json::from_str(line).expect("a case");
        let expression = case["expression"].as_str().expect("an expression");
        for minor in 34..=37 {
            for (environment, is_new) in [("stored", false), ("new", true)] {
                for features in FEATURES {
                    let recorded = &case[minor.to_string()][environment];
                    // One answer stands for all where they do not differ.
                    let expected = recorded.get(features.0).unwrap_or(recorded);
                    let options = options(minor, is_new, features);
                    let found = corpus::run(expression, &device, &options);
                    let outcome = expected["outcome"].as_str().expect("an outcome");
                    let place = format!("1.{minor} {environment} {}: {expression}", features.0);
                    differences.extend(found.difference(
                        &place,
                        outcome,
                        expected["cost"].as_u64(),
                    ));
                    let estimate = estimate_cost(expression, &options).ok();
                    if estimate != expected["maxCost"].as_u64() {
                        differences.push(format!("{place}\n    estimate {estimate:?}"));
                    }
                }
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    assert_eq!(ENVIRONMENTS.lines().count(), 92);
}

fn message(source: &str, options: &Options) -> String {
    let error = Program::compile(source, options).expect_err("an error");
    error.to_string()
}

#[test]
fn what_is_not_there_says_why() {
    let none = FEATURES[0];
    let table = [
        (
            34,
            "device.allowMultipleAllocations",
            "undefined field `allowMultipleAllocations` at line 1, column 8; \
             new expressions may use it where `DRAConsumableCapacity` is on",
        ),
        (
            37,
            "device.name == 'a'",
            "undefined field `name` at line 1, column 8; \
             `device` has `driver`, `attributes` and `capacity`; selectors cannot ask for the name",
        ),
        (
            34,
            "[1].sortBy(x, x) == [1]",
            "undeclared reference to `x` at line 1, column 12",
        ),
        (
            34,
            "[1].distinct() == [1]",
            "undeclared reference to `distinct` at line 1, column 1; \
             new expressions may use it since Kubernetes 1.35",
        ),
        (
            37,
            "[1].includes(1)",
            "undeclared reference to `includes` at line 1, column 1; \
             new expressions may use it where `DRAListTypeAttributes` is on",
        ),
        (
            35,
            "[1].includes(1)",
            "undeclared reference to `includes` at line 1, column 1; Kubernetes knows it since 1.36",
        ),
        (
            36,
            "device.attributes['d'].a.all(x, true)",
            "expected a list or a map to loop over, not `any` at line 1, column 1",
        ),
    ];
    for (minor, source, expected) in table {
        assert_eq!(message(source, &options(minor, true, none)), expected);
    }
}

#[test]
fn derived_attributes_that_are_lists_need_the_feature() {
    let stored = Options::derived_attribute().list_attributes(false);
    let program = Program::compile("[1]", &stored).expect("a program");
    assert_eq!(program.output(), Output::DerivedAttribute);
    assert_eq!(
        message("[1]", &stored.new_expression()),
        "a derived attribute must evaluate to a string, an integer, a boolean or a version, \
         not `list(int)` at line 1, column 1"
    );
    assert!(Program::compile("[1]", &stored.list_attributes(true).new_expression()).is_ok());
}
