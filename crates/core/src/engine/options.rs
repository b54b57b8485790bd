//! [`AllocateOptions`]: how claims are to be allocated.

use std::borrow::Cow;

use crate::budget::Budget;
use crate::claims::PreparedClaims;
use crate::error::{Code, Error};
use crate::model::Amounts;
use crate::objective::{Policy, Scope};

pub use crate::solver::ErrorMode;

/// The policy whose answer is found first.
static ANY: Policy = Policy::Kubernetes;

/// Says how claims are to be allocated.
#[derive(Clone, Copy, Debug)]
pub struct AllocateOptions<'a> {
    pub(super) policy: Option<&'a Policy>,
    pub(super) carried: CarriedPolicies,
    pub(super) budget: Budget<'a>,
    /// None: as the policy has it.
    pub(super) errors: Option<ErrorMode>,
    /// Seconds since the epoch.
    pub(super) now: Option<i64>,
    pub(super) releasing: Releasing,
    pub(super) user: Option<&'a str>,
    pub(super) amounts: Option<&'a Amounts>,
    /// Whether the books count as empty.
    pub(super) nothing_held: bool,
    pub(super) shortcuts: bool,
    /// Whether nodes with few devices are treated as those with many.
    pub(super) many: bool,
}

impl Default for AllocateOptions<'_> {
    fn default() -> Self {
        Self {
            policy: None,
            carried: CarriedPolicies::default(),
            budget: Budget::default(),
            errors: None,
            now: None,
            releasing: Releasing::default(),
            user: None,
            amounts: None,
            nothing_held: false,
            shortcuts: true,
            many: false,
        }
    }
}

/// Says what becomes of devices whose owners are about to give them back: claims
/// that are being deleted, and those marked by
/// [`Transaction::mark_releasing`](super::Transaction::mark_releasing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Releasing {
    /// They are taken until they are given back.
    #[default]
    Taken,
    /// They count as free: who gets them has to wait for them.
    Free,
}

/// Says what becomes of the policies that claims and classes carry
/// ([`PlacementPolicy`](crate::model::PlacementPolicy)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CarriedPolicies {
    /// Where the caller asks for no policy, that of a claim counts for its requests,
    /// and where there is none that of their classes.
    #[default]
    Used,
    /// They are as good as not there.
    Ignored,
}

