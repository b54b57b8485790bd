//! Results of calls as JSON.

use serde::Serialize;

use crate::engine::form::text;
use crate::engine::{Outcome, Placement};
use crate::error::Error;
use crate::model::AllocationResult;
use crate::outcome::{Gap, Reason, StopCause};

/// Is an error, or what else a call returned.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Failed<'a> {
    error: ErrorForm<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorForm<'a> {
    code: &'static str,
    message: &'a str,
    path: &'a str,
    scope: &'static str,
}

impl<'a> From<&'a Error> for ErrorForm<'a> {
    fn from(error: &'a Error) -> Self {
        Self {
            code: error.code().as_str(),
            message: error.message(),
            path: error.path(),
            scope: error.scope().as_str(),
        }
    }
}

/// Returns an error, or the form of what was returned.
pub(super) fn result<T>(result: &Result<T, Error>, form: impl FnOnce(&T) -> String) -> String {
    match result {
        Ok(value) => form(value),
        Err(error) => text(&Failed {
            error: error.into(),
        }),
    }
}

/// Returns the form of what has nothing to say.
pub(super) fn done<T>(_: &T) -> String {
    "\"done\"".to_owned()
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct OutcomeForm {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<AllocationResult>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<[i128; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_cause: Option<&'static str>,
}

pub(super) fn outcome(outcome: &Outcome) -> String {
    let mut form = OutcomeForm::default();
    match outcome {
        Outcome::Optimal(allocation) => {
            form.outcome = "allocated";
            form.results = Some(allocation.results());
        }
        Outcome::Feasible { allocation, gap } => {
            let Gap { term, value, bound } = *gap;
            form.outcome = "feasible";
            form.results = Some(allocation.results());
            form.gap = Some([term as i128, value.into(), bound.into()]);
        }
        Outcome::Infeasible(reason) => {
            form.outcome = "infeasible";
            form.reason = Some(match reason {
                Reason::Request { claim, request } => {
                    format!("claims[{claim}].requests[{request}]")
                }
                Reason::Count => "count".to_owned(),
                Reason::Exhausted => "exhausted".to_owned(),
                Reason::AllocatedElsewhere { claim } => {
                    format!("claims[{claim}] allocated elsewhere")
                }
                Reason::Releasing { claim } => format!("claims[{claim}] releasing"),
                Reason::FullyReserved { claim } => format!("claims[{claim}] fully reserved"),
                Reason::Amount { name, missing } => format!("{missing} of {name}"),
            });
        }
        Outcome::Unknown(cause) => {
            form.outcome = "unknown";
            form.stop_cause = Some(cause.as_str());
        }
    }
    text(&form)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PlacementForm<'a> {
    nodes: Vec<NodeForm<'a>>,
    asked: usize,
    feasible: usize,
    reasons: Vec<ReasonForm<'a>>,
    failed: Vec<(&'a str, ErrorForm<'a>)>,
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
    results: Vec<AllocationResult>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReasonForm<'a> {
    nodes: usize,
    cause: String,
    example: &'a str,
}

pub(super) fn placement(placement: &Placement) -> String {
    let nodes = placement.nodes().iter().map(|node| NodeForm {
        name: node.name(),
        place: node.place(),
        rank: node.score().rank,
        free: node.score().free,
        results: node.allocation().results(),
    });
    let reasons = placement.reasons().iter().map(|reason| ReasonForm {
        nodes: reason.nodes,
        cause: reason.cause.to_string(),
        example: &reason.example,
    });
    let failed = placement.failed().iter();
    text(&PlacementForm {
        nodes: nodes.collect(),
        asked: placement.asked(),
        feasible: placement.feasible(),
        reasons: reasons.collect(),
        failed: failed
            .map(|(node, error)| (&**node, error.into()))
            .collect(),
        stop_cause: placement.stopped().map(StopCause::as_str),
    })
}
