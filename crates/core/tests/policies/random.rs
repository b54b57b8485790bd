//! Brute force on random questions of every feature.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use dralloc::{
    AllocateOptions, Budget, Change, Code, Deadline, Engine, Error, Gap, Outcome, Policy,
    Workspace, validate,
};
use dralloc_testkit::generate::{self, Question};
use dralloc_testkit::oracle::{Cel, Optimum, Options, Solution, Wish, WishScope, best};

/// Questions in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const QUESTIONS: u64 = 2_000;

fn questions() -> u64 {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    asked.map_or(QUESTIONS, |text| text.parse().unwrap())
}

/// Returns the policy of a question; claims and classes carry others.
fn policy(question: &Question) -> &Policy {
    question.policy.as_ref().unwrap_or(&Policy::Kubernetes)
}

fn brute_force(question: &Question) -> Optimum {
    let terms = policy(question).terms().into_owned();
    let wish = Wish {
        worse_than: None,
        scopes: vec![WishScope::of_all(&question.case, terms)],
        healths: question.healths.clone(),
        now: question.now,
        ..Wish::default()
    };
    best(&question.case, &Cel::default(), Options::default(), &wish)
}

fn engine(question: &Question) -> Engine {
    let mut engine = crate::support::engine(&question.case);
    for health in &question.healths {
        engine.apply(Change::DeviceHealth(health.clone())).unwrap();
    }
    engine
}

fn answer(engine: &Engine, question: &Question, budget: Budget<'_>) -> Result<Outcome, Error> {
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&question.case.claims)?;
    let mut options = AllocateOptions::new()
        .policy(policy(question))
        .budget(budget);
    if let Some(now) = question.now {
        options = options.now(now);
    }
    let node = &question.case.node.metadata.name;
    let mut transaction = snapshot.transaction();
    transaction.allocate(node, &claims, &options, &mut Workspace::new())
}

/// A gap names the first term that may be better, and by how much at most.
fn check_gap(values: &[i64], gap: Gap, best: &[i64], seed: u64) {
    assert_eq!(values[..gap.term], best[..gap.term], "seed {seed}");
    assert_eq!(values[gap.term], gap.value, "seed {seed}");
    assert!(
        gap.bound < gap.value && gap.bound <= best[gap.term],
        "seed {seed}: {gap:?} {best:?}"
    );
}

/// Is over when it was asked so many times.
pub(super) struct Patience(AtomicUsize);

impl Patience {
    pub(super) fn new(looks: usize) -> Self {
        Self(AtomicUsize::new(looks))
    }
}

impl Deadline for Patience {
    fn is_over(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

#[test]
fn the_engine_gives_the_first_of_the_best_answers() {
    let mut outcomes: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..questions() {
        let mut question = generate::question(seed);
        // The engine refuses what says nothing of a device.
        question
            .healths
            .retain(|health| validate::device_health(health).is_empty());
        if matches!(question.policy, None | Some(Policy::Kubernetes)) {
            continue;
        }
        let (values, expected) = match brute_force(&question) {
            Optimum::Allocated(values, results) => (values, results),
            Optimum::Other(Solution::Infeasible) => {
                *outcomes.entry("infeasible").or_default() += 1;
                let answer = answer(&engine(&question), &question, Budget::new());
                assert!(
                    matches!(answer, Ok(Outcome::Infeasible(_))),
                    "seed {seed}: {answer:?}"
                );
                continue;
            }
            // Devices that cannot be judged are left out under policies.
            Optimum::Other(_) => {
                *outcomes.entry("other").or_default() += 1;
                let _ = answer(&engine(&question), &question, Budget::new());
                continue;
            }
        };
        *outcomes.entry("allocated").or_default() += 1;
        let engine = engine(&question);
        let found = answer(&engine, &question, Budget::new());
        let Ok(Outcome::Optimal(allocation)) = &found else {
            panic!("seed {seed}: {found:?}");
        };
        let objective = allocation.objective().iter();
        assert!(
            objective
                .clone()
                .map(|one| &one.term)
                .eq(&*policy(&question).terms())
        );
        let objective: Vec<i64> = objective.map(|one| one.value).collect();
        assert_eq!(objective, values, "seed {seed}: {:?}", question.policy);
        let mut results = allocation.results();
        crate::support::number_shares(&mut results);
        assert_eq!(results, expected, "seed {seed}: {:?}", question.policy);
        for effort in [1, 3, 10, 30, 100] {
            let patience = Patience::new(effort);
            let branches = u64::try_from(effort * 3).unwrap();
            for budget in [
                Budget::new().branches(branches),
                Budget::new().deadline(&patience),
            ] {
                match answer(&engine, &question, budget) {
                    Ok(Outcome::Optimal(other)) => {
                        assert_eq!(other.results(), allocation.results());
                    }
                    Ok(Outcome::Feasible { allocation, gap }) => {
                        let found: Vec<i64> =
                            allocation.objective().iter().map(|one| one.value).collect();
                        check_gap(&found, gap, &values, seed);
                        *outcomes.entry("gap").or_default() += 1;
                    }
                    Ok(Outcome::Unknown(_)) => *outcomes.entry("unknown").or_default() += 1,
                    // What was found so far may be devices that no claim can have.
                    Err(error) if error.code() == Code::NodeSelector => {}
                    other => panic!("seed {seed}: {other:?}"),
                }
            }
        }
    }
    let share = |outcome: &str| outcomes.get(outcome).copied().unwrap_or(0) * 100 / questions();
    assert!(
        share("allocated") >= 20 && share("infeasible") >= 10,
        "{outcomes:?}"
    );
    assert!(share("gap") >= 5 && share("unknown") >= 5, "{outcomes:?}");
}
