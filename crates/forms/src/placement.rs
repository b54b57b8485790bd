//! What many nodes are answered with.

use dralloc::{Error, NodeCause, NodeReason, PlacedNode, Placement, StopCause, TermValue};
use serde::Serialize;

use crate::outcome::GapForm;
use crate::text::text;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlacementForm<'a> {
    nodes: Vec<NodeForm<'a>>,
    asked: usize,
    next: usize,
    feasible: usize,
    reasons: Vec<ReasonForm<'a>>,
    failed: Vec<FailedForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_cause: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeForm<'a> {
    name: &'a str,
    place: usize,
    rank: u64,
    free: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    objective: Vec<TermValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<GapForm>,
}

impl<'a> From<PlacedNode<'a>> for NodeForm<'a> {
    fn from(node: PlacedNode<'a>) -> Self {
        Self {
            name: node.name(),
            place: node.place(),
            rank: node.score().rank,
            free: node.score().free,
            objective: node.allocation().objective().to_vec(),
            gap: node.gap().map(GapForm::from),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct ReasonForm<'a> {
    cause: &'static str,
    nodes: usize,
    example: &'a str,
    message: String,
}

impl<'a> From<&'a NodeReason> for ReasonForm<'a> {
    fn from(reason: &'a NodeReason) -> Self {
        Self {
            cause: cause(&reason.cause),
            nodes: reason.nodes,
            example: &reason.example,
            message: reason.cause.to_string(),
        }
    }
}

#[derive(Serialize)]
struct FailedForm<'a> {
    node: &'a str,
    error: &'a Error,
}

/// Returns the name of a cause.
pub fn cause(cause: &NodeCause) -> &'static str {
    match cause {
        NodeCause::Request { .. } => "request",
        NodeCause::Together => "together",
        NodeCause::Constraint { .. } => "constraint",
        NodeCause::Combination => "combination",
        NodeCause::AllocatedElsewhere { .. } => "allocatedElsewhere",
        NodeCause::Releasing { .. } => "releasing",
        NodeCause::FullyReserved { .. } => "fullyReserved",
        NodeCause::Amount { .. } => "amount",
        NodeCause::Error(_) => "error",
        NodeCause::Unknown(_) => "unknown",
        // What a later version adds is told in words.
        _ => "other",
    }
}

/// Writes where claims fit: `nodes` (`name`, `place` in the order that was asked
/// for, `rank` and `free`, and under a policy `objective` and `gap`), `asked`,
/// `next`, `feasible`, `reasons` (`cause`, `nodes`, `example`, `message`), `failed`
/// (`node`, `error`) and `stopCause`.
///
/// # Errors
///
/// Those of [`text`](crate::text()).
pub fn placement(placement: &Placement) -> Result<String, Error> {
    let failed = placement.failed().iter();
    text(&PlacementForm {
        nodes: placement.nodes().iter().map(NodeForm::from).collect(),
        asked: placement.asked(),
        next: placement.next(),
        feasible: placement.feasible(),
        reasons: placement.reasons().iter().map(ReasonForm::from).collect(),
        failed: failed
            .map(|(node, error)| FailedForm { node, error })
            .collect(),
        stop_cause: placement.stopped().map(StopCause::as_str),
    })
}
