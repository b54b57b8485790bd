//! How many devices, and how much of them, could be had.

use super::{Question, Trial};
use crate::claims::Needed;
use crate::explain::Remedy;
use crate::model::{QualifiedName, Quantity};
use crate::rules;

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
            let fits = |count| trial.fits(&fewer(count));
            let most = if self.has_rules_on_sets {
                most_of_any(asked, fits)
            } else {
                most_of_all(asked, fits)
            };
            if let Some(most) = most {
                trial.keep(fewer(most));
            }
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

/// Returns the largest count below another that fits.
fn most_of_any(asked: usize, mut fits: impl FnMut(usize) -> bool) -> Option<usize> {
    let most = asked.saturating_sub(1).min(rules::MAX_DEVICES);
    (1..=most).rev().find(|count| fits(*count))
}

/// Returns the largest count below another that fits, where all below one that fits do, too.
fn most_of_all(asked: usize, mut fits: impl FnMut(usize) -> bool) -> Option<usize> {
    if asked < 2 || !fits(1) {
        return None;
    }
    // Near to what is asked for it is most likely.
    let (mut most, mut too_many, mut step) = (1, asked, 1);
    while too_many - most > 1 {
        let count = too_many.saturating_sub(step).max(most + 1);
        if fits(count) {
            most = count;
            step = (too_many - most).div_ceil(2);
        } else {
            too_many = count;
            step *= 2;
        }
    }
    Some(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_count_that_fits_is_found_also_where_smaller_ones_do_not() {
        assert_eq!(most_of_any(8, |count| [2, 4].contains(&count)), Some(4));
        assert_eq!(most_of_any(4, |count| count == 4), None);
        let all = most_of_any(usize::MAX, |_| true);
        assert_eq!(all, Some(rules::MAX_DEVICES));
    }

    #[test]
    fn the_largest_count_is_the_same_where_all_smaller_ones_fit() {
        for asked in 0..40 {
            for largest in 0..asked {
                let fits = |count| count <= largest;
                let expected = (largest > 0).then_some(largest);
                assert_eq!(most_of_all(asked, fits), expected, "{largest} of {asked}");
            }
        }
    }
}
