//! [`Grouping`]: the best cut of devices into equal groups, whatever domains cross.

mod shared;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use dralloc_topology::{Scope, Watch};

use self::shared::Shared;
use super::{AffinityScope, Machine};

/// Up to how many devices are cut where no sum over domains says how.
pub(crate) const LARGEST_GROUPING: usize = 16;

/// The steps that it takes to look at one set of picks.
const STEPS_OF_A_SET: u64 = 8;

/// Is the place of a group's level, if it reached one, with the places of its picks.
pub(crate) type Near = (Option<usize>, Vec<usize>);

/// Asks for groups.
#[derive(Debug)]
pub(crate) struct Groups {
    pub(crate) machine: Arc<Machine>,
    pub(crate) count: usize,
    /// By member: how many devices a group has.
    pub(crate) sizes: Vec<usize>,
    /// What the devices of a group are to have in common, the best first.
    pub(crate) levels: Vec<AffinityScope>,
    /// Whether each group must have the first level.
    pub(crate) is_required: bool,
    /// The scope of which no domain has devices of two groups.
    pub(crate) apart: Option<Scope>,
}

impl Groups {
    /// Returns how many devices all groups have.
    pub(crate) fn len(&self) -> usize {
        let of_group: usize = self.sizes.iter().sum();
        of_group.saturating_mul(self.count)
    }

    /// Returns what a cut is worth of which no group has a level.
    pub(crate) fn worst(&self) -> i64 {
        let count = i64::try_from(self.count).unwrap_or(i64::MAX);
        self.without(self.levels.len()).saturating_mul(count)
    }

    /// Returns what a group counts that has none of the first levels.
    fn without(&self, first: usize) -> i64 {
        let weight = i64::try_from(self.count + 1).unwrap_or(i64::MAX);
        (0..self.levels.len()).fold(0_i64, |sum, level| {
            let sum = sum.saturating_mul(weight);
            sum.saturating_add(i64::from(level < first))
        })
    }
}

/// Cuts picks into groups, as they come and go.
///
/// Groups are filled in part while picks are still to come. What the picks of a group have
/// in common only shrinks, so the best cut of some is no worse than that of more: what it
/// is worth is a bound, and where there is none there is none with more.
#[derive(Debug)]
pub(crate) struct Grouping {
    groups: Groups,
    picks: Vec<Pick>,
    /// By pick, the best cut of all until then.
    cuts: Vec<Option<Cut>>,
    /// What was asked last, with its answer.
    asked: Option<(Pick, Option<Cut>)>,
}

/// Is a device that a member has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pick {
    member: usize,
    device: usize,
}

/// Is a way to cut picks.
#[derive(Clone, Debug, Default)]
struct Cut {
    /// How many groups are not within each level, the first most.
    value: i64,
    /// The picks of each group, as bits.
    groups: Vec<u32>,
}

impl Grouping {
    /// Returns one with nothing picked.
    pub(crate) fn new(groups: Groups) -> Self {
        Self {
            groups,
            picks: Vec::new(),
            cuts: Vec::new(),
            asked: None,
        }
    }

