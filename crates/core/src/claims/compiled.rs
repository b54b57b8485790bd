//! [`Compiled`]: what claims ask for, without who asks.

use std::sync::Arc;

use super::placement_policy::{Demand, Policies, Rule, Wanted};
use super::{Alternative, Expression, ExpressionId, Expressions, Needed, disabled};
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{DeviceClaim, DeviceClass, DeviceConstraint, DeviceRequest, ResourceClaim};
use crate::model::{FullyQualifiedName, Str};
use crate::objective::Scope;
use crate::topology::AffinityScope;

/// Holds the specs of claims, compiled; claims of one template can share it.
///
/// Threads read it all the time, and count answers beside it: the counts of an `Arc`
/// get a cache line of their own by that it begins on another.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Compiled {
    pub(crate) features: Features,
    pub(crate) claims: Vec<Arc<PreparedClaim>>,
    /// What the policies ask for that claims and their classes carry.
    pub(crate) scopes: Vec<Scope>,
    /// What of these policies there is no support for.
    pub(crate) unsupported: Option<Error>,
    expressions: Arc<[Expression]>,
}

/// Is the spec of one claim, compiled.
#[derive(Debug)]
pub(crate) struct PreparedClaim {
    pub(crate) spec: DeviceClaim,
    pub(crate) requests: Vec<PreparedRequest>,
    pub(crate) constraints: Vec<PreparedConstraint>,
    pub(super) policies: Policies,
    /// What is wrong with a claim that has an allocation; it matters only if it
    /// is to be allocated anew.
    pub(crate) fault: Option<Error>,
}

/// Is one request: its alternatives, best first. There is one if it has no choice.
#[derive(Clone, Debug)]
pub(crate) struct PreparedRequest {
    pub(crate) alternatives: Vec<Alternative>,
}

/// Is one constraint and the requests that it is for.
#[derive(Clone, Debug)]
pub(crate) struct PreparedConstraint {
    pub(crate) kind: ConstraintKind,
    pub(crate) attribute: FullyQualifiedName,
    /// None for all; otherwise as [`RequestName::is_among`](crate::rules::RequestName) reads them.
    pub(crate) requests: Vec<Str>,
}

/// Is what a constraint demands of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintKind {
    /// All devices have a value in common.
    Match,
    /// No two devices have a value in common.
    Distinct,
}

