//! The best devices for one request, where nothing but links and places tells them apart.

use dralloc_topology::Criterion;

use super::known::{bit, free};
use super::sets::Question;
use super::{Linkage, low};
use crate::budget::Meter;
use crate::number::number;
use crate::objective::{Health, Scope, Term};
use crate::outcome::StopCause;
use crate::state::Draft;
use crate::store::NodeView;
use crate::topology::{Machine, SCOPES};

/// Is what a term is here.
enum Measure {
    Always(i64),
    /// What a table has.
    Table(Linkage),
    Span,
    Uplink,
}

/// Is an answer: the devices, and the values of the terms.
type Answer = (Vec<u32>, Vec<i64>);

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
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn best(&self, meter: &mut Meter<'_>) -> Result<Option<Answer>, StopCause> {
        let known = (self.candidates(), self.measures(), self.machine.table());
        let (Some(candidates), Some(measures), Some(table)) = known else {
            return Ok(None);
        };
        let open = candidates.iter().fold(0, |open, (_, place)| open | place);
        // What is no candidate may be free, too.
        let free = low(free(self.view, self.held, self.machine));
        if self.machine.has_allowed_sets() || open & !free != 0 {
            return Ok(None);
        }
        let domains = self.domains(&candidates);
        let span = |set: u16| match set.count_ones() {
            0 | 1 => 0,
            _ => {
                let mut domains = domains.iter();
                let around = domains.find(|(_, members)| set & !members == 0);
                around.map_or(dralloc_topology::Scope::Fabric as i64, |(scope, _)| *scope)
            }
        };
        let uplink = |set: u16| {
            let nics = self.machine.alignment();
            nics.map_or(0, |nics| nics.uplink_cost(u64::from(set)))
        };
        let criteria = measures.iter().filter_map(|measure| match measure {
            Measure::Always(_) => None,
            Measure::Table(linkage) => linkage.of_table().map(Criterion::Term),
            Measure::Span => Some(Criterion::Cost(&span)),
            Measure::Uplink => Some(Criterion::Cost(&uplink)),
        });
        let criteria: Vec<Criterion<'_>> = criteria.collect();
        let sets = (free, open, 0);
        let Some(best) = table.best_until(sets, self.needed, &criteria, meter)? else {
            return Ok(None);
        };
        let question = Question {
            table,
            terms: &[],
            free,
            chosen: 0,
            open,
        };
        let values = measures.iter().map(|measure| match measure {
            Measure::Always(value) => Ok(*value),
            Measure::Table(linkage) => question.value(*linkage, best, 0, meter),
            Measure::Span => Ok(span(best)),
            Measure::Uplink => Ok(uplink(best)),
        });
        let values = values.collect::<Result<_, _>>()?;
        let members = candidates.iter().filter(|(_, place)| best & place != 0);
        let devices = members.map(|(device, _)| number(*device)).collect();
        Ok(Some((devices, values)))
    }

    /// Returns the devices that can be had, with their vertices as masks; nothing where
    /// they are not linked devices with a vertex each, in the same order, or too few.
    fn candidates(&self) -> Option<Vec<(usize, u16)>> {
        let machine = self.machine;
        let is_free = |device: &usize| {
            let entry = self.view.devices.get(*device);
            entry.is_some_and(|entry| !self.held.is_held(entry.key))
        };
        let devices = self.candidates.iter().map(|device| *device as usize);
        let mut candidates: Vec<(usize, u16)> = Vec::with_capacity(self.candidates.len());
        for device in devices.filter(is_free) {
            let place = low(bit(machine.gpu(device)?));
            let is_next = candidates.last().is_none_or(|(_, last)| *last < place);
            if !is_next || place == 0 || machine.nic(device).is_some() {
                return None;
            }
            candidates.push((device, place));
        }
        (1..=candidates.len())
            .contains(&self.needed)
            .then_some(candidates)
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
    fn domains(&self, candidates: &[(usize, u16)]) -> Vec<(i64, u16)> {
        let mut all = Vec::new();
        for scope in SCOPES {
            let first = all.len();
            let mut numbers: Vec<u32> = Vec::new();
            for (device, place) in candidates {
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
