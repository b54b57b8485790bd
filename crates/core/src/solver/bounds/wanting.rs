//! [`Wanting`]: how many devices a request takes away from others at least.

use super::count::has_enough;
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::outcome::StopCause;
use crate::solver::problem::Problem;

/// Relaxes a request to a number of devices and where they can come from.
///
/// A request with a choice wants the least number of those alternatives that can
/// be had, from any of their devices. Devices that several can share lower the number
/// instead. Access for administration takes nothing.
#[derive(Debug, Default)]
pub(in crate::solver) struct Wanting {
    pub(in crate::solver) needed: usize,
    pub(in crate::solver) devices: Bitmap,
}

impl Wanting {
    pub(in crate::solver) fn new(problem: &Problem<'_>, request: usize) -> Self {
        let plans = problem.plans_of(request).iter();
        let possible: Vec<_> = plans.filter(|plan| plan.possible).collect();
        let open = possible.iter().filter(|plan| has_enough(problem, plan));
        let open: Vec<_> = open.copied().collect();
        // A request that cannot be served at all still wants what it asks for.
        let wanted = if open.is_empty() { possible } else { open };
        let mut devices = Bitmap::new(problem.view.devices.len());
        let mut needed = usize::MAX;
        for plan in wanted {
            devices.unite(&plan.candidates);
            needed = needed.min(if plan.alternative.admin_access {
                0
            } else {
                plan.needed
            });
        }
        Self::of(problem, devices, needed)
    }

    /// Returns what is wanted of devices, of which some serve everybody.
    pub(in crate::solver) fn of(problem: &Problem<'_>, mut devices: Bitmap, needed: usize) -> Self {
        let before = devices.len();
        devices.subtract(&problem.serving);
        let shared = before - devices.len();
        Self {
            needed: needed.saturating_sub(shared),
            devices,
        }
    }
}

/// Returns the shared devices that may serve more than one request.
///
/// The others have a capacity of which the two smallest shares that anybody
/// takes are more than is left: like devices that are not shared, they serve
/// one request at most.
///
/// # Errors
///
/// If it is stopped.
pub(in crate::solver) fn serving(
    problem: &Problem<'_>,
    meter: &mut Meter<'_>,
) -> Result<Bitmap, StopCause> {
    let mut serving = problem.view.shareable.clone();
    for device in problem.view.shareable.iter() {
        meter.effort(1 + problem.plans.len() as u64)?;
        let takers = problem
            .plans
            .iter()
            .filter(|plan| !plan.alternative.admin_access && plan.candidates.contains(device));
        // Where capacities are no matter at all, there are none.
        let amounts: Vec<_> = takers
            .filter_map(|plan| plan.amounts.get(&device))
            .collect();
        let Some(first) = amounts.first() else {
            continue;
        };
        let single = (0..first.len()).any(|place| {
            let least = amounts.iter().map(|amounts| amounts[place].amount()).min();
            least.is_some_and(|least| !problem.state.capacity.has_twice(device, place, least))
        });
        if single {
            serving.remove(device);
        }
    }
    Ok(serving)
}
