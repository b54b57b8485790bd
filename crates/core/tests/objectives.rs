//! The best answer against brute force, which looks at every answer.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod support;

use std::collections::BTreeMap;

use dralloc::{
    AllocateOptions, Budget, CarriedPolicies, Change, ErrorMode, Find, Outcome, PlaceOptions,
    Policy, Snapshot, Term, Workspace,
};
use dralloc_testkit::case::{Answer, Case, Observed, OutcomeKind};
use dralloc_testkit::compare::differences_from;
use dralloc_testkit::generate::{self, Question};
use dralloc_testkit::oracle::{Cel, Optimum, Options, Solution, Wish, best};

/// Cases in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const CASES: u64 = 3_000;

/// Branches after which the engine gives up a case.
const BRANCHES: u64 = 1_000_000;

fn cases() -> u64 {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    asked.map_or(CASES, |text| text.parse().unwrap())
}

/// Returns the best answer by brute force and its values.
fn brute_force(question: &Question) -> (Vec<i64>, Solution) {
    let wish = Wish {
        worse_than: None,
        scopes: question.scopes.clone(),
        healths: question.healths.clone(),
        now: question.now,
        ..Wish::default()
    };
    match best(&question.case, &Cel::default(), Options::default(), &wish) {
        Optimum::Allocated(values, results) => (values, Solution::Allocated(results)),
        Optimum::Other(other) => (Vec::new(), other),
    }
}

/// Returns what the engine knows before the question is asked.
fn snapshot(question: &Question) -> Snapshot {
    let mut engine = support::engine(&question.case);
    for health in &question.healths {
        engine.apply(Change::DeviceHealth(health.clone())).unwrap();
    }
    engine.snapshot()
}

/// Returns the answer of the engine and the values that it states.
fn engine(question: &Question) -> (Vec<i64>, Answer) {
    let case = &question.case;
    let snapshot = snapshot(question);
    let claims = snapshot.prepare(&case.claims).unwrap();
    let mut options = AllocateOptions::new().budget(Budget::new().branches(BRANCHES));
    if let Some(policy) = &question.policy {
        options = options.policy(policy);
    }
    if let Some(now) = question.now {
        options = options.now(now);
    }
    let node = &case.node.metadata.name;
    let mut transaction = snapshot.transaction();
    let outcome = transaction.allocate(node, &claims, &options, &mut Workspace::new());
    match outcome.unwrap() {
        Outcome::Optimal(allocation) => {
            let terms = allocation.objective().iter().map(|value| &value.term);
            let expected = question.scopes.iter().flat_map(|scope| &scope.terms);
            assert!(terms.eq(expected), "{}", case.name);
            let values = allocation.objective().iter().map(|value| value.value);
            let mut results = allocation.results();
            support::number_shares(&mut results);
            let answer = Answer::allocated(case.name.clone(), results);
            (values.collect(), answer)
        }
        Outcome::Infeasible(_) => {
            let answer = Answer::new(case.name.clone(), OutcomeKind::Infeasible);
            (Vec::new(), answer)
        }
        outcome => panic!("{}: {outcome:?}", case.name),
    }
}

#[test]
fn the_engine_gives_the_best_answer_of_brute_force() {
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut first_is_best = 0;
    for seed in 0..cases() {
        let question = generate::question(seed);
        let (expected_values, solution) = brute_force(&question);
        // A device on which something fails is passed over by the engine alone.
        if matches!(solution, Solution::Error(_) | Solution::Skipped) {
            *outcomes.entry("left out").or_default() += 1;
            continue;
        }
        let answer = solution.into_answer(&question.case.name);
        let (values, found) = engine(&question);
        *outcomes.entry(found.outcome.as_str()).or_default() += 1;
        let is_first = found.outcome == OutcomeKind::Allocated
            && support::answer(&question.case).results == found.results;
        first_is_best += u64::from(is_first);
        let expected = Observed {
            outcome: answer.outcome,
            results: answer.results,
            node_local: false,
            error: None,
            steps: 0,
        };
        let differences = differences_from(&found, &expected);
        assert!(
            differences.is_empty() && values == expected_values,
            "seed {seed}: {differences:#?}\nscopes {:?}, now {:?}: {values:?}, expected \
             {expected_values:?}\n{}\n{:?}",
            question.scopes,
            question.now,
            serde_json::to_string(&question.case).unwrap(),
            question.healths,
        );
    }
    // The generator must reach every outcome, and often another answer than the first.
    let share = |count: u64| count * 100 / cases();
    let allocated = outcomes.get("allocated").copied().unwrap_or(0);
    let infeasible = outcomes.get("infeasible").copied().unwrap_or(0);
    assert!(
        share(allocated) >= 40 && share(infeasible) >= 10 && share(allocated - first_is_best) >= 8,
        "{outcomes:?}, {first_is_best} first"
    );
}

