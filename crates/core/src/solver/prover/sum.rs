//! Requests take more of counters or capacities than is left: looks for weights.

use std::collections::BTreeMap;

use dralloc_quantity::Amount;

use super::case::Case;
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::outcome::StopCause;
use crate::solver::problem::Problem;

/// Is a sum that is too large.
pub(super) struct Sum {
    pub(super) requests: Vec<usize>,
    pub(super) weights: Weights,
    pub(super) needed: Amount,
    pub(super) left: Amount,
}

/// Says what is summed up; each counts once.
#[derive(Clone)]
pub(super) enum Weights {
    /// Numbers of counters.
    Counters(Bitmap),
    /// Place of the capacity by device.
    Capacities(BTreeMap<usize, usize>),
}

/// Is a counter with the set that it is of, and how much there is of it.
pub(super) struct Counter<'a> {
    pub(super) pool: usize,
    pub(super) set: &'a str,
    pub(super) name: &'a str,
    total: &'a Amount,
}

/// Returns the counters by their numbers.
pub(super) fn counters<'a>(problem: &Problem<'a>) -> Vec<Counter<'a>> {
    let mut counters = Vec::new();
    let pools = problem.view.pools.iter().enumerate();
    for (pool, of_pool) in pools.filter(|(_, pool)| pool.is_complete()) {
        for (set, of_set) in &of_pool.counters {
            for (name, total) in of_set {
                counters.push(Counter {
                    pool,
                    set,
                    name,
                    total,
                });
            }
        }
    }
    counters
}

/// Returns requests that take more of some counters than is left.
///
/// Counters of one name count alike in all sets. Of names with the same amount
/// those are left out, one after another, of which too much would be left.
pub(super) fn over_counters(
    problem: &Problem<'_>,
    case: &Case,
    counters: &[Counter<'_>],
    meter: &mut Meter<'_>,
) -> Result<Option<Sum>, StopCause> {
    let requests = competing(problem, case);
    let mut names: BTreeMap<(&Amount, &str), Bitmap> = BTreeMap::new();
    for device in all_candidates(problem, case, &requests).iter() {
        for (counter, _) in problem.state.counters.uses(device) {
            let one = &counters[*counter];
            let same_name = names.entry((one.total, one.name));
            same_name
                .or_insert_with(|| Bitmap::new(counters.len()))
                .insert(*counter);
        }
    }
    let names: Vec<((&Amount, &str), Bitmap)> = names.into_iter().collect();
    for (_, one) in &names {
        // A single counter can be short as well as all of its name.
        let singles = one.iter().filter(|_| one.len() > 1).map(|counter| {
            let mut single = Bitmap::new(counters.len());
            single.insert(counter);
            single
        });
        for weights in std::iter::once(one.clone()).chain(singles) {
            meter.branch()?;
            if let Some(sum) = too_large(problem, case, &requests, Weights::Counters(weights)) {
                return Ok(Some(sum));
            }
        }
    }
    for alike in names.chunk_by(|one, other| one.0.0 == other.0.0) {
        let mut kept: Vec<&Bitmap> = alike.iter().map(|(_, counters)| counters).collect();
        while kept.len() > 1 {
            let weights = unite(kept.iter().copied(), counters.len());
            if let Some(sum) = too_large(problem, case, &requests, Weights::Counters(weights)) {
                return Ok(Some(sum));
            }
            let mut best: Option<(Amount, usize)> = None;
            for dropped in 0..kept.len() {
                meter.branch()?;
                let rest = kept
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| *place != dropped);
                let rest = unite(rest.map(|(_, one)| *one), counters.len());
                let (needed, left) = sums(problem, case, &requests, &Weights::Counters(rest));
                let spare = &left - &needed;
                if best.as_ref().is_none_or(|(least, _)| spare < *least) {
                    best = Some((spare, dropped));
                }
            }
            let Some((_, dropped)) = best else { break };
            kept.remove(dropped);
        }
    }
    Ok(None)
}

/// Returns requests that take more of a capacity of shared devices than is left.
pub(super) fn over_capacities(
    problem: &Problem<'_>,
    case: &Case,
    meter: &mut Meter<'_>,
) -> Result<Option<Sum>, StopCause> {
    let requests = competing(problem, case);
    let shareable = |devices: &Bitmap| {
        devices
            .iter()
            .all(|device| problem.view.shareable.contains(device))
    };
    let serving = requests
        .iter()
        .map(|request| case.serving(problem, *request));
    let mut all: Vec<Bitmap> = serving.clone().filter(shareable).collect();
    all.push(all_candidates(problem, case, &requests));
    all.dedup();
    for devices in all {
        let within = requests.iter().zip(serving.clone());
        let within = within.filter(|(_, own)| own.len_without(&devices) == 0);
        let within: Vec<usize> = within.map(|(request, _)| *request).collect();
        let mut by_name: BTreeMap<&str, BTreeMap<usize, usize>> = BTreeMap::new();
        for device in devices
            .iter()
            .filter(|device| problem.view.shareable.contains(*device))
        {
            let names = problem.view.devices[device].device().capacity.keys();
            for (place, name) in names.enumerate() {
                by_name.entry(name).or_default().insert(device, place);
            }
        }
        for places in by_name.into_values() {
            meter.branch()?;
            if let Some(sum) = too_large(problem, case, &within, Weights::Capacities(places)) {
                return Ok(Some(sum));
            }
        }
    }
    Ok(None)
}

