//! What picks add at least, or together, while a search has not come to them.

use super::{Measure, Tally};
use crate::number::number;
use crate::objective::evenness::Evenness;

/// Is memory that is used again.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    taken: Vec<i128>,
    counts: Vec<u32>,
}

impl Tally {
    /// Writes what an alternative adds at least without its picks.
    pub(crate) fn choice_at_least(&self, alternative: usize, least: &mut [i64]) {
        least.fill(0);
        let chosen = &self.alternatives[alternative];
        let scopes = self.scopes.iter().zip(&chosen.scopes);
        for (scope, _) in scopes.filter(|(_, counts)| **counts) {
            for (place, term) in (scope.first..).zip(&scope.terms) {
                if let Measure::AlternativeRank = term {
                    least[place] = chosen.rank;
                }
            }
        }
    }

    /// Writes what a pick adds at least, while nothing is picked, whatever is
    /// picked beside it.
    pub(crate) fn pick_at_least(&self, alternative: usize, device: usize, least: &mut [i64]) {
        least.fill(0);
        let chosen = &self.alternatives[alternative];
        let scopes = self.scopes.iter().zip(&chosen.scopes);
        for (scope, _) in scopes.filter(|(_, counts)| **counts) {
            for (place, term) in (scope.first..).zip(&scope.terms) {
                least[place] = match term {
                    Measure::HealthPenalty => self.penalties[device],
                    Measure::AlternativeRank
                    | Measure::ParentsTouched(..)
                    | Measure::AffinityLevel(_)
                    | Measure::UnitLevel(_)
                    | Measure::Linked
                    | Measure::Unknown => 0,
                    _ if chosen.admin_access => 0,
                    Measure::Waste => chosen.waste(self.waste.as_ref(), device),
                    Measure::PackingPotential(potential) => potential.at_least(device),
                    Measure::Evenness(place, _) => {
                        Evenness::at_least(&self.parents[*place], device)
                    }
                };
            }
        }
    }

    /// Writes what picks of an alternative waste less than the sizes of their
    /// devices, each, as negative numbers; it must be none of an administrator.
    pub(crate) fn less_than_size(&self, scope: usize, alternative: usize, less: &mut [i64]) {
        let chosen = &self.alternatives[alternative];
        for (less, term) in less.iter_mut().zip(&self.scopes[scope].terms) {
            *less = match term {
                Measure::Waste => -chosen.least,
                _ => 0,
            };
        }
    }

    /// Writes what picks add to the values of a scope, of which all are among some
    /// devices; a bit for each says which. Instead of waste it is the sizes.
    pub(crate) fn of_set(
        &self,
        scope: usize,
        devices: &[u32],
        chosen: u64,
        buffers: &mut Buffers,
        more: &mut [i64],
    ) {
        let picked = devices.iter().enumerate();
        let picked = picked.filter(|(bit, _)| chosen >> bit & 1 == 1);
        let picked = picked.map(|(_, device)| *device as usize);
        for (more, term) in more.iter_mut().zip(&self.scopes[scope].terms) {
            *more = match term {
                // Those over links, and levels, are in the values of the picks so far.
                Measure::AlternativeRank
                | Measure::AffinityLevel(_)
                | Measure::UnitLevel(_)
                | Measure::Linked
                | Measure::Unknown => 0,
                Measure::HealthPenalty => picked.clone().map(|device| self.penalties[device]).sum(),
                Measure::Waste => {
                    let waste = self.waste.as_ref();
                    let size = |device| waste.map_or(0, |waste| waste.size(device));
                    picked.clone().map(size).sum()
                }
                Measure::PackingPotential(potential) => {
                    potential.of(devices, chosen, &mut buffers.taken)
                }
                Measure::ParentsTouched(place, touched) => {
                    touched.of(&self.parents[*place], picked.clone(), &mut buffers.counts)
                }
                Measure::Evenness(place, evenness) => {
                    evenness.of(&self.parents[*place], picked.clone(), &mut buffers.counts)
                }
            };
        }
    }

    /// Writes what tells apart how picks among some devices count in a scope while
    /// nothing is picked.
    pub(crate) fn describe(&self, scope: usize, devices: &[u32], key: &mut Vec<i128>) {
        key.clear();
        for term in &self.scopes[scope].terms {
            let each = devices.iter().map(|device| *device as usize);
            match term {
                Measure::AlternativeRank | Measure::Unknown => {}
                Measure::AffinityLevel(level) => {
                    each.for_each(|device| level.describe(device, key));
                }
                Measure::UnitLevel(units) => each.for_each(|device| units.describe(device, key)),
                Measure::Linked => match &self.known {
                    Some(known) => known.describe(devices, key),
                    None => key.extend(devices.iter().map(|device| i128::from(*device))),
                },
                Measure::HealthPenalty => {
                    key.extend(each.map(|device| i128::from(self.penalties[device])));
                }
                Measure::Waste => {
                    let waste = self.waste.as_ref();
                    let size = |device| waste.map_or(0, |waste| i128::from(waste.size(device)));
                    key.extend(each.map(size));
                }
                Measure::PackingPotential(potential) => potential.describe(devices, key),
                Measure::ParentsTouched(place, _) | Measure::Evenness(place, _) => {
                    self.parents[*place].describe(devices, key);
                }
            }
        }
    }

    /// Writes what tells a device apart from others for all scopes, where it may have
    /// parents in common with them.
    pub(crate) fn describe_alone(&self, device: u32, key: &mut Vec<i128>) {
        let mut of_scope = Vec::new();
        for scope in 0..self.scopes.len() {
            self.describe(scope, &[device], &mut of_scope);
            key.push(i128::from(number(of_scope.len())));
            key.append(&mut of_scope);
        }
        for parents in &self.parents {
            let of = parents.of(device as usize).iter();
            let common = of.filter(|parent| parents.is_common(**parent));
            key.push(-1);
            key.extend(common.map(|parent| i128::from(*parent)));
        }
    }

    /// Writes what a number of picks among one of those sets adds beside what each
    /// adds alone; nothing is said of other sets that they are in.
    pub(crate) fn of_crowd(&self, scope: usize, group: usize, count: usize, more: &mut [i64]) {
        let mut first = 0;
        let mut parent = None;
        for (place, parents) in self.parents.iter().enumerate() {
            if (first..first + parents.len()).contains(&group) {
                parent = Some((place, number(group - first)));
            }
            first += parents.len();
        }
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        for (more, term) in more.iter_mut().zip(&self.scopes[scope].terms) {
            *more = match (term, parent) {
                (Measure::ParentsTouched(of, touched), Some((place, parent))) if *of == place => {
                    let is_new = touched.is_new(&self.parents[place], parent);
                    i64::from(count > 0 && is_new)
                }
                // Of `(n + k)² - n²` each alone adds `2n + 1`.
                (Measure::Evenness(of, _), Some((place, _))) if *of == place => {
                    count.saturating_mul(count.saturating_sub(1))
                }
                _ => 0,
            };
        }
    }
}