/// Of many nodes each has the best answer of its own.
#[test]
fn nodes_that_are_asked_together_have_the_best_answers() {
    let mut compared = 0;
    for seed in 0..cases() / 10 {
        let question = generate::question(seed);
        let snapshot = snapshot(&question);
        let Ok(claims) = snapshot.prepare(&question.case.claims) else {
            continue;
        };
        let mut options = PlaceOptions::new().find(Find::All);
        let mut on_a_node = AllocateOptions::new().errors(ErrorMode::Skip);
        if let Some(policy) = &question.policy {
            options = options.policy(policy);
            on_a_node = on_a_node.policy(policy);
        }
        if let Some(now) = question.now {
            (options, on_a_node) = (options.now(now), on_a_node.now(now));
        }
        let mut workspace = Workspace::new();
        let Ok(placement) = snapshot.place(&claims, &options, &mut workspace) else {
            continue;
        };
        for node in placement.nodes() {
            let mut transaction = snapshot.transaction();
            let alone = transaction.allocate(node.name(), &claims, &on_a_node, &mut workspace);
            let Outcome::Optimal(alone) = alone.unwrap() else {
                panic!("seed {seed}");
            };
            let together = node.allocation();
            assert_eq!(together.results(), alone.results(), "seed {seed}");
            assert_eq!(together.objective(), alone.objective(), "seed {seed}");
            compared += u64::from(!alone.objective().is_empty());
        }
    }
    assert!(compared >= cases() / 40, "{compared}");
}

/// One device is asked for, with a policy of these fields.
fn carrying(fields: &str) -> Question {
    let line = r#"{"name":"carried-0","features":{},"node":{"metadata":{"name":"n"}},
        "deviceClasses":[{"metadata":{"name":"c"}}],
        "resourceSlices":[{"metadata":{"name":"s"},"spec":{"driver":"d","nodeName":"n",
            "pool":{"name":"p","generation":1,"resourceSliceCount":1},
            "devices":[{"name":"a"},{"name":"b"},{"name":"c"}]}}],
        "claims":[{"metadata":{"name":"c"},"spec":{"devices":{
            "requests":[{"name":"r","exactly":{"deviceClassName":"c",
                "allocationMode":"ExactCount","count":1}}],
            "config":[{"opaque":{"driver":"dralloc.dev","parameters":{
                "apiVersion":"dralloc.dev/v1alpha1","kind":"PlacementPolicy",FIELDS}}}]}}}]}"#;
    let health = r#"{"metadata":{"name":"a"},"spec":{
        "device":{"driver":"d","pool":"p","device":"a"},
        "failures":[{"time":"2026-01-31T12:00:00Z","reason":"x"}]}}"#;
    Question {
        case: Case::from_line(&line.replace("FIELDS", fields)).unwrap(),
        policy: None,
        scopes: Vec::new(),
        healths: vec![serde_json::from_str(health).unwrap()],
        now: None,
    }
}

/// Returns the device that is given, with the values, or the error.
fn device(question: &Question, options: &AllocateOptions<'_>) -> String {
    let snapshot = snapshot(question);
    let claims = snapshot.prepare(&question.case.claims).unwrap();
    let mut transaction = snapshot.transaction();
    match transaction.allocate("n", &claims, options, &mut Workspace::new()) {
        Ok(Outcome::Optimal(allocation)) => {
            let results = allocation.results();
            let values = allocation.objective().iter().map(|value| value.value);
            let values: Vec<i64> = values.collect();
            format!("{} {values:?}", results[0].devices.results[0].device)
        }
        Ok(outcome) => panic!("{outcome:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_caller_says_whether_carried_policies_count() {
    let ignored = AllocateOptions::new().carried_policies(CarriedPolicies::Ignored);
    let waste = Policy::Terms(vec![Term::Waste]);
    let healthy = carrying(r#""objective":["healthPenalty"]"#);
    for (options, expected) in [
        (AllocateOptions::new(), "b [0]"),
        (ignored, "a []"),
        (AllocateOptions::new().policy(&waste), "a [0]"),
        (AllocateOptions::new().policy(&Policy::Kubernetes), "a []"),
    ] {
        assert_eq!(device(&healthy, &options), expected);
    }
    let near = carrying(
        r#""unit":{"requests":{"r":1},"scope":"nvLink","mode":"required","apartOver":"nvLink"}"#,
    );
    let unsupported = "claims[0].spec.devices.config[0].opaque.parameters.unit.apartOver: \
                       units are not apart over `nvLink`, expected a place such as \
                       `nvLinkDomain`";
    for (options, expected) in [
        (AllocateOptions::new(), unsupported),
        (
            AllocateOptions::new().policy(&Policy::Kubernetes),
            unsupported,
        ),
        (ignored, "a []"),
    ] {
        assert_eq!(device(&near, &options), expected);
    }
}
