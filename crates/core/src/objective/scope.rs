//! [`Scope`]: terms, and the requests whose picks they count.

use std::collections::BTreeSet;

use super::{Policy, Term};

/// Is a list of terms for some requests.
///
/// The values of several scopes are compared one after the other, as if they
/// were one list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) terms: Vec<Term>,
    pub(crate) requests: Requests,
}

/// Says for which requests terms count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Requests {
    All,
    /// By the place of the claim, and that of the request in the claim.
    Some(BTreeSet<(usize, usize)>),
}

impl Scope {
    /// Returns what a policy for all requests asks for; nothing if it asks for
    /// the first in canonical order.
    pub(crate) fn of(policy: &Policy) -> Vec<Self> {
        if *policy == Policy::Kubernetes {
            return Vec::new();
        }
        vec![Self {
            terms: policy.terms().into_owned(),
            requests: Requests::All,
        }]
    }
}

impl Requests {
    /// Returns whether a request is among them, by the place of its claim and
    /// its own in it.
    pub(crate) fn contains(&self, claim: usize, request: usize) -> bool {
        match self {
            Self::All => true,
            Self::Some(requests) => requests.contains(&(claim, request)),
        }
    }
}
