//! Requests need more devices, or more values, than there are.

use dralloc_quantity::Amount;

use super::case::{Case, are_same, exclude, shows};
use super::flow::{Want, deficient};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::outcome::StopCause;
use crate::solver::problem::{Problem, Propagator};

/// Returns how many devices requests need together.
pub(super) fn needed(problem: &Problem<'_>, case: &Case, requests: &[usize]) -> usize {
    let needed = requests
        .iter()
        .map(|request| case.needed(problem, *request));
    needed.fold(0, usize::saturating_add)
}

/// Returns all devices that any of some requests can have.
pub(super) fn serving(problem: &Problem<'_>, case: &Case, requests: &[usize]) -> Bitmap {
    let mut serving = Bitmap::new(problem.view.devices.len());
    for request in requests {
        serving.unite(&case.serving(problem, *request));
    }
    serving
}

/// Returns requests that need more devices than there are for them.
pub(super) fn short(
    problem: &Problem<'_>,
    case: &Case,
    order: &[usize],
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<usize>>, StopCause> {
    let all = 0..problem.requests.len();
    let is_short = |requests: &[usize]| {
        let serving = serving(problem, case, requests);
        needed(problem, case, requests) > available(problem, case, requests, &serving, order)
    };
    if let Some(request) = all.clone().find(|request| is_short(&[*request])) {
        return Ok(Some(vec![request]));
    }
    let admin = |request: &usize| {
        let plans = problem.plans_of(*request).first();
        plans.is_some_and(|plan| plan.alternative.admin_access)
    };
    let claim = |request: usize| problem.plans_of(request).first().map(|plan| plan.claim);
    let mut rivals = vec![
        all.clone()
            .filter(|request| !admin(request))
            .collect::<Vec<_>>(),
    ];
    // Access for administration has rivals in its claim alone.
    for request in all.clone().filter(admin) {
        let mut of_claim: Vec<usize> = Vec::new();
        for other in all.clone().filter(|other| claim(*other) == claim(request)) {
            if of_claim
                .iter()
                .all(|before| exclude(problem, *before, other))
            {
                of_claim.push(other);
            }
        }
        if !rivals.contains(&of_claim) {
            rivals.push(of_claim);
        }
    }
    for rivals in rivals.into_iter().filter(|rivals| rivals.len() > 1) {
        let wants: Vec<Want> = rivals
            .iter()
            .map(|request| Want {
                needed: case.needed(problem, *request),
                kinds: case.serving(problem, *request),
            })
            .collect();
        let devices = 0..problem.view.devices.len();
        let places: Vec<usize> = devices
            .map(|device| places(problem, case, &rivals, device))
            .collect();
        if let Some(short) = deficient(&wants, &places, meter)? {
            let requests: Vec<usize> = short.into_iter().map(|want| rivals[want]).collect();
            if is_short(&requests) {
                return Ok(Some(requests));
            }
        }
        if !problem.view.twins.is_empty() && is_short(&rivals) {
            return Ok(Some(rivals));
        }
    }
    Ok(None)
}

/// Returns how many devices some requests can have together at most.
pub(super) fn available(
    problem: &Problem<'_>,
    case: &Case,
    requests: &[usize],
    devices: &Bitmap,
    order: &[usize],
) -> usize {
    let admin = requests.iter().any(|request| {
        let mut plans = problem.plans_of(*request).iter();
        plans.any(|plan| plan.alternative.admin_access)
    });
    let mut left = devices.clone();
    let mut available = 0;
    for device in order.iter().copied() {
        if !left.contains(device) {
            continue;
        }
        let mut group = vec![device];
        if !admin && !problem.view.twins.is_empty() {
            let others = order.iter().copied();
            group.extend(
                others.filter(|other| left.contains(*other) && are_same(problem, device, *other)),
            );
            let all_same = group.iter().all(|one| {
                group
                    .iter()
                    .all(|other| one == other || are_same(problem, *one, *other))
            });
            if !all_same {
                group.truncate(1);
            }
        }
        for one in &group {
            left.remove(*one);
        }
        let places = group
            .iter()
            .map(|one| places(problem, case, requests, *one));
        available += places.max().unwrap_or(0);
    }
    available
}

/// Returns how many of some requests can have a device at the same time at most.
fn places(problem: &Problem<'_>, case: &Case, requests: &[usize], device: usize) -> usize {
    let has = |request: &&usize| {
        case.left(problem, **request)
            .any(|(_, candidates)| candidates.contains(device))
    };
    let serving: Vec<usize> = requests.iter().filter(has).copied().collect();
    if problem.view.shareable.contains(device) {
        return shares(problem, case, &serving, device);
    }
    let excludes_all = serving.iter().enumerate().all(|(place, one)| {
        serving[..place]
            .iter()
            .all(|other| exclude(problem, *one, *other))
    });
    if excludes_all {
        serving.len().min(1)
    } else {
        serving.len()
    }
}

fn shares(problem: &Problem<'_>, case: &Case, requests: &[usize], device: usize) -> usize {
    let left = problem.state.capacity.left_of(device);
    let mut shares = requests.len();
    for (place, left) in left.iter().enumerate() {
        let least = |request: &usize| {
            let plans = case.left(problem, *request);
            let plans = plans.filter(|(_, candidates)| candidates.contains(device));
            let amount = |plan: usize| {
                let plan = &problem.plans[plan];
                let admin = plan.alternative.admin_access;
                let amounts = plan.amounts.get(&device).filter(|_| !admin);
                let amount = amounts.and_then(|amounts| amounts.get(place));
                amount.map_or(Amount::ZERO, |amount| amount.amount().clone())
            };
            plans
                .map(|(plan, _)| amount(plan))
                .min()
                .unwrap_or(Amount::ZERO)
        };
        let mut amounts: Vec<Amount> = requests.iter().map(least).collect();
        amounts.sort();
        let mut rest = left.clone();
        let fits = amounts.iter().take_while(|amount| {
            rest -= *amount;
            !rest.is_negative()
        });
        shares = shares.min(fits.count());
    }
    shares
}

/// Is too few values for some requests.
pub(super) struct Distinct {
    pub(super) constraint: usize,
    pub(super) requests: Vec<usize>,
    /// Numbers of values in the constraint.
    pub(super) values: Vec<u32>,
    pub(super) needed: usize,
    pub(super) available: usize,
}

/// Returns requests for which a constraint that tells devices apart has too few values.
pub(super) fn short_of_values(
    problem: &Problem<'_>,
    case: &Case,
    meter: &mut Meter<'_>,
) -> Result<Option<Distinct>, StopCause> {
    for (id, constraint) in problem.constraints.iter().enumerate() {
        let Propagator::Distinct(_) = constraint.propagator else {
            continue;
        };
        let joins = |request: &usize| case.joining(problem, *request, id) > 0;
        let joining: Vec<usize> = (0..problem.requests.len()).filter(joins).collect();
        let count = constraint.sets.value_count();
        let mut places = vec![1; count];
        // One that cannot be compared may be the first.
        places.push(1);
        let wants = joining.iter().map(|request| {
            let mut kinds = Bitmap::new(count + 1);
            for set in case.shown(problem, *request, id) {
                let values = constraint.sets.values(set);
                for value in values {
                    kinds.insert(*value as usize);
                }
                if values.is_empty() {
                    kinds.insert(count);
                }
            }
            Want {
                needed: case.joining(problem, *request, id),
                kinds,
            }
        });
        let wants: Vec<Want> = wants.collect();
        if let Some(short) = deficient(&wants, &places, meter)? {
            let mut kinds = Bitmap::new(count + 1);
            for want in &short {
                kinds.unite(&wants[*want].kinds);
            }
            let values = kinds.iter().filter(|kind| *kind < count);
            let requests: Vec<usize> = short.iter().map(|want| joining[*want]).collect();
            let needed = requests
                .iter()
                .map(|request| case.joining(problem, *request, id));
            return Ok(Some(Distinct {
                constraint: id,
                needed: needed.fold(0, usize::saturating_add),
                requests,
                values: values
                    .filter_map(|value| u32::try_from(value).ok())
                    .collect(),
                available: kinds.len(),
            }));
        }
    }
    Ok(None)
}

/// Returns the first device of each group of a plan's candidates that nothing
/// tells apart, with its group.
pub(super) fn groups(
    problem: &Problem<'_>,
    case: &Case,
    plan: usize,
    order: &[usize],
    counts_alike: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let Some(candidates) = &case.candidates[plan] else {
        return groups;
    };
    for device in order
        .iter()
        .copied()
        .filter(|device| candidates.contains(*device))
    {
        let is_like = |group: &&mut Vec<usize>| {
            are_alike(problem, case, group[0], device) && counts_alike(group[0], device)
        };
        match groups.iter_mut().find(is_like) {
            Some(group) => group.push(device),
            None => groups.push(vec![device]),
        }
    }
    groups
}

/// Returns whether two devices can change places in any answer.
fn are_alike(problem: &Problem<'_>, case: &Case, one: usize, other: usize) -> bool {
    let view = problem.view;
    let (first, second) = (&view.devices[one], &view.devices[other]);
    let is_given = |device: usize| case.got.iter().any(|got| got.device == device);
    let has_twins = |device: usize| view.twins.of(device).next().is_some();
    let state = &problem.state;
    let (one_model, other_model) = (first.device(), second.device());
    first.pool() == second.pool()
        && one_model.consumes_counters == other_model.consumes_counters
        && state.counters.is_paid(one) == state.counters.is_paid(other)
        && view.shareable.contains(one) == view.shareable.contains(other)
        && one_model.capacity == other_model.capacity
        && state.capacity.left_of(one) == state.capacity.left_of(other)
        && ![one, other]
            .into_iter()
            .any(|device| is_given(device) || has_twins(device))
        && problem
            .machine
            .as_ref()
            .is_none_or(|machine| machine.are_alike(one, other))
        && problem
            .plans
            .iter()
            .zip(&case.candidates)
            .all(|(plan, candidates)| {
                let Some(candidates) = candidates else {
                    return true;
                };
                let shows = |id: usize| shows(plan, id, one) == shows(plan, id, other);
                candidates.contains(one) == candidates.contains(other)
                    && plan.candidates.contains(one) == plan.candidates.contains(other)
                    && plan.amounts.get(&one) == plan.amounts.get(&other)
                    && (!plan.candidates.contains(one)
                        || plan
                            .constraints
                            .iter()
                            .all(|compared| shows(compared.constraint)))
            })
}
