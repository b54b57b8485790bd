//! What parts of a node that share nothing can give, by trying everything.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_quantity::Amount;

use super::case::Case;
use super::question::Question;
use crate::bitmap::Bitmap;

/// How many combinations are looked at, in all parts together.
const EFFORT: usize = 1 << 20;

/// How many devices each need gets.
type Vector = Vec<usize>;

/// Is what is found out about the parts.
pub(super) enum Verdict {
    /// They give what is needed.
    Enough,
    TooLittle,
    /// It takes too long to find out.
    TooLarge,
}

/// Are requests that can have the same devices in the same way.
struct Need {
    request: usize,
    /// The candidates of each of the requests.
    candidates: Bitmap,
    requests: usize,
    /// How many devices they need together.
    needed: usize,
}

/// Is a part with numbers of its own, so that equal parts are found out about once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    devices: Vec<Member>,
    counters: Vec<Amount>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    /// The needs that can have it.
    needs: Vec<usize>,
    /// What it takes of the counters of the part.
    taken: Vec<(usize, Amount)>,
    /// For a shared device: what is left of its capacities, and what each need
    /// takes of them.
    shared: Option<(Vec<Amount>, Vec<Vec<Amount>>)>,
    /// Other devices of the part that are physically the same.
    same: Vec<usize>,
}

/// Is one way to give devices of a part, as far as it matters for the rest.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    given: Vector,
    counters: Vec<Amount>,
    /// The devices of which another is physically the same.
    used: Vec<usize>,
}

/// Splits devices into parts that have no counter in common, nor devices that
/// are physically the same; in order by their first device.
pub(super) fn split(question: &Question<'_, '_>, case: &Case, devices: &Bitmap) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let mut part_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut by_counter: BTreeMap<usize, usize> = BTreeMap::new();
    for device in devices.iter() {
        let counters = || {
            let is_paid = case.is_paid(question, device);
            question.counters.taken[device]
                .iter()
                .filter(move |_| !is_paid)
                .map(|(one, _)| *one)
        };
        let of_counters = counters().filter_map(|counter| by_counter.get(&counter));
        let of_same = question.same[device]
            .iter()
            .filter_map(|other| part_of.get(other));
        let joined: BTreeSet<usize> = of_counters.chain(of_same).copied().collect();
        let own = joined.first().copied().unwrap_or(parts.len());
        if own == parts.len() {
            parts.push(Vec::new());
        }
        for other in joined.into_iter().skip(1) {
            let moved = std::mem::take(&mut parts[other]);
            for device in &moved {
                part_of.insert(*device, own);
            }
            by_counter
                .values_mut()
                .filter(|part| **part == other)
                .for_each(|part| *part = own);
            parts[own].extend(moved);
        }
        parts[own].push(device);
        part_of.insert(device, own);
        by_counter.extend(counters().map(|counter| (counter, own)));
    }
    parts.retain(|part| !part.is_empty());
    for part in &mut parts {
        part.sort_unstable();
    }
    parts.sort();
    parts
}

/// Finds out whether the parts can give requests what they need together.
///
/// The requests have one alternative left and are not for administration. What
/// constraints demand is left aside.
pub(super) fn check(
    question: &Question<'_, '_>,
    case: &Case,
    requests: &[usize],
    parts: &[Vec<usize>],
) -> Verdict {
    let needs = needs(question, case, requests);
    let wanted: Vector = needs.iter().map(|need| need.needed).collect();
    let mut effort = EFFORT;
    let mut known: BTreeMap<Part, Vec<Vector>> = BTreeMap::new();
    let mut given = vec![vec![0; needs.len()]];
    for part in parts {
        let part = Part::new(question, case, &needs, part);
        let own = if let Some(own) = known.get(&part) {
            own.clone()
        } else {
            let Some(own) = part.gives(&needs, &mut effort) else {
                return Verdict::TooLarge;
            };
            known.insert(part, own.clone());
            own
        };
        let mut sums = BTreeSet::new();
        for one in &given {
            for other in &own {
                let Some(left) = effort.checked_sub(1) else {
                    return Verdict::TooLarge;
                };
                effort = left;
                let sum = one.iter().zip(other).zip(&wanted);
                sums.insert(
                    sum.map(|((one, other), wanted)| (one + other).min(*wanted))
                        .collect(),
                );
            }
        }
        let Some(best) = best(sums, &mut effort) else {
            return Verdict::TooLarge;
        };
        given = best;
    }
    if given.contains(&wanted) {
        Verdict::Enough
    } else {
        Verdict::TooLittle
    }
}

fn needs(question: &Question<'_, '_>, case: &Case, requests: &[usize]) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    for request in requests {
        let Some((_, choice, candidates)) = case.left(question, *request).next() else {
            continue;
        };
        let needed = case.open(*request, choice);
        let is_like = |need: &&mut Need| {
            let other = case.left(question, need.request).next();
            need.candidates == *candidates
                && other.is_some_and(|(_, other, _)| other.amounts == choice.amounts)
        };
        match needs.iter_mut().find(is_like) {
            Some(need) => {
                need.requests += 1;
                need.needed = need.needed.saturating_add(needed);
            }
            None => needs.push(Need {
                request: *request,
                candidates: candidates.clone(),
                requests: 1,
                needed,
            }),
        }
    }
    needs
}

