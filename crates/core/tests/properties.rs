//! The engine against brute force on random cases of every feature.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod support;

use std::collections::BTreeMap;

use dralloc_testkit::case::{Case, Observed, OutcomeKind};
use dralloc_testkit::compare::differences_from;
use dralloc_testkit::generate::{self, Profile};
use dralloc_testkit::oracle::{Cel, Options, Solution, solve};

/// Cases in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const CASES: u64 = 4_000;

fn cases() -> u64 {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    asked.map_or(CASES, |text| text.parse().unwrap())
}

/// Returns the answer of brute force, if the case is small enough for it.
fn brute_force(case: &Case) -> Option<Observed> {
    let (solution, steps) = solve(case, &Cel::default(), Options::default());
    if solution == Solution::Skipped {
        return None;
    }
    let answer = solution.into_answer(&case.name);
    Some(Observed {
        outcome: answer.outcome,
        results: answer.results,
        node_local: answer
            .error
            .as_ref()
            .is_some_and(|error| error.scope == "node"),
        error: answer.error.map(|error| error.message),
        steps,
    })
}

#[test]
fn the_engine_gives_the_first_answer_of_brute_force() {
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..cases() {
        let case = generate::case(seed, Profile::Small);
        let Some(expected) = brute_force(&case) else {
            *outcomes.entry("skipped").or_default() += 1;
            continue;
        };
        let answer = support::answer(&case);
        assert_ne!(answer.outcome, OutcomeKind::Unknown, "seed {seed}");
        *outcomes.entry(answer.outcome.as_str()).or_default() += 1;
        let differences = differences_from(&answer, &expected);
        assert!(
            differences.is_empty(),
            "seed {seed}: {differences:#?}\n{answer:#?}\n{}",
            generate::json(seed, Profile::Small)
        );
    }
    // The generator must reach every outcome, and brute force nearly every case.
    let share = |outcome: &str| outcomes.get(outcome).copied().unwrap_or(0) * 100 / cases();
    assert!(
        share("allocated") >= 20 && share("infeasible") >= 20,
        "{outcomes:?}"
    );
    assert!(share("error") >= 5 && share("skipped") <= 5, "{outcomes:?}");
}
