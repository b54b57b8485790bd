//! [`OfScope`]: what is written down of a scope to look at it part by part.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::budget::Meter;
use crate::objective::Tally;
use crate::outcome::StopCause;
use crate::solver::best::alternatives::{Alternatives, Open};
use crate::solver::best::cost::{Cost, NOTHING, plus, times};
use crate::solver::parts::{KnownCosts, PartTable};
use crate::solver::problem::Problem;

/// Is what is written down of a scope.
pub(super) struct OfScope {
    /// What alternatives add at least: those of requests that are looked at part by
    /// part beside their picks, the others with them.
    pub(super) alternatives: Alternatives,
    /// By plan: what a pick wastes less than the size of its device.
    pub(super) less: Vec<Cost>,
    /// By part: a number for those that count the same while nothing is picked.
    pub(super) classes: Vec<u64>,
    /// By part: what is picked of it, as bits; nothing if something twice.
    pub(super) picked: Vec<Option<u64>>,
    /// Numbers of classes of which something is picked.
    pub(super) states: RefCell<BTreeMap<(u64, u64), u64>>,
    pub(super) known: KnownCosts<Cost>,
}

impl OfScope {
    /// Writes a scope down, while nothing is picked; `fixed` says by request the
    /// alternative that it is looked at with.
    pub(super) fn new(
        problem: &Problem<'_>,
        tally: &Tally,
        (table, fixed): (&PartTable, &[Option<usize>]),
        (scope, open): (usize, &Open),
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let mut of_scope = Self {
            alternatives: Alternatives::new(NOTHING.len(), Vec::new()),
            less: Vec::with_capacity(problem.plans.len()),
            classes: Vec::with_capacity(table.len()),
            picked: vec![Some(0); table.len()],
            states: RefCell::default(),
            known: KnownCosts::default(),
        };
        for plan in 0..problem.plans.len() {
            let mut less = NOTHING;
            if tally.counts(scope, plan) {
                tally.less_than_size(scope, plan, &mut less);
            }
            of_scope.less.push(less);
        }
        let mut costs = Vec::with_capacity(problem.plans.len());
        for (place, plan) in problem.plans.iter().enumerate() {
            meter.poll()?;
            let mut cost = None;
            if open.plans.contains(place) {
                let own = at_least(tally, scope, place, |tally, least| {
                    tally.choice_at_least(place, least);
                });
                let picks = match fixed[plan.request] {
                    Some(_) => times(&of_scope.less[place], plan.needed),
                    None => free(problem, tally, (scope, place), meter)?,
                };
                cost = Some(plus(&own, &picks).to_vec());
            }
            costs.push(cost);
        }
        of_scope.alternatives = Alternatives::new(NOTHING.len(), costs);
        let mut key = Vec::new();
        let mut known: BTreeMap<Vec<i128>, u64> = BTreeMap::new();
        for part in 0..table.len() {
            meter.effort(2 + 2 * table.devices_of(part).len() as u64)?;
            tally.describe(scope, table.devices_of(part), &mut key);
            let next = known.len() as u64;
            of_scope
                .classes
                .push(*known.entry(key.clone()).or_insert(next));
        }
        Ok(of_scope)
    }
}

/// Returns what the picks of a plan add at least that parts are not looked at with.
fn free(
    problem: &Problem<'_>,
    tally: &Tally,
    (scope, plan): (usize, usize),
    meter: &mut Meter<'_>,
) -> Result<Cost, StopCause> {
    let choice = &problem.plans[plan];
    let mut picks: Vec<Cost> = Vec::new();
    for device in choice.candidates.iter() {
        meter.effort(1)?;
        picks.push(at_least(tally, scope, plan, |tally, least| {
            tally.pick_at_least(plan, device, least);
        }));
    }
    picks.sort_unstable();
    picks.truncate(choice.needed);
    Ok(picks.iter().fold(NOTHING, |sum, pick| plus(&sum, pick)))
}

/// Returns the values of a scope of a list of all.
fn at_least(
    tally: &Tally,
    scope: usize,
    plan: usize,
    write: impl FnOnce(&Tally, &mut [i64]),
) -> Cost {
    let mut cost = NOTHING;
    if tally.counts(scope, plan) {
        let mut all = vec![0; tally.values().len()];
        write(tally, &mut all);
        for (cost, value) in cost.iter_mut().zip(&all[tally.values_of(scope)]) {
            *cost = *value;
        }
    }
    cost
}
