//! Sums over counters and capacities.

use std::collections::BTreeMap;

use dralloc_quantity::{Amount, Format, Quantity};

use super::Arithmetic;
use crate::bitmap::Bitmap;
use crate::model::{Device, QualifiedName, Str};
use crate::solver::problem::{Check, Plan, Problem};

/// Says what the devices lack that one request cannot have: the one that lacks
/// least, by alternative, of those that are freed if there are such.
pub(super) fn details(problem: &Problem<'_>, freed: &Bitmap) -> Vec<Arithmetic> {
    if problem.requests.len() != 1 {
        return Vec::new();
    }
    let plans = problem.plans.iter();
    let found = plans.flat_map(|plan| {
        let of = |check: Check| -> Vec<usize> {
            let refused = plan.refused.iter().enumerate();
            let refused = refused.filter(|(_, refused)| **refused == Some(check));
            let refused: Vec<usize> = refused.map(|(device, _)| device).collect();
            let meant = refused.iter().filter(|device| freed.contains(**device));
            let meant: Vec<usize> = meant.copied().collect();
            if meant.is_empty() { refused } else { meant }
        };
        let counters = of(Check::Counters);
        let mut counters = counters.into_iter();
        let counter = counters.find_map(|device| lacked_counter(problem, device));
        let capacities = of(Check::Capacity).into_iter();
        let capacities = capacities.filter_map(|device| lacked_capacity(problem, plan, device));
        let most = capacities.reduce(|best, other| match (&best, &other) {
            (Arithmetic::Capacities { left, .. }, Arithmetic::Capacities { left: more, .. })
                if more > left =>
            {
                other
            }
            _ => best,
        });
        counter.into_iter().chain(most)
    });
    found.collect()
}

/// Returns the first counter of which a device takes more than is left.
fn lacked_counter(problem: &Problem<'_>, device: usize) -> Option<Arithmetic> {
    let counters = &problem.state.counters;
    let (set, counter) = counters.short(device, problem.view)?;
    let (needed, left) = counters.short_amounts(device)?;
    let entry = &problem.view.devices[device];
    let format = format_of(entry.device(), counter);
    Some(Arithmetic::Counters {
        device: Some(entry.id()),
        counter_set: Some(set.clone()),
        counter: counter.clone(),
        needed: Quantity::new(needed.clone(), format),
        left: Quantity::new(left.clone(), format),
        after_release: None,
    })
}

/// Returns the first capacity of which a device has less left than is asked for.
fn lacked_capacity(problem: &Problem<'_>, plan: &Plan<'_>, device: usize) -> Option<Arithmetic> {
    let entry = &problem.view.devices[device];
    let declared = &entry.device().capacity;
    let found = |capacity: &QualifiedName, needed: &Quantity, left: Quantity| {
        Some(Arithmetic::Capacities {
            device: Some(entry.id()),
            capacity: capacity.clone(),
            needed: needed.clone(),
            left,
            after_release: None,
        })
    };
    if let Some(amounts) = plan.amounts.get(&device) {
        let capacity = &problem.state.capacity;
        let place = capacity.short(device, amounts)?;
        let (name, needed) = (declared.keys().nth(place)?, amounts.get(place)?);
        let left = capacity.left_of(device).get(place)?.clone();
        return found(name, needed, Quantity::new(left, needed.format()));
    }
    // It is too little also if nobody has any of it.
    let asked = plan.alternative.capacity.as_ref()?;
    asked.requests.iter().find_map(|(name, needed)| {
        let value = declared.get(name)?.value.clone();
        (value < *needed).then(|| found(name, needed, value))?
    })
}

