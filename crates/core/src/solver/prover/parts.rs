//! What parts of a node that share nothing can give together.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_quantity::Amount;

use super::case::{Case, are_same};
use super::needs::{Need, Vector, needs};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::outcome::StopCause;
use crate::solver::problem::Problem;

/// How many ways to use a part, and how many sums, are looked at.
const WAYS: usize = 1 << 14;
/// How many combinations are looked at in all.
const EFFORT: usize = 1 << 18;

/// Is a device with numbers of its part.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    needs: Vec<usize>,
    /// In nano units.
    taken: Vec<(usize, i128)>,
    shared: Option<(Vec<i128>, Vec<Vec<i128>>)>,
    same: Vec<usize>,
}

type Part = (Vec<Member>, Vec<i128>);

/// Splits devices into parts that have no counter in common, nor devices that
/// are physically the same; in no order.
pub(super) fn split(problem: &Problem<'_>, devices: &Bitmap) -> Vec<Vec<usize>> {
    let counters = &problem.state.counters;
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut by_counter: BTreeMap<usize, usize> = BTreeMap::new();
    let mut by_device: BTreeMap<usize, usize> = BTreeMap::new();
    for device in devices.iter() {
        let used = if counters.is_paid(device) {
            &[]
        } else {
            counters.uses(device)
        };
        let mut joined: BTreeSet<usize> = used
            .iter()
            .filter_map(|(counter, _)| by_counter.get(counter))
            .copied()
            .collect();
        let twins = problem.view.twins.of(device).filter_map(|twin| twin.place);
        joined.extend(twins.filter_map(|twin| by_device.get(&twin)));
        let own = joined.pop_first().unwrap_or(parts.len());
        if own == parts.len() {
            parts.push(Vec::new());
        }
        for other in joined {
            let moved = std::mem::take(&mut parts[other]);
            parts[own].extend(moved);
            by_counter
                .values_mut()
                .filter(|part| **part == other)
                .for_each(|part| *part = own);
            by_device
                .values_mut()
                .filter(|part| **part == other)
                .for_each(|part| *part = own);
        }
        parts[own].push(device);
        by_device.insert(device, own);
        by_counter.extend(used.iter().map(|(counter, _)| (*counter, own)));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns whether the parts cannot give requests what they need together.
///
/// What constraints demand is left aside, and nothing is proved where there are
/// too many ways.
pub(super) fn give_too_little(
    problem: &Problem<'_>,
    case: &Case,
    requests: &[usize],
    parts: &[Vec<usize>],
    meter: &mut Meter<'_>,
) -> Result<bool, StopCause> {
    let needs = needs(problem, case, requests, |_, _, _| true);
    let wanted: Vector = needs.iter().map(|need| need.needed).collect();
    let mut known: BTreeMap<Part, Vec<Vector>> = BTreeMap::new();
    let mut given = vec![vec![0; needs.len()]];
    let mut effort = EFFORT;
    for part in parts {
        let Some(part) = part_of(problem, &needs, part) else {
            return Ok(false);
        };
        if !known.contains_key(&part) {
            let Some(found) = gives(&part, &needs, (&mut effort, meter))? else {
                return Ok(false);
            };
            known.insert(part.clone(), found);
        }
        let own = known.get(&part).map_or(&[][..], Vec::as_slice);
        let mut sums: BTreeSet<Vector> = BTreeSet::new();
        for one in &given {
            meter.branch()?;
            for other in own {
                let sum = one.iter().zip(other).zip(&wanted);
                sums.insert(
                    sum.map(|((one, other), wanted)| (one + other).min(*wanted))
                        .collect(),
                );
            }
            effort = effort.saturating_sub(own.len());
        }
        let Some(best) = best(sums, &mut effort) else {
            return Ok(false);
        };
        given = best;
    }
    Ok(!given.contains(&wanted))
}

/// Returns a part in numbers; nothing if they are too large.
fn part_of(problem: &Problem<'_>, needs: &[Need], devices: &[usize]) -> Option<Part> {
    let state = &problem.state;
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut counters = Vec::new();
    let mut members = Vec::new();
    for device in devices.iter().copied() {
        let mut taken = Vec::new();
        let used = if state.counters.is_paid(device) {
            &[]
        } else {
            state.counters.uses(device)
        };
        for (counter, amount) in used {
            let number = if let Some(number) = numbers.get(counter) {
                *number
            } else {
                numbers.insert(*counter, counters.len());
                counters.push(state.counters.left().get(*counter)?.as_nanos()?);
                counters.len() - 1
            };
            taken.push((number, amount.as_nanos()?));
        }
        let mut shared = None;
        if problem.view.shareable.contains(device) {
            let left = state.capacity.left_of(device).iter().map(Amount::as_nanos);
            let mut amounts = Vec::new();
            for need in needs {
                let of_need = problem.plans[need.plan].amounts.get(&device);
                let nanos = of_need
                    .into_iter()
                    .flatten()
                    .map(|amount| amount.amount().as_nanos());
                amounts.push(nanos.collect::<Option<Vec<i128>>>()?);
            }
            shared = Some((left.collect::<Option<Vec<i128>>>()?, amounts));
        }
        let places = devices.iter().enumerate();
        let same = places.filter(|(_, other)| are_same(problem, device, **other));
        members.push(Member {
            needs: (0..needs.len())
                .filter(|need| needs[*need].candidates.contains(device))
                .collect(),
            taken,
            shared,
            same: same.map(|(place, _)| place).collect(),
        });
    }
    Some((members, counters))
}

/// Returns what a part can give at most; nothing if there are too many ways.
fn gives(
    (members, counters): &Part,
    needs: &[Need],
    (effort, meter): (&mut usize, &mut Meter<'_>),
) -> Result<Option<Vec<Vector>>, StopCause> {
    type Way = (Vector, Vec<i128>, Vec<usize>);
    let mut ways: BTreeSet<Way> = BTreeSet::new();
    ways.insert((vec![0; needs.len()], counters.clone(), Vec::new()));
    for (place, member) in members.iter().enumerate() {
        meter.branch()?;
        let Some(own) = given(member, needs) else {
            return Ok(None);
        };
        let mut more: Vec<Way> = Vec::new();
        for (given, left, used) in &ways {
            let mut rest = left.clone();
            let fits = member.taken.iter().all(|(counter, amount)| {
                rest[*counter] -= amount;
                rest[*counter] >= 0
            });
            if !fits || member.same.iter().any(|other| used.contains(other)) {
                continue;
            }
            let mut used = used.clone();
            used.extend((!member.same.is_empty()).then_some(place));
            for own in &own {
                let sum = given.iter().zip(own).zip(needs);
                let sum = sum.map(|((one, other), need)| (one + other).min(need.needed));
                more.push((sum.collect(), rest.clone(), used.clone()));
            }
        }
        *effort = effort.saturating_sub(more.len());
        ways.extend(more);
        if ways.len() > WAYS || *effort == 0 {
            return Ok(None);
        }
    }
    Ok(best(
        ways.into_iter().map(|(given, ..)| given).collect(),
        effort,
    ))
}

/// Returns what a device can give, if it gives anything.
fn given(member: &Member, needs: &[Need]) -> Option<Vec<Vector>> {
    let nothing = vec![0; needs.len()];
    let Some((left, amounts)) = &member.shared else {
        let one = |need: &usize| {
            let mut one = nothing.clone();
            one[*need] = 1;
            one
        };
        return Some(member.needs.iter().map(one).collect());
    };
    let mut all = vec![(nothing.clone(), left.clone())];
    for need in &member.needs {
        let mut more = Vec::new();
        for (given, left) in &all {
            let (mut given, mut left) = (given.clone(), left.clone());
            for _ in 0..needs[*need].requests.min(needs[*need].needed) {
                let fits = left.iter_mut().zip(&amounts[*need]).all(|(left, amount)| {
                    *left -= amount;
                    *left >= 0
                });
                if !fits {
                    break;
                }
                given[*need] += 1;
                more.push((given.clone(), left.clone()));
            }
        }
        all.extend(more);
        if all.len() > WAYS {
            return None;
        }
    }
    let given = all.into_iter().map(|(given, _)| given);
    Some(given.filter(|given| *given != nothing).collect())
}

/// Leaves out what another gives as much as everywhere.
fn best(vectors: BTreeSet<Vector>, effort: &mut usize) -> Option<Vec<Vector>> {
    let mut best: Vec<Vector> = Vec::new();
    for vector in vectors.into_iter().rev() {
        let is_less = |other: &Vector| vector.iter().zip(other).all(|(own, other)| own <= other);
        *effort = effort.saturating_sub(best.len());
        if !best.iter().any(is_less) {
            best.push(vector);
        }
        if best.len() > WAYS || *effort == 0 {
            return None;
        }
    }
    Some(best)
}
