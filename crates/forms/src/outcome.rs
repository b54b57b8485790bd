//! What questions to one node are answered with.

use dralloc::{Allocation, Error, Gap, Outcome, Reason, RunnerUp, TermValue, Together};
use serde::Serialize;

use crate::text::text;

/// Classifies outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The best, or in the `kubernetes` policy the first.
    Optimal,
    /// One that may not be the best.
    Feasible,
    /// There is none.
    Infeasible,
    /// It is not known.
    Unknown,
}

impl Kind {
    /// Returns the kind of an outcome.
    pub fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Optimal(_) => Self::Optimal,
            Outcome::Feasible { .. } => Self::Feasible,
            Outcome::Infeasible(_) => Self::Infeasible,
            Outcome::Unknown(_) => Self::Unknown,
        }
    }

    /// Returns the name of the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Feasible => "feasible",
            Self::Infeasible => "infeasible",
            Self::Unknown => "unknown",
        }
    }
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct OutcomeForm<'a> {
    outcome: &'static str,
    #[serde(flatten)]
    allocation: Option<AllocationForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<GapForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<ReasonForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_cause: Option<&'static str>,
}

/// Is an answer with all that is to be said about it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AllocationForm<'a> {
    node: &'a str,
    results: &'a Allocation,
    #[serde(skip_serializing_if = "<[TermValue]>::is_empty")]
    objective: &'a [TermValue],
    #[serde(skip_serializing_if = "<[Error]>::is_empty")]
    warnings: &'a [Error],
    #[serde(skip_serializing_if = "<[Together]>::is_empty")]
    placement: &'a [Together],
}

impl<'a> From<&'a Allocation> for AllocationForm<'a> {
    fn from(allocation: &'a Allocation) -> Self {
        Self {
            node: allocation.node(),
            results: allocation,
            objective: allocation.objective(),
            warnings: allocation.warnings(),
            placement: allocation.placement(),
        }
    }
}

/// Bounds how far an answer is from the best.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct GapForm {
    term: usize,
    value: i64,
    bound: i64,
}

impl From<Gap> for GapForm {
    fn from(gap: Gap) -> Self {
        let Gap { term, value, bound } = gap;
        Self { term, value, bound }
    }
}

/// Is why nothing fits.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReasonForm<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
    message: String,
}

impl<'a> From<&'a Reason> for ReasonForm<'a> {
    fn from(reason: &'a Reason) -> Self {
        let form = Self {
            message: reason.to_string(),
            ..Self::default()
        };
        let of_claim = |kind, claim: usize| (kind, Some(claim), None);
        let (kind, claim, request) = match reason {
            Reason::Request { claim, request } => ("request", Some(*claim), Some(*request)),
            Reason::Count => ("count", None, None),
            Reason::Exhausted => ("exhausted", None, None),
            Reason::AllocatedElsewhere { claim } => of_claim("allocatedElsewhere", *claim),
            Reason::Releasing { claim } => of_claim("releasing", *claim),
            Reason::FullyReserved { claim } => of_claim("fullyReserved", *claim),
            Reason::Amount { name, missing } => {
                return Self {
                    kind: "amount",
                    name: Some(name),
                    missing: Some(missing.to_string()),
                    ..form
                };
            }
            // What a later version adds is told in words.
            _ => ("other", None, None),
        };
        Self {
            kind,
            claim,
            request,
            ..form
        }
    }
}

/// Writes an outcome: `outcome` (`optimal`, `feasible`, `infeasible` or `unknown`);
/// with an answer `node`, `results`, and where a policy asks for the best
/// `objective`, `warnings` and `gap`, and where policies have levels or units `placement`
/// (what their devices have in common); without one `reason` or `stopCause`.
///
/// # Errors
///
/// Those of [`text`](crate::text()).
pub fn outcome(outcome: &Outcome) -> Result<String, Error> {
    let mut form = OutcomeForm {
        outcome: Kind::of(outcome).as_str(),
        ..OutcomeForm::default()
    };
    match outcome {
        Outcome::Optimal(allocation) => form.allocation = Some(allocation.into()),
        Outcome::Feasible { allocation, gap } => {
            form.allocation = Some(allocation.into());
            form.gap = Some((*gap).into());
        }
        Outcome::Infeasible(reason) => form.reason = Some(reason.into()),
        Outcome::Unknown(cause) => form.stop_cause = Some(cause.as_str()),
    }
    text(&form)
}

/// Writes the results of an answer, as Kubernetes keeps one in `status.allocation`
/// of each claim: an array in the order of the claims.
///
/// # Errors
///
/// Those of [`text`](crate::text()).
pub fn results(allocation: &Allocation) -> Result<String, Error> {
    text(allocation)
}

/// Writes why nothing fits.
///
/// # Errors
///
/// Those of [`text`](crate::text()).
pub fn reason(reason: &Reason) -> Result<String, Error> {
    text(&ReasonForm::from(reason))
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct RunnerUpForm<'a> {
    runner_up: &'static str,
    #[serde(flatten)]
    allocation: Option<AllocationForm<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    term: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_cause: Option<&'static str>,
    message: String,
}

/// Writes what comes after the best: `runnerUp` (`found`, `nothing` or `unknown`),
/// and of what was found the answer, with `term`, `best` and `value`.
///
/// # Errors
///
/// Those of [`text`](crate::text()).
pub fn runner_up(runner_up: &RunnerUp) -> Result<String, Error> {
    let mut form = RunnerUpForm {
        message: runner_up.to_string(),
        ..RunnerUpForm::default()
    };
    match runner_up {
        RunnerUp::Found {
            allocation,
            term,
            best,
            value,
        } => {
            form.runner_up = "found";
            form.allocation = Some((&**allocation).into());
            (form.term, form.best, form.value) = (Some(*term), Some(*best), Some(*value));
        }
        RunnerUp::Nothing => form.runner_up = "nothing",
        RunnerUp::Unknown(cause) => {
            form.runner_up = "unknown";
            form.stop_cause = Some(cause.as_str());
        }
    }
    text(&form)
}
