//! [`Case`]: what can still be had in one branch of a proof.

use std::collections::BTreeSet;

use crate::bitmap::Bitmap;
use crate::constraint::{SetId, Trail};
use crate::solver::problem::{Plan, Problem, Propagator};
use crate::topology::AffinityScope;

/// Is what can still be had, given what is assumed.
///
/// The state of the problem has what the devices take that are given.
#[derive(Clone)]
pub(super) struct Case {
    /// By plan; none if it is not the one that is chosen.
    pub(super) candidates: Vec<Option<Bitmap>>,
    pub(super) got: Vec<Got>,
}

/// Is a device that a plan gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Got {
    pub(super) plan: usize,
    pub(super) device: usize,
}

/// Returns how many devices a plan needs; one for all of none.
pub(super) fn needed(plan: &Plan<'_>) -> usize {
    if plan.all.is_some() {
        plan.needed.max(1)
    } else {
        plan.needed
    }
}

impl Case {
    /// Returns the case in which nothing is assumed.
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let candidates = problem
            .plans
            .iter()
            .map(|plan| Some(plan.candidates.clone()));
        let mut case = Self {
            candidates: candidates.collect(),
            got: Vec::new(),
        };
        case.tighten(problem);
        case
    }

    /// Returns the plans that a request has left, with their candidates.
    pub(super) fn left(
        &self,
        problem: &Problem<'_>,
        request: usize,
    ) -> impl Iterator<Item = (usize, &Bitmap)> {
        let plans = problem.requests[request].clone();
        plans.filter_map(|plan| Some((plan, self.candidates[plan].as_ref()?)))
    }

    /// Returns the plan of a request that has one left.
    pub(super) fn only(&self, problem: &Problem<'_>, request: usize) -> Option<(usize, &Bitmap)> {
        let mut left = self.left(problem, request);
        let only = left.next();
        only.filter(|_| left.next().is_none())
    }

    /// Returns how many more devices a plan needs.
    pub(super) fn open(&self, problem: &Problem<'_>, plan: usize) -> usize {
        let request = problem.plans[plan].request;
        let got = self
            .got
            .iter()
            .filter(|got| problem.plans[got.plan].request == request);
        needed(&problem.plans[plan]).saturating_sub(got.count())
    }

    /// Returns how many more devices a request needs at least.
    pub(super) fn needed(&self, problem: &Problem<'_>, request: usize) -> usize {
        let open = self
            .left(problem, request)
            .map(|(plan, _)| self.open(problem, plan));
        open.min().unwrap_or(0)
    }

    /// Returns all devices that a request can still have.
    pub(super) fn serving(&self, problem: &Problem<'_>, request: usize) -> Bitmap {
        let mut serving = Bitmap::new(problem.view.devices.len());
        self.left(problem, request)
            .for_each(|(_, candidates)| serving.unite(candidates));
        serving
    }

    /// Returns how many devices of a request join a constraint, whichever plan it gets.
    pub(super) fn joining(
        &self,
        problem: &Problem<'_>,
        request: usize,
        constraint: usize,
    ) -> usize {
        let joining = self.left(problem, request).map(|(plan, _)| {
            let joins = problem.plans[plan].compared(constraint).is_some();
            if joins { self.open(problem, plan) } else { 0 }
        });
        joining.min().unwrap_or(0)
    }

    /// Returns what the devices that a request can have show to a constraint.
    pub(super) fn shown(
        &self,
        problem: &Problem<'_>,
        request: usize,
        constraint: usize,
    ) -> BTreeSet<SetId> {
        let mut shown = BTreeSet::new();
        for (plan, candidates) in self.left(problem, request) {
            let plan = &problem.plans[plan];
            shown.extend(
                candidates
                    .iter()
                    .filter_map(|device| shows(plan, constraint, device)),
            );
        }
        shown
    }

    /// Assumes which plan a request gets.
    pub(super) fn choose(&mut self, problem: &Problem<'_>, plan: usize) {
        for other in problem.requests[problem.plans[plan].request].clone() {
            if other != plan {
                self.candidates[other] = None;
            }
        }
    }

    /// Assumes which value all devices of a constraint have.
    pub(super) fn restrict(&mut self, problem: &Problem<'_>, constraint: usize, value: u32) {
        let sets = &problem.constraints[constraint].sets;
        for (plan, candidates) in problem.plans.iter().zip(&mut self.candidates) {
            let Some(candidates) = candidates else {
                continue;
            };
            for device in plan.candidates.iter() {
                let has = |set| sets.values(set).contains(&value);
                if shows(plan, constraint, device).is_some_and(|set| !has(set)) {
                    candidates.remove(device);
                }
            }
        }
    }

    /// Assumes that a plan does not get a device.
    pub(super) fn deny(&mut self, plan: usize, device: usize) {
        if let Some(candidates) = &mut self.candidates[plan] {
            candidates.remove(device);
        }
    }

    /// Assumes that a plan gets a device, which is one of its candidates.
    pub(super) fn give(&mut self, problem: &mut Problem<'_>, got: Got, trail: &mut Trail) {
        let plan = &problem.plans[got.plan];
        let admin = plan.alternative.admin_access;
        let state = &mut problem.state;
        if !state.counters.is_paid(got.device) {
            state.groups.add(got.device, trail);
            if !admin {
                let shared = problem.view.shareable.contains(got.device);
                state.counters.add(got.device, shared, trail);
            }
        }
        if !admin && let Some(amounts) = plan.amounts.get(&got.device) {
            state.capacity.add(got.device, amounts, trail);
        }
        self.got.push(got);
        self.tighten(problem);
    }

    /// Takes away the candidates that what is given does not allow.
    fn tighten(&mut self, problem: &Problem<'_>) {
        for plan in 0..self.candidates.len() {
            let Some(candidates) = self.candidates[plan].take() else {
                continue;
            };
            let mut kept = candidates.clone();
            for device in candidates.iter() {
                if !self.admits(problem, Got { plan, device }) {
                    kept.remove(device);
                }
            }
            self.candidates[plan] = Some(kept);
        }
    }

    fn admits(&self, problem: &Problem<'_>, new: Got) -> bool {
        let plan = &problem.plans[new.plan];
        let admin = plan.alternative.admin_access;
        let (state, paid) = (&problem.state, problem.state.counters.is_paid(new.device));
        let is_given = || self.got.iter().any(|got| got.device == new.device);
        self.is_free(problem, new)
            && (admin || paid || state.counters.has_room(new.device))
            && (admin
                || plan
                    .amounts
                    .get(&new.device)
                    .is_none_or(|amounts| state.capacity.has_room(new.device, amounts)))
            && (paid || is_given() || state.groups.admits(new.device))
            && self.matches(problem, new)
    }

    fn is_free(&self, problem: &Problem<'_>, new: Got) -> bool {
        let (plans, view) = (&problem.plans, problem.view);
        let (plan, admin) = (&plans[new.plan], plans[new.plan].alternative.admin_access);
        self.got.iter().all(|got| {
            let other = &plans[got.plan];
            if !admin
                && !other.alternative.admin_access
                && are_same(problem, new.device, got.device)
            {
                return false;
            }
            got.device != new.device
                || other.request != plan.request
                    && (view.shareable.contains(new.device)
                        || !exclude(problem, other.request, plan.request))
        })
    }

    fn matches(&self, problem: &Problem<'_>, new: Got) -> bool {
        let plan = &problem.plans[new.plan];
        plan.constraints.iter().all(|compared| {
            let constraint = &problem.constraints[compared.constraint];
            let Some(set) = compared.shown(new.device) else {
                return false;
            };
            let own = constraint.sets.values(set);
            let others = self.got.iter().filter_map(|got| {
                let other = &problem.plans[got.plan];
                let shown = shows(other, compared.constraint, got.device)?;
                Some((other.request, got.device, constraint.sets.values(shown)))
            });
            match &constraint.propagator {
                Propagator::Match(_) => {
                    let others: Vec<&[u32]> = others.map(|(.., values)| values).collect();
                    let is_common = |value| others.iter().all(|other| other.contains(value));
                    others.is_empty() || own.iter().any(is_common)
                }
                Propagator::Distinct(_) => others.into_iter().all(|(request, _, other)| {
                    match (own.is_empty(), other.is_empty()) {
                        (true, true) => false,
                        (true, false) => plan.request <= request,
                        (false, true) => request <= plan.request,
                        (false, false) => !own.iter().any(|value| other.contains(value)),
                    }
                }),
                Propagator::Linked(_) => {
                    let machine = problem.machine.as_ref();
                    let are_linked = |other| {
                        machine.is_none_or(|machine| {
                            machine.share(AffinityScope::NvLink, other, new.device)
                        })
                    };
                    others.into_iter().all(|(_, other, _)| are_linked(other))
                }
                Propagator::AllowedSets(_) => {
                    let others = others.map(|(_, other, _)| other);
                    may_be_allowed(problem, others.chain([new.device]))
                }
                // They are looked at once all devices are there.
                Propagator::Ring(_)
                | Propagator::Units(_)
                | Propagator::Cuts(_)
                | Propagator::Partition(_) => true,
            }
        })
    }

    /// Returns the devices that requests have got under a rule, if all of them have what
    /// they need.
    pub(super) fn settled(
        &self,
        problem: &Problem<'_>,
        rule: usize,
    ) -> Option<Vec<(usize, usize)>> {
        let is_under = |plan: usize| problem.plans[plan].compared(rule).is_some();
        for request in 0..problem.requests.len() {
            let is_settled = match self.only(problem, request) {
                Some((plan, _)) => !is_under(plan) || self.open(problem, plan) == 0,
                None => !problem.requests[request].clone().any(is_under),
            };
            if !is_settled {
                return None;
            }
        }
        let got = self.got.iter().filter(|got| is_under(got.plan));
        Some(
            got.map(|got| (problem.plans[got.plan].request, got.device))
                .collect(),
        )
    }
}

