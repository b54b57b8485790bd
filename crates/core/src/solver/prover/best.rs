//! Proofs that an answer is the best: part by part, in cases.

use std::collections::BTreeMap;

use dralloc_quantity::Amount;

use super::case::{Case, are_same};
use super::{End, Leaf, Proof, Prover, count, prover, sum};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::objective::{Health, Scope, Tally, Term};
use crate::outcome::StopCause;
use crate::proof::{RequestId, TermBound};
use crate::solver::best::{Goal as BestGoal, tally};
use crate::solver::problem::Problem;
use crate::state::Draft;

/// How many ways to give devices are looked at for one case.
const WAYS: usize = 1 << 14;

type Vector = Vec<usize>;

/// Holds what terms count, and what no answer is to come before.
pub(super) struct Goal {
    tally: Tally,
    /// Sets of devices of which terms do not add up one by one.
    groups: Vec<Vec<u32>>,
    /// Whether some term counts what picks take away from others.
    counts_losses: bool,
    /// Devices of which the counters were paid before.
    paid: Bitmap,
    pub(super) values: Vec<i64>,
}

/// Proves that no solution comes before others by the values of terms, each term
/// by itself; nothing where a proof would be too large.
pub(crate) fn prove_best(
    problem: &mut Problem<'_>,
    held: &Draft,
    (scopes, health): (&[Scope], Health<'_>),
    values: &[i64],
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<TermBound>>, StopCause> {
    let mut bounds = Vec::with_capacity(values.len());
    let all = scopes
        .iter()
        .flat_map(|scope| scope.terms.iter().map(move |term| (scope, term)));
    let tally = tally(problem, held, BestGoal { scopes, health }, meter)?;
    let mut terms = scopes.iter().flat_map(|scope| &scope.terms);
    let mut paid = Bitmap::new(problem.view.devices.len());
    for device in 0..problem.view.devices.len() {
        if problem.state.counters.is_paid(device) {
            paid.insert(device);
        }
    }
    let mut goal = Goal {
        groups: tally.groups(),
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
    /// Splits devices into parts of which terms and counters add up.
    fn split(&self, problem: &Problem<'_>, devices: &Bitmap) -> Vec<Vec<usize>> {
        let count = problem.view.devices.len();
        let mut classes: Vec<usize> = (0..count).collect();
        let mut counters: BTreeMap<usize, usize> = BTreeMap::new();
        for device in 0..count {
            let is_looked_at = self.counts_losses || devices.contains(device);
            if is_looked_at && !self.paid.contains(device) {
                for (counter, _) in problem.state.counters.uses(device) {
                    let other = *counters.entry(*counter).or_insert(device);
                    join(&mut classes, device, other);
                }
            }
        }
        for group in &self.groups {
            let members = group.iter().map(|device| *device as usize);
            let mut members = members.filter(|device| devices.contains(*device));
            if let Some(first) = members.next() {
                members.for_each(|other| join(&mut classes, first, other));
            }
        }
        if !problem.view.twins.is_empty() {
            for device in devices.iter() {
                for twin in problem.view.twins.of(device).filter_map(|twin| twin.place) {
                    if devices.contains(twin) {
                        join(&mut classes, device, twin);
                    }
                }
            }
        }
        let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for device in devices.iter() {
            parts
                .entry(root(&classes, device))
                .or_default()
                .push(device);
        }
        parts.into_values().collect()
    }
}

fn root(classes: &[usize], mut one: usize) -> usize {
    while classes[one] != one {
        one = classes[one];
    }
    one
}

fn join(classes: &mut [usize], one: usize, other: usize) {
    let (one, other) = (root(classes, one), root(classes, other));
    classes[one.max(other)] = one.min(other);
}

/// Are requests that can have the same devices in the same way, and count alike.
struct Need {
    plan: usize,
    candidates: Bitmap,
    requests: usize,
    needed: usize,
}

/// Is one way to give devices of a part, by need.
#[derive(Clone)]
struct Way {
    given: Vector,
    got: Vec<(usize, usize)>,
    counters: BTreeMap<usize, Amount>,
    capacities: Option<Vec<Amount>>,
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
        let mut devices = count::serving(problem, case, &requests);
        for got in &case.got {
            devices.insert(got.device);
        }
        let parts = goal.split(problem, &devices);
        let mut chosen = Vec::new();
        for request in 0..problem.requests.len() {
            if let Some((plan, _)) = case.left(problem, request).next() {
                goal.tally.choose(plan);
                chosen.push(plan);
            }
        }
        for got in &case.got {
            goal.tally.add(got.plan, got.device);
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
        let needs = needs(problem, case, goal, requests);
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
                    goal.tally.add(needs[*need].plan, *device);
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

fn needs(problem: &Problem<'_>, case: &Case, goal: &mut Goal, requests: &[usize]) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    for request in requests {
        let Some((plan, candidates)) = case.only(problem, *request) else {
            continue;
        };
        let needed = case.open(problem, plan);
        let mut like = None;
        for (place, need) in needs.iter().enumerate() {
            let amounts = |plan: usize| &problem.plans[plan].amounts;
            if need.candidates == *candidates
                && amounts(need.plan) == amounts(plan)
                && counts_alike(goal, need.plan, plan, candidates)
            {
                like = Some(place);
                break;
            }
        }
        match like.and_then(|place| needs.get_mut(place)) {
            Some(need) => {
                need.requests += 1;
                need.needed = need.needed.saturating_add(needed);
            }
            None => needs.push(Need {
                plan,
                candidates: candidates.clone(),
                requests: 1,
                needed,
            }),
        }
    }
    needs
}

/// Returns whether each device adds the same for two plans.
fn counts_alike(goal: &mut Goal, one: usize, other: usize, candidates: &Bitmap) -> bool {
    let mut values = |plan: usize, device: usize| {
        goal.tally.add(plan, device);
        let values = goal.tally.values().to_vec();
        goal.tally.take_back(plan, device);
        values
    };
    candidates
        .iter()
        .all(|device| values(one, device) == values(other, device))
}

fn ways(
    problem: &Problem<'_>,
    case: &Case,
    needs: &[Need],
    part: &[usize],
    effort: &mut usize,
) -> Option<Vec<Way>> {
    let mut ways = vec![Way {
        given: vec![0; needs.len()],
        got: Vec::new(),
        counters: BTreeMap::new(),
        capacities: None,
    }];
    for device in part.iter().copied() {
        let is_shared = problem.view.shareable.contains(device);
        let mut fresh: Vec<Way> = Vec::new();
        for (number, need) in needs.iter().enumerate() {
            if !need.candidates.contains(device) {
                continue;
            }
            let more = |way: &Way| add(problem, case, way, (number, need), device);
            *effort = effort.checked_sub(ways.len() + fresh.len())?;
            let mut next: Vec<Way> = ways.iter().filter_map(more).collect();
            if is_shared {
                next.extend(fresh.iter().filter_map(more));
                for _ in 1..need.requests {
                    let again: Vec<Way> = next.iter().filter_map(more).collect();
                    *effort = effort.checked_sub(next.len())?;
                    fresh.append(&mut next);
                    next = again;
                }
            }
            fresh.extend(next);
        }
        ways.extend(fresh);
    }
    Some(ways)
}

fn add(
    problem: &Problem<'_>,
    case: &Case,
    way: &Way,
    (number, need): (usize, &Need),
    device: usize,
) -> Option<Way> {
    let state = &problem.state;
    let is_shared = problem.view.shareable.contains(device);
    let is_new = !way.got.iter().any(|(_, other)| *other == device);
    let twins = || {
        way.got
            .iter()
            .any(|(_, other)| are_same(problem, device, *other))
    };
    let times = way
        .got
        .iter()
        .filter(|got| **got == (number, device))
        .count();
    if way.given[number] >= need.needed
        || times >= need.requests
        || !(is_new || is_shared)
        || !problem.view.twins.is_empty() && twins()
    {
        return None;
    }
    let mut more = way.clone();
    let is_given = case.got.iter().any(|got| got.device == device);
    if is_new && !state.counters.is_paid(device) && !(is_shared && is_given) {
        for (counter, amount) in state.counters.uses(device) {
            let all = state.counters.left().get(*counter)?;
            let left = more.counters.entry(*counter).or_insert_with(|| all.clone());
            *left -= amount;
            if left.is_negative() {
                return None;
            }
        }
    }
    if let Some(amounts) = problem.plans[need.plan].amounts.get(&device) {
        let known = more.capacities.take().filter(|_| !is_new);
        let mut left = known.unwrap_or_else(|| state.capacity.left_of(device).to_vec());
        for (left, amount) in left.iter_mut().zip(amounts) {
            *left -= amount.amount();
            if left.is_negative() {
                return None;
            }
        }
        more.capacities = Some(left);
    }
    more.given[number] += 1;
    more.got.push((number, device));
    Some(more)
}

/// Returns the names of the requests of a scope; nothing for all.
pub(super) fn named(
    scope: &Scope,
    problem: &Problem<'_>,
    ids: &[RequestId],
) -> Option<Vec<RequestId>> {
    let counts = |request: usize| {
        let plan = problem.plans_of(request).first();
        plan.is_some_and(|plan| scope.requests.contains(plan.claim, plan.request_of_claim))
    };
    if matches!(scope.requests, crate::objective::Requests::All) {
        return None;
    }
    let all = ids
        .iter()
        .enumerate()
        .filter(|(request, _)| counts(*request));
    Some(all.map(|(_, id)| id.clone()).collect())
}
