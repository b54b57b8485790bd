//! The search: from a view, what is held and prepared claims to an answer.
//!
//! `Problem` turns the question into dense numbers, `Search` walks it in
//! canonical order, `bounds` prunes what cannot lead anywhere, and `errors`
//! decides whether an error comes before the answer. `shortcut` gives the same
//! answer to usual questions without any of that.

mod alike;
mod arithmetic;
mod best;
mod bounds;
mod builder;
mod components;
mod errors;
mod goal;
mod judge;
mod later;
mod limit;
mod many;
mod obstacle;
mod parts;
mod plan;
mod problem;
mod prover;
mod search;
mod shortcut;
mod solution;
mod state;
mod statistics;
mod usual;

pub use arithmetic::Arithmetic;
pub(crate) use arithmetic::measure;
pub(crate) use best::{Best, Goal as BestGoal, Second, second_best, solve_best};
pub(crate) use many::{ManyCache, ManyQuestion, ManyWalk};
pub use obstacle::Obstacle;
pub use plan::Check;
pub use problem::ErrorMode;
pub(crate) use problem::{Halt, Problem};
pub(crate) use prover::{Proof, prove, prove_best};
pub(crate) use shortcut::{Holdings, OneRequest, Short, Shortcut, Shortcuts, Walk};
pub(crate) use solution::Solution;
pub use statistics::Statistics;

use later::Later;

use crate::budget::{Budget, Meter};
use crate::error::{Code, Error};
use crate::outcome::{Reason, StopCause};

/// Answers a problem in canonical order.
pub(crate) enum Answer {
    /// The first solution.
    First(Solution),
    /// There is none.
    Infeasible(Reason),
    /// The budget ended before that was known.
    Stopped(StopCause),
}

/// Branches of the first try of an answer, and of an error.
const FIRST_TRY: u64 = 256;

/// Finds the first solution of a problem, or the error that comes before it.
///
/// # Errors
///
/// What the canonical search would meet on a device before the answer; or
/// [`Code::Pool`] with scope node if nothing fits while a pool is invalid.
pub(crate) fn solve(problem: &mut Problem<'_>, meter: &mut Meter<'_>) -> Result<Answer, Error> {
    let (answer, error) = match first_of_each(problem, meter) {
        Ok(found) => found,
        Err(cause) => return Ok(Answer::Stopped(cause)),
    };
    if let Some(error) = error {
        return Err(error);
    }
    if let Answer::Infeasible(_) = answer {
        if problem.mode == ErrorMode::Abort {
            match errors::first_conflict(problem, meter) {
                Ok(Some(error)) => return Err(error),
                Ok(None) => {}
                Err(cause) => return Ok(Answer::Stopped(cause)),
            }
        }
        if let Some((pool, reason)) = problem.invalid_pool() {
            let message = format!("nothing fits, and pool `{pool}` is invalid: {reason}");
            return Err(Error::new(Code::Pool, message).on_node());
        }
    }
    Ok(answer)
}

/// Returns the first solution, and the first error if that comes before it.
///
/// Each of them cuts the search for the other one short. Which is cheap to
/// find is not known, so they are tried in turn, with more branches each time.
fn first_of_each(
    problem: &mut Problem<'_>,
    meter: &mut Meter<'_>,
) -> Result<(Answer, Option<Error>), StopCause> {
    let mut branches = FIRST_TRY;
    loop {
        let answer = meter.within(branches, |meter| {
            search::first_solution(problem, None, meter)
        })?;
        if let Some(answer) = answer {
            let solution = match &answer {
                Answer::First(solution) => Some(solution),
                _ => None,
            };
            let error = errors::first_error(problem, solution, meter)?;
            return Ok((answer, error.map(|(_, error)| error)));
        }
        let error = meter.within(branches, |meter| errors::first_error(problem, None, meter))?;
        if let Some(error) = error {
            let before = error.as_ref().map(|(choices, _)| choices.as_slice());
            let answer = search::first_solution(problem, before, meter)?;
            // A solution that was searched for before the error comes first.
            let error = match answer {
                Answer::First(_) => None,
                _ => error.map(|(_, error)| error),
            };
            return Ok((answer, error));
        }
        branches = branches.saturating_mul(4);
    }
}

/// Returns the requests of which no alternative has enough devices, with the
/// place of the claim.
pub(crate) fn short_requests(problem: &Problem<'_>) -> Vec<(usize, String)> {
    let short = |request: &usize| bounds::is_hopeless(problem, Later::all(*request, request + 1));
    let name = |request| {
        let plan = problem.plans_of(request).first();
        plan.map(|plan| (plan.claim, plan.alternative.name.request().to_owned()))
    };
    (0..problem.requests.len())
        .filter(short)
        .filter_map(name)
        .collect()
}

/// Returns whether the requests together want more devices than there are.
pub(crate) fn is_short_together(problem: &Problem<'_>) -> bool {
    let mut meter = Budget::new().meter();
    bounds::is_unmatched(problem, Later::all(0, problem.requests.len()), &mut meter)
}

/// Returns whether a solution is found within a number of branches.
pub(crate) fn fits(problem: &mut Problem<'_>, branches: u64) -> bool {
    let mut meter = Budget::new().branches(branches).meter();
    matches!(
        search::first_solution(problem, None, &mut meter),
        Ok(Answer::First(_))
    )
}
