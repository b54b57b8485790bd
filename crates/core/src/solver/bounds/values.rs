//! Bounds from the values that constraints compare.

use crate::bitmap::Bitmap;
use crate::constraint::{AttributeSets, SetId};
use crate::solver::problem::{Compared, Later, Plan, Problem, Propagator};

/// What is still to be picked: of a plan that is being worked on, and of
/// requests after it.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Rest<'p, 'a> {
    /// The plan with the first device it can have, and how many it needs.
    pub(in crate::solver) current: Option<(&'p Plan<'a>, usize, usize)>,
    /// The requests after it.
    pub(in crate::solver) later: Later<'p>,
}

/// Is a plan that still needs devices under a constraint.
struct Part<'p, 'a> {
    plan: &'p Plan<'a>,
    compared: &'p Compared,
    start: usize,
    needed: usize,
    taken: &'p Bitmap,
}

impl<'p, 'a> Part<'p, 'a> {
    /// Returns nothing if the constraint is not for the plan, or nothing is needed.
    fn of(
        problem: &'p Problem<'a>,
        constraint: usize,
        plan: &'p Plan<'a>,
        (start, needed): (usize, usize),
    ) -> Option<Self> {
        let compared = plan.compared(constraint)?;
        let exclusive = &problem.state.exclusive;
        (needed > 0).then(|| Self {
            plan,
            compared,
            start,
            needed,
            taken: exclusive.taken(plan.claim, plan.alternative.admin_access),
        })
    }

    /// Returns whether it can still have a device.
    fn can_have(&self, device: usize) -> bool {
        self.plan.candidates.contains(device) && !self.taken.contains(device)
    }

    /// Returns the devices with a value that it can still have.
    fn with(&self, sets: &'p AttributeSets, value: u32) -> impl Iterator<Item = usize> {
        let devices = self.compared.with(sets, value, self.start);
        devices.filter(|device| self.can_have(*device))
    }

    /// Returns what the devices show that it can still have.
    fn shown(&self) -> impl Iterator<Item = SetId> {
        let devices = self.plan.candidates.iter_from(self.start);
        let devices = devices.filter(|device| !self.taken.contains(*device));
        devices.filter_map(|device| self.compared.shown(device))
    }
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

/// Returns what a constraint is sure to get devices for.
fn parts<'p, 'a>(
    problem: &'p Problem<'a>,
    constraint: usize,
    rest: Rest<'p, 'a>,
) -> Vec<Part<'p, 'a>> {
    let part = |plan, rest| Part::of(problem, constraint, plan, rest);
    let current = rest.current.into_iter();
    let current = current.filter_map(|(plan, start, left)| part(plan, (start, left)));
    let later = rest.later.iter().filter_map(|request| {
        // A request with a choice may escape, or want another number.
        let [plan] = problem.plans_of(request) else {
            return None;
        };
        part(plan, (0, plan.needed))
    });
    current.chain(later).collect()
}

fn no_value_serves(problem: &Problem<'_>, constraint: usize, parts: &[Part<'_, '_>]) -> bool {
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
    let sets = &constraint.sets;
    let serves = |value: &u32| {
        let finds_enough =
            |part: &Part<'_, '_>| part.with(sets, *value).take(part.needed).count() == part.needed;
        if !parts.iter().all(finds_enough) {
            return false;
        }
        if let [_] = parts {
            return true;
        }
        let (mut all, mut wanted) = (Bitmap::new(problem.view.devices.len()), 0_usize);
        for part in parts {
            let mut shared = 0;
            for device in part.with(sets, *value) {
                if problem.serving.contains(device) {
                    shared += 1;
                } else {
                    all.insert(device);
                }
            }
            // Access for administration takes no device away from other parts.
            if !part.plan.alternative.admin_access {
                wanted = wanted.saturating_add(part.needed.saturating_sub(shared));
            }
        }
        wanted <= all.len()
    };
    !values.iter().any(serves)
}

fn too_few_values(problem: &Problem<'_>, constraint: usize, parts: &[Part<'_, '_>]) -> bool {
    let constraint = &problem.constraints[constraint];
    let Propagator::Distinct(propagator) = &constraint.propagator else {
        return false;
    };
    let mut values = Bitmap::new(constraint.sets.value_count());
    let mut needed = 0_usize;
    for part in parts {
        needed = needed.saturating_add(part.needed);
        for set in part.shown() {
            if constraint.sets.is_incomparable(set) {
                // It takes no value, but only where nobody came before.
                return false;
            }
            if propagator.admits(&constraint.sets, set) {
                constraint
                    .sets
                    .values(set)
                    .iter()
                    .for_each(|v| values.insert(*v as usize));
            }
        }
    }
    needed > values.len()
}
