//! [`Way`]: the ways to give devices of a part to requests.

use std::collections::BTreeMap;

use dralloc_quantity::Amount;

use super::case::{Case, are_same};
use super::needs::{Need, Vector};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::objective::Tally;
use crate::solver::problem::Problem;

/// Is one way to give devices of a part, by need.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) given: Vector,
    pub(super) got: Vec<(usize, usize)>,
    counters: BTreeMap<usize, Amount>,
    capacities: Option<Vec<Amount>>,
}

/// Returns whether each device adds the same for two plans.
pub(super) fn counts_alike(
    tally: &mut Tally,
    one: usize,
    other: usize,
    candidates: &Bitmap,
    meter: &mut Meter<'_>,
) -> bool {
    if !tally.are_linked_alike(one, other) {
        return false;
    }
    let mut values = |plan: usize, device: usize| {
        tally.add(plan, device, meter);
        let values = tally.values().to_vec();
        tally.take_back(plan, device);
        values
    };
    candidates
        .iter()
        .all(|device| values(one, device) == values(other, device))
}

/// Returns all ways to give devices of a part; nothing where there are more than
/// the effort is enough for.
pub(super) fn ways(
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
