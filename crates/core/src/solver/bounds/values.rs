//! Bounds from the values that constraints compare.

use crate::bitmap::Bitmap;
use crate::constraint::SetId;
use crate::solver::problem::{Later, Plan, Problem, Propagator, shown};

/// What is still to be picked: of a plan that is being worked on, and of
/// requests after it.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Rest<'p, 'a> {
    /// The plan with the first device it can have, and how many it needs.
    pub(in crate::solver) current: Option<(&'p Plan<'a>, usize, usize)>,
    /// The requests after it.
    pub(in crate::solver) later: Later<'p>,
}

/// Is a set of devices of which some are needed.
struct Part {
    needed: usize,
    /// Access for administration takes no device away from other parts.
    admin: bool,
    devices: Vec<(usize, SetId)>,
}

/// Returns whether the values that some constraint leaves are too few for the rest.
///
/// Admissible: all devices of a match constraint have one value in common in
/// the end, so there must be a value of which every request, and all of them
/// together, can get enough devices. Each device of a distinct constraint takes
/// a value that no other has, so there must be as many values as devices.
pub(in crate::solver) fn are_short(problem: &Problem<'_>, rest: Rest<'_, '_>) -> bool {
    (0..problem.constraints.len()).any(|constraint| {
        let parts = parts(problem, constraint, rest);
        !parts.is_empty()
            && match &problem.constraints[constraint].propagator {
                Propagator::Match(_) => no_value_serves(problem, constraint, &parts),
                Propagator::Distinct(_) => too_few_values(problem, constraint, &parts),
                // They look ahead themselves.
                _ => false,
            }
    })
}

/// Returns what a constraint is sure to get devices from.
fn parts(problem: &Problem<'_>, constraint: usize, rest: Rest<'_, '_>) -> Vec<Part> {
    let mut parts = Vec::new();
    if let Some((plan, start, left)) = rest.current
        && left > 0
        && let Some(devices) = devices(problem, constraint, plan, start)
    {
        parts.push(Part {
            needed: left,
            admin: plan.alternative.admin_access,
            devices,
        });
    }
    for request in rest.later.iter() {
        // A request with a choice may escape, or want another number.
        let [plan] = problem.plans_of(request) else {
            continue;
        };
        if plan.needed > 0
            && let Some(devices) = devices(problem, constraint, plan, 0)
        {
            let admin = plan.alternative.admin_access;
            parts.push(Part {
                needed: plan.needed,
                admin,
                devices,
            });
        }
    }
    parts
}

/// Returns the devices that a plan can still have, with what they show to a
/// constraint; nothing if it is not for the plan.
fn devices(
    problem: &Problem<'_>,
    constraint: usize,
    plan: &Plan<'_>,
    start: usize,
) -> Option<Vec<(usize, SetId)>> {
    let place = plan
        .constraints
        .iter()
        .position(|(other, _)| *other == constraint)?;
    let taken = problem
        .state
        .exclusive
        .taken(plan.claim, plan.alternative.admin_access);
    let mut devices = Vec::new();
    let mut next = plan.candidates.next(start);
    while let Some(device) = next {
        if !taken.contains(device)
            && let Some(set) = shown(plan, place, device)
        {
            devices.push((device, set));
        }
        next = plan.candidates.next(device + 1);
    }
    Some(devices)
}

fn no_value_serves(problem: &Problem<'_>, constraint: usize, parts: &[Part]) -> bool {
    let constraint = &problem.constraints[constraint];
    let Propagator::Match(propagator) = &constraint.propagator else {
        return false;
    };
    if let [Part { needed: 1, .. }] = parts {
        // One device is looked at when it is tried.
        return false;
    }
    let values: Vec<u32> = match propagator.common() {
        Some(common) => constraint.sets.values(common).to_vec(),
        None => (0..constraint.sets.value_count())
            .filter_map(|v| u32::try_from(v).ok())
            .collect(),
    };
    let serves = |value: &u32| {
        let (mut all, mut wanted) = (Bitmap::new(problem.view.devices.len()), 0_usize);
        for part in parts {
            let with = |(_, set): &&(usize, SetId)| constraint.sets.values(*set).contains(value);
            let (mut own, mut shared) = (0, 0);
            for (device, _) in part.devices.iter().filter(with) {
                if problem.serving.contains(*device) {
                    shared += 1;
                } else {
                    own += 1;
                    all.insert(*device);
                }
            }
            if own + shared < part.needed {
                return false;
            }
            if !part.admin {
                wanted = wanted.saturating_add(part.needed.saturating_sub(shared));
            }
        }
        wanted <= all.len()
    };
    !values.iter().any(serves)
}

fn too_few_values(problem: &Problem<'_>, constraint: usize, parts: &[Part]) -> bool {
    let constraint = &problem.constraints[constraint];
    let Propagator::Distinct(propagator) = &constraint.propagator else {
        return false;
    };
    let mut values = Bitmap::new(constraint.sets.value_count());
    let mut needed = 0_usize;
    for part in parts {
        needed = needed.saturating_add(part.needed);
        for (_, set) in &part.devices {
            if constraint.sets.is_incomparable(*set) {
                // It takes no value, but only where nobody came before.
                return false;
            }
            if propagator.admits(&constraint.sets, *set) {
                constraint
                    .sets
                    .values(*set)
                    .iter()
                    .for_each(|v| values.insert(*v as usize));
            }
        }
    }
    needed > values.len()
}
