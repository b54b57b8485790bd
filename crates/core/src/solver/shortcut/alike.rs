//! What nothing can tell apart: requests, and requests tied by constraints.

use std::collections::BTreeMap;

use super::counters::CounterTable;
use super::set::Set;
use super::values::{Bits, Values};
use super::{Ask, Bundles, Choice};
use crate::budget::Meter;
use crate::number::number;
use crate::outcome::StopCause;

/// Returns by choice the first that can have the same devices.
pub(super) fn classes(choices: &[Choice]) -> Vec<usize> {
    let mut classes: Vec<usize> = Vec::new();
    for (place, choice) in choices.iter().enumerate() {
        let same = |first: &&usize| choices[**first].candidates == choice.candidates;
        let first = classes.iter().find(same).copied();
        classes.push(first.unwrap_or(place));
    }
    classes
}

/// Returns by device the number of its kind, and the devices of each kind.
///
/// Devices are of one kind if the same choices can have them, they show the
/// same to constraints, and they take the same of counters.
pub(super) fn kinds(
    devices: usize,
    choices: &[Choice],
    values: &[Values],
    counters: Option<&CounterTable>,
    meter: &mut Meter<'_>,
) -> Result<(Vec<u32>, Vec<Set>), StopCause> {
    let mut numbers = BTreeMap::new();
    let (mut of_device, mut kinds) = (Vec::new(), Vec::new());
    let each = 2 + choices.len() as u64 / 8;
    for device in 0..devices {
        meter.effort(each)?;
        let has = |choice: &Choice| choice.candidates.contains(device);
        let candidate: Vec<bool> = choices.iter().map(has).collect();
        let shown: Vec<Bits> = values.iter().map(|values| values.shown[device]).collect();
        let taken = counters.map_or(&[][..], |counters| counters.of(device));
        let next = kinds.len();
        let kind = *numbers.entry((candidate, shown, taken)).or_insert(next);
        if kind == next {
            kinds.push(Set::default());
        }
        kinds[kind].insert(device);
        of_device.push(number(kind));
    }
    Ok((of_device, kinds))
}

/// Tells requests which earlier one they are twins of.
///
/// Requests that constraints tie together are looked at together. Two such
/// groups are alike if they ask for the same, one by one. In the first solution
/// the later one begins after the earlier one: if not, they could be exchanged
/// with each other, and that would come first. So the first request of a group
/// need not try anything before the first pick of the group before it.
pub(super) fn find_twins(
    asks: &mut [Ask],
    choices: &[Choice],
    classes: &[usize],
    attributes: &[usize],
) {
    let groups = groups(asks, choices);
    let descriptions: Vec<Vec<Vec<Described>>> = groups
        .iter()
        .map(|group| describe(group, asks, choices, classes, attributes))
        .collect();
    for (place, group) in groups.iter().enumerate() {
        let twin = (0..place)
            .rev()
            .find(|earlier| descriptions[*earlier] == descriptions[place]);
        let first = |place: usize| groups[place].first().copied();
        if let Some(request) = group.first() {
            asks[*request].twin = twin.and_then(first);
        }
    }
}

/// Returns the requests that constraints tie together, in order of the first of each.
fn groups(asks: &[Ask], choices: &[Choice]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(u64, Vec<usize>)> = Vec::new();
    for (request, ask) in asks.iter().enumerate() {
        let alternatives = &choices[ask.first..ask.end];
        let mut under = alternatives.iter().fold(0, |all, one| all | one.under);
        let mut members = Vec::new();
        groups.retain_mut(|(constraints, requests)| {
            let tied = *constraints & under != 0;
            if tied {
                members.append(requests);
                under |= *constraints;
            }
            !tied
        });
        members.push(request);
        groups.push((under, members));
    }
    let mut groups: Vec<Vec<usize>> = groups.into_iter().map(|(_, requests)| requests).collect();
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort_unstable();
    groups
}

/// Is an alternative without names: the class of its devices, how many, and its
/// constraints by number and attribute.
type Described = (usize, usize, Vec<(usize, usize)>);

