//! [`Shares`]: how many shares devices have left.

use super::values::Rest;
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::outcome::StopCause;
use crate::solver::problem::Problem;

/// Holds classes of requests that want shares of the same devices.
pub(in crate::solver) struct Shares {
    classes: Vec<Class>,
}

/// Is a class of requests with the same candidates.
struct Class {
    /// By request: how many devices it needs; nothing if it is of another class.
    needed: Vec<Option<usize>>,
    /// Devices that serve one request at most.
    single: Bitmap,
    /// Devices that serve as many as their capacity is enough for, with the least
    /// that any request of the class takes of each capacity.
    shared: Vec<(usize, Vec<i128>)>,
}

impl Shares {
    pub(in crate::solver) fn new(
        problem: &Problem<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let mut classes: Vec<Class> = Vec::new();
        let mut candidates: Vec<&Bitmap> = Vec::new();
        for request in 0..problem.requests.len() {
            let [plan] = problem.plans_of(request) else {
                continue;
            };
            let shared = plan.candidates.len() - plan.candidates.len_without(&problem.serving);
            if plan.alternative.admin_access || shared == 0 {
                continue;
            }
            let own = |device: usize| -> Vec<i128> {
                let amounts = plan.amounts.get(&device).into_iter().flatten();
                // What cannot be written in plain numbers counts as nothing.
                amounts
                    .map(|amount| amount.amount().as_nanos().unwrap_or(0))
                    .collect()
            };
            let known = candidates
                .iter()
                .position(|other| **other == plan.candidates);
            let place = if let Some(known) = known {
                known
            } else {
                let mut single = plan.candidates.clone();
                single.subtract(&problem.serving);
                let mut shared = Vec::new();
                for device in plan.candidates.iter() {
                    meter.effort(1)?;
                    if problem.serving.contains(device) {
                        shared.push((device, own(device)));
                    }
                }
                candidates.push(&plan.candidates);
                classes.push(Class {
                    needed: vec![None; problem.requests.len()],
                    single,
                    shared,
                });
                classes.len() - 1
            };
            let class = &mut classes[place];
            class.needed[request] = Some(plan.needed);
            for (device, least) in &mut class.shared {
                meter.effort(1)?;
                let own = own(*device);
                least.truncate(own.len());
                for (least, own) in least.iter_mut().zip(own) {
                    *least = own.min(*least);
                }
            }
        }
        Ok(Self { classes })
    }

    /// Returns whether the requests of some class want more than there is.
    ///
    /// Admissible: a device serves a request once, and no more requests than the
    /// least share of any capacity goes into what is left of it.
    pub(in crate::solver) fn are_short(&self, problem: &Problem<'_>, rest: Rest<'_, '_>) -> bool {
        self.classes.iter().any(|class| {
            let (mut requests, mut wanted) = (0, 0_usize);
            if let Some((plan, _, left)) = rest.current
                && left > 0
                && class.needed[plan.request].is_some()
            {
                requests += 1;
                wanted = left;
            }
            for needed in rest
                .later
                .iter()
                .filter_map(|request| class.needed[request])
            {
                requests += 1;
                wanted = wanted.saturating_add(needed);
            }
            let taken = problem.state.exclusive.taken_by_any();
            let single = class.single.len_without(taken);
            let mut missing = wanted.saturating_sub(single);
            for (device, least) in &class.shared {
                if missing == 0 {
                    return false;
                }
                let serves = problem.state.capacity.times(*device, least, requests);
                missing = missing.saturating_sub(serves);
            }
            missing > 0
        })
    }
}
