//! [`State`]: what is picked, as all propagators see it.

use super::plan::{Failing, Plan};
use super::{Constraint, Problem, Propagator, shown};
use crate::budget::Meter;
use crate::constraint::{
    Capacity, CompatibilityGroups, Counters, Exclusive, Mark, Trail, TwinPicks, Undo,
};
use crate::outcome::StopCause;

/// Holds the propagators that all claims share.
#[derive(Debug)]
pub(crate) struct State {
    pub(in crate::solver) exclusive: Exclusive,
    pub(in crate::solver) twins: TwinPicks,
    pub(in crate::solver) counters: Counters,
    pub(in crate::solver) groups: CompatibilityGroups,
    pub(in crate::solver) capacity: Capacity,
}

/// Says what refused a pick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver) enum Refused {
    /// It is in use, too little is left of something, or a policy forbids it.
    ByState,
    /// A constraint of its claim.
    ByConstraint,
}

impl Problem<'_> {
    /// Picks a device for a plan if everything that is picked allows it.
    ///
    /// After a refusal the caller goes back to its mark.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(in crate::solver) fn pick(
        &mut self,
        plan: usize,
        device: usize,
        trail: &mut Trail,
        meter: &mut Meter<'_>,
    ) -> Result<Result<(), Refused>, StopCause> {
        let plan = &self.plans[plan];
        let admin = plan.alternative.admin_access;
        let shareable = self.view.shareable.contains(device);
        let state = &mut self.state;
        if !shareable && !state.exclusive.add(device, plan.claim, admin, trail) {
            return Ok(Err(Refused::ByState));
        }
        if !admin && !self.view.twins.is_empty() {
            if !state.twins.admits(self.view, device) {
                return Ok(Err(Refused::ByState));
            }
            state.twins.add(self.view, device, trail);
        }
        if !state.counters.is_paid(device) {
            // Access for administration takes no counters away from others,
            // but must get on with them.
            if !state.groups.admits(device) || !(admin || state.counters.has_room(device)) {
                return Ok(Err(Refused::ByState));
            }
            state.groups.add(device, trail);
            if !admin {
                state.counters.add(device, shareable, trail);
            }
        }
        for (place, compared) in plan.constraints.iter().enumerate() {
            let rule = &mut self.constraints[compared.constraint];
            if !rule.join(compared.constraint, (plan, place, device), trail, meter)? {
                let is_rule = rule.is_rule();
                return Ok(Err(if is_rule {
                    Refused::ByState
                } else {
                    Refused::ByConstraint
                }));
            }
        }
        if !admin && let Some(amounts) = plan.amounts.get(&device) {
            if !state.capacity.has_room(device, amounts) {
                return Ok(Err(Refused::ByState));
            }
            state.capacity.add(device, amounts, trail);
        }
        Ok(Ok(()))
    }

    /// Returns whether the reference search would come to the failing
    /// evaluation of a device, given what is picked.
    pub(in crate::solver) fn meets(
        &mut self,
        plan: usize,
        failing: usize,
        trail: &mut Trail,
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        let plan = &self.plans[plan];
        let Failing {
            device,
            after_constraints,
            ..
        } = plan.failing[failing];
        let admin = plan.alternative.admin_access;
        if !self.view.shareable.contains(device)
            && self
                .state
                .exclusive
                .taken(plan.claim, admin)
                .contains(device)
        {
            return Ok(false);
        }
        if !admin && !self.state.twins.admits(self.view, device) {
            return Ok(false);
        }
        let Some(constraints) = after_constraints else {
            return Ok(true);
        };
        let state = &self.state;
        // Where all devices are asked for, capacity is looked at last.
        let room = admin
            || plan.all.is_some()
            || plan
                .amounts
                .get(&device)
                .is_none_or(|amounts| state.capacity.has_room(device, amounts));
        let admitted = state.counters.is_paid(device)
            || (state.groups.admits(device) && (admin || state.counters.has_room(device)));
        if !room || !admitted {
            return Ok(false);
        }
        let mark = trail.mark();
        let before = plan.constraints.iter().enumerate().take(constraints);
        let mut met = true;
        for (place, compared) in before {
            let rule = &mut self.constraints[compared.constraint];
            met &= rule.join(compared.constraint, (plan, place, device), trail, meter)?;
        }
        self.undo(mark, trail);
        Ok(met)
    }

    /// Takes back everything that was picked since a mark.
    pub(in crate::solver) fn undo(&mut self, mark: Mark, trail: &mut Trail) {
        while let Some(undo) = trail.pop_since(mark) {
            let state = &mut self.state;
            match undo {
                Undo::Picked(device) => state.exclusive.undo_picked(device),
                Undo::PickedForClaim(claim, device) => {
                    state.exclusive.undo_picked_for_claim(claim, device);
                }
                Undo::Twin(device) => state.twins.undo(device),
                Undo::Charged(device) => state.counters.undo_charged(device),
                Undo::Counter(counter, available) => {
                    state.counters.undo_counter(counter, available);
                }
                Undo::Capacity(place, left) => state.capacity.undo(place, left),
                Undo::Groups(set, groups) => state.groups.undo(set, groups),
                Undo::Match(constraint, common) => {
                    if let Propagator::Match(propagator) =
                        &mut self.constraints[constraint].propagator
                    {
                        propagator.set(common);
                    }
                }
                Undo::Joined(constraint) => {
                    self.constraints[constraint].propagator.take_back();
                }
                Undo::Distinct(constraint, set) => {
                    let Constraint {
                        sets, propagator, ..
                    } = &mut self.constraints[constraint];
                    if let Propagator::Distinct(propagator) = propagator {
                        propagator.undo(sets, set);
                    }
                }
            }
        }
    }
}

impl Constraint<'_> {
    /// Lets a device of a plan join, which has the constraint at some place; returns whether
    /// it may.
    fn join(
        &mut self,
        id: usize,
        (plan, place, device): (&Plan<'_>, usize, usize),
        trail: &mut Trail,
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        let Some(set) = shown(plan, place, device) else {
            return Ok(false);
        };
        match &mut self.propagator {
            Propagator::Match(propagator) => {
                let Some(common) = propagator.join(&mut self.sets, set) else {
                    return Ok(false);
                };
                if propagator.common() != Some(common) {
                    let before = propagator.set(Some(common));
                    trail.push(Undo::Match(id, before));
                }
            }
            Propagator::Distinct(propagator) => {
                if !propagator.admits(&self.sets, set) {
                    return Ok(false);
                }
                propagator.add(&self.sets, set);
                trail.push(Undo::Distinct(id, set));
            }
            rule => {
                if !rule.admits(plan.request, device, meter)? {
                    return Ok(false);
                }
                rule.add(plan.request, device);
                trail.push(Undo::Joined(id));
            }
        }
        Ok(true)
    }
}
