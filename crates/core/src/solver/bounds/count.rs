//! Whether there are enough devices, by their number.

use super::wanting::Wanting;
use crate::bitmap::Bitmap;
use crate::rules::MAX_DEVICES;
use crate::solver::problem::{Later, Plan, Problem, Propagator};

/// Returns whether some later request cannot get its devices any more, each
/// request taken for itself.
///
/// Admissible: picks only ever take devices away, and a match constraint's
/// common values only ever shrink, so that what is not there now never comes.
pub(in crate::solver) fn is_hopeless(problem: &Problem<'_>, later: Later<'_>) -> bool {
    later.iter().any(|request| {
        !problem
            .plans_of(request)
            .iter()
            .any(|plan| plan.possible && has_enough(problem, plan))
    })
}

/// Returns whether a plan finds enough devices, taken for itself.
pub(in crate::solver) fn has_enough(problem: &Problem<'_>, plan: &Plan<'_>) -> bool {
    available(problem, plan, 0, plan.needed) >= plan.needed
}

/// Returns whether later requests want more devices than their claims may have,
/// of which one has a number left.
///
/// Admissible: each request gets as many devices as one of its plans needs that
/// can still be had.
pub(in crate::solver) fn is_over_limit(
    problem: &Problem<'_>,
    later: Later<'_>,
    (claim, room): (usize, usize),
) -> bool {
    let mut left = (claim, room);
    later.iter().any(|request| {
        let first = problem.plans_of(request).first();
        let claim = first.map_or(left.0, |plan| plan.claim);
        if claim != left.0 {
            left = (claim, MAX_DEVICES);
        }
        if !problem.is_limited(claim) {
            return false;
        }
        let rest = problem.least_of(request);
        let rest = rest.and_then(|least| left.1.checked_sub(least));
        left.1 = rest.unwrap_or(0);
        rest.is_none()
    })
}

/// Returns whether a plan that still needs `left` devices from `start` on, and
/// later requests, want more devices than there are for all of them.
///
/// Admissible: the sum of what they want is compared with all that any of them
/// can have.
pub(in crate::solver) fn is_short(
    problem: &Problem<'_>,
    plan: &Plan<'_>,
    (start, left): (usize, usize),
    later: Later<'_>,
) -> bool {
    let wanting = later.iter().map(|request| &problem.wanting[request]);
    if wanting.clone().all(|one| one.needed == 0) {
        return false;
    }
    let (devices, needed) = wanted_in_all(problem, Some((plan, start, left)), later);
    needed > devices.len_without(problem.state.exclusive.taken_by_any())
}

/// Returns the devices that what is left of a plan and later requests can have that
/// take some away from others, picked or not, and how many they want together.
pub(in crate::solver) fn wanted_in_all(
    problem: &Problem<'_>,
    current: Option<(&Plan<'_>, usize, usize)>,
    later: Later<'_>,
) -> (Bitmap, usize) {
    let (mut devices, mut needed) = (Bitmap::new(problem.view.devices.len()), 0_usize);
    if let Some((plan, start, left)) = current
        && left > 0
        && !plan.alternative.admin_access
    {
        let mut rest = plan.candidates.clone();
        rest.remove_below(start);
        let current = Wanting::of(problem, rest, left);
        devices = current.devices;
        needed = current.needed;
    }
    let wanting = later.iter().map(|request| &problem.wanting[request]);
    for one in wanting.filter(|one| one.needed > 0) {
        devices.unite(&one.devices);
        needed = needed.saturating_add(one.needed);
    }
    (devices, needed)
}

/// Returns how many of some devices at least one request cannot have beside the
/// others and what is picked, since they are physically the same.
///
/// Admissible: of each group of twins it leaves what one pool has of it.
fn without_twins(problem: &Problem<'_>, is_one: impl Fn(usize) -> bool) -> usize {
    let (twins, picks) = (&problem.view.twins, &problem.state.twins);
    let admits = |device: &usize| picks.admits(problem.view, *device);
    let blocked = twins
        .places()
        .filter(|device| is_one(*device) && !admits(device));
    blocked.count() + twins.surplus(|device| is_one(device) && admits(&device))
}

/// Returns how many devices from `start` on a plan can still get; or a larger
/// number if it is at least `enough`.
///
/// Each constraint is looked at for itself, and the least count of them
/// counts: a device must pass all of them, so the count is never too small.
pub(in crate::solver) fn available(
    problem: &Problem<'_>,
    plan: &Plan<'_>,
    start: usize,
    enough: usize,
) -> usize {
    let taken = problem
        .state
        .exclusive
        .taken(plan.claim, plan.alternative.admin_access);
    let mut least = plan.candidates.len_from_without(start, taken);
    if !plan.alternative.admin_access && !problem.view.twins.is_empty() {
        least -= without_twins(problem, |device| {
            device >= start && plan.candidates.contains(device) && !taken.contains(device)
        });
    }
    for compared in &plan.constraints {
        if least < enough {
            break;
        }
        let constraint = &problem.constraints[compared.constraint];
        let Propagator::Match(propagator) = &constraint.propagator else {
            continue;
        };
        let Some(common) = propagator.common() else {
            continue;
        };
        let agreeing = compared.with_any(&constraint.sets, common, start);
        let is_free =
            |device: &usize| plan.candidates.contains(*device) && !taken.contains(*device);
        least = least.min(agreeing.filter(is_free).take(enough).count());
    }
    least
}
