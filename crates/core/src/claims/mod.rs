//! Claims and their classes, compiled once and independent of any view.

mod alternative;
mod expression;
mod placement_policy;

use std::sync::{Arc, Weak};

use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{
    DeviceClass, DeviceConstraint, DeviceRequest, FullyQualifiedName, ResourceClaim, Str,
};

pub(crate) use alternative::{Alternative, Needed};
pub(crate) use expression::{Expression, ExpressionId, Expressions};

/// Holds claims that are to be allocated together, with everything compiled
/// that does not depend on devices or on what is held.
///
/// Cloning shares it; one can be used with any number of snapshots.
#[derive(Clone, Debug)]
pub struct PreparedClaims {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    features: Features,
    claims: Vec<Arc<PreparedClaim>>,
    expressions: Arc<[Expression]>,
}

/// Is one claim, compiled.
#[derive(Debug)]
pub(crate) struct PreparedClaim {
    pub(crate) claim: ResourceClaim,
    /// Who holds the devices: the claim's uid, or else `namespace/name`.
    pub(crate) owner: Str,
    pub(crate) requests: Vec<PreparedRequest>,
    pub(crate) constraints: Vec<PreparedConstraint>,
    /// What is wrong with a claim that has an allocation; it matters only if it
    /// is to be allocated anew.
    pub(crate) fault: Option<Error>,
}

/// Is one request: its alternatives, best first. There is one if it has no choice.
#[derive(Debug)]
pub(crate) struct PreparedRequest {
    pub(crate) alternatives: Vec<Alternative>,
}

/// Is one constraint and the requests that it is for.
#[derive(Debug)]
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

impl PreparedClaims {
    /// Compiles claims, in the order in which they are to be searched.
    ///
    /// A selector that does not compile is not an error yet: it is one where
    /// the search evaluates it on a device. What is wrong with a claim that has
    /// an allocation by its status is one if it is to be allocated anew.
    ///
    /// # Errors
    ///
    /// [`Code::FeatureDisabled`], [`Code::Unsupported`], [`Code::NotFound`] (a
    /// class) or [`Code::Invalid`], with the path of the field; no node can help.
    pub fn new<'a>(
        claims: &[ResourceClaim],
        class: impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: Features,
    ) -> Result<Self, Error> {
        let mut expressions = Expressions::new(features);
        let mut prepared = Vec::with_capacity(claims.len());
        for (index, claim) in claims.iter().enumerate() {
            if let Some(uid) = claim.metadata.uid.as_deref().filter(|uid| !uid.is_empty())
                && claims[..index]
                    .iter()
                    .any(|other| other.metadata.uid.as_deref() == Some(uid))
            {
                let message = format!("claim `{uid}` is there twice, expected each claim once");
                return Err(Error::new(Code::Duplicate, message).at(format!("claims[{index}]")));
            }
            let one = PreparedClaim::new(claim, &class, &features, &mut expressions)
                .map_err(|error| error.under(&format!("claims[{index}].spec.devices")));
            let one = match one {
                Err(error) if claim.status.allocation.is_some() => {
                    PreparedClaim::without_requests(claim.clone(), Some(error))
                }
                one => one?,
            };
            prepared.push(Arc::new(one));
        }
        let expressions = expressions.into_list().into();
        Ok(Self {
            inner: Arc::new(Inner {
                features,
                claims: prepared,
                expressions,
            }),
        })
    }

    /// Returns the number of claims.
    pub fn len(&self) -> usize {
        self.inner.claims.len()
    }

    /// Returns whether there is no claim.
    pub fn is_empty(&self) -> bool {
        self.inner.claims.is_empty()
    }

    pub(crate) fn claims(&self) -> &[Arc<PreparedClaim>] {
        &self.inner.claims
    }

    /// Returns the same claims in the same places, of which some ask for nothing.
    pub(crate) fn without_requests_of(&self, is_asking_nothing: impl Fn(usize) -> bool) -> Self {
        let claims = self.claims().iter().enumerate().map(|(place, claim)| {
            if is_asking_nothing(place) {
                Arc::new(PreparedClaim::without_requests(claim.claim.clone(), None))
            } else {
                Arc::clone(claim)
            }
        });
        Self {
            inner: Arc::new(Inner {
                features: self.inner.features,
                claims: claims.collect(),
                expressions: Arc::clone(&self.inner.expressions),
            }),
        }
    }

    /// Returns the alternatives of all requests, in order.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = &Alternative> {
        self.claims().iter().flat_map(|claim| claim.alternatives())
    }

    pub(crate) fn features(&self) -> &Features {
        &self.inner.features
    }

    pub(crate) fn expressions(&self) -> &[Expression] {
        &self.inner.expressions
    }

    pub(crate) fn expression(&self, id: ExpressionId) -> &Expression {
        &self.inner.expressions[id.index()]
    }

    /// Returns whether two are the same, not only equal.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// Returns what tells them from others without keeping them.
    pub(crate) fn downgrade(&self) -> WeakClaims {
        WeakClaims(Arc::downgrade(&self.inner))
    }

    /// Returns their place in memory, which is that of no others while they,
    /// or a [`WeakClaims`] of them, are there.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.inner).addr()
    }
}

/// Tells [`PreparedClaims`] from others after they are gone.
#[derive(Clone, Debug)]
pub(crate) struct WeakClaims(Weak<Inner>);

impl WeakClaims {
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }

    pub(crate) fn is_there(&self) -> bool {
        self.0.strong_count() > 0
    }
}

impl PreparedClaim {
    /// Returns the alternatives of its requests, in order.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = &Alternative> {
        self.requests
            .iter()
            .flat_map(|request| &request.alternatives)
    }

    fn new<'a>(
        claim: &ResourceClaim,
        class: &impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: &Features,
        expressions: &mut Expressions,
    ) -> Result<Self, Error> {
        let devices = &claim.spec.devices;
        let mut requests = Vec::with_capacity(devices.requests.len());
        for (index, request) in devices.requests.iter().enumerate() {
            let one = PreparedRequest::new(request, class, features, expressions)
                .map_err(|error| error.under(&format!("requests[{index}]")))?;
            requests.push(one);
        }
        for (index, config) in devices.config.iter().enumerate() {
            placement_policy::check(config.opaque.as_ref())
                .map_err(|error| error.under(&format!("config[{index}]")))?;
        }
        let mut constraints = Vec::with_capacity(devices.constraints.len());
        for (index, constraint) in devices.constraints.iter().enumerate() {
            let one = PreparedConstraint::new(constraint)
                .map_err(|error| error.under(&format!("constraints[{index}]")))?;
            constraints.push(one);
        }
        Ok(Self {
            claim: claim.clone(),
            owner: owner_of(claim),
            requests,
            constraints,
            fault: None,
        })
    }

    fn without_requests(claim: ResourceClaim, fault: Option<Error>) -> Self {
        Self {
            owner: owner_of(&claim),
            claim,
            requests: Vec::new(),
            constraints: Vec::new(),
            fault,
        }
    }
}

/// Returns the name under which a claim holds devices.
pub(crate) fn owner_of(claim: &ResourceClaim) -> Str {
    let metadata = &claim.metadata;
    match &metadata.uid {
        Some(uid) if !uid.is_empty() => uid.clone(),
        _ => format!("{}/{}", metadata.namespace(), metadata.name).into(),
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

fn disabled(what: &str, gate: &str) -> Error {
    Error::new(
        Code::FeatureDisabled,
        format!("{what} asked for, expected the gate {gate} to be on"),
    )
}
