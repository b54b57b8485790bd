//! [`Problem`]: claims, a node and what is held, as dense numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use dralloc_cel::Scratch;

use super::plan::{Check, Failing, Plan};
use super::state::State;
use super::wanting::{self, Wanting};
use crate::bitmap::Bitmap;
use crate::claims::{Alternative, ConstraintKind, Needed, PreparedClaims, PreparedConstraint};
use crate::constraint::{
    AttributeSets, Capacity, CompatibilityGroups, Counters, DistinctAttribute, Exclusive,
    MatchAttribute, SetId,
};
use crate::eligible::{Verdicts, derive};
use crate::error::{Code, Error};
use crate::model::Quantity;
use crate::rules::{self, AttributeSet, NodeSelection};
use crate::state::Draft;
use crate::store::{NodeView, PoolStatus};

/// Largest number of devices of a claim (`resource/v1 AllocationResultsMaxSize`).
pub(crate) const MAX_DEVICES: usize = 32;

/// Says what a device on which evaluation fails does to a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorMode {
    /// Its error is the answer, if the search comes to it before.
    #[default]
    Abort,
    /// It cannot be had.
    Skip,
}

/// Is a question in the form that the search works on.
pub(crate) struct Problem<'a> {
    pub(crate) view: &'a NodeView,
    /// The alternatives of each request; requests of all claims, in order.
    pub(super) requests: Vec<Range<usize>>,
    pub(crate) plans: Vec<Plan<'a>>,
    /// Shared devices that may serve more than one request.
    pub(super) serving: Bitmap,
    /// What each request takes away from others at least.
    pub(super) wanting: Vec<Wanting>,
    pub(super) constraints: Vec<Constraint<'a>>,
    pub(super) state: State,
}

/// Is one constraint of one claim.
pub(super) struct Constraint<'a> {
    prepared: &'a PreparedConstraint,
    claim: usize,
    pub(super) sets: AttributeSets,
    pub(super) propagator: Propagator,
}

pub(super) enum Propagator {
    Match(MatchAttribute),
    Distinct(DistinctAttribute),
}

/// Is what a problem is made from.
struct Builder<'a, 'b> {
    claims: &'a PreparedClaims,
    view: &'a NodeView,
    held: &'a Draft,
    verdicts: &'b mut Verdicts,
    scratch: Scratch,
    mode: ErrorMode,
    /// Whether to note why devices are no candidates.
    notes: bool,
}

impl<'a> Problem<'a> {
    /// Judges every device for every alternative, in the order of the reference search.
    ///
    /// # Errors
    ///
    /// What concerns the claims as a whole: [`Code::Pool`] where an `All`
    /// request sees an incomplete or invalid pool, whatever fails on a device
    /// while an `All` set is made, and [`Code::LimitExceeded`].
    pub(crate) fn new(
        claims: &'a PreparedClaims,
        view: &'a NodeView,
        held: &'a Draft,
        verdicts: &mut Verdicts,
        mode: ErrorMode,
    ) -> Result<Self, Error> {
        Self::build(claims, view, held, verdicts, mode, false)
    }

    /// Does the same, leaves devices out on which evaluation fails, and notes
    /// for each device why it is no candidate.
    ///
    /// # Errors
    ///
    /// Those of [`Problem::new`], but for what fails on a device.
    pub(crate) fn with_notes(
        claims: &'a PreparedClaims,
        view: &'a NodeView,
        held: &'a Draft,
        verdicts: &mut Verdicts,
    ) -> Result<Self, Error> {
        Self::build(claims, view, held, verdicts, ErrorMode::Skip, true)
    }

