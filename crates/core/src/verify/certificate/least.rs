//! How good an answer can be in a case at best, part by part.

use std::collections::BTreeMap;

use dralloc_quantity::Amount;

use super::case::{Case, Got};
use super::objective::{Objective, Values};
use super::question::Question;
use crate::bitmap::Bitmap;

/// How many ways to give devices are looked at, in all parts together.
const EFFORT: usize = 1 << 18;

/// How many devices each need gets.
type Vector = Vec<usize>;

/// Are requests that can have the same devices in the same way, and count alike.
struct Need {
    request: usize,
    alternative: usize,
    candidates: Bitmap,
    requests: usize,
    needed: usize,
}

/// Is one way to give devices of a part.
struct Way {
    given: Vector,
    /// What is left of counters that were taken.
    counters: BTreeMap<usize, Amount>,
    /// What is left of the capacities of the device that was looked at last.
    capacities: Option<Vec<Amount>>,
    /// By need.
    got: Vec<(usize, usize)>,
}

/// Is what is found out.
pub(super) enum Least {
    /// No answer in the case has values that come before these.
    Values(Values),
    /// There is no answer in the case.
    Nothing,
    /// It takes too long to find out.
    TooLarge,
}

/// Splits devices into parts: no two share a counter, lose devices to each other,
/// are physically the same or have what terms count together.
pub(super) fn split(
    question: &Question<'_, '_>,
    objective: &Objective,
    devices: &Bitmap,
) -> Vec<Vec<usize>> {
    let offers = question.offers.len();
    // Each device, each counter and each parent is in one class.
    let mut classes: Vec<usize> = (0..offers).collect();
    let mut counters: BTreeMap<usize, usize> = BTreeMap::new();
    let mut parents: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for offer in 0..offers {
        if devices.contains(offer) || objective.counts_losses() {
            for (counter, _) in &question.counters.taken[offer] {
                let other = *counters.entry(*counter).or_insert(offer);
                join(&mut classes, offer, other);
            }
        }
        if devices.contains(offer) {
            for parent in objective.parents(offer) {
                let other = *parents.entry(parent).or_insert(offer);
                join(&mut classes, offer, other);
            }
            for other in question.same[offer]
                .iter()
                .filter(|other| devices.contains(**other))
            {
                join(&mut classes, offer, *other);
            }
        }
    }
    for group in objective.linked_groups(question) {
        let mut members = group.into_iter().filter(|offer| devices.contains(*offer));
        if let Some(first) = members.next() {
            members.for_each(|other| join(&mut classes, first, other));
        }
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for offer in devices.iter() {
        parts.entry(root(&classes, offer)).or_default().push(offer);
    }
    let mut parts: Vec<Vec<usize>> = parts.into_values().collect();
    parts.sort();
    parts
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

/// Returns what no answer in a case is better than, by terms up to one.
///
/// Requests that are left out, and constraints, make an answer only worse.
pub(super) fn least(
    question: &Question<'_, '_>,
    case: &Case,
    (objective, terms): (&Objective, usize),
    requests: &[usize],
    parts: &[Vec<usize>],
) -> Least {
    let needs = needs(question, case, objective, requests);
    let wanted: Vector = needs.iter().map(|need| need.needed).collect();
    let start = base(question, case, (objective, terms), requests);
    let mut sums: BTreeMap<Vector, Values> = BTreeMap::from([(vec![0; needs.len()], start)]);
    let mut effort = EFFORT;
    let open = objective.open(question, case, requests);
    for part in parts {
        let Some(of_part) = ways(question, case, (objective, &needs), part, &mut effort) else {
            return Least::TooLarge;
        };
        let held: Vec<Got> = case
            .got
            .iter()
            .copied()
            .filter(|got| part.contains(&got.offer))
            .collect();
        let mut best: BTreeMap<Vector, Values> = BTreeMap::new();
        for way in of_part {
            let mut got = held.clone();
            got.extend(way.got.iter().map(|(need, offer)| Got {
                request: needs[*need].request,
                alternative: needs[*need].alternative,
                offer: *offer,
            }));
            let mut values = objective.of_devices(question, &got, terms);
            for (value, _) in values.iter_mut().zip(&open).filter(|(_, open)| **open) {
                *value = 0;
            }
            keep_less(&mut best, way.given, values);
        }
        let mut more: BTreeMap<Vector, Values> = BTreeMap::new();
        for (one, first) in &sums {
            for (other, second) in &best {
                let Some(rest) = effort.checked_sub(1) else {
                    return Least::TooLarge;
                };
                effort = rest;
                let sum: Vector = one
                    .iter()
                    .zip(other)
                    .map(|(one, other)| one + other)
                    .collect();
                if sum.iter().zip(&wanted).all(|(sum, wanted)| sum <= wanted) {
                    let values = first.iter().zip(second).map(|(one, other)| one + other);
                    keep_less(&mut more, sum, values.collect());
                }
            }
        }
        sums = more;
    }
    sums.remove(&wanted).map_or(Least::Nothing, Least::Values)
}

fn keep_less(all: &mut BTreeMap<Vector, Values>, given: Vector, values: Values) {
    match all.get_mut(&given) {
        Some(known) if *known <= values => {}
        Some(known) => *known = values,
        None => {
            all.insert(given, values);
        }
    }
}

/// Returns what alternatives, and requests that are left out, add at least.
fn base(
    question: &Question<'_, '_>,
    case: &Case,
    (objective, terms): (&Objective, usize),
    requests: &[usize],
) -> Values {
    let best = |request: usize| case.left(question, request).map(|(place, ..)| place).min();
    let all = 0..question.requests.len();
    let chosen: Vec<(usize, usize)> = all
        .clone()
        .filter_map(|request| Some((request, best(request)?)))
        .collect();
    let mut base = objective.of_choices(&chosen, terms);
    for request in all.filter(|request| !requests.contains(request)) {
        let of_choices = case.left(question, request).map(|(_, choice, candidates)| {
            let mut penalties: Vec<i128> = candidates
                .iter()
                .map(|offer| objective.penalty(offer))
                .collect();
            penalties.sort_unstable();
            penalties
                .iter()
                .take(case.open(request, choice))
                .sum::<i128>()
        });
        let least = of_choices.min().unwrap_or(0);
        for (value, counted) in base.iter_mut().zip(&objective.terms) {
            let counts = counted.requests.get(request) == Some(&true);
            if counts && counted.term == crate::objective::Term::HealthPenalty {
                *value += least;
            }
        }
    }
    base
}

fn needs(
    question: &Question<'_, '_>,
    case: &Case,
    objective: &Objective,
    requests: &[usize],
) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    for request in requests {
        let Some((alternative, choice, candidates)) = case.left(question, *request).next() else {
            continue;
        };
        let needed = case.open(*request, choice);
        let is_like = |need: &&mut Need| {
            let other = &question.requests[need.request].alternatives[need.alternative];
            need.candidates == *candidates
                && other.amounts == choice.amounts
                && objective.counts_alike(
                    question,
                    (need.request, need.alternative),
                    (*request, alternative),
                )
        };
        match needs.iter_mut().find(is_like) {
            Some(need) => {
                need.requests += 1;
                need.needed = need.needed.saturating_add(needed);
            }
            None => needs.push(Need {
                request: *request,
                alternative,
                candidates: candidates.clone(),
                requests: 1,
                needed,
            }),
        }
    }
    needs
}

/// Returns all ways to give devices of a part; nothing if there are too many.
///
/// Of devices that nothing tells apart the first are given, for earlier needs.
fn ways(
    question: &Question<'_, '_>,
    case: &Case,
    (objective, needs): (&Objective, &[Need]),
    part: &[usize],
    effort: &mut usize,
) -> Option<Vec<Way>> {
    let mut ways = vec![Way {
        given: vec![0; needs.len()],
        counters: BTreeMap::new(),
        capacities: None,
        got: Vec::new(),
    }];
    for (place, offer) in part.iter().copied().enumerate() {
        let is_shared = question.is_shared(offer);
        let is_like = |other: &&usize| {
            case.is_like(question, **other, offer)
                && objective.are_alike(question, (**other, offer))
        };
        let like = part[..place]
            .iter()
            .rev()
            .find(is_like)
            .filter(|_| !is_shared)
            .copied();
        let mut fresh: Vec<Way> = Vec::new();
        let numbers = 0..needs.len();
        for number in numbers.filter(|number| needs[*number].candidates.contains(offer)) {
            let need = &needs[number];
            let in_order = |way: &&Way| {
                like.is_none_or(|like| {
                    way.got
                        .iter()
                        .any(|(need, other)| *other == like && *need <= number)
                })
            };
            let more = |way: &Way| add(question, case, way, (number, need), offer);
            *effort = effort.checked_sub(ways.len() + fresh.len())?;
            let mut next: Vec<Way> = ways.iter().filter(in_order).filter_map(more).collect();
            if is_shared {
                // It may serve several requests, each once.
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

/// Returns a way with one more device, if that is possible.
fn add(
    question: &Question<'_, '_>,
    case: &Case,
    way: &Way,
    (number, need): (usize, &Need),
    offer: usize,
) -> Option<Way> {
    let shared = question.is_shared(offer);
    let is_new = !way.got.iter().any(|(_, other)| *other == offer);
    let twin = way
        .got
        .iter()
        .any(|(_, other)| question.same[offer].contains(other));
    let times = way
        .got
        .iter()
        .filter(|got| **got == (number, offer))
        .count();
    if way.given[number] >= need.needed || twin || !(is_new || shared) || times >= need.requests {
        return None;
    }
    let mut counters = way.counters.clone();
    if is_new && !case.is_paid(question, offer) {
        for (counter, amount) in &question.counters.taken[offer] {
            let left = counters
                .entry(*counter)
                .or_insert_with(|| case.counters[*counter].clone());
            *left -= amount;
            if left.is_negative() {
                return None;
            }
        }
    }
    let choice = &question.requests[need.request].alternatives[need.alternative];
    let mut capacities = None;
    if let Some(amounts) = choice.amounts.get(&offer) {
        let known = way.capacities.clone().filter(|_| !is_new);
        let mut left = known.unwrap_or_else(|| case.capacities(question, offer));
        for (left, amount) in left.iter_mut().zip(amounts) {
            *left -= amount;
            if left.is_negative() {
                return None;
            }
        }
        capacities = Some(left);
    }
    let mut given = way.given.clone();
    given[number] += 1;
    let mut got = way.got.clone();
    got.push((number, offer));
    Some(Way {
        given,
        counters,
        capacities,
        got,
    })
}
