//! Right answers pass the check, and every kind of damage is found for its reason.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends at what it did not expect"
)]

mod damage;
mod edges;
#[path = "../support/mod.rs"]
mod support;
mod truth;
mod world;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use damage::Expected;
use dralloc::model::AllocationResult;
use dralloc::{Snapshot, Violation, ViolationCode};
use dralloc_testkit::case::{Case, Expectation, OutcomeKind, read_lines};
use dralloc_testkit::generate::{self, Profile};
use dralloc_testkit::oracle::Cel;

/// How many random cases are asked.
const RANDOM_CASES: u64 = 4_000;

fn read(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/conformance");
    fs::read_to_string(folder.join(name)).unwrap()
}

fn cases() -> Vec<Case> {
    read_lines(&read("generated.jsonl")).unwrap()
}

fn verify(
    case: &Case,
    snapshot: &Snapshot,
    results: &[AllocationResult],
) -> Result<(), Vec<Violation>> {
    snapshot.verify(&case.node.metadata.name, &case.claims, results)
}

/// Returns the cases that the engine allocates, with its answers.
fn allocated() -> Vec<(Case, Vec<AllocationResult>)> {
    let answers = cases().into_iter().filter_map(|case| {
        let results = support::answer(&case).results?;
        Some((case, results))
    });
    answers.collect()
}

fn codes(violations: &[Violation]) -> Vec<ViolationCode> {
    violations.iter().map(Violation::code).collect()
}

#[test]
fn answers_of_the_engine_are_right() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for (case, results) in allocated() {
        count += 1;
        if let Err(violations) = verify(&case, &support::snapshot(&case), &results) {
            wrong.push((case.name, violations));
        }
    }
    assert!(count > 1_000, "{count}");
    assert!(
        wrong.is_empty(),
        "{} of {count}: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(8)]
    );
}

#[test]
fn answers_to_random_questions_are_right() {
    let mut count = 0;
    for seed in 0..RANDOM_CASES {
        let case = generate::case(seed, Profile::Small);
        if let Some(results) = support::answer(&case).results {
            count += 1;
            let verdict = verify(&case, &support::snapshot(&case), &results);
            assert_eq!(verdict, Ok(()), "seed {seed}");
        }
    }
    assert!(count > RANDOM_CASES / 5, "{count}");
}

#[test]
fn answers_of_kubernetes_are_right_unless_overruled() {
    let expectations: Vec<Expectation> = read_lines(&read("generated.expected.jsonl")).unwrap();
    let mut wrong = Vec::new();
    let (mut right, mut overruled) = (0, 0);
    let cases = cases();
    for (case, expectation) in cases.iter().zip(&expectations) {
        assert_eq!(case.name, expectation.name);
        let Some(results) = &expectation.experimental.results else {
            continue;
        };
        let verdict = verify(case, &support::snapshot(case), results);
        match (&expectation.right, expectation.order_dependent, verdict) {
            (None, false, Ok(())) => right += 1,
            (None, false, Err(violations)) => wrong.push((&case.name, violations)),
            // What Kubernetes gives away wrongly is found; what it only fails
            // to give, or gives later, is no violation.
            (Some(right), _, Err(_)) if right.outcome == OutcomeKind::Infeasible => overruled += 1,
            (Some(right), _, Ok(())) if right.outcome == OutcomeKind::Infeasible => {
                wrong.push((&case.name, Vec::new()));
            }
            _ => {}
        }
    }
    assert!(
        wrong.is_empty(),
        "{}: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(8)]
    );
    assert!(
        right > 1_000 && overruled > 0,
        "{right} right, {overruled} overruled"
    );
}

#[test]
fn damaged_answers_are_refused_for_their_reason() {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut undecided = 0;
    let mut seen: BTreeMap<ViolationCode, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (case, results) in allocated() {
        let snapshot = support::snapshot(&case);
        let cel = Cel::default();
        for damage in damage::all(&case, &results) {
            let verdict = verify(&case, &snapshot, &damage.results);
            let found = verdict.as_ref().err().map_or(Vec::new(), |all| codes(all));
            for code in &found {
                *seen.entry(*code).or_default() += 1;
            }
            let is_as_expected = match damage.expected {
                Expected::Refused(expected) => {
                    expected.iter().any(|expected| found.contains(expected))
                }
                Expected::Truth => {
                    let Some(right) = truth::is_right(&case, &cel, &damage.results) else {
                        undecided += 1;
                        continue;
                    };
                    right == verdict.is_ok()
                }
            };
            let count = counts.entry(damage.kind).or_default();
            count.0 += 1;
            count.1 += usize::from(verdict.is_ok());
            if !is_as_expected {
                wrong.push((case.name.clone(), damage.kind, verdict, damage.results));
            }
        }
    }
    println!("refused and right all the same by kind: {counts:#?}");
    println!("{undecided} undecided; reasons: {seen:#?}");
    assert!(
        wrong.is_empty(),
        "{}: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(3)]
    );
    let kinds = [
        "admin flag flipped",
        "amount added",
        "amount one down",
        "amount one up",
        "amounts removed",
        "binding condition added",
        "binding condition dropped",
        "binding failure condition dropped",
        "config added",
        "config doubled",
        "config for other requests",
        "config removed",
        "configs swapped",
        "device doubled",
        "device dropped",
        "device replaced",
        "device unknown",
        "node operation added",
        "node operation dropped",
        "node selector added",
        "node selector for another node",
        "node selector lacks a requirement",
        "node selector narrowed",
        "node selector removed",
        "node selector widened by a term",
        "node selector widened by a value",
        "request changed",
        "request unknown",
        "result missing",
        "results swapped",
        "share id added",
        "share id doubled",
        "share id outstanding",
        "share id removed",
        "toleration added",
        "toleration dropped",
    ];
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), kinds);
    // Only what brute force decides can be right in spite of a change.
    for (kind, (total, right)) in counts {
        let may_be_right = ["device replaced", "request changed", "results swapped"];
        assert!(
            right < total && (right == 0 || may_be_right.contains(&kind)),
            "{kind}"
        );
    }
    assert_eq!(undecided, 0);
}

#[test]
fn answers_do_not_fit_a_changed_world() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (case, results) in allocated() {
        for change in world::all(&case, &results) {
            let verdict = verify(&change.case, &support::snapshot(&change.case), &results);
            let found = verdict.as_ref().err().map_or(Vec::new(), |all| codes(all));
            *counts.entry(change.kind).or_default() += 1;
            if !found.contains(&change.expected) {
                wrong.push((case.name.clone(), change.kind, verdict));
            }
        }
    }
    println!("{counts:#?}");
    assert!(
        wrong.is_empty(),
        "{}: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(3)]
    );
    assert_eq!(
        counts.keys().copied().collect::<Vec<_>>(),
        [
            "capacity taken",
            "class gone",
            "constraint that nothing matches",
            "constraint that nothing tells apart",
            "counters taken",
            "device held",
            "device tainted",
            "groups apart",
            "one more asked for",
            "selector that nothing matches",
            "slice missing",
        ]
    );
}