    fn build(
        claims: &'a PreparedClaims,
        view: &'a NodeView,
        held: &'a Draft,
        verdicts: &mut Verdicts,
        mode: ErrorMode,
        notes: bool,
    ) -> Result<Self, Error> {
        let features = claims.features();
        let groups = if features.compatibility_groups {
            CompatibilityGroups::new(view, held)
        } else {
            CompatibilityGroups::default()
        };
        let state = State {
            exclusive: Exclusive::new(view.devices.len(), claims.len()),
            counters: Counters::new(view, held),
            groups,
            capacity: Capacity::new(view, held),
        };
        let mut problem = Self {
            view,
            requests: Vec::new(),
            plans: Vec::new(),
            serving: Bitmap::default(),
            wanting: Vec::new(),
            constraints: Vec::new(),
            state,
        };
        let scratch = Scratch::new();
        let mut builder = Builder { claims, view, held, verdicts, scratch, mode, notes };
        for claim in 0..claims.len() {
            builder.add_claim(claim, &mut problem)?;
        }
        problem.serving = wanting::serving(&problem);
        problem.wanting =
            (0..problem.requests.len()).map(|request| Wanting::new(&problem, request)).collect();
        for constraint in &mut problem.constraints {
            if let Propagator::Distinct(distinct) = &mut constraint.propagator {
                *distinct = DistinctAttribute::new(&constraint.sets);
            }
        }
        Ok(problem)
    }

    /// Returns an invalid pool that the node sees, if there is one, and why it is.
    pub(super) fn invalid_pool(&self) -> Option<(String, &str)> {
        self.view.pools.iter().find_map(|pool| match &pool.status {
            PoolStatus::Invalid(reason) => {
                Some((format!("{}/{}", pool.driver, pool.name), reason.as_str()))
            }
            _ => None,
        })
    }

    /// Returns claim and place of every constraint.
    pub(crate) fn constraint_places(&self) -> Vec<(usize, usize)> {
        let place = |(index, constraint): (usize, &Constraint<'_>)| {
            let of_claim = |other: &&Constraint<'_>| other.claim == constraint.claim;
            (constraint.claim, self.constraints[..index].iter().filter(of_claim).count())
        };
        self.constraints.iter().enumerate().map(place).collect()
    }

    /// Asks something of the problem as it would be without a constraint.
    pub(crate) fn without_constraint<T>(
        &mut self,
        claim: usize,
        constraint: usize,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let places = self.constraint_places();
        let dropped = places.iter().position(|place| *place == (claim, constraint));
        let mut kept = Vec::with_capacity(self.plans.len());
        for plan in &mut self.plans {
            kept.push(plan.constraints.clone());
            plan.constraints.retain(|(place, _)| Some(*place) != dropped);
        }
        let answer = ask(self);
        for (plan, constraints) in self.plans.iter_mut().zip(kept) {
            plan.constraints = constraints;
        }
        answer
    }

    /// Returns the path of the part of a claim that a plan is for.
    pub(crate) fn path(&self, plan: usize) -> String {
        let plan = &self.plans[plan];
        path(plan.claim, plan.request_of_claim, plan.alternative, plan.index)
    }

    /// Returns the plans of a request.
    pub(super) fn plans_of(&self, request: usize) -> &[Plan<'a>] {
        &self.plans[self.requests[request].clone()]
    }
}

/// Returns the error of a device that a constraint keeps out of an `All` request.
pub(super) fn conflict(device: &str) -> Error {
    let message = format!(
        "device `{device}` is asked for with all others, but a constraint of the claim refuses it"
    );
    Error::new(Code::Invalid, message)
}

pub(super) fn entry_id(view: &NodeView, device: usize) -> String {
    view.devices[device].id().to_string()
}

fn path(claim: usize, request: usize, alternative: &Alternative, index: usize) -> String {
    let path = format!("claims[{claim}].spec.devices.requests[{request}]");
    if alternative.name.is_subrequest() {
        format!("{path}.firstAvailable[{index}]")
    } else {
        format!("{path}.exactly")
    }
}

/// Is what can be said of a device before anything else is known.
enum Verdict {
    No(Check),
    Fails(Error),
    /// With what is taken of its capacities, if that had to be computed.
    Yes(Option<Vec<Quantity>>),
}

