//! [`Alternatives`]: what open requests add at least, whichever alternatives they get.

use std::collections::BTreeMap;

use crate::bitmap::Bitmap;
use crate::rules::MAX_DEVICES;
use crate::solver::bounds::{self, Wanting};
use crate::solver::problem::{Later, Least, Plan, Problem};

/// So many sets of alternatives are remembered.
const KNOWN: usize = 64;

/// Says which requests are open, and what they can get.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// The first of them; all after it are open, too.
    pub(super) later: usize,
    /// How many devices its claim may have.
    pub(super) room: usize,
    /// The plans that can be had, as far as is known of each for itself.
    pub(super) plans: Bitmap,
}

impl Open {
    /// Returns what is open before anything is picked.
    pub(super) fn all(problem: &Problem<'_>) -> Self {
        let mut plans = Bitmap::new(problem.plans.len());
        let possible = problem.plans.iter().enumerate();
        let possible = possible.filter(|(_, plan)| plan.possible);
        let least = Least::new(problem);
        for (place, plan) in possible {
            if bounds::has_enough(problem, plan) && least.leaves_enough(problem, plan) {
                plans.insert(place);
            }
        }
        let mut open = Self {
            later: 0,
            room: MAX_DEVICES,
            plans,
        };
        open.close(problem, None);
        open
    }

    /// Returns what is left of it after some plans are chosen, of which the last
    /// one still needs a number of devices from a place on.
    pub(super) fn after(
        &self,
        problem: &Problem<'_>,
        chosen: &[usize],
        (plan, from, left): (usize, usize, usize),
    ) -> Self {
        let claim = problem.plans[plan].claim;
        let mut open = Self {
            later: chosen.len(),
            room: problem.room(claim, chosen),
            plans: self.plans.clone(),
        };
        let first = problem.requests.get(open.later);
        if first.is_none_or(|plans| problem.plans[plans.start].claim != claim) {
            open.room = MAX_DEVICES;
        }
        open.close(problem, Some((&problem.plans[plan], from, left)));
        open
    }

    /// Takes away the plans of requests with a choice that cannot be had any more.
    ///
    /// Admissible: a plan finds too few devices, alone or beside what is wanted by
    /// the others at least. Only numbers are looked at: of devices that no plan
    /// tells apart it must not matter which is picked ([`Cards::like`]).
    ///
    /// [`Cards::like`]: super::cards::Cards::like
    fn close(&mut self, problem: &Problem<'_>, current: Option<(&Plan<'_>, usize, usize)>) {
        let later = self.later..problem.requests.len();
        let has_choice = |request: &usize| problem.requests[*request].len() > 1;
        if !later.clone().any(|request| has_choice(&request)) {
            return;
        }
        let all = Later::all(self.later, problem.requests.len());
        let (devices, wanted) = bounds::wanted_in_all(problem, current, all);
        for request in later.filter(has_choice) {
            let beside = wanted - problem.wanting[request].needed.min(wanted);
            for place in problem.requests[request].clone() {
                let plan = &problem.plans[place];
                if !self.plans.contains(place) {
                    continue;
                }
                let mut own = Wanting::of(problem, plan.candidates.clone(), plan.needed);
                own.devices.unite(&devices);
                let there = own
                    .devices
                    .len_without(problem.state.exclusive.taken_by_any());
                // No alternative of several is for administration.
                let is_short = own.needed > 0 && own.needed.saturating_add(beside) > there;
                if is_short || !finds_enough(problem, plan) {
                    self.plans.remove(place);
                }
            }
        }
    }
}

/// Returns whether there are devices enough for a plan alone, by their number.
fn finds_enough(problem: &Problem<'_>, plan: &Plan<'_>) -> bool {
    let exclusive = &problem.state.exclusive;
    let taken = exclusive.taken(plan.claim, plan.alternative.admin_access);
    plan.candidates.len_without(taken) >= plan.needed
}

/// Holds what each alternative adds at least, with all its picks.
///
/// Of a claim whose requests may want more devices than it may have, the least is
/// known for each number of devices that is left to it, as of a knapsack.
///
/// Admissible: each request gets an alternative that can be had, with as many
/// devices as that needs; the order of lists stays when the same is added to
/// both sides, so the sum of what is least is the least of sums.
#[derive(Debug)]
pub(super) struct Alternatives {
    width: usize,
    /// By plan; nothing if it cannot be had.
    costs: Vec<Option<Vec<i64>>>,
    /// By the plans that can be had.
    known: BTreeMap<Vec<u64>, Table>,
}

/// Is what requests add at least, by request and what is left to its claim.
#[derive(Debug)]
struct Table {
    /// By request, and the end.
    rows: Vec<Vec<Option<Vec<i64>>>>,
}

impl Alternatives {
    /// Keeps lists of a number of values, one for each plan.
    pub(super) fn new(width: usize, costs: Vec<Option<Vec<i64>>>) -> Self {
        Self {
            width,
            costs,
            known: BTreeMap::new(),
        }
    }

    /// Adds what open requests add at least; returns whether they may all get something.
    pub(super) fn add_least(
        &mut self,
        problem: &Problem<'_>,
        open: &Open,
        least: &mut [i64],
    ) -> bool {
        if !self.known.contains_key(open.plans.words()) {
            if self.known.len() >= KNOWN {
                self.known.clear();
            }
            let table = self.table(problem, &open.plans);
            self.known.insert(open.plans.words().to_vec(), table);
        }
        let table = self.known.get(open.plans.words());
        let Some(more) = table.and_then(|table| table.least(open.later, open.room)) else {
            return false;
        };
        add(least, more);
        true
    }

    fn table(&self, problem: &Problem<'_>, open: &Bitmap) -> Table {
        let claim = |request: usize| problem.plans_of(request).first().map(|plan| plan.claim);
        let end = problem.requests.len();
        let mut table = Table {
            rows: vec![Vec::new(); end + 1],
        };
        table.rows[end].push(Some(vec![0; self.width]));
        for request in (0..end).rev() {
            let is_limited = claim(request).is_some_and(|claim| problem.is_limited(claim));
            let is_last = request + 1 == end || claim(request + 1) != claim(request);
            let rooms = if is_limited { 0..=MAX_DEVICES } else { 0..=0 };
            let rows = rooms.map(|room| {
                let plans = problem.requests[request].clone();
                let plans = plans.filter(|plan| open.contains(*plan));
                let whole = plans.filter_map(|plan| {
                    let needed = problem.plans[plan].needed;
                    let left = if is_limited {
                        room.checked_sub(needed)?
                    } else {
                        room
                    };
                    let left = if is_last { MAX_DEVICES } else { left };
                    let mut cost = self.costs[plan].clone()?;
                    add(&mut cost, table.least(request + 1, left)?);
                    Some(cost)
                });
                whole.min()
            });
            let rows = rows.collect();
            table.rows[request] = rows;
        }
        table
    }
}

impl Table {
    fn least(&self, request: usize, room: usize) -> Option<&[i64]> {
        let rows = self.rows.get(request)?;
        rows.get(room.min(rows.len().checked_sub(1)?))?.as_deref()
    }
}

/// Adds lists, value by value.
pub(super) fn add(sum: &mut [i64], more: &[i64]) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.saturating_add(*more);
    }
}
