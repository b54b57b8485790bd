//! The best devices for one request, where nothing but links and places tells them apart.

use std::cmp::Ordering;

use super::known::{bit, free};
use super::sets::Question;
use super::{Linkage, low};
use crate::number::number;
use crate::objective::{Health, Scope, Term};
use crate::state::Draft;
use crate::store::NodeView;
use crate::topology::{Machine, SCOPES};

/// So many sets are compared; where there are more a search has bounds.
const SETS: u64 = 1 << 9;

/// Is what a term is here.
enum Measure {
    Always(i64),
    /// What a table has.
    Table(Linkage),
    Span,
    Uplink,
}

/// Says which of the free candidates are wanted.
pub(crate) struct UsualQuestion<'q> {
    pub(crate) scope: &'q Scope,
    pub(crate) health: Health<'q>,
    pub(crate) machine: &'q Machine,
    pub(crate) view: &'q NodeView,
    pub(crate) held: &'q Draft,
    /// Those of the request, in order; none takes counters, and none is shared.
    pub(crate) candidates: &'q [u32],
    pub(crate) needed: usize,
}

impl UsualQuestion<'_> {
    /// Returns the first of the best devices, and the values of the terms; nothing where
    /// the question is not that usual, or there are too few devices.
    ///
    /// Compares all sets in canonical order.
    pub(crate) fn best(&self) -> Option<(Vec<u32>, Vec<i64>)> {
        let machine = self.machine;
        let is_free = |device: &usize| {
            let entry = self.view.devices.get(*device);
            entry.is_some_and(|entry| !self.held.is_held(entry.key))
        };
        let candidates = self.candidates.iter().map(|device| *device as usize);
        let candidates: Vec<usize> = candidates.filter(is_free).collect();
        let mut places = Vec::with_capacity(candidates.len());
        let mut open = 0;
        for device in &candidates {
            let own = bit(machine.gpu(*device)?);
            if low(own) == 0 || open & own != 0 || machine.nic(*device).is_some() {
                return None;
            }
            open |= own;
            places.push(low(own));
        }
        let (count, needed) = (places.len(), self.needed);
        if needed == 0 || needed > count || sets(count, needed) > SETS {
            return None;
        }
        let measures = self.measures()?;
        let question = Question {
            table: machine.table()?,
            terms: &[],
            // What is no candidate may be free, too.
            free: low(free(self.view, self.held, machine)),
            chosen: 0,
            open: low(open),
        };
        let domains = self.domains(&candidates, &places);
        let value = |measure: &Measure, set: u16| match measure {
            Measure::Always(value) => *value,
            Measure::Table(linkage) => question.value(*linkage, set, 0),
            Measure::Span if set.count_ones() < 2 => 0,
            Measure::Span => {
                let mut domains = domains.iter();
                let around = domains.find(|(_, members)| set & !members == 0);
                around.map_or(dralloc_topology::Scope::Fabric as i64, |(scope, _)| *scope)
            }
            Measure::Uplink => {
                let nics = machine.alignment();
                nics.map_or(0, |nics| nics.uplink_cost(u64::from(set)))
            }
        };
        let mut members: Vec<usize> = (0..needed).collect();
        let mut best: Option<(Vec<usize>, Vec<i64>)> = None;
        let mut values: Vec<i64> = Vec::with_capacity(measures.len());
        loop {
            let set = members.iter().filter_map(|member| places.get(*member));
            let set = set.fold(0, |set, place| set | place);
            values.clear();
            let mut order = Ordering::Equal;
            for (place, measure) in measures.iter().enumerate() {
                let own = value(measure, set);
                values.push(own);
                if let Some((_, best)) = &best
                    && order == Ordering::Equal
                {
                    order = best
                        .get(place)
                        .map_or(Ordering::Equal, |best| own.cmp(best));
                    if order == Ordering::Greater {
                        break;
                    }
                }
            }
            if best.is_none() || order == Ordering::Less {
                best = Some((members.clone(), values.clone()));
            }
            if !advance(&mut members, count) {
                break;
            }
        }
        let (members, values) = best?;
        let devices = members.iter().filter_map(|member| candidates.get(*member));
        Some((devices.map(|device| number(*device)).collect(), values))
    }

    /// Returns what the terms are; nothing if one of them may tell devices apart otherwise.
    fn measures(&self) -> Option<Vec<Measure>> {
        let measure = |term: &Term| {
            Some(match (term, Linkage::of(term)) {
                (Term::AlternativeRank | Term::Waste, _) => Measure::Always(0),
                (Term::HealthPenalty, _) if self.health.documents.is_empty() => Measure::Always(0),
                // No device can be had no more but those that are picked.
                (Term::PackingPotential, _) => Measure::Always(i64::try_from(self.needed).ok()?),
                // No NIC is picked.
                (_, Some(Linkage::NicAlignment)) => Measure::Always(
                    self.machine
                        .alignment()
                        .map_or(0, |_| dralloc_topology::NO_NIC),
                ),
                (_, Some(Linkage::HostUplink)) => Measure::Uplink,
                (_, Some(Linkage::Span)) => Measure::Span,
                (_, Some(linkage)) => Measure::Table(linkage),
                _ => return None,
            })
        };
        self.scope.terms.iter().map(measure).collect()
    }

    /// Returns the candidates of each domain, the nearest scopes first.
    fn domains(&self, candidates: &[usize], places: &[u16]) -> Vec<(i64, u16)> {
        let mut all = Vec::new();
        for scope in SCOPES {
            let first = all.len();
            let mut numbers: Vec<u32> = Vec::new();
            for (device, place) in candidates.iter().zip(places) {
                for domain in self.machine.domains().of(scope, *device) {
                    let known = numbers.iter().position(|number| number == domain);
                    if let Some(known) = known {
                        if let Some((_, members)) = all.get_mut(first + known) {
                            *members |= place;
                        }
                    } else {
                        numbers.push(*domain);
                        all.push((scope as i64, *place));
                    }
                }
            }
        }
        all
    }
}

/// Goes on to the next set of members, in order; returns whether there is one.
fn advance(members: &mut [usize], count: usize) -> bool {
    let needed = members.len();
    for place in (0..needed).rev() {
        let Some(member) = members.get(place).copied() else {
            return false;
        };
        if member + needed - place < count {
            for (member, next) in members.iter_mut().skip(place).zip(member + 1..) {
                *member = next;
            }
            return true;
        }
    }
    false
}

/// Returns how many sets there are of so many out of some.
fn sets(count: usize, needed: usize) -> u64 {
    let mut sets = 1_u64;
    for taken in 0..needed.min(count - needed) {
        sets = sets.saturating_mul((count - taken) as u64) / (taken as u64 + 1);
    }
    sets
}
