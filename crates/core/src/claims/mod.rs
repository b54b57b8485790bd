//! Claims and their classes, compiled once and independent of any view.
//!
//! What claims ask for ([`Compiled`]) is apart from who asks: all claims of a
//! template share it, and with it all that a workspace keeps for it.

mod alternative;
mod cache;
mod compiled;
mod expression;
mod owners;
mod placement_policy;

use std::sync::{Arc, Weak};

use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{DeviceClass, FullyQualifiedName, ResourceClaim, Str};

use owners::Owners;

pub(crate) use alternative::{Alternative, Needed};
pub(crate) use cache::SharedCompiled;
pub(crate) use compiled::{Compiled, ConstraintKind, PreparedClaim, PreparedConstraint};
pub(crate) use expression::{Expression, ExpressionId, Expressions};
pub(crate) use owners::owner_of;
pub(crate) use placement_policy::{Demand, Rule, Unit, Wanted};

/// Holds claims that are to be allocated together, with everything compiled
/// that does not depend on devices or on what is held.
///
/// Cloning shares it; one can be used with any number of snapshots.
#[derive(Clone, Debug)]
pub struct PreparedClaims {
    compiled: Arc<Compiled>,
    owners: Owners,
    /// The claims themselves, if one of them has something or is to go: what
    /// the books do not know is read there.
    stored: Option<Arc<[ResourceClaim]>>,
}

impl PreparedClaims {
    /// Compiles claims, in the order in which they are to be searched.
    ///
    /// A selector that does not compile is not an error yet: it is one where
    /// the search evaluates it on a device. What is wrong with a claim that has
    /// an allocation by its status is one if it is to be allocated anew.
    ///
    /// [`Snapshot::prepare`](crate::Snapshot::prepare) does the same, and
    /// compiles equal specs once.
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
        let compiled = Compiled::new(claims, &class, features)?;
        Ok(Self::of(Arc::new(compiled), claims))
    }

    /// Joins claims with their compiled specs.
    fn of(compiled: Arc<Compiled>, claims: &[ResourceClaim]) -> Self {
        let says_something = |claim: &ResourceClaim| {
            claim.status.allocation.is_some() || claim.metadata.deletion_timestamp.is_some()
        };
        Self {
            compiled,
            owners: Owners::of(claims),
            stored: claims.iter().any(says_something).then(|| claims.into()),
        }
    }

    /// Returns the number of claims.
    pub fn len(&self) -> usize {
        self.claims().len()
    }

    /// Returns whether there is no claim.
    pub fn is_empty(&self) -> bool {
        self.claims().is_empty()
    }

    /// Returns what is asked for, without who asks.
    pub(crate) fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// Returns the names under which the claims hold devices, in order.
    pub(crate) fn owners(&self) -> &[Str] {
        self.owners.as_slice()
    }

    pub(crate) fn claims(&self) -> &[Arc<PreparedClaim>] {
        &self.compiled.claims
    }

    /// Returns a claim as it was given, if its status says something.
    pub(crate) fn stored(&self, claim: usize) -> Option<&ResourceClaim> {
        self.stored.as_ref()?.get(claim)
    }

    /// Returns the same claims in the same places, of which some ask for nothing.
    pub(crate) fn without_requests_of(&self, is_asking_nothing: impl Fn(usize) -> bool) -> Self {
        self.of_same(self.compiled.without_requests_of(is_asking_nothing))
    }

    /// Returns the same claims with some of their requests and constraints, by the
    /// place of the claim and the place in it; for questions alone.
    pub(crate) fn narrowed(
        &self,
        keeps_request: impl Fn(usize, usize) -> bool,
        keeps_constraint: impl Fn(usize, usize) -> bool,
    ) -> Self {
        self.of_same(self.compiled.narrowed(keeps_request, keeps_constraint))
    }

    /// Returns the same with another number of devices for each request that has
    /// one; for questions alone.
    pub(crate) fn with_count(&self, count: usize) -> Self {
        self.of_same(self.compiled.with_count(count))
    }

    /// Returns the same with alternatives changed, by the place of the claim; for
    /// questions alone.
    pub(crate) fn altered(&self, change: impl FnMut(usize, &mut Alternative)) -> Self {
        self.of_same(self.compiled.altered(change))
    }

    /// Returns the same with a constraint, by claim and place, that compares another
    /// attribute; for questions alone.
    pub(crate) fn with_attribute(
        &self,
        place: (usize, usize),
        attribute: &FullyQualifiedName,
    ) -> Self {
        self.of_same(self.compiled.with_attribute(place, attribute))
    }

    /// Returns the same with another selector in the place of one, wherever it is
    /// wanted; for questions alone.
    pub(crate) fn with_selector(
        &self,
        source: &Str,
        change: impl FnMut(usize, &mut Alternative, ExpressionId),
    ) -> Self {
        self.of_same(self.compiled.with_selector(source, change))
    }

    /// Returns other specs as asked by the same.
    fn of_same(&self, compiled: Compiled) -> Self {
        Self {
            compiled: Arc::new(compiled),
            owners: self.owners.clone(),
            stored: self.stored.clone(),
        }
    }

    /// Returns the same as asked by other claims with these specs.
    pub(crate) fn asked_by(&self, others: &Self) -> Self {
        Self {
            compiled: Arc::clone(&self.compiled),
            owners: others.owners.clone(),
            stored: others.stored.clone(),
        }
    }

    /// Returns the same as asked by nobody that there is, told apart by a number.
    pub(crate) fn of_nobody(&self, number: u32) -> Self {
        Self {
            compiled: Arc::clone(&self.compiled),
            owners: Owners::of_nobody(number, self.len()),
            stored: None,
        }
    }

    /// Returns the alternatives of all requests, in order.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = &Alternative> {
        self.compiled.alternatives()
    }

    pub(crate) fn features(&self) -> &Features {
        &self.compiled.features
    }

    pub(crate) fn expressions(&self) -> &[Expression] {
        self.compiled.expressions()
    }

    pub(crate) fn expression(&self, id: ExpressionId) -> &Expression {
        self.compiled.expression(id)
    }

    /// Returns whether two share what they ask for, not only ask for equal things.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.compiled, &other.compiled)
    }

    /// Returns what tells what they ask for from others without keeping it.
    pub(crate) fn downgrade(&self) -> WeakClaims {
        WeakClaims(Arc::downgrade(&self.compiled))
    }

    /// Returns the place in memory of what they ask for, which is that of
    /// nothing else while it, or a [`WeakClaims`] of it, is there.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.compiled).addr()
    }
}

/// Tells what [`PreparedClaims`] ask for from others after it is gone.
#[derive(Clone, Debug)]
pub(crate) struct WeakClaims(Weak<Compiled>);

impl WeakClaims {
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }

    pub(crate) fn is_there(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// Refuses a claim that is the same object as one before it.
fn check_duplicate(claims: &[ResourceClaim], index: usize) -> Result<(), Error> {
    let uid = |place: usize| claims[place].metadata.uid.as_deref();
    match uid(index) {
        Some(own) if !own.is_empty() && (0..index).any(|other| uid(other) == Some(own)) => {
            let message = format!("claim `{own}` is there twice, expected each claim once");
            Err(Error::new(Code::Duplicate, message).at(format!("claims[{index}]")))
        }
        _ => Ok(()),
    }
}

fn disabled(what: &str, gate: &str) -> Error {
    Error::new(
        Code::FeatureDisabled,
        format!("{what} asked for, expected the gate {gate} to be on"),
    )
}
