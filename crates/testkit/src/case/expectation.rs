//! What Kubernetes' allocator answered to a case, and what is right.

use dralloc::model::{AllocationResult, Str};
use serde::{Deserialize, Serialize};

use super::OutcomeKind;

/// Is the label of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expectation {
    /// Name of the case.
    pub name: String,
    /// Answer of Kubernetes' experimental variant.
    pub experimental: Observed,
    /// Whether the other variants which know the features gave the same answer.
    #[serde(default)]
    pub variants_agree: bool,
    /// What an exhaustive search by the API's rules says of that answer.
    pub brute_force: BruteForce,
    /// Why Kubernetes' answer is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upstream_bug: Option<String>,
    /// Which known faults are at work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub upstream_bug_kinds: Vec<String>,
    /// The answer of the exhaustive search, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<Right>,
    /// Slices of one pool disagree about their number, and which of them comes
    /// first decides Kubernetes' answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub order_dependent: bool,
}

impl Expectation {
    /// Returns the outcome that an exact engine has to give.
    pub fn outcome(&self) -> OutcomeKind {
        self.right
            .as_ref()
            .map_or(self.experimental.outcome, |right| right.outcome)
    }
}

/// Is an answer of Kubernetes' allocator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Observed {
    /// How the call ended.
    pub outcome: OutcomeKind,
    /// One result per claim, if allocated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub results: Option<Vec<AllocationResult>>,
    /// Its words; informative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the error affects only the node.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub node_local: bool,
    /// Steps of its search; for comparison only.
    #[serde(default)]
    pub steps: u64,
}

/// Says what an exhaustive search by the API's rules found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BruteForce {
    /// The same.
    Agree,
    /// Another answer, given as `right`.
    Bug,
    /// It was not run to the end.
    Skipped,
}

/// Is the answer that an exact engine gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Right {
    /// How the call ends.
    pub outcome: OutcomeKind,
    /// The devices of each claim, if allocated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub devices: Option<Vec<Vec<RightDevice>>>,
}

/// Is one device of the right answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RightDevice {
    /// `request`, or `request/subrequest`.
    pub request: Str,
    /// Driver of the device.
    pub driver: Str,
    /// Pool of the device.
    pub pool: Str,
    /// Name of the device.
    pub device: Str,
}
