//! [`Conflict`]: what cannot be had together.

use serde::Serialize;

use super::Holder;
use crate::model::Str;

/// Lists requests, constraints and holders that cannot all have their way.
///
/// What the node publishes and what selectors ask for is not in question. The
/// requests of the list alone, under the constraints of the list alone, do not fit
/// beside what the holders of the list hold. If it is irreducible, they do as soon
/// as any single member is left out, whichever.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// In the order of claims and requests.
    pub requests: Vec<ConflictRequest>,
    /// In the order of claims and constraints.
    pub constraints: Vec<ConflictConstraint>,
    /// What policies require, in the order of claims and policies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<ConflictPolicy>,
    /// By owner.
    pub holders: Vec<Holder>,
    /// Whether no member can be left out; if not, the effort that an explanation
    /// may take ended before that was known.
    pub irreducible: bool,
}

/// Names a request of a conflict.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConflictRequest {
    /// Place of the claim in the question.
    pub claim: usize,
    /// Name of the request in the claim.
    pub request: Str,
}

/// Names a constraint of a conflict.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConflictConstraint {
    /// Place of the claim in the question.
    pub claim: usize,
    /// Place of the constraint in the claim.
    pub constraint: usize,
}

/// Names something of a conflict that a placement policy requires.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConflictPolicy {
    /// Place of the claim in the question.
    pub claim: usize,
    /// What it requires, in words that follow "requires", such as ``one `numaNode` ``.
    pub requires: String,
}
