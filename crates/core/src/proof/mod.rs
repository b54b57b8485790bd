//! Certificates: why claims do not fit on a node, in a form that can be checked.
//!
//! Data only. `solver` makes them on request, `verify` checks them without it.

mod names;
mod optimality;
mod step;

use serde::{Deserialize, Serialize};

pub use names::{CapacityWeight, ConstraintId, CounterWeight, GroupValue, RequestId};
pub use optimality::{OptimalityCertificate, TermBound};
pub use step::Step;

use crate::outcome::{Reason, StopCause};

/// Proves that claims do not fit on a node beside what is held there.
///
/// It is a tree, written in the order in which it is read: each step either
/// shows by a sum that what is asked for cannot be had, or splits the question
/// into cases, and is followed by the steps of each case in turn. It names
/// claims by their place in the question, and devices by their full names. What
/// is held it takes from the books of whoever checks it:
/// [`Snapshot::verify_certificate`](crate::Snapshot::verify_certificate).
///
/// # Examples
///
/// ```
/// use dralloc::Certificate;
///
/// let text = r#"{"steps": [{"count": {
///     "requests": [{"claim": 0, "request": "gpu"}],
///     "devices": [{"driver": "gpu.example.com", "pool": "node-1", "device": "gpu-0"}],
///     "needed": 2, "available": 1}}]}"#;
/// let certificate: Certificate = serde_json::from_str(text)?;
/// assert_eq!(certificate.steps.len(), 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    deny_unknown_fields,
    expecting = "a certificate"
)]
pub struct Certificate {
    /// Whether devices whose owners are about to give them back count as free,
    /// as with [`Releasing::Free`](crate::Releasing::Free).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub releasing_is_free: bool,
    /// Whether what claims, classes and machines require of places and links does not
    /// count, as with [`CarriedPolicies::Ignored`](crate::CarriedPolicies::Ignored).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub policies_are_ignored: bool,
    /// The tree: every step is followed by those of its cases.
    pub steps: Vec<Step>,
}

/// Answers whether it can be proved that claims do not fit, or that an answer
/// is the best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certified {
    /// They fit. That an answer is the best was not asked for, or is not known.
    Fits,
    /// They fit, and this proves that the answer is the best.
    Optimal(OptimalityCertificate),
    /// They do not, and this proves it.
    Infeasible(Certificate),
    /// No proof was written down.
    Unrecorded(Unrecorded),
}

/// Says why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unrecorded {
    /// The search for an answer or for the proof ended before.
    Stopped(StopCause),
    /// The claims do not fit, but the proof would have too many steps.
    Size,
    /// They do not fit for a reason that is no matter of devices, and that says
    /// all there is to say: too little of an amount, or too many users.
    Reason(Reason),
}
