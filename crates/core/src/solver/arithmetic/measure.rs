//! Measures requests against what there is, a rule at a time.

use dralloc_topology::Rate;

use super::{Arithmetic, sums};
use crate::bitmap::Bitmap;
use crate::constraint::RingRate;
use crate::model::Quantity;
use crate::number::number;
use crate::solver::bounds::{self, Wanting};
use crate::solver::problem::{Plan, Problem, Propagator, shown};

/// Returns how much requests need and how much there is, with nothing picked.
///
/// All of it is there, whether it is short or not, in the order in which people
/// want to know it. Places are those of the constraints in the question. Where one device
/// stands for all that lack something it is one of those that are freed, if there are such:
/// what is said of a release is of the same device then.
pub(crate) fn measure(
    problem: &Problem<'_>,
    places: &[(usize, usize)],
    freed: &Bitmap,
) -> Vec<Arithmetic> {
    let mut found = Vec::new();
    let details = sums::details(problem, freed);
    let plans = &problem.plans;
    if plans.iter().all(|plan| plan.candidates.next(0).is_none()) {
        // It says more than that there is no device.
        found.extend(details.clone());
        found.extend(counts(problem));
    } else {
        found.extend(counts(problem));
        found.extend(details);
    }
    for constraint in 0..problem.constraints.len() {
        found.extend(values(problem, constraint, places));
    }
    found.extend(sums::counters(problem));
    found.extend(sums::capacities(problem));
    found
}

/// Counts devices for one request by its alternatives, or for several.
fn counts(problem: &Problem<'_>) -> Vec<Arithmetic> {
    if let [request] = &*problem.requests {
        let plans = &problem.plans[request.clone()];
        let count = |plan: &Plan<'_>| Arithmetic::Count {
            alternative: (plans.len() > 1).then(|| plan.alternative.name.to_string().into()),
            // Of all, there must be one.
            needed: plan.needed.max(1),
            available: bounds::available(problem, plan, 0, usize::MAX),
            after_release: None,
        };
        return plans.iter().map(count).collect();
    }
    let needed = least_needed(problem).fold(0, usize::saturating_add);
    let wanting: Vec<&Wanting> = problem.wanting.iter().collect();
    let short = shortage(problem, &wanting);
    let available = needed.saturating_sub(short);
    vec![Arithmetic::Count {
        alternative: None,
        needed,
        available,
        after_release: None,
    }]
}

/// Returns how many devices each request needs at least.
fn least_needed(problem: &Problem<'_>) -> impl Iterator<Item = usize> {
    (0..problem.requests.len()).map(|request| {
        let plans = problem.plans_of(request).iter();
        plans.map(|plan| plan.needed).min().unwrap_or(0)
    })
}

/// Returns of how many devices that are wanted there is none.
fn shortage(problem: &Problem<'_>, wanting: &[&Wanting]) -> usize {
    let wanted = wanting.iter().map(|one| one.needed);
    let wanted = wanted.fold(0, usize::saturating_add);
    wanted.saturating_sub(bounds::served(problem, wanting))
}

/// Compares what requests need with the values of a constraint.
fn values(
    problem: &Problem<'_>,
    constraint: usize,
    places: &[(usize, usize)],
) -> Option<Arithmetic> {
    let of = &problem.constraints[constraint];
    let (claim, own_place) = *places.get(constraint)?;
    let attribute = of.name();
    let (mut asked, mut needed) = (Vec::new(), 0_usize);
    for request in 0..problem.requests.len() {
        let [plan] = problem.plans_of(request) else {
            // One with a choice may escape.
            continue;
        };
        let place = plan
            .constraints
            .iter()
            .position(|compared| compared.constraint == constraint);
        if let Some(place) = place {
            asked.push((plan, place));
            needed = needed.saturating_add(plan.needed);
        }
    }
    if asked.is_empty() {
        return None;
    }
    match &of.propagator {
        Propagator::Match(_) => {
            let all = (0..of.sets.value_count()).map(number);
            let served = |value: u32| {
                let with = |(plan, place): &(&Plan<'_>, usize)| {
                    wanting_with(problem, plan, *place, constraint, value)
                };
                let own: Vec<Wanting> = asked.iter().map(with).collect();
                needed.saturating_sub(shortage(problem, &own.iter().collect::<Vec<_>>()))
            };
            Some(Arithmetic::Values {
                claim,
                constraint: own_place,
                attribute,
                requests: asked.len(),
                needed,
                available: all.map(served).max().unwrap_or(0),
                after_release: None,
            })
        }
        Propagator::Distinct(_) => {
            let mut values = Bitmap::new(of.sets.value_count());
            for (plan, place) in &asked {
                let sets = plan.candidates.iter();
                let sets = sets.filter_map(|device| shown(plan, *place, device));
                for set in sets {
                    if of.sets.is_incomparable(set) {
                        return None;
                    }
                    let of_set = of.sets.values(set).iter();
                    of_set.for_each(|value| values.insert(*value as usize));
                }
            }
            Some(Arithmetic::Distinct {
                claim,
                constraint: own_place,
                attribute,
                needed,
                available: values.len(),
                after_release: None,
            })
        }
        Propagator::Ring(ring) => rings(problem, constraint, claim, ring),
        _ => None,
    }
}

/// Compares the rings that a policy requires with the best ones.
fn rings(
    problem: &Problem<'_>,
    constraint: usize,
    claim: usize,
    ring: &RingRate,
) -> Option<Arithmetic> {
    let is_under = |plan: &Plan<'_>| plan.compared(constraint).is_some();
    let mut requests = (0..problem.requests.len()).map(|request| problem.plans_of(request));
    // One with a choice may need other devices, or none.
    if requests.any(|plans| plans.len() > 1 && plans.iter().any(is_under)) {
        return None;
    }
    let (devices, rate) = ring.best()?;
    Some(Arithmetic::Rings {
        claim,
        devices,
        needed: ring.least().clone(),
        available: Quantity::parse(&Rate::from_thousandths(rate).to_string()).ok()?,
        after_release: None,
    })
}

/// Returns what a plan wants of the devices with a value.
fn wanting_with(
    problem: &Problem<'_>,
    plan: &Plan<'_>,
    place: usize,
    constraint: usize,
    value: u32,
) -> Wanting {
    let sets = &problem.constraints[constraint].sets;
    let mut devices = Bitmap::new(problem.view.devices.len());
    for device in plan.candidates.iter() {
        let has = |set| sets.values(set).contains(&value);
        if shown(plan, place, device).is_some_and(has) {
            devices.insert(device);
        }
    }
    let needed = if plan.alternative.admin_access {
        0
    } else {
        plan.needed
    };
    Wanting::of(problem, devices, needed)
}