impl Part {
    fn new(question: &Question<'_, '_>, case: &Case, needs: &[Need], devices: &[usize]) -> Self {
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        let mut counters = Vec::new();
        let mut members = Vec::new();
        for device in devices {
            let has = |place: &usize| needs[*place].candidates.contains(*device);
            let is_paid = case.is_paid(question, *device);
            let mut taken = Vec::new();
            for (counter, amount) in question.counters.taken[*device].iter().filter(|_| !is_paid) {
                let number = *numbers.entry(*counter).or_insert_with(|| {
                    counters.push(case.counters[*counter].clone());
                    counters.len() - 1
                });
                taken.push((number, amount.clone()));
            }
            let shared = question.is_shared(*device).then(|| {
                let amounts = needs.iter().map(|need| {
                    let choice = case.left(question, need.request).next();
                    let amounts = choice.and_then(|(_, choice, _)| choice.amounts.get(device));
                    amounts.cloned().unwrap_or_default()
                });
                (case.capacities(question, *device), amounts.collect())
            });
            let same = question.same[*device].iter();
            let same = same.filter_map(|other| devices.iter().position(|device| device == other));
            members.push(Member {
                needs: (0..needs.len()).filter(has).collect(),
                taken,
                shared,
                same: same.collect(),
            });
        }
        Self {
            devices: members,
            counters,
        }
    }

    /// Returns what the part can give at most; nothing if that takes too long.
    fn gives(&self, needs: &[Need], effort: &mut usize) -> Option<Vec<Vector>> {
        let start = Way {
            given: vec![0; needs.len()],
            counters: self.counters.clone(),
            used: Vec::new(),
        };
        let mut ways = BTreeSet::from([start]);
        for (place, member) in self.devices.iter().enumerate() {
            let mut more = Vec::new();
            for way in &ways {
                if member.same.iter().any(|other| way.used.contains(other)) {
                    continue;
                }
                let mut left = way.counters.clone();
                let fits = member.taken.iter().all(|(counter, amount)| {
                    left[*counter] -= amount;
                    !left[*counter].is_negative()
                });
                if !fits {
                    continue;
                }
                for given in member.given(needs, effort)? {
                    *effort = effort.checked_sub(1)?;
                    let sum = way.given.iter().zip(&given).zip(needs);
                    let mut used = way.used.clone();
                    used.extend((!member.same.is_empty()).then_some(place));
                    more.push(Way {
                        given: sum
                            .map(|((one, other), need)| (one + other).min(need.needed))
                            .collect(),
                        counters: left.clone(),
                        used,
                    });
                }
            }
            ways.extend(more);
        }
        best(ways.into_iter().map(|way| way.given).collect(), effort)
    }
}

impl Member {
    /// Returns what it can give by itself, if it gives anything.
    fn given(&self, needs: &[Need], effort: &mut usize) -> Option<Vec<Vector>> {
        let nothing = vec![0; needs.len()];
        let Some((left, amounts)) = &self.shared else {
            let one = |need: &usize| {
                let mut one = nothing.clone();
                one[*need] = 1;
                one
            };
            return Some(self.needs.iter().map(one).collect());
        };
        let mut all = vec![(nothing, left.clone())];
        for need in &self.needs {
            let mut more = Vec::new();
            for (given, left) in &all {
                let (mut given, mut left) = (given.clone(), left.clone());
                // A request has a device once.
                for _ in 0..needs[*need].requests.min(needs[*need].needed) {
                    *effort = effort.checked_sub(1)?;
                    let fits = left.iter_mut().zip(&amounts[*need]).all(|(left, amount)| {
                        *left -= amount;
                        !left.is_negative()
                    });
                    if !fits {
                        break;
                    }
                    given[*need] += 1;
                    more.push((given.clone(), left.clone()));
                }
            }
            all.extend(more);
        }
        let given = all.into_iter().map(|(given, _)| given);
        Some(
            given
                .filter(|given| given.iter().any(|count| *count > 0))
                .collect(),
        )
    }
}

/// Leaves out what another gives as much as everywhere.
fn best(vectors: BTreeSet<Vector>, effort: &mut usize) -> Option<Vec<Vector>> {
    let mut best: Vec<Vector> = Vec::new();
    // In falling order nothing that follows can give more everywhere.
    for vector in vectors.into_iter().rev() {
        *effort = effort.checked_sub(best.len())?;
        let is_less = |other: &Vector| vector.iter().zip(other).all(|(own, other)| own <= other);
        if !best.iter().any(is_less) {
            best.push(vector);
        }
    }
    Some(best)
}
