//! The best cut of devices into units, by trying all of them.

use std::collections::{BTreeMap, BTreeSet};

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
    ///
    /// Each set of devices that is left is cut once, and every unit that is tried has its
    /// first device. So of 16 devices fewer than a million sets are looked at, whatever the
    /// units: most for two units of eight.
    pub(in crate::verify) fn best_cut(&self, cut: &Cut<'_>) -> Option<i128> {
        let is_whole = cut.devices.len() <= MOST && cut.is_whole();
        is_whole.then(|| {
            let cutter = Cutter::new(self, cut);
            cutter.of_left(mask(cut, |_| true), &mut BTreeMap::new())
        })?
    }
}

/// Tries all cuts; sets of devices are masks of their places.
struct Cutter<'c> {
    cut: &'c Cut<'c>,
    /// By member, its devices.
    members: Vec<u32>,
    /// By level, which devices have it in common.
    levels: Vec<Common>,
    /// By device, those that may not be in another unit.
    near: Vec<u32>,
}

/// Says which devices have something in common.
enum Common {
    /// Those that are in one of these sets together.
    Sets(Vec<u32>),
    /// Those of which each two have it; by device, the others.
    Pairs(Vec<u32>),
}

impl Common {
    fn new(linked: &Linked, cut: &Cut<'_>, word: &str) -> Self {
        let keys = || cut.devices.iter().map(|(_, key)| *key);
        let Some(scope) = AffinityScope::new(word) else {
            return Self::Sets(Vec::new());
        };
        if let AffinityScope::NvLink = scope {
            let links =
                |one: DeviceKey| mask(cut, |other| linked.share(scope, [one, other].into_iter()));
            return Self::Pairs(keys().map(links).collect());
        }
        let of = |key: DeviceKey| {
            let place = linked.places.get(&key).copied();
            linked.common(scope, place.into_iter())
        };
        let domains: BTreeSet<u32> = keys().flat_map(of).collect();
        let set = |domain: u32| mask(cut, |key| of(key).contains(&domain));
        Self::Sets(domains.into_iter().map(set).collect())
    }

    fn has(&self, set: u32) -> bool {
        match self {
            Self::Sets(sets) => sets.iter().any(|common| set & !common == 0),
            Self::Pairs(pairs) => places(set).all(|place| set & !pairs[place] == 0),
        }
    }
}

impl<'c> Cutter<'c> {
    fn new(linked: &Linked, cut: &'c Cut<'c>) -> Self {
        let member = |member: usize| {
            let devices = cut.devices.iter().enumerate();
            let own = devices.filter(|(_, (of, _))| *of == member);
            own.fold(0, |set, (place, _)| set | 1 << place)
        };
        let levels = cut.levels.iter();
        let near = |one: DeviceKey| match cut.apart_over.map(|word| AffinityScope::new(word)) {
            None => 0,
            Some(scope) => mask(cut, |other| {
                scope.is_none_or(|scope| linked.share(scope, [one, other].into_iter()))
            }),
        };
        Self {
            cut,
            members: (0..cut.counts.len()).map(member).collect(),
            levels: levels.map(|word| Common::new(linked, cut, word)).collect(),
            near: cut.devices.iter().map(|(_, key)| near(*key)).collect(),
        }
    }

    fn of_left(&self, left: u32, known: &mut BTreeMap<u32, Option<i128>>) -> Option<i128> {
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
            if !self.is_full(unit) {
                for place in places(others) {
                    let device = 1 << place;
                    if self.has_room(unit | device) {
                        open.push((unit | device, others & !(device | (device - 1))));
                    }
                }
                continue;
            }
            let value = self.of_unit(unit, left & !unit).and_then(|own| {
                let rest = self.of_left(left & !unit, known)?;
                Some(own.saturating_add(rest))
            });
            best = best.into_iter().chain(value).min();
        }
        known.insert(left, best);
        best
    }

    /// Returns what a unit counts beside devices of others; none where it may not be one.
    fn of_unit(&self, unit: u32, others: u32) -> Option<i128> {
        if places(unit).any(|place| self.near[place] & others != 0) {
            return None;
        }
        let reached = self.levels.iter().position(|level| level.has(unit));
        let reached = reached.unwrap_or(self.levels.len());
        (reached == 0 || !self.cut.is_required).then(|| self.cut.without(reached))
    }

    fn is_full(&self, unit: u32) -> bool {
        let mut members = self.members.iter().zip(self.cut.counts);
        members.all(|(own, count)| (unit & own).count_ones() as usize == *count)
    }

    fn has_room(&self, unit: u32) -> bool {
        let mut members = self.members.iter().zip(self.cut.counts);
        members.all(|(own, count)| (unit & own).count_ones() as usize <= *count)
    }
}

/// Returns the devices of which something is so.
fn mask(cut: &Cut<'_>, is_so: impl Fn(DeviceKey) -> bool) -> u32 {
    let devices = cut.devices.iter().enumerate();
    let own = devices.filter(|(_, (_, key))| is_so(*key));
    own.fold(0, |set, (place, _)| set | 1 << place)
}

/// Goes through the places of a set.
fn places(set: u32) -> impl Iterator<Item = usize> {
    (0..MOST).filter(move |place| set >> place & 1 == 1)
}