/// Returns the requests that take something away from others.
pub(super) fn competing(problem: &Problem<'_>, case: &Case) -> Vec<usize> {
    let takes = |request: &usize| {
        let mut plans = problem.plans_of(*request).iter();
        plans.all(|plan| !plan.alternative.admin_access) && case.needed(problem, *request) > 0
    };
    (0..problem.requests.len()).filter(takes).collect()
}

fn all_candidates(problem: &Problem<'_>, case: &Case, requests: &[usize]) -> Bitmap {
    let mut all = Bitmap::new(problem.view.devices.len());
    for request in requests {
        all.unite(&case.serving(problem, *request));
    }
    all
}

fn unite<'b>(sets: impl Iterator<Item = &'b Bitmap>, bound: usize) -> Bitmap {
    let mut all = Bitmap::new(bound);
    sets.for_each(|set| all.unite(set));
    all
}

/// Returns the sum without the requests that add nothing to it, if it is too large.
fn too_large(
    problem: &Problem<'_>,
    case: &Case,
    requests: &[usize],
    weights: Weights,
) -> Option<Sum> {
    let (needed, left) = sums(problem, case, requests, &weights);
    if needed <= left {
        return None;
    }
    let adds = |request: &usize| {
        let cost = of_request(problem, case, (requests, *request), &weights);
        !cost.is_zero()
    };
    let requests: Vec<usize> = requests.iter().copied().filter(adds).collect();
    let (needed, left) = sums(problem, case, &requests, &weights);
    (needed > left).then_some(Sum {
        requests,
        weights,
        needed,
        left,
    })
}

fn sums(
    problem: &Problem<'_>,
    case: &Case,
    requests: &[usize],
    weights: &Weights,
) -> (Amount, Amount) {
    let state = &problem.state;
    let left: Amount = match weights {
        Weights::Counters(counters) => {
            let all = state.counters.left();
            let left = counters.iter().filter_map(|counter| all.get(counter));
            left.filter(|left| !left.is_negative()).sum()
        }
        Weights::Capacities(places) => {
            let left = places
                .iter()
                .filter_map(|(device, place)| state.capacity.left_of(*device).get(*place));
            left.filter(|left| !left.is_negative()).sum()
        }
    };
    let of = |request: &usize| of_request(problem, case, (requests, *request), weights);
    let mut needed = Amount::ZERO;
    for request in requests {
        needed += &of(request);
    }
    (needed, left)
}

/// Returns what a request takes at least.
fn of_request(
    problem: &Problem<'_>,
    case: &Case,
    (requests, request): (&[usize], usize),
    weights: &Weights,
) -> Amount {
    let of_plans = case.left(problem, request).map(|(plan, candidates)| {
        let costs = candidates.iter().map(|device| {
            let cost = cost(problem, plan, device, weights);
            let has = |other: &&usize| {
                case.left(problem, **other)
                    .any(|(_, candidates)| candidates.contains(device))
            };
            // Several shares of a device pay for its counters once.
            let is_free = !cost.is_zero()
                && matches!(weights, Weights::Counters(_))
                && problem.view.shareable.contains(device)
                && requests.iter().filter(has).count() > 1;
            if is_free { Amount::ZERO } else { cost }
        });
        let mut costs: Vec<Amount> = costs.collect();
        costs.sort();
        costs.iter().take(case.open(problem, plan)).sum::<Amount>()
    });
    of_plans.min().unwrap_or(Amount::ZERO)
}

fn cost(problem: &Problem<'_>, plan: usize, device: usize, weights: &Weights) -> Amount {
    let plan = &problem.plans[plan];
    if plan.alternative.admin_access {
        return Amount::ZERO;
    }
    match weights {
        Weights::Counters(_) if problem.state.counters.is_paid(device) => Amount::ZERO,
        Weights::Counters(counters) => {
            let uses = problem.state.counters.uses(device).iter();
            let counted = uses.filter(|(counter, _)| counters.contains(*counter));
            counted.map(|(_, amount)| amount).sum()
        }
        Weights::Capacities(places) => {
            let amounts = places.get(&device).zip(plan.amounts.get(&device));
            let amount = amounts.and_then(|(place, amounts)| amounts.get(*place));
            amount.map_or(Amount::ZERO, |amount| amount.amount().clone())
        }
    }
}
