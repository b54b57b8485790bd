//! The search: from a view, what is held and prepared claims to an answer.
//!
//! `Problem` turns the question into dense numbers, `Search` walks it in
//! canonical order, `bounds` prunes what cannot lead anywhere, and `errors`
//! decides whether an error comes before the answer.

mod bounds;
mod budget;
mod builder;
mod errors;
mod goal;
mod judge;
mod matching;
mod plan;
mod problem;
mod search;
mod solution;
mod state;
mod values;
mod wanting;

pub use budget::{Budget, Deadline};
pub use plan::Check;
pub use problem::ErrorMode;
pub(crate) use problem::Problem;
pub(crate) use solution::Solution;

use budget::Meter;

use crate::error::{Code, Error};
use crate::outcome::{Reason, StopCause};

/// Answers a problem in canonical order.
pub(crate) enum Answer {
    /// The first solution.
    First(Solution),
    /// There is none.
    None(Reason),
}

/// Finds the first solution of a problem, or the error that comes before it.
///
/// # Errors
///
/// What the canonical search would meet on a device before the answer; or
/// [`Code::Pool`] with scope node if nothing fits while a pool is invalid.
pub(crate) fn solve(
    problem: &mut Problem<'_>,
    budget: &Budget<'_>,
) -> Result<Result<Answer, StopCause>, Error> {
    match decide(problem, &mut budget.meter()) {
        Err(cause) => Ok(Err(cause)),
        Ok(Err(error)) => Err(error),
        Ok(Ok(answer)) => Ok(Ok(answer)),
    }
}

/// Branches in which an answer is searched for before errors are looked at.
const FIRST_TRY: u64 = 256;

fn decide(
    problem: &mut Problem<'_>,
    meter: &mut Meter<'_>,
) -> Result<Result<Answer, Error>, StopCause> {
    // An error that comes early makes the search short, and so does an answer
    // that is found at once: whichever is cheap goes first.
    let mut error = None;
    let first_try = search::first_solution(problem, None, &mut meter.first(FIRST_TRY));
    let answer = if let Ok(answer) = first_try {
        answer
    } else {
        error = errors::first_error(problem, None, meter)?;
        let before = error.as_ref().map(|(choices, _)| choices.as_slice());
        search::first_solution(problem, before, meter)?
    };
    match &answer {
        Answer::First(solution) => {
            // One that was found first comes after the answer, which was
            // searched for before it.
            if error.is_none()
                && let Some((_, error)) = errors::first_error(problem, Some(solution), meter)?
            {
                return Ok(Err(error));
            }
        }
        Answer::None(_) => {
            if error.is_none() {
                error = errors::first_error(problem, None, meter)?;
            }
            if let Some((_, error)) = error {
                return Ok(Err(error));
            }
            if let Some(error) = errors::first_conflict(problem, meter)? {
                return Ok(Err(error));
            }
            if let Some((pool, reason)) = problem.invalid_pool() {
                let message = format!("nothing fits, and pool `{pool}` is invalid: {reason}");
                return Ok(Err(Error::new(Code::Pool, message).on_node()));
            }
        }
    }
    Ok(Ok(answer))
}

/// Returns the requests of which no alternative has enough devices, with the
/// place of the claim.
pub(crate) fn short_requests(problem: &Problem<'_>) -> Vec<(usize, String)> {
    let short = |request: &usize| bounds::is_hopeless(problem, *request, request + 1);
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
    matching::is_unmatched(problem, 0, problem.requests.len())
}

/// Returns whether a solution is found within a number of branches.
pub(crate) fn fits(problem: &mut Problem<'_>, branches: u64) -> bool {
    let mut meter = Budget::new().branches(branches).meter();
    matches!(
        search::first_solution(problem, None, &mut meter),
        Ok(Answer::First(_))
    )
}
