//! How many devices, and how much of them, could be had.

use super::super::largest_count::largest_count;
use super::{Question, Trial};
use crate::claims::{Alternative, Needed};
use crate::explain::Remedy;
use crate::model::{QualifiedName, Quantity};

/// So many smaller amounts of a capacity are tried.
const MAX_AMOUNTS: usize = 8;

impl Question<'_> {
    /// Tries to ask for fewer devices in one request.
    pub(super) fn counts(&self, trial: &mut Trial<'_>) {
        for (claim, alternative) in self.alternatives() {
            let Needed::Count(asked) = alternative.needed else {
                continue;
            };
            let request = alternative.name.in_results().into_owned();
            let fewer = |instead: usize| Remedy::Count {
                claim,
                request: request.clone(),
                asked,
                instead,
            };
            let Some(group) = self.group_of(claim, alternative) else {
                continue;
            };
            let most = largest_count(asked, group, self.is_monotone, |count| {
                Some(trial.fits(&fewer(count)))
            });
            if let Some(most @ 1..) = most {
                trial.keep(fewer(most));
            }
        }
    }

    /// Returns how many devices of a request go together, so that a policy that was found
    /// right stays so; none if the count of others would have to change, too.
    fn group_of(&self, claim: usize, alternative: &Alternative) -> Option<usize> {
        let claim = self.claims.claims().get(claim)?;
        let request = alternative.name.request();
        let mut group = 1;
        for unit in claim
            .wanted()
            .iter()
            .filter_map(|wanted| wanted.unit.as_ref())
        {
            let Some(count) = unit.count_of(request) else {
                continue;
            };
            let of_request = claim
                .alternatives()
                .filter(|one| one.name.request() == request);
            if unit.counts.len() > 1 || of_request.count() > 1 {
                return None;
            }
            // A request is under one policy at most.
            group = count;
        }
        Some(group)
    }

    /// Tries to ask for less of a capacity in one request.
    pub(super) fn capacities(&self, trial: &mut Trial<'_>) {
        for (claim, alternative) in self.alternatives() {
            let asked = alternative.capacity.iter();
            for (capacity, asked) in asked.flat_map(|capacity| capacity.requests.iter()) {
                let request = alternative.name.in_results().into_owned();
                for instead in self.smaller(capacity, asked) {
                    let helps = trial.add(Remedy::Capacity {
                        claim,
                        request: request.clone(),
                        capacity: capacity.clone(),
                        asked: asked.clone(),
                        instead,
                    });
                    if helps {
                        break;
                    }
                }
            }
        }
    }

    /// Returns smaller amounts that devices have or have left, the largest first.
    fn smaller(&self, capacity: &QualifiedName, asked: &Quantity) -> Vec<Quantity> {
        let mut amounts: Vec<Quantity> = Vec::new();
        for (place, entry) in self.view.devices.iter().enumerate() {
            let Some(whole) = entry.device().capacity.get(&**capacity) else {
                continue;
            };
            amounts.push(whole.value.clone());
            amounts.extend(self.problem.left_of(place, capacity));
        }
        let zero = Quantity::default();
        amounts.retain(|amount| amount < asked && *amount > zero);
        amounts.sort_unstable();
        amounts.dedup();
        amounts.reverse();
        amounts.truncate(MAX_AMOUNTS);
        amounts
    }
}