impl Compiled {
    pub(super) fn new<'a>(
        claims: &[ResourceClaim],
        class: &impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: Features,
    ) -> Result<Self, Error> {
        let mut expressions = Expressions::new(features);
        let mut prepared = Vec::with_capacity(claims.len());
        for (index, claim) in claims.iter().enumerate() {
            super::check_duplicate(claims, index)?;
            let spec = &claim.spec.devices;
            let one = PreparedClaim::new(spec, class, &features, &mut expressions)
                .map_err(|error| error.under(&format!("claims[{index}].spec.devices")));
            let one = match one {
                Err(error) if claim.status.allocation.is_some() => {
                    PreparedClaim::without_requests(spec.clone(), Some(error))
                }
                one => one?,
            };
            prepared.push(Arc::new(one));
        }
        Ok(Self::of(features, prepared, expressions.into_list().into()))
    }

    fn of(
        features: Features,
        claims: Vec<Arc<PreparedClaim>>,
        expressions: Arc<[Expression]>,
    ) -> Self {
        Self {
            features,
            scopes: Policies::scopes(&claims),
            unsupported: Policies::unsupported(&claims),
            claims,
            expressions,
        }
    }

    /// Returns whether compiling these claims would give the same.
    pub(super) fn is_of<'a>(
        &self,
        claims: &[ResourceClaim],
        class: &impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: &Features,
    ) -> bool {
        let mut both = self.claims.iter().zip(claims);
        let is_class = |used: &Arc<DeviceClass>| {
            class(&used.metadata.name).is_some_and(|now| Arc::ptr_eq(used, now))
        };
        self.features == *features
            && self.claims.len() == claims.len()
            && both.all(|(prepared, claim)| prepared.spec == claim.spec.devices)
            && self.alternatives().all(|one| is_class(&one.class))
    }

    /// Returns the same claims in the same places, of which some ask for nothing.
    pub(super) fn without_requests_of(&self, is_asking_nothing: impl Fn(usize) -> bool) -> Self {
        let claims = self.claims.iter().enumerate().map(|(place, claim)| {
            if is_asking_nothing(place) {
                Arc::new(PreparedClaim::without_requests(claim.spec.clone(), None))
            } else {
                Arc::clone(claim)
            }
        });
        let expressions = Arc::clone(&self.expressions);
        Self::of(self.features, claims.collect(), expressions)
    }

    /// Returns claims in the same places with some of the requests and constraints,
    /// by the place of the claim and the place in it; what policies require comes after
    /// the constraints.
    ///
    /// They are for questions alone: what an answer copies from specs is not there.
    pub(super) fn narrowed(
        &self,
        keeps_request: impl Fn(usize, usize) -> bool,
        keeps_constraint: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let claims = self.claims.iter().enumerate().map(|(place, claim)| {
            let requests = claim.requests.iter().enumerate();
            let requests = requests.filter(|(request, _)| keeps_request(place, *request));
            let constraints = claim.constraints.iter().enumerate();
            let constraints =
                constraints.filter(|(constraint, _)| keeps_constraint(place, *constraint));
            Arc::new(PreparedClaim {
                spec: DeviceClaim::default(),
                requests: requests.map(|(_, request)| request.clone()).collect(),
                constraints: constraints.map(|(_, one)| one.clone()).collect(),
                policies: claim
                    .policies
                    .narrowed(|demand| keeps_constraint(place, claim.constraints.len() + demand)),
                fault: None,
            })
        });
        let expressions = Arc::clone(&self.expressions);
        Self::of(self.features, claims.collect(), expressions)
    }

    /// Returns the same with another number of devices for each request that has
    /// one; for questions alone.
    pub(super) fn with_count(&self, count: usize) -> Self {
        self.altered(|_, alternative| {
            if let Needed::Count(needed) = &mut alternative.needed {
                *needed = count;
            }
        })
    }

    /// Returns the same with alternatives changed, by the place of the claim; for
    /// questions alone.
    pub(super) fn altered(&self, mut change: impl FnMut(usize, &mut Alternative)) -> Self {
        let mut altered = self.narrowed(|_, _| true, |_, _| true);
        let claims = altered.claims.iter_mut().enumerate();
        for (place, claim) in claims {
            let requests = Arc::get_mut(claim).map(|claim| claim.requests.iter_mut());
            let requests = requests.into_iter().flatten();
            for alternative in requests.flat_map(|request| &mut request.alternatives) {
                change(place, alternative);
            }
        }
        altered
    }

    /// Returns the same with a constraint that compares another attribute; for questions
    /// alone.
    pub(super) fn with_attribute(
        &self,
        (claim, constraint): (usize, usize),
        attribute: &FullyQualifiedName,
    ) -> Self {
        let mut altered = self.narrowed(|_, _| true, |_, _| true);
        let claim = altered.claims.get_mut(claim).and_then(Arc::get_mut);
        if let Some(one) = claim.and_then(|claim| claim.constraints.get_mut(constraint)) {
            one.attribute = attribute.clone();
        }
        altered
    }

    /// Returns the same with alternatives changed that know one more selector; for
    /// questions alone.
    pub(super) fn with_selector(
        &self,
        source: &Str,
        mut change: impl FnMut(usize, &mut Alternative, ExpressionId),
    ) -> Self {
        let mut expressions = Expressions::again(self.features, &self.expressions);
        let selector = expressions.selector(source);
        let mut altered = self.altered(|claim, alternative| change(claim, alternative, selector));
        altered.expressions = expressions.into_list().into();
        altered
    }

    /// Returns whether policies require something.
    pub(crate) fn has_demands(&self) -> bool {
        self.claims.iter().any(|claim| !claim.demands().is_empty())
    }

    /// Returns what all devices of the only claim are to have in common, if nothing else is
    /// required.
    pub(crate) fn required_level(&self) -> Option<AffinityScope> {
        let [claim] = &*self.claims else {
            return None;
        };
        let [demand] = claim.demands() else {
            return None;
        };
        let mut alternatives = claim.alternatives();
        match demand.rule {
            Rule::Level(level) => alternatives
                .all(|one| one.name.is_among(&demand.requests))
                .then_some(level),
            Rule::Ring(_) | Rule::Unit(_) | Rule::Partition => None,
        }
    }

    /// Returns whether it is that of claims without an allocation, too.
    pub(super) fn is_faultless(&self) -> bool {
        self.claims.iter().all(|claim| claim.fault.is_none())
    }

    /// Returns the alternatives of all requests, in order.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = &Alternative> {
        self.claims.iter().flat_map(|claim| claim.alternatives())
    }

    pub(crate) fn expressions(&self) -> &[Expression] {
        &self.expressions
    }

    pub(crate) fn expression(&self, id: ExpressionId) -> &Expression {
        &self.expressions[id.index()]
    }
}

