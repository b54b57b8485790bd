//! A second implementation of the allocator's rules, as plain as possible.
//!
//! It exists to be compared with: it shares nothing with the engine but the
//! model, quantities and CEL. It prunes nothing, keeps no state between checks,
//! and recomputes what is in use, every sum and every constraint from the list
//! of picks each time. Its search is depth first in canonical order, so the
//! first solution is the answer, and an error is met exactly where Kubernetes'
//! search meets it. Where Kubernetes' allocator is known to be wrong, this one
//! does what is right.

mod capacity;
mod constraints;
mod counters;
mod expressions;
mod failure;
mod groups;
mod in_use;
mod nodes;
mod objective;
mod optimum;
mod pools;
mod requests;
mod result;
mod search;
mod selectors;
mod taints;
#[cfg(test)]
mod tests;
mod topology;
mod twins;
mod world;

use dralloc::model::AllocationResult;

use crate::case::{Answer, AnswerError, Case, OutcomeKind};

pub use expressions::{Cel, Expressions};
pub use failure::{Failure, FailureKind, FailureScope};
pub use optimum::{Optimum, Wish, WishScope};
pub use topology::Demand;

/// Says how the oracle works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Steps of the search after which it gives up; 200 000 unless set.
    pub steps: u64,
    /// Which pools are complete; the safe reading unless set.
    pub counts: InconsistentCounts,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            steps: 200_000,
            counts: InconsistentCounts::Incomplete,
        }
    }
}

/// Says what a pool is whose slices disagree about how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InconsistentCounts {
    /// It is incomplete, whatever the order of slices.
    Incomplete,
    /// The first slice on the node is believed, as Kubernetes does.
    FirstSlice,
}

/// Is the answer of the oracle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// One result per claim.
    Allocated(Vec<AllocationResult>),
    /// The claims do not fit.
    Infeasible,
    /// The search met a fault of the input.
    Error(Failure),
    /// The search was too long.
    Skipped,
}

impl Solution {
    /// Returns the solution as an answer to the case of that name.
    pub fn into_answer(self, name: &str) -> Answer {
        match self {
            Self::Allocated(results) => Answer::allocated(name, results),
            Self::Infeasible => Answer::new(name, OutcomeKind::Infeasible),
            Self::Skipped => Answer::new(name, OutcomeKind::Unknown),
            Self::Error(failure) => Answer::error(
                name,
                AnswerError {
                    code: failure.kind.as_str().to_owned(),
                    message: failure.message,
                    path: String::new(),
                    scope: failure.scope.as_str().to_owned(),
                },
            ),
        }
    }
}

/// Returns the answer to a case, and after how many steps it was known.
///
/// A step is a call of the recursion, counted as Kubernetes counts them.
///
/// # Examples
///
/// ```
/// use dralloc_testkit::case::Case;
/// use dralloc_testkit::oracle::{Cel, Options, Solution, solve};
///
/// # fn main() -> Result<(), serde_json::Error> {
/// let line = r#"{"name":"empty-0","features":{},"node":{"metadata":{"name":"n"}}}"#;
/// let case = Case::from_line(line)?;
/// let (solution, steps) = solve(&case, &Cel::default(), Options::default());
/// assert_eq!(solution, Solution::Allocated(Vec::new()));
/// assert_eq!(steps, 1);
/// # Ok(())
/// # }
/// ```
pub fn solve(case: &Case, expressions: &dyn Expressions, options: Options) -> (Solution, u64) {
    search::solve(case, expressions, options)
}

/// Returns the best answer to a case: of all answers, looked at one by one, the
/// first in canonical order of those with the least values.
///
/// It goes on where [`solve`] would end, so it may meet errors that come after the
/// first answer.
pub fn best(case: &Case, expressions: &dyn Expressions, options: Options, wish: &Wish) -> Optimum {
    search::best(case, expressions, options, wish)
}