/// Writes down all that a group asks for, by request and alternative.
fn describe(
    group: &[usize],
    asks: &[Ask],
    choices: &[Choice],
    classes: &[usize],
    attributes: &[usize],
) -> Vec<Vec<Described>> {
    // Constraints are numbered as they are met.
    let mut met: Vec<usize> = Vec::new();
    let mut number = |constraint: &usize| {
        let known = met.iter().position(|one| one == constraint);
        known.unwrap_or_else(|| {
            met.push(*constraint);
            met.len() - 1
        })
    };
    let mut describe = |place: usize| {
        let choice = &choices[place];
        let constraints = choice.constraints.iter();
        let constraints = constraints.map(|one| (number(one), attributes[*one]));
        (classes[place], choice.needed, constraints.collect())
    };
    let asks = group.iter().map(|request| &asks[*request]);
    asks.map(|ask| (ask.first..ask.end).map(&mut describe).collect())
        .collect()
}

/// Writes down what constraints that are alike take of counters at least, by
/// value: each device at least what that takes of its class that takes least.
pub(super) fn find_takes(
    bundles: &mut [Bundles],
    choices: &[Choice],
    values: &[Values],
    counters: &CounterTable,
    meter: &mut Meter<'_>,
) -> Result<(), StopCause> {
    for one in bundles {
        let mut takes = Vec::new();
        for having in &values[one.attribute].devices {
            meter.effort(1 + having.len() as u64 / 2)?;
            let mut all: BTreeMap<u32, i128> = BTreeMap::new();
            for (class, needed) in &one.members {
                let mut devices = choices[*class].candidates;
                devices.intersect(having);
                let needed = i128::try_from(*needed).unwrap_or(0);
                for (counter, least) in least_of(&devices, counters) {
                    let sum = all.entry(counter).or_default();
                    *sum = sum.saturating_add(least.saturating_mul(needed));
                }
            }
            takes.push(all.into_iter().collect());
        }
        one.takes = takes.into();
    }
    Ok(())
}

/// Returns the counters of which each of some devices takes, and the least of that.
fn least_of(devices: &Set, counters: &CounterTable) -> BTreeMap<u32, i128> {
    let mut all = devices.iter().map(|device| counters.of(device));
    let first = all.next().unwrap_or_default();
    let mut least: BTreeMap<u32, i128> = first.iter().copied().collect();
    for uses in all {
        least.retain(|counter, least| {
            let own = uses.iter().find(|(other, _)| other == counter);
            own.is_some_and(|(_, amount)| {
                *least = (*least).min(*amount);
                true
            })
        });
    }
    least.retain(|_, amount| *amount > 0);
    least
}

/// Returns the constraints that are alike, where there are several of them.
///
/// Of constraints of an attribute only such count that have no request in
/// common: their devices are different ones.
pub(super) fn bundles(
    asks: &[Ask],
    choices: &[Choice],
    classes: &[usize],
    attributes: &[usize],
) -> Vec<Bundles> {
    let mut all: Vec<Bundles> = Vec::new();
    let mut met = vec![0_u64; attributes.iter().max().map_or(0, |last| last + 1)];
    for (constraint, attribute) in attributes.iter().enumerate() {
        let mut requests = 0_u64;
        let mut members: Vec<(usize, usize)> = Vec::new();
        let mut is_fixed = true;
        for (request, ask) in asks.iter().enumerate() {
            let alternatives = &choices[ask.first..ask.end];
            let under = |choice: &Choice| choice.under >> constraint & 1 == 1;
            if !alternatives.iter().any(under) {
                continue;
            }
            requests |= 1 << request;
            is_fixed &= alternatives.len() == 1;
            let class = classes[ask.first];
            match members.iter_mut().find(|member| member.0 == class) {
                Some(member) => member.1 += alternatives[0].needed,
                None => members.push((class, alternatives[0].needed)),
            }
        }
        // A device by itself need not have a value.
        let wanted: usize = members.iter().map(|(_, needed)| needed).sum();
        if !is_fixed || wanted < 2 || met[*attribute] & requests != 0 {
            continue;
        }
        met[*attribute] |= requests;
        members.sort_unstable();
        let same = |one: &&mut Bundles| one.attribute == *attribute && *one.members == *members;
        match all.iter_mut().find(same) {
            Some(bundles) => bundles.constraints |= 1 << constraint,
            None => all.push(Bundles {
                attribute: *attribute,
                constraints: 1 << constraint,
                members: members.into(),
                takes: Box::default(),
            }),
        }
    }
    all.retain(|bundles| bundles.constraints.count_ones() > 1);
    all
}
