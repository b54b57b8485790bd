//! The best answer under terms, with a proof.
//!
//! 1. Some answer is found, as in canonical order: it is the incumbent.
//! 2. A bound says what no answer is better than ([`Rest`], [`Cards`]). If the incumbent is
//!    as good, it is the best, and the first of those.
//! 3. The first answer as good as the bound is sought in canonical order. All
//!    that is left out has a worse bound, so what is found is the best and first.
//! 4. If there is none, or that takes too long, a search in canonical order goes
//!    on from the incumbent. It leaves out what is not better, so that of equal
//!    answers the first stays.
//!
//! If the budget ends before the proof does, the incumbent is the answer, and
//! the bound says how far from the best it can be.

mod alternatives;
mod cards;
mod cost;
mod rest;
mod runner_up;
mod search;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::problem::{Exchanges, Problem, Solution, unsupported};
use super::{Answer, solve};
use crate::budget::Meter;
use crate::error::Error;
use crate::objective::{Choice, Health, Scope, Tally, Term, Units};
use crate::outcome::{Gap, Reason, StopCause};
use crate::state::Draft;
use crate::topology::{AffinityScope, Machine};
pub(crate) use runner_up::{Second, second_best};

use alternatives::Open;
use cards::Cards;
use rest::Rest;
use search::{Limit, Search};

/// Answers a problem under terms.
pub(crate) enum Best {
    /// The first of the best solutions.
    Optimal(Valued),
    /// A solution, and how far from the best it is at most.
    Feasible(Valued, Gap),
    /// There is none.
    Infeasible(Reason),
    /// The budget ended before one was found.
    Stopped(StopCause),
}

/// Is a solution with the values of the terms.
pub(crate) struct Valued {
    pub(crate) solution: Solution,
    pub(crate) values: Vec<i64>,
}

/// Says what is counted.
#[derive(Clone, Copy)]
pub(crate) struct Goal<'a> {
    pub(crate) scopes: &'a [Scope],
    pub(crate) health: Health<'a>,
    /// How the devices of the node are linked, where some term needs that.
    pub(crate) machine: Option<&'a Arc<Machine>>,
}

/// So many branches are given to a search for an answer as good as the bound.
const FOR_BOUND: u64 = 1 << 14;

/// So many before parts are looked at, where a bound is one of sets.
const FOR_SETS: u64 = 1 << 8;

/// Finds the first of the best solutions of a problem.
///
/// # Errors
///
/// Those of [`solve`]; and, where errors abort, the first of a device that an
/// alternative may have: to find the best all devices are compared.
pub(crate) fn solve_best(
    problem: &mut Problem<'_>,
    held: &Draft,
    goal: Goal<'_>,
    meter: &mut Meter<'_>,
) -> Result<Best, Error> {
    if let Some(error) = first_failing(problem) {
        return Err(error);
    }
    if let Some(error) = unsupported_units(problem, goal) {
        return Err(error);
    }
    let first = match solve(problem, meter)? {
        Answer::First(solution) => solution,
        Answer::Infeasible(reason) => return Ok(Best::Infeasible(reason)),
        Answer::Stopped(cause) => return Ok(Best::Stopped(cause)),
    };
    let mut tally = match tally(problem, held, goal, meter) {
        Ok(tally) => tally,
        // What the answer is worth is not known.
        Err(cause) => return Ok(Best::Stopped(cause)),
    };
    let mut best = Valued {
        values: match values_of(&mut tally, &first, meter) {
            Ok(values) => values,
            Err(cause) => return Ok(Best::Stopped(cause)),
        },
        solution: first,
    };
    let nothing = vec![0; best.values.len()];
    let Ok(mut bounds) = Bounds::new(problem, &tally, meter) else {
        // No value is negative.
        return Ok(with_gap(best, &nothing));
    };
    let mut bound = bounds.rest.of_all(problem, tally.values(), &bounds.open);
    if best.values <= bound {
        return Ok(Best::Optimal(best));
    }
    if goal.machine.is_some() {
        // The bound of sets is what some answer comes to mostly, and parts take long.
        let sought = (&*bound, FOR_SETS);
        match first_as_good(problem, &mut tally, &mut bounds, sought, meter) {
            Ok(Some(found)) => return Ok(Best::Optimal(found)),
            Ok(None) => {}
            Err(_) => return Ok(with_gap(best, &bound)),
        }
    }
    if bounds
        .look_at_parts(problem, &mut tally, &mut bound, meter)
        .is_err()
    {
        return Ok(with_gap(best, &bound));
    }
    let bounds = (&mut bounds, &*bound);
    let improved = improve(problem, &mut tally, bounds, &mut best, meter);
    Ok(match improved {
        Ok(()) => Best::Optimal(best),
        Err(_) => with_gap(best, &bound),
    })
}

/// Holds what is known before anything is picked.
struct Bounds {
    rest: Rest,
    cards: Option<Cards>,
    open: Open,
    /// Made with the bound by parts: a search takes longer.
    exchanges: Option<Exchanges>,
}

impl Bounds {
    fn new(problem: &Problem<'_>, tally: &Tally, meter: &mut Meter<'_>) -> Result<Self, StopCause> {
        Ok(Self {
            rest: Rest::new(problem, tally, meter)?,
            cards: None,
            open: Open::all(problem),
            exchanges: None,
        })
    }

    /// Makes the bound by parts, and asks it what no answer is better than.
    fn look_at_parts(
        &mut self,
        problem: &Problem<'_>,
        tally: &mut Tally,
        bound: &mut Vec<i64>,
        meter: &mut Meter<'_>,
    ) -> Result<(), StopCause> {
        let describe = |device, key: &mut _| tally.describe_alone(device, key);
        self.exchanges = Some(Exchanges::new(problem, describe, meter)?);
        self.cards = Cards::new(problem, tally, &self.open, meter)?;
        if let Some(cards) = &mut self.cards {
            let mut least = Vec::new();
            if cards.at_least(problem, tally, None, &self.open, &mut least, meter)?
                && least > *bound
            {
                *bound = least;
            }
        }
        Ok(())
    }
}