impl<'a> Builder<'a, '_> {
    fn add_claim(&mut self, claim: usize, problem: &mut Problem<'a>) -> Result<(), Error> {
        let prepared = &self.claims.claims()[claim];
        let first_constraint = problem.constraints.len();
        for constraint in &prepared.constraints {
            let propagator = match constraint.kind {
                ConstraintKind::Match => Propagator::Match(MatchAttribute::default()),
                ConstraintKind::Distinct => Propagator::Distinct(DistinctAttribute::default()),
            };
            problem.constraints.push(Constraint {
                prepared: constraint,
                claim,
                sets: AttributeSets::default(),
                propagator,
            });
        }
        let mut least = 0;
        for (index, request) in prepared.requests.iter().enumerate() {
            let first = problem.plans.len();
            for (place, alternative) in request.alternatives.iter().enumerate() {
                let request = (claim, index, place);
                let plan = self.plan(request, alternative, first_constraint, problem);
                let path = path(claim, index, alternative, place);
                problem.plans.push(plan.map_err(|error| error.under(&path))?);
            }
            let plans = &problem.plans[first..];
            let needed = plans.iter().map(|plan| plan.needed).min().unwrap_or(0);
            if needed > MAX_DEVICES.saturating_sub(least) {
                let message = format!(
                    "{needed} devices beside {least} of other requests, expected at most \
                     {MAX_DEVICES} for a claim"
                );
                let path = format!("claims[{claim}].spec.devices.requests[{index}]");
                return Err(Error::new(Code::LimitExceeded, message).at(path));
            }
            least += needed;
            problem.requests.push(first..problem.plans.len());
        }
        Ok(())
    }

    fn plan(
        &mut self,
        (claim, request_of_claim, index): (usize, usize, usize),
        alternative: &'a Alternative,
        first_constraint: usize,
        problem: &mut Problem<'a>,
    ) -> Result<Plan<'a>, Error> {
        let all = alternative.needed == Needed::All;
        if all {
            self.check_pools()?;
        }
        let devices = self.view.devices.len();
        let mut plan = Plan {
            alternative,
            claim,
            request: problem.requests.len(),
            request_of_claim,
            index,
            needed: 0,
            all: all.then(Vec::new),
            possible: true,
            candidates: Bitmap::new(devices),
            failing: Vec::new(),
            constraints: Vec::new(),
            refused: if self.notes { vec![Some(Check::Selector); devices] } else { Vec::new() },
            amounts: BTreeMap::new(),
        };
        let applies = problem.constraints.iter().enumerate().skip(first_constraint).filter(
            |(_, constraint)| {
                constraint.claim == claim && alternative.name.is_among(&constraint.prepared.requests)
            },
        );
        plan.constraints = applies.map(|(place, _)| (place, vec![None; devices])).collect();

        let selected = self.verdicts.select(self.claims, &alternative.selectors, self.view);
        let mut errors = selected.errors.into_iter().peekable();
        let mut asked = selected.matches.clone();
        let failing: Vec<usize> = errors.clone().map(|(device, _)| device).collect();
        failing.iter().for_each(|device| asked.insert(*device));
        for device in asked.iter() {
            let error = errors.next_if(|(place, _)| *place == device).map(|(_, error)| error);
            if !all && self.is_held(device, alternative.admin_access) {
                plan.refuse(device, Check::InUse);
                continue;
            }
            let verdict = self.qualify(device, alternative, error);
            self.judge(device, verdict, &mut plan, problem)?;
        }
        if let Needed::Count(count) = alternative.needed {
            plan.needed = count;
        } else if plan.needed == 0 {
            plan.possible = false;
        }
        Ok(plan)
    }

    fn check_pools(&self) -> Result<(), Error> {
        for pool in &self.view.pools {
            let state = match &pool.status {
                PoolStatus::Complete => continue,
                PoolStatus::Incomplete => "incomplete".to_owned(),
                PoolStatus::Invalid(reason) => format!("invalid: {reason}"),
            };
            let message = format!(
                "all devices are asked for, but pool `{}/{}` is {state}; expected complete pools",
                pool.driver, pool.name
            );
            return Err(Error::new(Code::Pool, message).at("allocationMode"));
        }
        Ok(())
    }

    /// A device that was shared and no longer is stays in use while a share is held.
    fn is_held(&self, device: usize, admin: bool) -> bool {
        let held = self.held.device(self.view.devices[device].key);
        !admin && held.is_some_and(|held| held.is_whole() || !self.view.shareable.contains(device))
    }

    /// Asks what depends on the request and the device alone, in order.
    fn qualify(
        &self,
        device: usize,
        alternative: &Alternative,
        selector_error: Option<Error>,
    ) -> Verdict {
        let features = self.claims.features();
        let entry = &self.view.devices[device];
        let model = entry.device();
        let conditions = model.binding_conditions.as_ref();
        if !features.device_binding_and_status && conditions.is_some_and(|list| !list.is_empty()) {
            return Verdict::No(Check::BindingConditions);
        }
        let at_device = |error: Error| {
            let message = format!("device `{}`: {}", entry.id(), error.message());
            Verdict::Fails(Error::new(error.code(), message).at(error.path()))
        };
        if let Some(error) = selector_error {
            return at_device(error.under("selectors"));
        }
        if entry.stored.slice.spec.per_device_node_selection == Some(true) {
            match NodeSelection::of_device(model).on_node(&self.view.node) {
                Ok(true) => {}
                Ok(false) => return Verdict::No(Check::Node),
                Err(error) => return at_device(error),
            }
        }
        if !features.consumable_capacity {
            return Verdict::Yes(None);
        }
        let fractional = features.fractional_capacity_range;
        match rules::amounts(model, alternative.capacity.as_ref(), fractional) {
            Err(error) => at_device(error),
            Ok(None) => Verdict::No(Check::Capacity),
            Ok(Some(amounts)) => {
                let fits = amounts.iter().zip(model.capacity.values()).all(|(amount, capacity)| {
                    let policy = capacity.request_policy.as_deref();
                    rules::allowed(amount, policy, fractional) && *amount <= capacity.value
                });
                if fits { Verdict::Yes(Some(amounts)) } else { Verdict::No(Check::Capacity) }
            }
        }
    }

    /// Puts a device where it belongs in a plan.
    fn judge(
        &mut self,
        device: usize,
        verdict: Verdict,
        plan: &mut Plan<'a>,
        problem: &mut Problem<'a>,
    ) -> Result<(), Error> {
        let amounts = match verdict {
            Verdict::No(check) => {
                plan.refuse(device, check);
                return Ok(());
            }
            Verdict::Fails(_) if self.mode == ErrorMode::Skip => return Ok(()),
            Verdict::Fails(error) if plan.all.is_some() => return Err(error),
            Verdict::Fails(error) => {
                plan.failing.push(Failing { device, after_constraints: None, error, conflict: false });
                return Ok(());
            }
            Verdict::Yes(amounts) => amounts,
        };
        if plan.all.is_some() {
            plan.needed += 1;
            if !plan.possible && !self.notes {
                return Ok(());
            }
        }
        let shareable = self.view.shareable.contains(device);
        if shareable && let Some(amounts) = amounts {
            plan.amounts.insert(device, amounts);
        }
        let refused = self.refuse(device, plan, problem);
        let shown = match refused {
            Some(_) => Ok(false),
            None => self.show(device, plan, problem),
        };
        plan.refuse(device, refused.unwrap_or(Check::Constraint));
        match (shown, &mut plan.all) {
            (Ok(true), all) => {
                plan.candidates.insert(device);
                if let Some(all) = all {
                    all.push(device);
                }
                if let Some(refused) = plan.refused.get_mut(device) {
                    *refused = None;
                }
            }
            (Ok(false), Some(_)) => plan.possible = false,
            (Ok(false), None) => {}
            (Err(failing), all) => {
                if self.mode == ErrorMode::Abort {
                    plan.failing.push(failing);
                }
                plan.possible &= all.is_none();
            }
        }
        Ok(())
    }

    /// Returns what refuses a device whatever else is picked, after it qualified.
    fn refuse(&self, device: usize, plan: &Plan<'a>, problem: &Problem<'a>) -> Option<Check> {
        let features = self.claims.features();
        let entry = &self.view.devices[device];
        let alternative = plan.alternative;
        if self.is_held(device, alternative.admin_access) {
            return Some(Check::InUse);
        }
        let admin = alternative.admin_access;
        if !admin
            && plan.all.is_none()
            && let Some(amounts) = plan.amounts.get(&device)
            && !problem.state.capacity.has_room(device, amounts)
        {
            return Some(Check::Capacity);
        }
        if !entry.stored.slice.spec.skip_node_operations.is_empty() {
            let declared = &self.view.node.status.declared_features;
            let known = declared.iter().any(|name| **name == *"DRAOptionalNodeOperations");
            if !(features.optional_node_operations && known) {
                return Some(Check::NodeOperations);
            }
        }
        let model = entry.device();
        if !features.partitionable_devices && !model.consumes_counters.is_empty() {
            return Some(Check::Counters);
        }
        let paid = problem.state.counters.is_paid(device);
        if !paid && !problem.state.groups.admits(device) {
            return Some(Check::CompatibilityGroups);
        }
        if !admin && problem.state.counters.excludes(device) {
            return Some(Check::Counters);
        }
        if self.view.tainted.contains(device)
            && rules::blocking_taint(self.view.taints(device), &alternative.tolerations).is_some()
        {
            return Some(Check::Taint);
        }
        None
    }

    /// Writes down what a device shows to the constraints; returns whether it
    /// has all that they compare.
    fn show(
        &mut self,
        device: usize,
        plan: &mut Plan<'a>,
        problem: &mut Problem<'a>,
    ) -> Result<bool, Failing> {
        for place in 0..plan.constraints.len() {
            let constraint = &mut problem.constraints[plan.constraints[place].0];
            let name = &constraint.prepared.attribute;
            let set = self.attribute_set(device, plan.alternative, name).map_err(|error| {
                Failing { device, after_constraints: Some(place), error, conflict: false }
            })?;
            let Some(set) = set else {
                if plan.all.is_some() && self.mode == ErrorMode::Abort {
                    plan.failing.push(Failing {
                        device,
                        // An earlier constraint that refuses it is a conflict as well.
                        after_constraints: Some(0),
                        error: conflict(&entry_id(self.view, device)),
                        conflict: true,
                    });
                }
                return Ok(false);
            };
            plan.constraints[place].1[device] = Some(constraint.sets.add(set));
        }
        Ok(true)
    }

    fn attribute_set(
        &mut self,
        device: usize,
        alternative: &Alternative,
        name: &str,
    ) -> Result<Option<AttributeSet>, Error> {
        let entry = &self.view.devices[device];
        let lists = self.claims.features().list_type_attributes;
        // Of two derived attributes with one name the last counts, as in a map.
        let derived = alternative.derived_attributes.iter().rfind(|(other, _)| **other == *name);
        let Some((_, expression)) = derived else {
            let attribute = rules::lookup(entry.device(), entry.driver(), name);
            return Ok(attribute.and_then(|attribute| AttributeSet::of(attribute, lists)));
        };
        let failed = |code, reason: &dyn std::fmt::Display| {
            let message = format!("device `{}`: derived attribute `{name}`: {reason}", entry.id());
            Error::new(code, message).at("derivedAttributes")
        };
        let program = match &self.claims.expression(*expression).program {
            Ok(program) => program,
            Err(error) => return Err(failed(error.code(), &error.message())),
        };
        match derive(program, entry.driver(), entry.device(), &mut self.scratch) {
            Ok(attribute) => Ok(AttributeSet::of(&attribute, lists)),
            Err(error) => Err(failed(Code::CelEvaluation, &error)),
        }
    }
}

/// A set that a device shows to the constraint at a place of a plan.
pub(super) fn shown(plan: &Plan<'_>, place: usize, device: usize) -> Option<SetId> {
    plan.constraints[place].1[device]
}
