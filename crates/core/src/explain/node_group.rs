//! [`NodeGroup`]: nodes on which claims fare alike.

use serde::Serialize;

use super::Explanation;
use crate::model::Str;

/// Is a group of nodes on which claims fit, or do not for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeGroup {
    /// In the order of the question.
    pub nodes: Vec<Str>,
    /// What has to happen there.
    pub verdict: NodeVerdict,
    /// That of the first node; empty if it was not looked for.
    pub explanation: Explanation,
}

/// Says what has to happen before claims fit on a node; the names are stable. What can
/// be hoped for comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum NodeVerdict {
    /// Nothing: they fit.
    Fits,
    /// Others have to give back what they hold.
    AfterRelease,
    /// That was not found out before the budget ended.
    Unknown,
    /// Something in the claims or in what the node publishes has to be put right.
    BadInput,
    /// They do not fit even if nothing is held: other devices or other claims are needed.
    NeverPossible,
}

impl NodeVerdict {
    /// Returns the stable name of the verdict.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fits => "fits",
            Self::AfterRelease => "afterRelease",
            Self::Unknown => "unknown",
            Self::BadInput => "badInput",
            Self::NeverPossible => "neverPossible",
        }
    }
}
