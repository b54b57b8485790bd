//! [`Answer`]: what is said of one case.

use dralloc::model::AllocationResult;
use dralloc::{Allocation, Error, Gap, Outcome, TermValue};
use serde::Serialize;

/// Is one line of the answers.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    name: String,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    results: Option<Vec<AllocationResult>>,
    /// Values of the terms of the policy, the most important first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    objective: Vec<TermValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<GapLine>,
    #[serde(rename = "stopCause", skip_serializing_if = "Option::is_none")]
    stop_cause: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nanos: Option<u64>,
}

#[derive(Debug, Serialize)]
struct ErrorLine {
    code: &'static str,
    message: String,
    path: String,
    scope: &'static str,
}

/// Bounds how far the allocation can be from the best.
#[derive(Debug, Serialize)]
struct GapLine {
    term: usize,
    value: i64,
    bound: i64,
}

impl Answer {
    fn new(name: String, outcome: &'static str) -> Self {
        Self {
            name,
            outcome,
            results: None,
            objective: Vec::new(),
            gap: None,
            stop_cause: None,
            error: None,
            nanos: None,
        }
    }

    /// Returns the answer for an outcome.
    pub(super) fn of(name: String, outcome: Outcome) -> Self {
        match outcome {
            Outcome::Optimal(allocation) => Self::allocated(name, &allocation, None),
            Outcome::Feasible { allocation, gap } => Self::allocated(name, &allocation, Some(gap)),
            Outcome::Infeasible(_) => Self::new(name, "infeasible"),
            Outcome::Unknown(cause) => Self {
                stop_cause: Some(cause.as_str()),
                ..Self::new(name, "unknown")
            },
        }
    }

    fn allocated(name: String, allocation: &Allocation, gap: Option<Gap>) -> Self {
        let mut results = allocation.results();
        number_shares(&mut results);
        let gap = gap.map(|Gap { term, value, bound }| GapLine { term, value, bound });
        Self {
            results: Some(results),
            objective: allocation.objective().to_vec(),
            gap,
            ..Self::new(name, "allocated")
        }
    }

    /// Returns the answer for a case that has none.
    pub(super) fn error(name: String, error: &Error) -> Self {
        let error = ErrorLine {
            code: error.code().as_str(),
            message: error.message().to_owned(),
            path: error.path().to_owned(),
            scope: error.scope().as_str(),
        };
        Self {
            error: Some(error),
            ..Self::new(name, "error")
        }
    }

    /// Returns the answer with the time of one call.
    pub(super) fn timed(mut self, nanos: Option<u64>) -> Self {
        self.nanos = nanos;
        self
    }
}

/// Replaces share ids, which differ between allocators, by their place.
fn number_shares(results: &mut [AllocationResult]) {
    let devices = results
        .iter_mut()
        .flat_map(|result| &mut result.devices.results);
    let share_ids = devices.filter_map(|device| device.share_id.as_mut());
    for (index, share_id) in share_ids.enumerate() {
        *share_id = format!("<share-{index}>").into();
    }
}
