//! The first answer: a solution, or the error that comes before it.

use super::Search;
use super::errors;
use super::goal::{Found, Goal};
use crate::budget::{Budget, Meter};
use crate::error::{Code, Error};
use crate::outcome::{Reason, StopCause};
use crate::solver::bounds;
use crate::solver::problem::{ErrorMode, Problem, Solution};

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
pub(in crate::solver) const FIRST_TRY: u64 = 256;

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
        let answer = meter.within(branches, |meter| first_solution(problem, None, meter))?;
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
            let answer = first_solution(problem, before, meter)?;
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

/// Finds the first solution, if it comes before a sequence; devices on which
/// evaluation fails are left out.
fn first_solution(
    problem: &mut Problem<'_>,
    before: Option<&[usize]>,
    meter: &mut Meter<'_>,
) -> Result<Answer, StopCause> {
    if let Some(reason) = bounds::refuse_all(problem, meter) {
        return Ok(Answer::Infeasible(reason));
    }
    let mut search = Search::new(problem, Goal::Solution { before });
    Ok(match search.run(meter)? {
        Found::Solution => Answer::First(search.found()),
        _ => Answer::Infeasible(Reason::Exhausted),
    })
}

/// Returns whether a solution is found within a number of branches.
pub(crate) fn fits(problem: &mut Problem<'_>, branches: u64) -> bool {
    let mut meter = Budget::new().branches(branches).meter();
    matches!(
        first_solution(problem, None, &mut meter),
        Ok(Answer::First(_))
    )
}