/// Looks for better solutions until there is none, or the budget ends.
fn improve(
    problem: &mut Problem<'_>,
    tally: &mut Tally,
    (bounds, of_all): (&mut Bounds, &[i64]),
    best: &mut Valued,
    meter: &mut Meter<'_>,
) -> Result<(), StopCause> {
    if best.values.as_slice() <= of_all {
        return Ok(());
    }
    let sought = (of_all, FOR_BOUND);
    if let Some(found) = first_as_good(problem, tally, bounds, sought, meter)? {
        *best = found;
        return Ok(());
    }
    let mut search = Search::new(problem, tally, bounds);
    let mut improved = || -> Result<(), StopCause> {
        while search.next(&Limit::Below(&best.values), meter)? {
            *best = search.found();
            if best.values.as_slice() <= of_all {
                break;
            }
        }
        Ok(())
    };
    let ended = improved();
    search.end();
    ended
}

/// Looks for the first solution that is as good as a bound, with so many branches; returns
/// nothing if there is none, or it takes more.
fn first_as_good(
    problem: &mut Problem<'_>,
    tally: &mut Tally,
    bounds: &mut Bounds,
    (bound, branches): (&[i64], u64),
    meter: &mut Meter<'_>,
) -> Result<Option<Valued>, StopCause> {
    let found = meter.within(branches, |meter| {
        let mut search = Search::new(problem, tally, bounds);
        let found = search.next(&Limit::AtMost(bound), meter);
        let found = found.map(|found| found.then(|| search.found()));
        search.end();
        found
    })?;
    Ok(found.flatten())
}

/// Returns the first evaluation that fails, where that aborts.
fn first_failing(problem: &Problem<'_>) -> Option<Error> {
    let plans = problem.plans.iter().enumerate();
    let mut failing = plans.filter_map(|(place, plan)| {
        let failing = plan.failing.iter().find(|failing| !failing.conflict)?;
        Some(failing.error.clone().under(&problem.path(place)))
    });
    failing.next()
}

/// Returns why the units of a policy cannot be counted on the node.
fn unsupported_units(problem: &Problem<'_>, goal: Goal<'_>) -> Option<Error> {
    let machine = goal.machine?;
    goal.scopes.iter().find_map(|scope| {
        let counted = problem.plans.iter().map(|plan| {
            let counts = scope.requests.contains(plan.claim, plan.request_of_claim)
                && !plan.alternative.admin_access;
            counts.then_some((
                plan.alternative.name.request(),
                plan.needed,
                &plan.candidates,
            ))
        });
        let counted: Vec<_> = counted.collect();
        let mut terms = scope.terms.iter();
        let crossing = terms.find_map(|term| {
            let Term::UnitLevel {
                requests,
                levels,
                apart,
            } = term
            else {
                return None;
            };
            let words = levels.iter();
            let levels: Vec<_> = words.filter_map(|word| AffinityScope::new(word)).collect();
            let apart = apart.as_ref().and_then(|word| AffinityScope::place(word));
            Units::new(machine, requests, (&levels, apart), &counted).err()
        });
        crossing.map(|crossing| unsupported(crossing, problem.view))
    })
}

/// Returns a tally of a problem with nothing picked.
///
/// # Errors
///
/// If it is stopped.
pub(super) fn tally(
    problem: &Problem<'_>,
    held: &Draft,
    goal: Goal<'_>,
    meter: &mut Meter<'_>,
) -> Result<Tally, StopCause> {
    let choices = problem.plans.iter().map(|plan| Choice {
        claim: plan.claim,
        request: plan.request_of_claim,
        index: plan.index,
        admin_access: plan.alternative.admin_access,
        candidates: &plan.candidates,
        asked: plan.alternative.capacity.as_ref(),
        amounts: &plan.amounts,
        needed: plan.needed,
        possible: plan.possible,
        name: plan.alternative.name.request(),
    });
    let known = (problem.view, held, &problem.state.counters);
    let beside = (goal.health, goal.machine);
    Tally::new(goal.scopes, choices, known, beside, meter)
}

/// Returns the values of a solution; the tally is left as it was.
///
/// # Errors
///
/// If it is stopped.
fn values_of(
    tally: &mut Tally,
    solution: &Solution,
    meter: &mut Meter<'_>,
) -> Result<Vec<i64>, StopCause> {
    for plan in &solution.plans {
        tally.choose(*plan, meter);
    }
    for pick in &solution.picks {
        tally.add(pick.plan, pick.device, meter);
    }
    let values = tally.values().to_vec();
    for pick in solution.picks.iter().rev() {
        tally.take_back(pick.plan, pick.device);
    }
    for _ in &solution.plans {
        tally.take_choice_back();
    }
    meter.ended().map_or(Ok(values), Err)
}

/// Returns an answer that is not proved the best.
///
/// No answer is better than the bound, as lists are compared. So terms before
/// the first difference are the best, and of the answers that are as good in
/// them none is below the bound there.
fn with_gap(best: Valued, bound: &[i64]) -> Best {
    let mut pairs = best.values.iter().zip(bound).enumerate();
    match pairs.find(|(_, (value, bound))| value != bound) {
        None => Best::Optimal(best),
        Some((term, (value, bound))) => {
            let gap = Gap {
                term,
                value: *value,
                bound: *bound,
            };
            Best::Feasible(best, gap)
        }
    }
}
