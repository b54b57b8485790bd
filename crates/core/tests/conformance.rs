//! The conformance cases: what Kubernetes' own allocator answers, corrected.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dralloc_testkit::case::{Case, Expectation, OutcomeKind, read_lines};
use dralloc_testkit::compare::{differences, differences_from};

fn read(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/conformance");
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn every_case_has_the_right_answer() {
    let cases: Vec<Case> = read_lines(&read("generated.jsonl")).unwrap();
    let expectations: Vec<Expectation> = read_lines(&read("generated.expected.jsonl")).unwrap();
    assert_eq!((cases.len(), expectations.len()), (2000, 2000));
    let mut wrong = Vec::new();
    let mut order_dependent = Vec::new();
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for (case, expectation) in cases.iter().zip(&expectations) {
        assert_eq!(case.name, expectation.name);
        let answer = support::answer(case);
        assert_ne!(answer.outcome, OutcomeKind::Unknown, "{}", case.name);
        *outcomes.entry(answer.outcome.as_str()).or_default() += 1;
        if expectation.order_dependent {
            let as_upstream = differences_from(&answer, &expectation.experimental).is_empty();
            order_dependent.push((case.name.as_str(), as_upstream));
            continue;
        }
        let differences = differences(&answer, expectation);
        if !differences.is_empty() {
            wrong.push((&case.name, differences));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of 2000: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(5)]
    );
    // Kubernetes believes the first of slices that disagree on how many there
    // are; here such a pool is incomplete, whatever their order.
    let differ: Vec<&str> = order_dependent
        .iter()
        .filter(|(_, as_upstream)| !as_upstream)
        .map(|(name, _)| *name)
        .collect();
    assert_eq!(order_dependent.len(), 7);
    assert_eq!(differ, ["pools-02598", "pools-04796", "pools-05376"]);
    assert_eq!(outcomes.values().sum::<usize>(), 2000);
}