/// Sums by name what requests take of counters at least, and what is left of those
/// that they can take from.
pub(super) fn counters(problem: &Problem<'_>) -> Vec<Arithmetic> {
    let counters = &problem.state.counters;
    let names = counters.names(problem.view);
    let mut sums: BTreeMap<&Str, Sum> = BTreeMap::new();
    let mut touched: BTreeMap<usize, &Str> = BTreeMap::new();
    for request in 0..problem.requests.len() {
        let mut least: Option<BTreeMap<&Str, Amount>> = None;
        for plan in problem.plans_of(request) {
            for device in plan.candidates.iter() {
                let mut taken: BTreeMap<&Str, Amount> = BTreeMap::new();
                // Shares of a device pay once, those for administration never.
                let is_free =
                    plan.alternative.admin_access || problem.view.shareable.contains(device);
                for (counter, amount) in counters.uses(device) {
                    let Some((_, name)) = names.get(*counter) else {
                        continue;
                    };
                    touched.insert(*counter, name);
                    if !is_free {
                        *taken.entry(name).or_insert(Amount::ZERO) += amount;
                        let format = format_of(problem.view.devices[device].device(), name);
                        sums.entry(name).or_insert_with(|| Sum::new(format));
                    }
                }
                let count = i64::try_from(plan.needed).unwrap_or(i64::MAX);
                for amount in taken.values_mut() {
                    *amount = times(amount, count);
                }
                least = Some(match least {
                    None => taken,
                    Some(mut least) => {
                        least.retain(|name, _| taken.contains_key(name));
                        for (name, amount) in &mut least {
                            let other = &taken[name];
                            if other < amount {
                                *amount = other.clone();
                            }
                        }
                        least
                    }
                });
            }
        }
        for (name, amount) in least.into_iter().flatten() {
            if let Some(sum) = sums.get_mut(name) {
                sum.needed += &amount;
            }
        }
    }
    for (counter, name) in touched {
        if let (Some(sum), Some(left)) = (sums.get_mut(name), counters.left().get(counter))
            && !left.is_negative()
        {
            sum.left += left;
        }
    }
    let sums = sums.into_iter().map(|(name, sum)| Arithmetic::Counters {
        device: None,
        counter_set: None,
        counter: name.clone(),
        needed: Quantity::new(sum.needed, sum.format),
        left: Quantity::new(sum.left, sum.format),
        after_release: None,
    });
    sums.collect()
}

/// Sums by name what requests take of shared devices at least, and what is left of
/// those that they can share.
pub(super) fn capacities(problem: &Problem<'_>) -> Vec<Arithmetic> {
    let mut sums: BTreeMap<&QualifiedName, Sum> = BTreeMap::new();
    for request in 0..problem.requests.len() {
        let [plan] = problem.plans_of(request) else {
            return Vec::new();
        };
        let all: Vec<usize> = plan.candidates.iter().collect();
        if plan.alternative.admin_access || !all.iter().all(|one| plan.amounts.contains_key(one)) {
            return Vec::new();
        }
        let mut least: BTreeMap<&QualifiedName, &Quantity> = BTreeMap::new();
        for (place, device) in all.into_iter().enumerate() {
            let names = problem.view.devices[device].device().capacity.keys();
            let taken: BTreeMap<_, _> = names.zip(&plan.amounts[&device]).collect();
            if place == 0 {
                least = taken;
                continue;
            }
            least.retain(|name, _| taken.contains_key(name));
            for (name, amount) in &mut least {
                *amount = (*amount).min(taken[name]);
            }
        }
        let count = i64::try_from(plan.needed).unwrap_or(i64::MAX);
        for (name, amount) in least {
            let sum = sums
                .entry(name)
                .or_insert_with(|| Sum::new(amount.format()));
            sum.needed += &times(amount.amount(), count);
        }
    }
    let is_candidate = |device: usize| {
        let mut plans = problem.plans.iter();
        plans.any(|plan| plan.candidates.contains(device))
    };
    let devices = problem.view.shareable.iter();
    for device in devices.filter(|device| is_candidate(*device)) {
        let names = problem.view.devices[device].device().capacity.keys();
        for (name, left) in names.zip(problem.state.capacity.left_of(device)) {
            if let Some(sum) = sums.get_mut(name) {
                sum.left += left;
            }
        }
    }
    let sums = sums.into_iter().map(|(name, sum)| Arithmetic::Capacities {
        device: None,
        capacity: name.clone(),
        needed: Quantity::new(sum.needed, sum.format),
        left: Quantity::new(sum.left, sum.format),
        after_release: None,
    });
    sums.collect()
}

struct Sum {
    needed: Amount,
    left: Amount,
    format: Format,
}

impl Sum {
    fn new(format: Format) -> Self {
        Self {
            needed: Amount::ZERO,
            left: Amount::ZERO,
            format,
        }
    }
}

/// Returns an amount so many times.
fn times(amount: &Amount, count: i64) -> Amount {
    let mut sum = Amount::ZERO;
    let (mut doubled, mut count) = (amount.clone(), count.max(0));
    while count > 0 {
        if count % 2 == 1 {
            sum += &doubled;
        }
        doubled = &doubled + &doubled;
        count /= 2;
    }
    sum
}

/// Returns the format in which a device writes what it takes of a counter.
fn format_of(device: &Device, counter: &Str) -> Format {
    let mut sets = device.consumes_counters.iter();
    let found = sets.find_map(|of_set| of_set.counters.get(counter));
    found.map_or(Format::DecimalSI, |counter| counter.value.format())
}
