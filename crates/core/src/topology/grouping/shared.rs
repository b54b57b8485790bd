//! [`Shared`]: what picks have in common.

use std::collections::BTreeMap;

use dralloc_topology::Scope;

use super::{Cut, Groups, Pick, places};
use crate::topology::{AffinityScope, Machine};

/// Knows what some picks have in common.
pub(super) struct Shared<'g> {
    pub(super) groups: &'g Groups,
    pub(super) all: u32,
    /// By member, its picks.
    pub(super) of_member: Vec<u32>,
    pub(super) levels: Vec<Level>,
    /// By domain that keeps groups apart, the picks in it: all of them are of one group.
    pub(super) apart: Vec<u32>,
}

/// Says which picks have a level.
pub(super) enum Level {
    /// By domain, the picks in it.
    Domains(Vec<u32>),
    /// By pick, itself and those that it has links to.
    Links(Vec<u32>),
}

impl Level {
    pub(super) fn holds(&self, set: u32) -> bool {
        match self {
            Self::Domains(domains) => set == 0 || domains.iter().any(|domain| set & !domain == 0),
            Self::Links(links) => {
                places(set).all(|pick| links.get(pick).is_some_and(|links| set & !links == 0))
            }
        }
    }

    /// Returns whether it is the same if two picks are exchanged.
    pub(super) fn are_alike(&self, one: usize, other: usize) -> bool {
        let both = 1 << one | 1 << other;
        match self {
            Self::Domains(domains) => domains
                .iter()
                .all(|domain| domain & both == 0 || domain & both == both),
            Self::Links(links) => {
                let of = |pick: usize| links.get(pick).map(|links| links | both);
                of(one) == of(other)
            }
        }
    }
}

impl<'g> Shared<'g> {
    pub(super) fn new(groups: &'g Groups, picks: &[Pick]) -> Self {
        let machine = &groups.machine;
        let of_member = |member| mask(picks, |pick| pick.member == member);
        let level = |level: &AffinityScope| match *level {
            AffinityScope::Domain(scope) => Level::Domains(domains(machine, scope, picks)),
            AffinityScope::NvLink => {
                let links = picks.iter().map(|one| {
                    mask(picks, |other| {
                        machine.share(AffinityScope::NvLink, one.device, other.device)
                    })
                });
                Level::Links(links.collect())
            }
        };
        Self {
            all: mask(picks, |_| true),
            of_member: (0..groups.sizes.len()).map(of_member).collect(),
            levels: groups.levels.iter().map(level).collect(),
            apart: groups
                .apart
                .map_or_else(Vec::new, |scope| domains(machine, scope, picks)),
            groups,
        }
    }

    /// Returns the place of the first level that a set has; the number of levels if none.
    pub(super) fn reached(&self, set: u32) -> usize {
        let first = self.levels.iter().position(|level| level.holds(set));
        first.unwrap_or(self.levels.len())
    }

    /// Returns what a group costs; none if it may not be one.
    pub(super) fn cost(&self, set: u32) -> Option<i64> {
        let reached = self.reached(set);
        if self.groups.is_required {
            return (reached == 0).then_some(0);
        }
        Some(self.groups.without(reached))
    }

    /// Returns whether some groups have room for picks.
    pub(super) fn has_room(&self, set: u32, groups: usize) -> bool {
        let mut members = self.of_member.iter().zip(&self.groups.sizes);
        members.all(|(own, size)| (set & own).count_ones() as usize <= size.saturating_mul(groups))
    }

    /// Returns whether a group is apart from all picks that are not in it.
    pub(super) fn is_apart(&self, set: u32) -> bool {
        let mut domains = self.apart.iter();
        domains.all(|domain| domain & set == 0 || domain & !set == 0)
    }

    /// Returns a cut with one more pick that costs no more, if the pick can join a group or
    /// begin one.
    pub(super) fn joined(&self, cut: &Cut, new: u32) -> Option<Cut> {
        let mut cut = cut.clone();
        if cut.groups.len() < self.groups.count {
            cut.groups.push(0);
        }
        let mut groups = cut.groups.iter_mut();
        let group = groups.find(|group| {
            let set = **group | new;
            let costs_the_same = self.cost(set) == self.cost(**group);
            self.has_room(set, 1) && self.is_apart(set) && costs_the_same
        })?;
        *group |= new;
        cut.groups.retain(|group| *group != 0);
        Some(cut)
    }
}

fn domains(machine: &Machine, scope: Scope, picks: &[Pick]) -> Vec<u32> {
    let mut domains: BTreeMap<u32, u32> = BTreeMap::new();
    for (place, pick) in picks.iter().enumerate() {
        for domain in machine.domains().of(scope, pick.device) {
            *domains.entry(*domain).or_default() |= 1 << place;
        }
    }
    let mut domains: Vec<u32> = domains.into_values().collect();
    domains.sort_unstable();
    domains.dedup();
    domains
}

fn mask(picks: &[Pick], is_in: impl Fn(&Pick) -> bool) -> u32 {
    let places = picks.iter().enumerate();
    let own = places.filter(|(_, pick)| is_in(pick));
    own.fold(0, |mask, (place, _)| mask | 1 << place)
}
