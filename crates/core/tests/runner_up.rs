//! The best of the answers that are not as good, against brute force.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

#[allow(dead_code, reason = "no test file uses everything")]
mod support;

use std::collections::BTreeMap;

use dralloc::{AllocateOptions, Budget, Change, Error, RunnerUp, StopCause, Workspace};
use dralloc_testkit::case::{Answer, Observed};
use dralloc_testkit::compare::differences_from;
use dralloc_testkit::generate::{self, Question};
use dralloc_testkit::oracle::{Cel, Optimum, Options, Solution, Wish, best};

/// Cases in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const CASES: u64 = 1_000;

/// Branches after which the engine gives up a case.
const BRANCHES: u64 = 1_000_000;

/// Returns the best answer by brute force that is worse than some values.
fn brute_force(question: &Question, worse_than: Option<Vec<i64>>) -> Optimum {
    let wish = Wish {
        scopes: question.scopes.clone(),
        healths: question.healths.clone(),
        worse_than,
        now: question.now,
        ..Wish::default()
    };
    best(&question.case, &Cel::default(), Options::default(), &wish)
}

fn engine(question: &Question, branches: u64) -> Result<RunnerUp, Error> {
    let case = &question.case;
    let mut engine = support::engine(case);
    for health in &question.healths {
        engine.apply(Change::DeviceHealth(health.clone())).unwrap();
    }
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&case.claims).unwrap();
    let mut options = AllocateOptions::new().budget(Budget::new().branches(branches));
    if let Some(policy) = &question.policy {
        options = options.policy(policy);
    }
    if let Some(now) = question.now {
        options = options.now(now);
    }
    let node = &case.node.metadata.name;
    let transaction = snapshot.transaction();
    transaction.runner_up(node, &claims, &options, &mut Workspace::new())
}

#[test]
fn what_comes_after_the_best_is_what_brute_force_finds() {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    let cases = asked.map_or(CASES, |text| text.parse().unwrap());
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    let mut beyond_the_first_term = 0;
    for seed in 0..cases {
        let question = generate::question(seed);
        let first = match brute_force(&question, None) {
            Optimum::Allocated(values, _) => Some(values),
            Optimum::Other(Solution::Infeasible) => None,
            // A device on which something fails is passed over by the engine alone.
            Optimum::Other(_) => continue,
        };
        let second = match &first {
            Some(values) => brute_force(&question, Some(values.clone())),
            None => Optimum::Other(Solution::Infeasible),
        };
        let found = engine(&question, BRANCHES);
        match (second, found) {
            (
                Optimum::Allocated(values, results),
                Ok(RunnerUp::Found {
                    allocation,
                    term,
                    best,
                    value,
                }),
            ) => {
                let own = allocation.objective().iter().map(|value| value.value);
                assert_eq!(own.collect::<Vec<_>>(), values, "seed {seed}");
                let mut got = allocation.results();
                support::number_shares(&mut got);
                let name = &question.case.name;
                let expected = Solution::Allocated(results).into_answer(name);
                let got = Answer::allocated(name.clone(), got);
                let expected = Observed {
                    outcome: expected.outcome,
                    results: expected.results,
                    node_local: false,
                    error: None,
                    steps: 0,
                };
                let differences = differences_from(&got, &expected);
                assert!(differences.is_empty(), "seed {seed}: {differences:#?}");
                let first = first.unwrap();
                assert_eq!(first[..term], values[..term], "seed {seed}");
                assert_eq!((best, value), (first[term], values[term]), "seed {seed}");
                assert!(best < value, "seed {seed}");
                beyond_the_first_term += u64::from(term > 0);
                *seen.entry("found").or_default() += 1;
            }
            (Optimum::Other(Solution::Infeasible), Ok(RunnerUp::Nothing)) => {
                *seen.entry("nothing").or_default() += 1;
            }
            // There may be devices of which no answer can be made.
            (Optimum::Other(Solution::Error(_) | Solution::Skipped), _) => {}
            (expected, found) => panic!("seed {seed}: {found:?}, expected {expected:?}"),
        }
    }
    let share = |what: &str| seen.get(what).copied().unwrap_or(0) * 100 / cases;
    assert!(share("found") >= 12 && share("nothing") >= 20, "{seen:?}");
    assert!(
        beyond_the_first_term * 50 > cases,
        "{beyond_the_first_term}"
    );
}

#[test]
fn a_budget_that_ends_leaves_it_unknown() {
    let question = (0..CASES)
        .map(generate::question)
        .find(|question| matches!(engine(question, BRANCHES), Ok(RunnerUp::Found { .. })));
    assert!(matches!(
        engine(&question.unwrap(), 1),
        Ok(RunnerUp::Unknown(StopCause::Branches))
    ));
}
