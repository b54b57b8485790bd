//! What an engine says to a case.

use dralloc::model::AllocationResult;
use serde::{Deserialize, Serialize};

/// Is an engine's answer to a case, one line of `dralloc replay`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Name of the case.
    pub name: String,
    /// How the call ended.
    pub outcome: OutcomeKind,
    /// One result per claim, if allocated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<AllocationResult>>,
    /// What is wrong, if it is an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<AnswerError>,
    /// Why the search ended, if it is unknown.
    #[serde(default, rename = "stopCause", skip_serializing_if = "Option::is_none")]
    pub stop_cause: Option<String>,
    /// How long the call took; of no meaning for its correctness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nanos: Option<u64>,
}

impl Answer {
    /// Returns an answer without results and without error.
    pub fn new(name: impl Into<String>, outcome: OutcomeKind) -> Self {
        Self {
            name: name.into(),
            outcome,
            results: None,
            error: None,
            stop_cause: None,
            nanos: None,
        }
    }

    /// Returns the answer `allocated` with its results, one per claim.
    pub fn allocated(name: impl Into<String>, results: Vec<AllocationResult>) -> Self {
        Self {
            results: Some(results),
            ..Self::new(name, OutcomeKind::Allocated)
        }
    }

    /// Returns the answer `error`.
    pub fn error(name: impl Into<String>, error: AnswerError) -> Self {
        Self {
            error: Some(error),
            ..Self::new(name, OutcomeKind::Error)
        }
    }
}

/// Says how a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OutcomeKind {
    /// All claims got their devices.
    Allocated,
    /// The claims do not fit on the node.
    Infeasible,
    /// The input is faulty, or a part of it that the search met.
    Error,
    /// Kubernetes' allocator crashed; no answer of ours may be this.
    Panic,
    /// The search was stopped before it had an answer.
    Unknown,
}

impl OutcomeKind {
    /// Returns the word that the data use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allocated => "allocated",
            Self::Infeasible => "infeasible",
            Self::Error => "error",
            Self::Panic => "panic",
            Self::Unknown => "unknown",
        }
    }
}

/// Says what is wrong and whom it affects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerError {
    /// Stable code.
    pub code: String,
    /// One line for people.
    pub message: String,
    /// The field that is wrong; may be empty.
    #[serde(default)]
    pub path: String,
    /// `request`, or `node` if only this node is affected.
    pub scope: String,
}