    /// Returns whether there is a cut with one more device of a member.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn admits<W: Watch>(
        &mut self,
        member: usize,
        device: usize,
        watch: &mut W,
    ) -> Result<bool, W::Stop> {
        let pick = Pick { member, device };
        let cut = self.with(pick, watch)?;
        let admits = cut.is_some();
        self.asked = Some((pick, cut));
        Ok(admits)
    }

    /// Writes what tells a device apart from others.
    pub(crate) fn describe(&self, device: usize, key: &mut Vec<i128>) {
        let groups = &self.groups;
        groups.machine.describe(&groups.levels, device, key);
        if let Some(apart) = groups.apart {
            let apart = AffinityScope::Domain(apart);
            groups.machine.describe(&[apart], device, key);
        }
    }

    /// Adds a device of a member.
    ///
    /// What was asked just before is known. If it is stopped, the best cut stays what it
    /// was, which no cut of more is better than; what is counted next ends the search.
    pub(crate) fn add(&mut self, member: usize, device: usize, watch: &mut impl Watch) {
        let pick = Pick { member, device };
        let asked = self.asked.take().filter(|(asked, _)| *asked == pick);
        let cut = match asked {
            Some((_, cut)) => Ok(cut),
            None => self.with(pick, watch),
        };
        let before = || self.cuts.last().cloned();
        let cut = cut.unwrap_or_else(|_| before().unwrap_or_else(|| Some(Cut::default())));
        self.cuts.push(cut);
        self.picks.push(pick);
    }

    /// Takes the last device back.
    pub(crate) fn take_back(&mut self) {
        self.asked = None;
        self.cuts.pop();
        self.picks.pop();
    }

    /// Returns what the best cut is worth; none if there is no cut.
    pub(crate) fn value(&self) -> Option<i64> {
        match self.cuts.last() {
            None => Some(0),
            Some(cut) => cut.as_ref().map(|cut| cut.value),
        }
    }

    /// Returns the best cut with one more pick.
    fn with<W: Watch>(&self, pick: Pick, watch: &mut W) -> Result<Option<Cut>, W::Stop> {
        let start = Cut::default();
        // What cannot be cut cannot be cut with more.
        let Some(before) = self.cuts.last().map_or(Some(&start), Option::as_ref) else {
            return Ok(None);
        };
        let mut picks = self.picks.clone();
        picks.push(pick);
        // Rooms of bits are for so many only.
        if picks.len() > LARGEST_GROUPING {
            return Ok(None);
        }
        watch.steps((picks.len() * picks.len()) as u64)?;
        let shared = Shared::new(&self.groups, &picks);
        let new = 1 << (picks.len() - 1);
        // Nothing is better than what there was: does the pick cost nothing, that is the best.
        match shared.joined(before, new) {
            Some(same) => Ok(Some(same)),
            None => Search::new(&shared, watch).best(before.value),
        }
    }
}

/// Returns the groups of the best cut of some picks, devices each with its member, as their
/// places: groups of nearer levels first, each with the place of its level, if it has one.
/// None where there is no cut, or more picks than are cut.
///
/// Each set of picks that is left is cut once, and every group that is tried has its first
/// pick. So fewer than a million sets are looked at where picks fill their groups, whatever
/// the groups: most for two groups of eight.
///
/// # Errors
///
/// If it is stopped.
pub(crate) fn best_cut<W: Watch>(
    groups: &Groups,
    picks: impl Iterator<Item = (usize, usize)>,
    watch: &mut W,
) -> Result<Vec<Near>, W::Stop> {
    let picks = picks.map(|(member, device)| Pick { member, device });
    let picks: Vec<Pick> = picks.collect();
    if picks.len() > LARGEST_GROUPING {
        return Ok(Vec::new());
    }
    watch.steps((picks.len() * picks.len()) as u64)?;
    let shared = Shared::new(groups, &picks);
    let cut = Search::new(&shared, watch).best(0)?;
    let of_cut = cut.into_iter().flat_map(|cut| cut.groups);
    let mut told: Vec<(usize, Vec<usize>)> = of_cut
        .map(|group| (shared.reached(group), places(group).collect()))
        .collect();
    told.sort();
    let of_level = |level: usize| (level < groups.levels.len()).then_some(level);
    let told = told.into_iter();
    Ok(told
        .map(|(level, group)| (of_level(level), group))
        .collect())
}

/// Finds the best cut: the first pick that is left gets its group, then the next.
///
/// What is left of the picks and of the groups is the whole state, and each is solved once.
/// Of picks that can be exchanged the first are taken first.
struct Search<'s, 'g, W> {
    shared: &'s Shared<'g>,
    watch: &'s mut W,
    /// By pick, the one before it that it can be exchanged with.
    twins: Vec<Option<usize>>,
    known: BTreeMap<State, Option<(i64, u32)>>,
}

