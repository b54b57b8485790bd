//! Requests take more of counters or capacities than is left.

use dralloc_quantity::Amount;

use super::case::Case;
use super::question::{Choice, Question};

/// Is a counter, or a capacity of a shared device, with what it counts.
pub(super) enum Weighed {
    Counter(usize, u32),
    /// Device and place of the capacity.
    Capacity(usize, usize, u32),
}

/// Returns what some requests take at least, and what is left, each summed up
/// with weights.
///
/// A request takes at least what the devices take that take least. A device
/// that several of them may share is counted as if it took no counter.
pub(super) fn sums(
    question: &Question<'_, '_>,
    case: &Case,
    requests: &[usize],
    weights: &[Weighed],
) -> (Amount, Amount) {
    let mut left = Amount::ZERO;
    for weighed in weights {
        let (amount, weight) = match weighed {
            Weighed::Counter(counter, weight) => (case.counters[*counter].clone(), *weight),
            Weighed::Capacity(device, place, weight) => {
                let capacities = case.capacities(question, *device);
                (
                    capacities.get(*place).cloned().unwrap_or(Amount::ZERO),
                    *weight,
                )
            }
        };
        // Who uses a counter that is overdrawn cannot be had at all.
        if !amount.is_negative() {
            left += &times(&amount, weight);
        }
    }
    let mut needed = Amount::ZERO;
    for request in requests {
        let of_choices = case
            .left(question, *request)
            .map(|(_, choice, candidates)| {
                let mut costs: Vec<Amount> = candidates
                    .iter()
                    .map(|device| cost(question, case, (requests, choice), device, weights))
                    .collect();
                costs.sort();
                costs
                    .iter()
                    .take(case.open(*request, choice))
                    .sum::<Amount>()
            });
        needed += &of_choices.min().unwrap_or(Amount::ZERO);
    }
    (needed, left)
}

fn cost(
    question: &Question<'_, '_>,
    case: &Case,
    (requests, choice): (&[usize], &Choice),
    device: usize,
    weights: &[Weighed],
) -> Amount {
    let mut cost = Amount::ZERO;
    if choice.admin {
        return cost;
    }
    let has = |request: &&usize| {
        case.candidates[**request]
            .iter()
            .flatten()
            .any(|candidates| candidates.contains(device))
    };
    let is_free = case.is_paid(question, device)
        || question.is_shared(device) && requests.iter().filter(has).count() > 1;
    for weighed in weights {
        match weighed {
            Weighed::Counter(counter, weight) if !is_free => {
                let mut taken = question.counters.taken[device].iter();
                if let Some((_, amount)) = taken.find(|(other, _)| other == counter) {
                    cost += &times(amount, *weight);
                }
            }
            Weighed::Capacity(other, place, weight) if *other == device => {
                let amounts = choice.amounts.get(&device);
                if let Some(amount) = amounts.and_then(|amounts| amounts.get(*place)) {
                    cost += &times(amount, *weight);
                }
            }
            Weighed::Counter(..) | Weighed::Capacity(..) => {}
        }
    }
    cost
}

fn times(amount: &Amount, weight: u32) -> Amount {
    let mut product = Amount::ZERO;
    for bit in (0..u32::BITS).rev() {
        product = &product + &product;
        if weight >> bit & 1 == 1 {
            product += amount;
        }
    }
    product
}
