//! The oracle on all conformance cases.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

use std::collections::BTreeMap;
use std::fs;

use dralloc_testkit::case::{Case, Expectation, OutcomeKind, read_lines};
use dralloc_testkit::compare::{differences, differences_from};
use dralloc_testkit::oracle::{Cel, InconsistentCounts, Options, solve};

fn read(file: &str) -> String {
    let path = format!(
        "{}/../../testdata/conformance/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn pairs() -> Vec<(Case, Expectation)> {
    let cases: Vec<Case> = read_lines(&read("generated.jsonl")).unwrap();
    let expectations: Vec<Expectation> = read_lines(&read("generated.expected.jsonl")).unwrap();
    assert_eq!(cases.len(), expectations.len());
    cases.into_iter().zip(expectations).collect()
}

#[test]
fn the_oracle_gives_the_right_answer_to_every_case() {
    let cel = Cel::default();
    let mut outcomes: BTreeMap<OutcomeKind, u32> = BTreeMap::new();
    let mut corrected = 0;
    let mut wrong = Vec::new();
    for (case, expectation) in pairs().iter().filter(|(_, it)| !it.order_dependent) {
        let (solution, _) = solve(case, &cel, Options::default());
        let answer = solution.into_answer(&case.name);
        *outcomes.entry(answer.outcome).or_default() += 1;
        corrected += u32::from(expectation.right.is_some());
        for difference in differences(&answer, expectation) {
            wrong.push(format!("{}: {difference}", case.name));
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{} differences", wrong.len());
    // None is skipped: every search ends within the limit.
    let expected = [
        (OutcomeKind::Allocated, 1124),
        (OutcomeKind::Infeasible, 678),
        (OutcomeKind::Error, 191),
    ];
    assert_eq!(outcomes, BTreeMap::from(expected));
    assert_eq!(corrected, 61);
}

#[test]
fn where_slices_disagree_kubernetes_believes_the_first() {
    let cel = Cel::default();
    let options = Options {
        counts: InconsistentCounts::FirstSlice,
        ..Options::default()
    };
    let mut checked = 0;
    for (case, expectation) in pairs().iter().filter(|(_, it)| it.order_dependent) {
        let answer = solve(case, &cel, options).0.into_answer(&case.name);
        assert_eq!(
            differences_from(&answer, &expectation.experimental),
            [],
            "{}",
            case.name
        );
        // The safe reading ends in an answer too.
        let safe = solve(case, &cel, Options::default())
            .0
            .into_answer(&case.name);
        assert_eq!(differences(&safe, expectation), [], "{}", case.name);
        checked += 1;
    }
    assert_eq!(checked, 7);
}

/// Kubernetes counts its steps, and this search is the same one: where no fault
/// of Kubernetes is at work, the counts are equal.
#[test]
fn the_search_has_the_shape_of_that_of_kubernetes() {
    let cel = Cel::default();
    let options = Options {
        counts: InconsistentCounts::FirstSlice,
        ..Options::default()
    };
    let pairs = pairs();
    let unchanged = |(case, expectation): &&(Case, Expectation)| {
        solve(case, &cel, options).1 == expectation.experimental.steps
    };
    let same = pairs.iter().filter(|(_, it)| it.right.is_none());
    assert_eq!(same.clone().count(), 1939);
    assert_eq!(same.filter(unchanged).count(), 1939 - 33);
}
