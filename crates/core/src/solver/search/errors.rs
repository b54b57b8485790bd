//! Whether an error comes before the answer.
//!
//! The reference search evaluates a device only when it comes to it. So an
//! error counts exactly if some picks that are consistent so far, followed by
//! the failing device as the next pick, come before the answer in canonical
//! order. That is a search of its own, in the problem cut off there.

use super::Search;
use super::goal::{Found, Goal};
use crate::budget::Meter;
use crate::error::Error;
use crate::outcome::StopCause;
use crate::solver::problem::{Problem, Solution, conflict, entry_id, sequence};

/// Returns the first error in canonical order that comes before an answer, or
/// the first at all where there is none; with the choices that lead to it.
pub(super) fn first_error(
    problem: &mut Problem<'_>,
    answer: Option<&Solution>,
    meter: &mut Meter<'_>,
) -> Result<Option<(Vec<usize>, Error)>, StopCause> {
    let mut first = answer.map(|answer| sequence(problem, &answer.plans, &answer.picks));
    let mut error = None;
    for plan in 0..problem.plans.len() {
        if problem.plans[plan]
            .failing
            .iter()
            .all(|failing| failing.conflict)
        {
            continue;
        }
        let goal = Goal::Failing {
            plan,
            before: first.as_deref(),
        };
        let found = Search::new(problem, goal).run(meter)?;
        let Found::Failing(failing, mut choices) = found else {
            continue;
        };
        let failing = &problem.plans[plan].failing[failing];
        choices.push(failing.device);
        if first.as_ref().is_none_or(|first| choices < *first) {
            error = Some(failing.error.clone().under(&problem.path(plan)));
            first = Some(choices);
        }
    }
    Ok(first.zip(error))
}

/// Returns the first conflict between an `All` request and a constraint, where
/// nothing fits.
///
/// Kubernetes' allocator ends with this error at once. Here the search goes on
/// as long as there is another choice, so it counts only at the end.
pub(super) fn first_conflict(
    problem: &mut Problem<'_>,
    meter: &mut Meter<'_>,
) -> Result<Option<Error>, StopCause> {
    for plan in 0..problem.plans.len() {
        let choice = &problem.plans[plan];
        if choice.all.is_none() || choice.constraints.is_empty() {
            continue;
        }
        if let Found::Conflict(device) = Search::new(problem, Goal::Conflict { plan }).run(meter)? {
            let error = conflict(&entry_id(problem.view, device));
            return Ok(Some(error.under(&problem.path(plan))));
        }
    }
    Ok(None)
}
