//! [`AllocateOptions`]: how claims are to be allocated.

use crate::error::{Code, Error};
use crate::model::Amounts;
use crate::objective::Policy;
use crate::solver::Budget;

pub use crate::solver::ErrorMode;

/// Says how claims are to be allocated.
#[derive(Clone, Copy, Debug)]
pub struct AllocateOptions<'a> {
    pub(super) policy: Option<&'a Policy>,
    pub(super) budget: Budget<'a>,
    pub(super) errors: ErrorMode,
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
            budget: Budget::default(),
            errors: ErrorMode::default(),
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

impl<'a> AllocateOptions<'a> {
    /// Returns the defaults: the `kubernetes` policy, no budget, errors abort.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the policy; [`Policy::Kubernetes`] by default.
    #[must_use]
    pub fn policy(mut self, policy: &'a Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Sets the budget; none by default.
    #[must_use]
    pub fn budget(mut self, budget: Budget<'a>) -> Self {
        self.budget = budget;
        self
    }

    /// Sets what a device does on which evaluation fails; [`ErrorMode::Abort`] by default.
    #[must_use]
    pub fn errors(mut self, errors: ErrorMode) -> Self {
        self.errors = errors;
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

    /// Returns the same where nothing is held; which answer does not matter there.
    pub(super) fn on_empty_books(mut self) -> Self {
        self.nothing_held = true;
        self.policy = None;
        self
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
