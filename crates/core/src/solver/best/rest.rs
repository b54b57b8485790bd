//! [`Rest`]: what the requests that are still open add at least.

use crate::objective::Tally;
use crate::outcome::StopCause;
use crate::solver::budget::Meter;
use crate::solver::problem::Problem;

/// Holds bounds of single requests and their sums.
///
/// A request adds at least what the best of its alternatives does, and that the
/// least picks of its candidates, as lists of values are compared.
///
/// Admissible: the order of lists stays when the same is added to both sides, so
/// the sum of what is least is the least of sums; rules that forbid some choices
/// only make more of it.
#[derive(Debug)]
pub(super) struct Rest {
    /// How many values a list has.
    width: usize,
    /// By request, and the end: what it and those after it add at least.
    later: Vec<i64>,
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
            later: vec![0; width * (problem.requests.len() + 1)],
            plans: Vec::with_capacity(problem.plans.len()),
        };
        for plan in 0..problem.plans.len() {
            let picks = rest.picks(problem, plan, tally, meter)?;
            rest.plans.push(PlanRest { picks });
        }
        let mut own = vec![0; width];
        for (request, plans) in problem.requests.iter().enumerate().rev() {
            let mut least: Option<Vec<i64>> = None;
            for plan in plans.clone().filter(|plan| problem.plans[*plan].possible) {
                tally.choice_at_least(plan, &mut own);
                let Some(picks) = rest.picks_of(plan, problem.plans[plan].needed) else {
                    continue;
                };
                add(&mut own, picks);
                if least.as_ref().is_none_or(|least| own < *least) {
                    least = Some(own.clone());
                }
            }
            let (these, later) = rest.later.split_at_mut((request + 1) * width);
            let these = &mut these[request * width..];
            these.copy_from_slice(&later[..width]);
            if let Some(least) = least {
                add(these, &least);
            }
        }
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

    /// Returns what no answer is better than.
    pub(super) fn of_all(&self) -> &[i64] {
        &self.later[..self.width]
    }

    /// Writes what answers come to at least that begin with what has some
    /// values, when a plan still needs picks and the requests from one on are open.
    pub(super) fn at_least(
        &self,
        values: &[i64],
        (plan, left): (usize, usize),
        later: usize,
        least: &mut Vec<i64>,
    ) {
        least.clear();
        least.extend_from_slice(values);
        if let Some(picks) = self.picks_of(plan, left) {
            add(least, picks);
        }
        add(
            least,
            &self.later[later * self.width..(later + 1) * self.width],
        );
    }
}

fn add(sum: &mut [i64], more: &[i64]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.saturating_add(*more);
    }
}
