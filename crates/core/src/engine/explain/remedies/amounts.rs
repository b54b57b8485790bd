//! How many devices, and how much of them, could be had.

use super::{Question, Trial};
use crate::claims::Needed;
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
            if asked < 2 || !trial.fits(&fewer(1)) {
                continue;
            }
            // Fewer are never harder to have. Near to what is asked for it is most likely.
            let (mut fits, mut too_many, mut step) = (1, asked, 1);
            while too_many - fits > 1 {
                let count = too_many.saturating_sub(step).max(fits + 1);
                if trial.fits(&fewer(count)) {
                    fits = count;
                    step = (too_many - fits).div_ceil(2);
                } else {
                    too_many = count;
                    step *= 2;
                }
            }
            trial.keep(fewer(fits));
        }
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
