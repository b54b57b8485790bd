//! Why claims do not fit, as data.
//!
//! What becomes of each device is counted here. Which parts of a question conflict
//! is found by asking it again without some of them, so that the engine does it.

mod class;
mod conflict;
mod meant_name;
mod node_group;
mod remedy;
mod tainted;
mod text;

pub use class::{Class, Holder};
pub use conflict::{Conflict, ConflictConstraint, ConflictPolicy, ConflictRequest};
pub use meant_name::meant_name;
pub use node_group::{NodeGroup, NodeVerdict};
pub use remedy::{NamePlace, Remedy, SelectorPlace};
pub use tainted::TaintedDevice;

use serde::Serialize;

use crate::outcome::Reason;
use crate::solver::{self, Arithmetic, Check, Problem, Requirement};

/// How many branches are tried to find out which constraint is in the way.
const BRANCHES: u64 = 10_000;

/// Says what becomes of every device, for each request and with nothing picked, and
/// if the claims do not fit, what is in their way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// By request, and in it by alternative; claims and requests in order.
    pub requests: Vec<RequestExplanation>,
    /// What is wrong with the whole; empty if the claims fit.
    pub whole: Vec<WholeFailure>,
    /// Pools that the node sees and cannot use: their devices are not counted.
    pub unusable_pools: Vec<UnusablePool>,
    /// Whether waiting helps; none if the claims fit, or if that is not known.
    pub class: Option<Class>,
    /// What cannot be had together; none unless a search says that nothing fits.
    pub conflict: Option<Conflict>,
    /// What the conflict is short of, what says most first; empty where it takes
    /// more than a sum to see that it does not fit.
    pub arithmetic: Vec<Arithmetic>,
}

/// Is a pool without devices that can be had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnusablePool {
    /// `driver/pool`.
    pub pool: String,
    /// `incomplete`, or `invalid: ` and why.
    pub state: String,
}

/// Counts the devices for one alternative of a request.
///
/// `considered` is the sum of `usable` and of all counts in `refused`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestExplanation {
    /// Place of the claim in the question.
    pub claim: usize,
    /// `request` or `request/subrequest`.
    pub name: String,
    /// How many devices are needed.
    pub needed: usize,
    /// Whether all devices that match are asked for.
    pub all: bool,
    /// How many devices of complete pools the node sees.
    pub considered: usize,
    /// Devices by the first check that they fail, in the order of the checks.
    pub refused: Vec<(Check, usize)>,
    /// Devices that pass all checks.
    pub usable: usize,
}

/// Is a reason that concerns more than one device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum WholeFailure {
    /// None of the alternatives of a request has enough usable devices.
    TooFew {
        /// Place of the claim in the question.
        claim: usize,
        /// Name of the request.
        request: String,
    },
    /// The requests together need more devices than there are for them.
    TooFewTogether,
    /// Without this constraint the claims would fit.
    Constraint {
        /// Place of the claim in the question.
        claim: usize,
        /// Place of the constraint in the claim.
        constraint: usize,
    },
    /// Without this, which a placement policy requires, the claims would fit.
    Policy {
        /// Place of the claim in the question.
        claim: usize,
        /// What it requires, as [`ConflictPolicy`] says it.
        requires: String,
    },
    /// The devices are in no set that the machine allows, such as a partition of its fabric.
    AllowedSets,
    /// Every combination of usable devices breaks something.
    Combination,
    /// A claim is allocated already, and what it has cannot be used on the node.
    AllocatedElsewhere {
        /// Place of the claim in the question.
        claim: usize,
    },
    /// A claim is being deleted, or what it has is about to be given back.
    Releasing {
        /// Place of the claim in the question.
        claim: usize,
    },
}

/// Explains a question without asking parts of it again.
pub(crate) fn explain(problem: &mut Problem<'_>) -> Explanation {
    Explanation {
        whole: whole(problem, None),
        ..counts(problem)
    }
}

/// Counts what becomes of devices.
pub(crate) fn counts(problem: &Problem<'_>) -> Explanation {
    let requests = problem.plans.iter().map(|plan| {
        let mut refused: Vec<(Check, usize)> = Vec::new();
        for check in plan.refused.iter().flatten() {
            match refused.iter_mut().find(|(other, _)| other == check) {
                Some((_, count)) => *count += 1,
                None => refused.push((*check, 1)),
            }
        }
        refused.sort_unstable();
        RequestExplanation {
            claim: plan.claim,
            name: plan.alternative.name.to_string(),
            needed: plan.needed,
            all: plan.all.is_some(),
            considered: problem.view.devices.len(),
            refused,
            usable: plan.candidates.len(),
        }
    });
    let requests = requests.collect();
    let unusable_pools = problem.view.pools.iter().filter_map(|pool| {
        let pool_name = || format!("{}/{}", pool.driver, pool.name);
        pool.status.fault().map(|state| UnusablePool {
            pool: pool_name(),
            state: state.to_string(),
        })
    });
    Explanation {
        requests,
        unusable_pools: unusable_pools.collect(),
        ..Explanation::default()
    }
}

/// Says what is wrong with a question that the books refuse.
pub(crate) fn refused(reason: &Reason) -> Option<WholeFailure> {
    match reason {
        Reason::AllocatedElsewhere { claim } => {
            Some(WholeFailure::AllocatedElsewhere { claim: *claim })
        }
        Reason::Releasing { claim } => Some(WholeFailure::Releasing { claim: *claim }),
        _ => None,
    }
}

/// Says what is wrong with the whole; of claims that do not fit a conflict may be
/// known.
pub(crate) fn whole(
    problem: &mut Problem<'_>,
    conflict: Option<&[ConflictConstraint]>,
) -> Vec<WholeFailure> {
    let short = solver::short_requests(problem);
    if !short.is_empty() {
        let failure = |(claim, request)| WholeFailure::TooFew { claim, request };
        return short.into_iter().map(failure).collect();
    }
    if solver::is_short_together(problem) {
        return vec![WholeFailure::TooFewTogether];
    }
    if conflict.is_none() && solver::fits(problem, BRANCHES) {
        return Vec::new();
    }
    let mut failures = Vec::new();
    for (claim, constraint) in problem.constraint_places() {
        let place = ConflictConstraint { claim, constraint };
        let own = problem.rule(claim, constraint).map(|rule| match rule {
            Requirement::Policy(requires) => WholeFailure::Policy { claim, requires },
            Requirement::AllowedSets => WholeFailure::AllowedSets,
        });
        // Without one that is no part of a conflict the conflict stays.
        if own.is_none() && conflict.is_some_and(|conflict| !conflict.contains(&place)) {
            continue;
        }
        let fits = problem
            .without_constraint(claim, constraint, |relaxed| solver::fits(relaxed, BRANCHES));
        if fits {
            failures.push(own.unwrap_or(WholeFailure::Constraint { claim, constraint }));
        }
    }
    if failures.is_empty() {
        vec![WholeFailure::Combination]
    } else {
        failures
    }
}
