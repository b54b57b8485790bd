//! Which requests have to do with each other.

use std::collections::BTreeMap;

use super::Problem;
use crate::budget::Meter;
use crate::disjoint_sets::DisjointSets;
use crate::outcome::StopCause;

/// Returns by request the number of its component: requests of different ones
/// have nothing to do with each other, whatever is picked for them.
///
/// Those have that may pick the same device (or fail on it), are under the same
/// constraint, pick of devices that share counters or groups (whose pools are
/// the same), or have a choice, which changes how many devices the others of
/// their claim may have. Access for administration sees of the picks of its claim
/// only those that it may have itself. Devices that are physically the same are too
/// rare to be exact.
///
/// # Errors
///
/// If it is stopped.
pub(in crate::solver) fn of(
    problem: &Problem<'_>,
    meter: &mut Meter<'_>,
) -> Result<Vec<usize>, StopCause> {
    let count = problem.requests.len();
    let mut sets = DisjointSets::new(count);
    if !problem.view.twins.is_empty() {
        return Ok(vec![0; count]);
    }
    let devices = problem.view.devices.len();
    let mut pools = vec![usize::MAX; devices];
    for pool in 0..problem.view.pools.len() {
        for device in problem.view.of_pool(pool) {
            pools[device] = pool;
        }
    }
    let mut first_of_device: Vec<Option<usize>> = vec![None; devices];
    let (mut of_pool, mut of_constraint, mut of_claim) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for plan in &problem.plans {
        let request = plan.request;
        meter.look_at(plan.candidates.len())?;
        let failing = plan.failing.iter().map(|failing| failing.device);
        for device in plan.candidates.iter().chain(failing) {
            let first = *first_of_device[device].get_or_insert(request);
            sets.join(first, request);
            if !problem.view.devices[device]
                .device()
                .consumes_counters
                .is_empty()
            {
                sets.join(*of_pool.entry(pools[device]).or_insert(request), request);
            }
        }
        for compared in &plan.constraints {
            sets.join(
                *of_constraint.entry(compared.constraint).or_insert(request),
                request,
            );
        }
        of_claim
            .entry(plan.claim)
            .or_insert_with(Vec::new)
            .push(plan);
    }
    for plans in of_claim.into_values() {
        let has_choice = plans
            .windows(2)
            .any(|pair| pair[0].request == pair[1].request);
        if has_choice {
            for plan in &plans {
                sets.join(plans[0].request, plan.request);
            }
        }
    }
    Ok((0..count).map(|request| sets.first(request)).collect())
}