/// Is what is still to be cut, and into how many groups.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    left: u32,
    groups: usize,
}

impl State {
    fn without(self, group: u32) -> Self {
        Self {
            left: self.left & !group,
            groups: self.groups.saturating_sub(1),
        }
    }
}

impl<'s, 'g, W: Watch> Search<'s, 'g, W> {
    fn new(shared: &'s Shared<'g>, watch: &'s mut W) -> Self {
        let member = |pick: usize| {
            let mut members = shared.of_member.iter();
            members.position(|own| own & 1 << pick != 0)
        };
        let are_alike = |one: usize, other: usize| {
            let mut levels = shared.levels.iter();
            let keeps = |domain: &u32| (domain >> one ^ domain >> other) & 1 == 0;
            member(one) == member(other)
                && levels.all(|level| level.are_alike(one, other))
                && shared.apart.iter().all(keeps)
        };
        let twin = |pick: usize| (0..pick).rev().find(|before| are_alike(*before, pick));
        Self {
            twins: places(shared.all).map(twin).collect(),
            shared,
            watch,
            known: BTreeMap::new(),
        }
    }

    /// Returns the best cut, of which it is known that none is worth less than some value.
    fn best(mut self, least: i64) -> Result<Option<Cut>, W::Stop> {
        let mut state = State {
            left: self.shared.all,
            groups: self.shared.groups.count,
        };
        let Some(value) = self.solve(state, least)? else {
            return Ok(None);
        };
        let mut groups = Vec::new();
        while state.left != 0 {
            let Some((_, group)) = self.known.get(&state).copied().flatten() else {
                return Ok(None);
            };
            groups.push(group);
            state = state.without(group);
        }
        Ok(Some(Cut { value, groups }))
    }

    /// Returns the least that what is left costs, and looks for no less than some value.
    fn solve(&mut self, state: State, least: i64) -> Result<Option<i64>, W::Stop> {
        if state.left == 0 {
            return Ok(Some(0));
        }
        if !self.shared.has_room(state.left, state.groups) {
            return Ok(None);
        }
        if let Some(known) = self.known.get(&state) {
            return Ok(known.map(|(value, _)| value));
        }
        let mut best: Option<(i64, u32)> = None;
        let first = state.left & state.left.wrapping_neg();
        let mut open = vec![(first, state.left & !first)];
        while let Some((group, others)) = open.pop() {
            self.watch.steps(STEPS_OF_A_SET)?;
            if best.is_some_and(|(value, _)| value <= least) {
                break;
            }
            // A set costs no less than a part of it.
            let cost = self.shared.cost(group);
            let Some(cost) = cost.filter(|cost| best.is_none_or(|(value, _)| *cost < value)) else {
                continue;
            };
            let rest = if self.shared.is_apart(group) {
                self.solve(state.without(group), 0)?
            } else {
                None
            };
            let value = rest.map(|rest| rest.saturating_add(cost));
            if let Some(value) = value
                && best.is_none_or(|(best, _)| value < best)
            {
                best = Some((value, group));
            }
            for pick in places(others).rev() {
                let new = 1 << pick;
                let after = others & !(new | (new - 1));
                let twin = self.twins.get(pick).copied().flatten();
                let is_next = twin.is_none_or(|twin| (state.left & !group) & 1 << twin == 0);
                if is_next && self.shared.has_room(group | new, 1) {
                    open.push((group | new, after));
                }
            }
        }
        self.known.insert(state, best);
        Ok(best.map(|(value, _)| value))
    }
}

/// Goes through the places of a set, ascending.
fn places(set: u32) -> impl DoubleEndedIterator<Item = usize> {
    (0..u32::BITS as usize).filter(move |place| set & 1 << place != 0)
}