/// Returns whether devices can be part of a set that the machine allows.
fn may_be_allowed(problem: &Problem<'_>, devices: impl Iterator<Item = usize>) -> bool {
    let Some(machine) = &problem.machine else {
        return true;
    };
    let Some(limits) = machine.allowed_sets() else {
        return true;
    };
    let vertices: Vec<usize> = devices.filter_map(|device| limits.thing(device)).collect();
    limits.has_all(&vertices.iter().copied())
}

/// Returns what a device shows to a constraint, if that is for the plan.
pub(super) fn shows(plan: &Plan<'_>, constraint: usize, device: usize) -> Option<SetId> {
    plan.compared(constraint)?.shown(device)
}

/// Returns whether two devices are physically the same.
pub(super) fn are_same(problem: &Problem<'_>, one: usize, other: usize) -> bool {
    let mut twins = problem.view.twins.of(one);
    twins.any(|twin| twin.place == Some(other))
}

/// Returns whether two requests cannot both have one device that is not shared.
pub(super) fn exclude(problem: &Problem<'_>, one: usize, other: usize) -> bool {
    let first = |request: usize| problem.plans_of(request).first();
    let (Some(first), Some(second)) = (first(one.min(other)), first(one.max(other))) else {
        return false;
    };
    if second.alternative.admin_access {
        first.claim == second.claim
    } else {
        !first.alternative.admin_access
    }
}