impl<'a> AllocateOptions<'a> {
    /// Returns the defaults: the policies that claims carry, no budget.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the policy for all requests, whatever claims and classes carry; by
    /// default that counts, and [`Policy::Kubernetes`] where there is nothing.
    ///
    /// In any other the answer is the best by its terms, the first in canonical
    /// order of those: [`Outcome::Optimal`](super::Outcome::Optimal) is proved
    /// to be, and [`Outcome::Feasible`](super::Outcome::Feasible) says what was
    /// found until the budget ended. [`Allocation::objective`](super::Allocation::objective)
    /// has the values.
    #[must_use]
    pub fn policy(mut self, policy: &'a Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Sets what becomes of policies that claims and classes carry;
    /// [`CarriedPolicies::Used`] by default.
    ///
    /// What they ask for that there is no support for is an error of the question,
    /// also if another policy is set, unless they are ignored.
    #[must_use]
    pub fn carried_policies(mut self, carried: CarriedPolicies) -> Self {
        self.carried = carried;
        self
    }

    /// Returns the terms that a question has, with the requests that they are for;
    /// none where the first answer in canonical order is wanted.
    pub(super) fn scopes<'c>(&self, claims: &'c PreparedClaims) -> Cow<'c, [Scope]> {
        match (self.policy, self.carried) {
            (Some(policy), _) => Cow::Owned(Scope::of(policy)),
            (None, CarriedPolicies::Used) => Cow::Borrowed(&claims.compiled().scopes),
            (None, CarriedPolicies::Ignored) => Cow::Borrowed(&[]),
        }
    }

    /// Sets the budget; none by default.
    #[must_use]
    pub fn budget(mut self, budget: Budget<'a>) -> Self {
        self.budget = budget;
        self
    }

    /// Sets what a device does on which evaluation fails; by default
    /// [`ErrorMode::Abort`] in the `kubernetes` policy, and [`ErrorMode::Skip`] in
    /// others, where [`Allocation::warnings`](super::Allocation::warnings) lists it.
    ///
    /// To find the best answer all devices are compared, so with
    /// [`ErrorMode::Abort`] any of them that fails is an error there.
    #[must_use]
    pub fn errors(mut self, errors: ErrorMode) -> Self {
        self.errors = Some(errors);
        self
    }

    /// Returns what a device does on which evaluation fails.
    pub(super) fn error_mode(&self, claims: &PreparedClaims) -> ErrorMode {
        let by_policy = if self.scopes(claims).is_empty() {
            ErrorMode::Abort
        } else {
            ErrorMode::Skip
        };
        self.errors.unwrap_or(by_policy)
    }

    /// Sets the time of the question, in seconds since 1970 (UTC): failures of
    /// devices count half after each day, for policies that look at them. By
    /// default nothing is forgotten: the engine has no clock.
    #[must_use]
    pub fn now(mut self, seconds: i64) -> Self {
        self.now = Some(seconds);
        self
    }

    /// Sets what becomes of devices on their way out; [`Releasing::Taken`] by default.
    #[must_use]
    pub fn releasing(mut self, releasing: Releasing) -> Self {
        self.releasing = releasing;
        self
    }

    /// Sets who will use the claims, by uid; nobody by default.
    ///
    /// A claim that is allocated already and has 256 other users is
    /// [`Reason::FullyReserved`](crate::Reason::FullyReserved) then. Nothing is
    /// reserved by it: [`Transaction::reserve`](super::Transaction::reserve) does that.
    #[must_use]
    pub fn user(mut self, user: &'a str) -> Self {
        self.user = Some(user);
        self
    }

    /// Sets amounts of the node that are needed beside the claims; none by default.
    ///
    /// A node that has too little of one beside what others use is
    /// [`Reason::Amount`](crate::Reason::Amount); what it does not list in its
    /// status it does not have. [`Transaction::allocate`](super::Transaction::allocate)
    /// holds them for the [`user`](Self::user), instead of what that user had; it
    /// must be set there.
    #[must_use]
    pub fn amounts(mut self, amounts: &'a Amounts) -> Self {
        self.amounts = Some(amounts);
        self
    }

    /// Returns the same where it does not matter which answer is given.
    pub(super) fn for_any_answer(mut self, claims: &PreparedClaims) -> Self {
        self.errors = Some(self.error_mode(claims));
        self.policy = Some(&ANY);
        self
    }

    /// Returns the same where nothing is held; which answer does not matter there.
    pub(super) fn on_empty_books(self, claims: &PreparedClaims) -> Self {
        Self {
            nothing_held: true,
            ..self.for_any_answer(claims)
        }
    }

    /// Returns who is to use which amounts.
    pub(super) fn taken(&self) -> Result<Option<(&'a str, &'a Amounts)>, Error> {
        match (self.user, self.amounts) {
            (_, None) => Ok(None),
            (Some(user), Some(amounts)) => Ok(Some((user, amounts))),
            (None, Some(_)) => {
                let message = "amounts are asked for nobody, expected a user to hold them";
                Err(Error::new(Code::Invalid, message).at("amounts"))
            }
        }
    }

    /// Sets whether usual questions are answered the short way; they are by default.
    ///
    /// It is there for tests: the answer is the same.
    #[doc(hidden)]
    #[must_use]
    pub fn shortcuts(mut self, shortcuts: bool) -> Self {
        self.shortcuts = shortcuts;
        self
    }

    /// Sets whether the short way for many devices is taken for few, too; it is
    /// not by default.
    ///
    /// It is there for tests: the answer is the same.
    #[doc(hidden)]
    #[must_use]
    pub fn many(mut self, many: bool) -> Self {
        self.many = many;
        self
    }
}
