//! What the requests of a claim leave one another: it has so many devices at most.

use std::collections::BTreeMap;

use super::Problem;
use super::plan::Plan;
use crate::rules::MAX_DEVICES;
use crate::solver::bounds;

impl Problem<'_> {
    /// Returns by claim whether alternatives of its requests are too much together.
    pub(in crate::solver) fn limited_claims(&self, claims: usize) -> Vec<bool> {
        let mut most = vec![0_usize; claims];
        for request in 0..self.requests.len() {
            let plans = self.plans_of(request);
            let needed = plans.iter().map(|plan| plan.needed).max();
            if let Some(most) = plans.first().and_then(|plan| most.get_mut(plan.claim)) {
                *most = most.saturating_add(needed.unwrap_or(0));
            }
        }
        most.iter().map(|most| *most > MAX_DEVICES).collect()
    }

    /// Returns whether a claim may have more than it can have in any way.
    pub(in crate::solver) fn is_limited(&self, claim: usize) -> bool {
        self.limited.get(claim) == Some(&true)
    }

    /// Returns how many devices a claim may have beside those of chosen plans.
    pub(in crate::solver) fn room(&self, claim: usize, chosen: &[usize]) -> usize {
        let chosen = chosen.iter().map(|plan| &self.plans[*plan]);
        let of_claim = chosen.filter(|plan| plan.claim == claim);
        let needed = of_claim.map(|plan| plan.needed);
        MAX_DEVICES.saturating_sub(needed.fold(0, usize::saturating_add))
    }

    /// Returns how many devices a request takes at least, of the plans that can
    /// still be had; nothing if none can.
    pub(in crate::solver) fn least_of(&self, request: usize) -> Option<usize> {
        let plans = self.plans_of(request).iter();
        let open = plans.filter(|plan| plan.possible && bounds::has_enough(self, plan));
        open.map(|plan| plan.needed).min()
    }

    /// Returns whether a plan leaves enough to the requests of its claim after it
    /// and before an end; a target among those gets just that plan.
    ///
    /// Counts do not depend on which devices are picked: nothing else can make a
    /// claim smaller than to choose other alternatives before.
    pub(in crate::solver) fn leaves_enough(
        &self,
        plan: usize,
        chosen: &[usize],
        end: usize,
        target: Option<usize>,
    ) -> bool {
        let choice = &self.plans[plan];
        if !self.is_limited(choice.claim) {
            return true;
        }
        let later = (choice.request + 1..end).take_while(|later| {
            let first = self.plans_of(*later).first();
            first.is_some_and(|first| first.claim == choice.claim)
        });
        let target = target.map(|target| &self.plans[target]);
        let least = later.map(|later| {
            let target = target.filter(|target| target.request == later);
            let needed = target.map(|target| target.needed);
            needed.or_else(|| self.least_of(later)).unwrap_or(0)
        });
        // A count may be anything that the API lets through.
        let needed = least.fold(choice.needed, usize::saturating_add);
        needed <= self.room(choice.claim, chosen)
    }
}

/// Is what the requests of limited claims take at least, each and by claim.
pub(in crate::solver) struct Least {
    of_request: Vec<usize>,
    of_claim: BTreeMap<usize, usize>,
}

impl Least {
    pub(in crate::solver) fn new(problem: &Problem<'_>) -> Self {
        let mut least = Self {
            of_request: vec![0; problem.requests.len()],
            of_claim: BTreeMap::new(),
        };
        for request in 0..problem.requests.len() {
            let first = problem.plans_of(request).first();
            let Some(claim) = first.map(|plan| plan.claim) else {
                continue;
            };
            if problem.is_limited(claim) {
                let own = problem.least_of(request).unwrap_or(0);
                least.of_request[request] = own;
                let sum = least.of_claim.entry(claim).or_default();
                *sum = sum.saturating_add(own);
            }
        }
        least
    }

    /// Returns whether a plan leaves enough to all other requests of its claim.
    pub(in crate::solver) fn leaves_enough(&self, problem: &Problem<'_>, plan: &Plan<'_>) -> bool {
        if !problem.is_limited(plan.claim) {
            return true;
        }
        let all = self.of_claim.get(&plan.claim).copied().unwrap_or(0);
        let others = all.saturating_sub(self.of_request[plan.request]);
        others.saturating_add(plan.needed) <= MAX_DEVICES
    }
}
