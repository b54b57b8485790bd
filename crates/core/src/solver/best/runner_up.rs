//! The best of the answers that are not as good as the best.

use super::cards::Cards;
use super::search::{Limit, Search};
use super::{Best, Bounds, Goal, Valued, solve_best, tally};
use crate::budget::Meter;
use crate::error::Error;
use crate::outcome::StopCause;
use crate::solver::problem::Problem;
use crate::state::Draft;

/// Is what comes after the best solution.
pub(crate) enum Second {
    /// The first of the best solutions that are not as good, and how good it gets.
    Found(Valued, Vec<i64>),
    /// No solution is worse than another.
    Nothing,
    /// The budget ended before that was known.
    Stopped(StopCause),
}

/// Finds the first of the best solutions that are worse than the best.
///
/// A search in canonical order goes through all that is not at least as bad as what
/// it found, and passes by what is as good as the best: so what it ends with is
/// the least of what is left, and the first of those.
///
/// # Errors
///
/// Those of [`solve_best`].
pub(crate) fn second_best(
    problem: &mut Problem<'_>,
    held: &Draft,
    goal: Goal<'_>,
    meter: &mut Meter<'_>,
) -> Result<Second, Error> {
    let best = match solve_best(problem, held, goal, meter)? {
        Best::Optimal(best) => best.values,
        Best::Feasible(..) => return Ok(Second::Stopped(StopCause::Branches)),
        Best::Infeasible(_) => return Ok(Second::Nothing),
        Best::Stopped(cause) => return Ok(Second::Stopped(cause)),
    };
    Ok(match next_to(problem, held, goal, &best, meter) {
        Ok(Some(found)) => Second::Found(found, best),
        Ok(None) => Second::Nothing,
        Err(cause) => Second::Stopped(cause),
    })
}

fn next_to(
    problem: &mut Problem<'_>,
    held: &Draft,
    goal: Goal<'_>,
    best: &[i64],
    meter: &mut Meter<'_>,
) -> Result<Option<Valued>, StopCause> {
    let mut tally = tally(problem, held, goal, meter)?;
    let mut bounds = Bounds::new(problem, &tally, meter)?;
    bounds.cards = Cards::new(problem, &mut tally, &bounds.open, meter)?;
    if bounds.cards.is_some() {
        meter.work(1)?;
    }
    let mut second: Option<Valued> = None;
    let mut search = Search::new(problem, &mut tally, &mut bounds);
    let mut walk = || -> Result<(), StopCause> {
        loop {
            let bar = second.as_ref().map(|second| second.values.as_slice());
            if bar.is_some_and(|bar| is_next(best, bar)) {
                return Ok(());
            }
            if !search.next(&Limit::Between(best, bar), meter)? {
                return Ok(());
            }
            second = Some(search.found());
        }
    };
    let ended = walk();
    search.end();
    ended.map(|()| second)
}

/// Returns whether nothing is between two lists of values.
fn is_next(best: &[i64], bar: &[i64]) -> bool {
    match (best.split_last(), bar.split_last()) {
        (Some((last, before)), Some((next, others))) => {
            before == others && last.checked_add(1) == Some(*next)
        }
        _ => true,
    }
}
