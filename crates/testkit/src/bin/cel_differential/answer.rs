//! [`Answer`]: what dralloc says to a selector.

use std::panic::{AssertUnwindSafe, catch_unwind};

use dralloc_cel::{ErrorKind, Options, Program, Scratch, Verdict};
use dralloc_testkit::selectors::RandomSelector;

use crate::shuffled::Shuffled;

/// What dralloc says to a selector.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) outcome: &'static str,
    pub(crate) cost: Option<u64>,
    pub(crate) estimate: Option<u64>,
    pub(crate) error: Option<String>,
    /// What sort of error ended the evaluation.
    pub(crate) kind: Option<ErrorKind>,
}

impl Answer {
    /// Compiles and evaluates a selector for a minor version of Kubernetes.
    pub(crate) fn new(selector: &RandomSelector, minor: u32) -> Self {
        Self::guarded(selector, minor, None)
    }

    /// Like [`Self::new`], with the device's maps in the order of a seed.
    pub(crate) fn shuffled(selector: &RandomSelector, minor: u32, seed: u64) -> Self {
        Self::guarded(selector, minor, Some(seed))
    }

    fn guarded(selector: &RandomSelector, minor: u32, order: Option<u64>) -> Self {
        // A panic is a difference like any other; it must not end the run.
        catch_unwind(AssertUnwindSafe(|| Self::unguarded(selector, minor, order))).unwrap_or(Self {
            outcome: "panic",
            ..Self::default()
        })
    }

    fn unguarded(selector: &RandomSelector, minor: u32, order: Option<u64>) -> Self {
        let mut options = Options::selector().kubernetes_minor(minor);
        if let Some(limit) = selector.cost_limit {
            options = options.cost_limit(limit);
        }
        let program = match Program::compile(&selector.expression, &options) {
            Ok(program) => program,
            Err(error) => {
                return Self {
                    outcome: "compileError",
                    error: Some(error.to_string()),
                    ..Self::default()
                };
            }
        };
        let mut answer = Self {
            estimate: dralloc_cel::estimate_cost(&selector.expression, &options).ok(),
            ..Self::default()
        };
        let device = match selector.device.row() {
            Ok(device) => device,
            Err(error) => {
                answer.outcome = "evaluationError";
                answer.error = Some(error.to_string());
                answer.kind = Some(error.kind);
                return answer;
            }
        };
        let mut scratch = Scratch::new();
        let verdict = match order {
            None => program.matches(&device, &mut scratch),
            Some(seed) => program.matches(&Shuffled::new(&device, seed), &mut scratch),
        };
        match verdict {
            Verdict::Match => answer.outcome = "match",
            Verdict::NoMatch => answer.outcome = "noMatch",
            Verdict::Error(error) => {
                answer.outcome = "evaluationError";
                answer.error = Some(error.to_string());
                answer.kind = Some(error.kind);
            }
        }
        answer.cost = Some(scratch.cost());
        answer
    }
}
