//! [`OptimalityCertificate`]: why no answer is better.

use serde::{Deserialize, Serialize};

use super::{RequestId, Step};
use crate::objective::Term;

/// Proves that no answer for claims on a node is better than one, by some terms.
///
/// Which terms are to be looked at is the business of who asks; here it is said
/// which were. It is about the books as they were before the answer took effect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "a certificate"
)]
pub struct OptimalityCertificate {
    /// Whether devices whose owners are about to give them back count as free.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub releasing_is_free: bool,
    /// Whether what claims, classes and machines require of places and links does not
    /// count, as with [`CarriedPolicies::Ignored`](crate::CarriedPolicies::Ignored).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub policies_are_ignored: bool,
    /// When failures of devices were looked at, in seconds since 1970; if it is
    /// absent, nothing was forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<i64>,
    /// The terms, the most important first.
    pub terms: Vec<TermBound>,
}

/// Proves that one term cannot be lower while those before it are no higher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TermBound {
    /// The term.
    pub term: Term,
    /// The requests whose devices it looks at; all if that is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<Vec<RequestId>>,
    /// Its value in the answer.
    pub value: i64,
    /// A tree as in a [`Certificate`](super::Certificate): each case is impossible,
    /// or has no better answer ([`Step::Least`]). It is empty if the value is 0,
    /// which no term is ever below.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
}
