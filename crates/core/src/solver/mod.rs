//! The search: from a view, what is held and prepared claims to an answer.
//!
//! `Problem` turns the question into dense numbers, `Search` walks it in
//! canonical order, `bounds` prunes what cannot lead anywhere, and `errors`
//! decides whether an error comes before the answer.

mod bounds;
mod budget;
mod errors;
mod matching;
mod plan;
mod problem;
mod search;
mod state;
mod wanting;

pub use budget::{Budget, Deadline};
pub use plan::Check;
pub use problem::ErrorMode;
pub(crate) use problem::Problem;
pub(crate) use search::Solution;

use crate::error::{Code, Error};
use crate::outcome::{Reason, StopCause};

/// Answers a problem in canonical order.
pub(crate) enum Answer {
    /// The first solution.
    First(Solution),
    /// There is none.
    None(Reason),
    /// The budget ended before that was known.
    Unknown(StopCause),
}

/// Finds the first solution of a problem, or the error that comes before it.
///
/// # Errors
///
/// What the canonical search would meet on a device before the answer; or
/// [`Code::Pool`] with scope node if nothing fits while a pool is invalid.
pub(crate) fn solve(problem: &mut Problem<'_>, budget: &Budget<'_>) -> Result<Answer, Error> {
    let mut meter = budget.meter();
    let answer = search::first_solution(problem, &mut meter);
    let found = match &answer {
        Answer::First(solution) => Some(solution),
        Answer::None(_) => None,
        Answer::Unknown(_) => return Ok(answer),
    };
    let mut error = errors::first_error(problem, found, &mut meter);
    if found.is_none() && error == Ok(None) {
        error = errors::first_conflict(problem, &mut meter);
    }
    match error {
        Ok(Some(error)) => return Err(error),
        Ok(None) => {}
        Err(cause) => return Ok(Answer::Unknown(cause)),
    }
    if found.is_none()
        && let Some((pool, reason)) = problem.invalid_pool()
    {
        let message = format!("nothing fits, and pool `{pool}` is invalid: {reason}");
        return Err(Error::new(Code::Pool, message).on_node());
    }
    Ok(answer)
}

/// Returns the requests of which no alternative has enough devices, with the
/// place of the claim.
pub(crate) fn short_requests(problem: &Problem<'_>) -> Vec<(usize, String)> {
    let short = |request: &usize| bounds::is_hopeless(problem, *request, request + 1);
    let name = |request| {
        let plan = problem.plans_of(request).first();
        plan.map(|plan| (plan.claim, plan.alternative.name.request().to_owned()))
    };
    (0..problem.requests.len()).filter(short).filter_map(name).collect()
}

/// Returns whether the requests together want more devices than there are.
pub(crate) fn is_short_together(problem: &Problem<'_>) -> bool {
    matching::is_unmatched(problem, 0, problem.requests.len())
}

/// Returns whether a solution is found within a number of branches.
pub(crate) fn fits(problem: &mut Problem<'_>, branches: u64) -> bool {
    let mut meter = Budget::new().branches(branches).meter();
    matches!(search::first_solution(problem, &mut meter), Answer::First(_))
}