impl PreparedClaim {
    /// Returns what answers are told about.
    pub(crate) fn wanted(&self) -> &[Wanted] {
        self.policies.wanted()
    }

    /// Returns what its policies require.
    pub(crate) fn demands(&self) -> &[Demand] {
        self.policies.demands()
    }

    /// Returns the alternatives of its requests, in order.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = &Alternative> {
        self.requests
            .iter()
            .flat_map(|request| &request.alternatives)
    }

    fn new<'a>(
        spec: &DeviceClaim,
        class: &impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: &Features,
        expressions: &mut Expressions,
    ) -> Result<Self, Error> {
        let mut requests = Vec::with_capacity(spec.requests.len());
        for (index, request) in spec.requests.iter().enumerate() {
            let one = PreparedRequest::new(request, class, features, expressions)
                .map_err(|error| error.under(&format!("requests[{index}]")))?;
            requests.push(one);
        }
        let mut constraints = Vec::with_capacity(spec.constraints.len());
        for (index, constraint) in spec.constraints.iter().enumerate() {
            let one = PreparedConstraint::new(constraint)
                .map_err(|error| error.under(&format!("constraints[{index}]")))?;
            constraints.push(one);
        }
        let policies = Policies::of_claim(&spec.config, &spec.requests, &requests)?;
        Ok(Self {
            spec: spec.clone(),
            requests,
            constraints,
            policies,
            fault: None,
        })
    }

    fn without_requests(spec: DeviceClaim, fault: Option<Error>) -> Self {
        Self {
            spec,
            requests: Vec::new(),
            constraints: Vec::new(),
            policies: Policies::default(),
            fault,
        }
    }
}

impl PreparedRequest {
    fn new<'a>(
        request: &DeviceRequest,
        class: &impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: &Features,
        expressions: &mut Expressions,
    ) -> Result<Self, Error> {
        let alternatives = if request.first_available.is_empty() {
            let Some(exactly) = &request.exactly else {
                return Err(Error::new(
                    Code::Unsupported,
                    "neither `exactly` nor `firstAvailable` is set, expected one of them",
                ));
            };
            let one = Alternative::of_exact(request, exactly, class, features, expressions)
                .map_err(|error| error.under("exactly"))?;
            vec![one]
        } else {
            if !features.prioritized_list {
                let error = disabled("alternatives are", "DRAPrioritizedList");
                return Err(error.at("firstAvailable"));
            }
            let compile = |(index, subrequest)| {
                Alternative::of_subrequest(request, subrequest, class, features, expressions)
                    .map_err(|error| error.under(&format!("firstAvailable[{index}]")))
            };
            request
                .first_available
                .iter()
                .enumerate()
                .map(compile)
                .collect::<Result<_, _>>()?
        };
        Ok(Self { alternatives })
    }
}

impl PreparedConstraint {
    fn new(constraint: &DeviceConstraint) -> Result<Self, Error> {
        let (kind, attribute) = match (&constraint.match_attribute, &constraint.distinct_attribute)
        {
            (Some(attribute), _) => (ConstraintKind::Match, attribute),
            (None, Some(attribute)) => (ConstraintKind::Distinct, attribute),
            (None, None) => {
                return Err(Error::new(
                    Code::Unsupported,
                    "neither `matchAttribute` nor `distinctAttribute` is set, expected one of them",
                ));
            }
        };
        Ok(Self {
            kind,
            attribute: attribute.clone(),
            requests: constraint.requests.clone(),
        })
    }
}
