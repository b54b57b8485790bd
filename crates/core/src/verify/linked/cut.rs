//! The best cut of devices into units, by trying all of them.

use std::collections::BTreeMap;

use super::Linked;
use super::value::wide;
use crate::model::Str;
use crate::store::DeviceKey;
use crate::topology::{AffinityScope, LARGEST_GROUPING};

/// So many devices are cut by trying.
pub(in crate::verify) const MOST: usize = 16;

// More than are cut by the search would never be answered; of fewer some answers would not
// be checked.
const _: () = assert!(MOST == LARGEST_GROUPING);

/// Says which units are wanted, and of which devices.
pub(in crate::verify) struct Cut<'c> {
    /// By member: how many devices a unit has.
    pub(in crate::verify) counts: &'c [usize],
    /// What the devices of a unit are to have in common, the best first.
    pub(in crate::verify) levels: &'c [Str],
    /// Whether each unit must have the first of them.
    pub(in crate::verify) is_required: bool,
    pub(in crate::verify) apart_over: Option<&'c Str>,
    /// Devices with their members.
    pub(in crate::verify) devices: &'c [(usize, DeviceKey)],
}

impl Cut<'_> {
    /// Returns how many units the devices make.
    pub(in crate::verify) fn units(&self) -> usize {
        self.devices.len() / self.counts.iter().sum::<usize>().max(1)
    }

    /// Returns whether they make whole units.
    pub(in crate::verify) fn is_whole(&self) -> bool {
        let mut members = self.counts.iter().enumerate();
        members.all(|(member, count)| {
            let own = self.devices.iter().filter(|(other, _)| *other == member);
            own.count() == count * self.units()
        })
    }

    /// Returns what it counts for a unit whose first level is so far down.
    pub(in crate::verify) fn without(&self, reached: usize) -> i128 {
        (0..self.levels.len()).fold(0, |sum: i128, level| {
            let sum = sum.saturating_mul(wide(self.units() + 1));
            sum.saturating_add(wide(usize::from(level < reached)))
        })
    }
}

impl Linked {
    /// Returns what the best cut counts: for each level the units that are not within it,
    /// the first level most. None where there is no cut.
    pub(in crate::verify) fn best_cut(&self, cut: &Cut<'_>) -> Option<i128> {
        let all = cut.devices.iter().enumerate();
        let all = all.fold(0_u32, |all, (place, _)| all | 1 << place);
        let is_whole = cut.devices.len() <= MOST && cut.is_whole();
        is_whole.then(|| self.of_left(cut, all, &mut BTreeMap::new()))?
    }

    fn of_left(
        &self,
        cut: &Cut<'_>,
        left: u32,
        known: &mut BTreeMap<u32, Option<i128>>,
    ) -> Option<i128> {
        if left == 0 {
            return Some(0);
        }
        if let Some(known) = known.get(&left) {
            return *known;
        }
        let first = left & left.wrapping_neg();
        let mut best: Option<i128> = None;
        let mut open = vec![(first, left & !first)];
        while let Some((unit, others)) = open.pop() {
            if let Some(members) = next(cut, unit, others) {
                for member in members {
                    open.push((unit | member, others & !(member | (member - 1))));
                }
                continue;
            }
            let value = self.of_unit(cut, unit, left & !unit);
            let value = value.and_then(|own| {
                let rest = self.of_left(cut, left & !unit, known)?;
                Some(own.saturating_add(rest))
            });
            best = best.into_iter().chain(value).min();
        }
        known.insert(left, best);
        best
    }

    /// Returns what a unit counts beside devices of others; none where it may not be one.
    fn of_unit(&self, cut: &Cut<'_>, unit: u32, others: u32) -> Option<i128> {
        if !is_full(cut, unit) {
            return None;
        }
        let keys = |set: u32| {
            let devices = cut.devices.iter().enumerate();
            let own = devices.filter(move |(place, _)| set & 1 << place != 0);
            own.map(|(_, (_, key))| *key)
        };
        if let Some(scope) = cut.apart_over.map(|word| AffinityScope::new(word)) {
            let is_near = |one: DeviceKey, other: DeviceKey| {
                scope.is_none_or(|scope| self.share(scope, [one, other].into_iter()))
            };
            if keys(unit).any(|one| keys(others).any(|other| is_near(one, other))) {
                return None;
            }
        }
        let mut levels = cut.levels.iter().map(|word| AffinityScope::new(word));
        let reached = levels.position(|scope| scope.is_some_and(|it| self.share(it, keys(unit))));
        let reached = reached.unwrap_or(cut.levels.len());
        (reached == 0 || !cut.is_required).then(|| cut.without(reached))
    }
}

/// Returns the devices of which one may be the next of a unit; none if it has all.
fn next(cut: &Cut<'_>, unit: u32, others: u32) -> Option<impl Iterator<Item = u32>> {
    let has_room = move |member: usize, count: usize| of_member(cut, unit, member) < count;
    let bits = (0..cut.devices.len()).filter_map(move |place| {
        let (member, _) = cut.devices.get(place)?;
        let count = cut.counts.get(*member)?;
        let bit = 1 << place;
        (others & bit != 0 && has_room(*member, *count)).then_some(bit)
    });
    (!is_full(cut, unit)).then_some(bits)
}

fn is_full(cut: &Cut<'_>, unit: u32) -> bool {
    let mut members = cut.counts.iter().enumerate();
    members.all(|(member, count)| of_member(cut, unit, member) == *count)
}

/// Returns how many devices of a set are of a member.
fn of_member(cut: &Cut<'_>, set: u32, member: usize) -> usize {
    let devices = cut.devices.iter().enumerate();
    let own = devices.filter(|(place, (of, _))| set & 1 << place != 0 && *of == member);
    own.count()
}
