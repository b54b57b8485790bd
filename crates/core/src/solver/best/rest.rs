//! [`Rest`]: what the requests that are still open add at least.

use super::alternatives::{Alternatives, Open, add};
use crate::budget::Meter;
use crate::objective::Tally;
use crate::outcome::StopCause;
use crate::solver::problem::Problem;

/// Holds bounds of single requests and their sums.
///
/// An alternative adds at least what itself does, and the least picks of its
/// candidates, as lists of values are compared; what requests add is for
/// [`Alternatives`] to say.
///
/// Admissible: rules that forbid some choices only make more of it.
#[derive(Debug)]
pub(super) struct Rest {
    /// How many values a list has.
    width: usize,
    requests: Alternatives,
    plans: Vec<PlanRest>,
}

/// Is what an alternative adds.
#[derive(Debug)]
struct PlanRest {
    /// By number of picks, what so many add at least, without the choice itself.
    picks: Vec<i64>,
}

impl Rest {
    pub(super) fn new(
        problem: &Problem<'_>,
        tally: &Tally,
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let width = tally.values().len();
        let mut rest = Self {
            width,
            requests: Alternatives::new(width, Vec::new()),
            plans: Vec::with_capacity(problem.plans.len()),
        };
        let mut costs = Vec::with_capacity(problem.plans.len());
        let mut own = vec![0; width];
        for (place, plan) in problem.plans.iter().enumerate() {
            let picks = rest.picks(problem, place, tally, meter)?;
            rest.plans.push(PlanRest { picks });
            tally.choice_at_least(place, &mut own);
            costs.push(rest.picks_of(place, plan.needed).map(|picks| {
                let mut cost = own.clone();
                add(&mut cost, picks);
                cost
            }));
        }
        rest.requests = Alternatives::new(width, costs);
        Ok(rest)
    }

    /// Returns the sums of the least picks of a plan, by their number.
    fn picks(
        &self,
        problem: &Problem<'_>,
        plan: usize,
        tally: &Tally,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<i64>, StopCause> {
        let width = self.width;
        let choice = &problem.plans[plan];
        let mut costs = Vec::new();
        let mut own = vec![0; width];
        for device in choice.candidates.iter() {
            meter.evaluation(0)?;
            tally.pick_at_least(plan, device, &mut own);
            costs.push(own.clone());
        }
        costs.sort_unstable();
        costs.truncate(choice.needed);
        let mut picks = vec![0; width];
        let mut sum = vec![0; width];
        for cost in &costs {
            add(&mut sum, cost);
            picks.extend_from_slice(&sum);
        }
        Ok(picks)
    }

    /// Returns what a number of picks of a plan adds at least; nothing if there
    /// are not so many candidates.
    fn picks_of(&self, plan: usize, count: usize) -> Option<&[i64]> {
        let first = count.checked_mul(self.width)?;
        self.plans[plan]
            .picks
            .get(first..first.checked_add(self.width)?)
    }

    /// Returns what no answer is better than, given the values before anything is picked
    /// and what is open then.
    pub(super) fn of_all(
        &mut self,
        problem: &Problem<'_>,
        values: &[i64],
        open: &Open,
    ) -> Vec<i64> {
        let mut least = values.to_vec();
        self.requests.add_least(problem, open, &mut least);
        least
    }

    /// Writes what answers come to at least that begin with what has some
    /// values, when a plan still needs picks and others are open; returns whether
    /// there may be any.
    pub(super) fn at_least(
        &mut self,
        problem: &Problem<'_>,
        values: &[i64],
        (plan, left): (usize, usize),
        open: &Open,
        least: &mut Vec<i64>,
    ) -> bool {
        least.clear();
        least.extend_from_slice(values);
        if let Some(picks) = self.picks_of(plan, left) {
            add(least, picks);
        }
        self.requests.add_least(problem, open, least)
    }
}
