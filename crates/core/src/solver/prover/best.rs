//! Proofs that an answer is the best: part by part, in cases.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::case::Case;
use super::needs::{Vector, needs};
use super::ways::{counts_alike, ways};
use super::{End, Leaf, Proof, Prover, count, prover, sum};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::disjoint_sets::DisjointSets;
use crate::number::number;
use crate::objective::{Tally, Term};
use crate::outcome::StopCause;
use crate::proof::TermBound;
use crate::solver::best::{Goal as BestGoal, tally};
use crate::solver::problem::Problem;
use crate::state::Draft;
use crate::topology::Machine;

/// How many ways to give devices are looked at for one case.
const WAYS: usize = 1 << 14;

/// Holds what terms count, and what no answer is to come before.
pub(super) struct Goal {
    tally: Tally,
    /// Sets of devices of which terms do not add up one by one.
    groups: Vec<Vec<u32>>,
    /// Whether some term counts units, which is done only where all requests are settled.
    has_units: bool,
    /// Whether some term counts what picks take away from others.
    counts_losses: bool,
    /// By device: its penalty, its parents and whether something of it is held.
    standings: Vec<(i64, Vec<Vec<u32>>, bool)>,
    /// How devices are linked, if a term looks at that.
    machine: Option<Arc<Machine>>,
    /// Devices of which the counters were paid before.
    paid: Bitmap,
    pub(super) values: Vec<i64>,
}

/// Proves that no solution comes before others by the values of terms, each term
/// by itself; nothing where a proof would be too large.
pub(crate) fn prove_best(
    problem: &mut Problem<'_>,
    held: &Draft,
    question: BestGoal<'_>,
    values: &[i64],
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<TermBound>>, StopCause> {
    let mut bounds = Vec::with_capacity(values.len());
    let scopes = question.scopes;
    let machine = question.machine.cloned();
    let all = scopes
        .iter()
        .flat_map(|scope| scope.terms.iter().map(move |term| (scope, term)));
    let mut tally = tally(problem, held, question, meter)?;
    // What is not whole is no matter of proofs.
    tally.count_when_whole(meter);
    let mut terms = scopes.iter().flat_map(|scope| &scope.terms);
    let has_units = terms
        .clone()
        .any(|term| matches!(term, Term::UnitLevel { .. }));
    let mut groups = [tally.groups(), tally.linked_groups()].concat();
    if terms.clone().any(Term::is_of_levels) {
        groups.push((0..number(problem.view.devices.len())).collect());
    }
    let mut paid = Bitmap::new(problem.view.devices.len());
    for device in 0..problem.view.devices.len() {
        if problem.state.counters.is_paid(device) {
            paid.insert(device);
        }
    }
    let standings = problem.view.devices.iter().enumerate();
    let standings = standings.map(|(device, entry)| {
        let (penalty, parents) = tally.standing(device);
        (penalty, parents, held.is_held(entry.key))
    });
    let mut goal = Goal {
        standings: standings.collect(),
        machine: machine.filter(|_| terms.clone().any(Term::needs_topology)),
        groups,
        has_units,
        counts_losses: terms.any(|term| *term == Term::PackingPotential),
        paid,
        tally,
        values: Vec::new(),
    };
    for ((scope, term), value) in all.zip(values) {
        goal.values.push(*value);
        let mut prover = prover(problem, meter);
        let requests = prover.names.of_scope(prover.problem, scope);
        let mut steps = Vec::new();
        if *value > 0 {
            prover.goal = Some(goal);
            let mut whole = Case::new(prover.problem);
            match prover.finish(&mut whole) {
                Ok(Proof::Steps(found)) => steps = found,
                Ok(Proof::TooLarge) => return Ok(None),
                Err(cause) => return Err(cause),
            }
            match prover.goal.take() {
                Some(back) => goal = back,
                None => return Ok(None),
            }
        }
        bounds.push(TermBound {
            term: term.clone(),
            requests,
            value: *value,
            steps,
        });
    }
    Ok(Some(bounds))
}

impl Goal {
    /// Returns whether answers are as good with one device in the place of another.
    pub(super) fn counts_alike(&self, one: usize, other: usize) -> bool {
        self.standings.get(one) == self.standings.get(other)
            && self
                .machine
                .as_ref()
                .is_none_or(|machine| machine.are_alike(one, other))
    }

    /// Splits devices into parts of which terms and counters add up.
    fn split(&self, problem: &Problem<'_>, devices: &Bitmap) -> Vec<Vec<usize>> {
        let count = problem.view.devices.len();
        let mut sets = DisjointSets::new(count);
        let mut counters: BTreeMap<usize, usize> = BTreeMap::new();
        for device in 0..count {
            let is_looked_at = self.counts_losses || devices.contains(device);
            if is_looked_at && !self.paid.contains(device) {
                for (counter, _) in problem.state.counters.uses(device) {
                    let other = *counters.entry(*counter).or_insert(device);
                    sets.join(device, other);
                }
            }
        }
        for group in &self.groups {
            let members = group.iter().map(|device| *device as usize);
            let mut members = members.filter(|device| devices.contains(*device));
            if let Some(first) = members.next() {
                members.for_each(|other| sets.join(first, other));
            }
        }
        if !problem.view.twins.is_empty() {
            for device in devices.iter() {
                for twin in problem.view.twins.of(device).filter_map(|twin| twin.place) {
                    if devices.contains(twin) {
                        sets.join(device, twin);
                    }
                }
            }
        }
        let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for device in devices.iter() {
            parts.entry(sets.first(device)).or_default().push(device);
        }
        parts.into_values().collect()
    }
}

impl Prover<'_, '_, '_, '_> {
    /// Returns the requests and parts that show that no answer in a case is better.
    pub(super) fn least_leaf(&mut self, case: &Case) -> Result<Option<Leaf>, End> {
        let Some(mut goal) = self.goal.take() else {
            return Ok(None);
        };
        let found = self.least_of(case, &mut goal);
        self.goal = Some(goal);
        Ok(found?)
    }

    fn least_of(&mut self, case: &Case, goal: &mut Goal) -> Result<Option<Leaf>, StopCause> {
        let problem = &*self.problem;
        let mut requests = sum::competing(problem, case);
        requests.retain(|request| case.only(problem, *request).is_some());
        let mut all = 0..problem.requests.len();
        if goal.has_units && all.any(|request| case.left(problem, request).nth(1).is_some()) {
            return Ok(None);
        }
        let mut devices = count::serving(problem, case, &requests);
        for got in &case.got {
            devices.insert(got.device);
        }
        let parts = goal.split(problem, &devices);
        let mut chosen = Vec::new();
        for request in 0..problem.requests.len() {
            let mut left = case.left(problem, request);
            if let Some((plan, _)) = left.next() {
                match left.next() {
                    None => goal.tally.choose(plan, self.meter),
                    Some(_) => goal.tally.choose_at_best(plan, self.meter),
                }
                chosen.push(plan);
            }
        }
        for got in &case.got {
            goal.tally.add(got.plan, got.device, self.meter);
        }
        let least = self.least(case, goal, &requests, &parts);
        for got in case.got.iter().rev() {
            goal.tally.take_back(got.plan, got.device);
        }
        for _ in chosen {
            goal.tally.take_choice_back();
        }
        Ok(least?.then_some(Leaf::Least(requests, parts)))
    }

    /// Returns whether nothing in a case comes before the values of the goal.
    fn least(
        &mut self,
        case: &Case,
        goal: &mut Goal,
        requests: &[usize],
        parts: &[Vec<usize>],
    ) -> Result<bool, StopCause> {
        let terms = goal.values.len();
        let problem = &*self.problem;
        let start: Vec<i64> = goal.tally.values()[..terms].to_vec();
        let needs = needs(problem, case, requests, |one, other, candidates| {
            counts_alike(&mut goal.tally, one, other, candidates, self.meter)
        });
        let wanted: Vector = needs.iter().map(|need| need.needed).collect();
        let mut sums = BTreeMap::from([(vec![0; needs.len()], start.clone())]);
        let mut effort = WAYS;
        for part in parts {
            self.meter.branch()?;
            let Some(ways) = ways(problem, case, &needs, part, &mut effort) else {
                return Ok(false);
            };
            let mut best: BTreeMap<Vector, Vec<i64>> = BTreeMap::new();
            for way in ways {
                for (need, device) in &way.got {
                    goal.tally.add(needs[*need].plan, *device, self.meter);
                }
                let values = goal.tally.values()[..terms].iter().zip(&start);
                let values: Vec<i64> = values.map(|(now, before)| now - before).collect();
                for (need, device) in way.got.iter().rev() {
                    goal.tally.take_back(needs[*need].plan, *device);
                }
                keep_less(&mut best, way.given, values);
            }
            let mut more: BTreeMap<Vector, Vec<i64>> = BTreeMap::new();
            for (one, first) in &sums {
                self.meter.branch()?;
                for (other, second) in &best {
                    let sum: Vector = one
                        .iter()
                        .zip(other)
                        .map(|(one, other)| one + other)
                        .collect();
                    if sum.iter().zip(&wanted).all(|(sum, wanted)| sum <= wanted) {
                        let values = first.iter().zip(second);
                        let values = values.map(|(one, other)| one.saturating_add(*other));
                        keep_less(&mut more, sum, values.collect());
                    }
                }
                effort = effort.saturating_sub(best.len() / 8);
            }
            if effort == 0 {
                return Ok(false);
            }
            sums = more;
        }
        Ok(sums
            .get(&wanted)
            .is_none_or(|values| *values >= goal.values))
    }
}

fn keep_less(all: &mut BTreeMap<Vector, Vec<i64>>, given: Vector, values: Vec<i64>) {
    match all.get_mut(&given) {
        Some(known) if *known <= values => {}
        Some(known) => *known = values,
        None => {
            all.insert(given, values);
        }
    }
}
