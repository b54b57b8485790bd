//! [`NodeReason`]: why claims do not fit, counted over nodes.

use std::collections::BTreeMap;
use std::fmt;

use crate::claims::PreparedClaims;
use crate::error::Code;
use crate::explain::{Explanation, WholeFailure};
use crate::outcome::{Reason, StopCause};
use crate::solver::{Check, Obstacle};

/// So many obstacles are printed of a reason.
const MAX_OBSTACLES: usize = 6;

/// Counts the nodes with one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeReason {
    /// The reason.
    pub cause: NodeCause,
    /// How many nodes have it.
    pub nodes: usize,
    /// The first of them.
    pub example: String,
}

impl fmt::Display for NodeReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.nodes == 1 { "" } else { "s" };
        write!(formatter, "{} node{plural}: {}", self.nodes, self.cause)
    }
}

/// Says why claims do not fit on a node, in a form that many nodes share.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NodeCause {
    /// A request has too few devices even alone.
    Request {
        /// Place of the claim in the question.
        claim: usize,
        /// Name of the request.
        request: String,
        /// The checks that refuse devices of the node, in the order of the
        /// checks; empty unless explanations were asked for.
        checks: Vec<Check>,
        /// What of these checks it is, by name; selectors those that are the
        /// first to refuse a device. Empty unless explanations were asked for.
        obstacles: Vec<Obstacle>,
    },
    /// The requests together need more devices than there are for them.
    Together,
    /// Without this constraint the claims would fit; told if explanations were asked for.
    Constraint {
        /// Place of the claim in the question.
        claim: usize,
        /// Place of the constraint in the claim.
        constraint: usize,
    },
    /// Every combination of devices breaks something.
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
    /// A claim that is allocated already has as many users as it may have.
    FullyReserved {
        /// Place of the claim in the question.
        claim: usize,
    },
    /// The node has too little of an amount, the first by name.
    Amount {
        /// Name of the amount, such as `cpu`.
        name: String,
    },
    /// An error concerns the node.
    Error(Code),
    /// The budget of the node ended before the answer.
    Unknown(StopCause),
}

impl NodeCause {
    pub(super) fn of(reason: Reason, claims: &PreparedClaims) -> Self {
        match reason {
            Reason::Request { claim, request } => {
                let name = claims
                    .claims()
                    .get(claim)
                    .and_then(|claim| claim.requests.get(request)?.alternatives.first())
                    .map_or_else(String::new, |first| first.name.request().to_owned());
                Self::Request {
                    claim,
                    request: name,
                    checks: Vec::new(),
                    obstacles: Vec::new(),
                }
            }
            Reason::Count => Self::Together,
            Reason::Exhausted => Self::Combination,
            Reason::AllocatedElsewhere { claim } => Self::AllocatedElsewhere { claim },
            Reason::Releasing { claim } => Self::Releasing { claim },
            Reason::FullyReserved { claim } => Self::FullyReserved { claim },
            Reason::Amount { name, .. } => Self::Amount {
                name: name.to_string(),
            },
        }
    }

    /// Returns the cause with what an explanation adds; `obstacles` are in the
    /// order of its requests.
    pub(super) fn explained(self, explanation: &Explanation, obstacles: &[Vec<Obstacle>]) -> Self {
        match (self, explanation.whole.first()) {
            (
                Self::Request { .. } | Self::Combination | Self::Together,
                Some(WholeFailure::TooFew { claim, request }),
            ) => {
                let (mut checks, mut found): (Vec<Check>, Vec<Obstacle>) = Default::default();
                for (alternative, obstacles) in explanation.requests.iter().zip(obstacles) {
                    let name = alternative.name.split('/').next();
                    if alternative.claim == *claim && name == Some(request) {
                        checks.extend(alternative.refused.iter().map(|(check, _)| *check));
                        let new = obstacles.iter().filter(|one| !found.contains(one));
                        let new: Vec<Obstacle> = new.cloned().collect();
                        found.extend(new);
                    }
                }
                checks.sort_unstable();
                checks.dedup();
                Self::Request {
                    claim: *claim,
                    request: request.clone(),
                    checks,
                    obstacles: found,
                }
            }
            (Self::Combination, Some(WholeFailure::Constraint { claim, constraint })) => {
                Self::Constraint {
                    claim: *claim,
                    constraint: *constraint,
                }
            }
            (Self::Combination, Some(WholeFailure::TooFewTogether)) => Self::Together,
            (cause, _) => cause,
        }
    }
}

impl fmt::Display for NodeCause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request {
                claim,
                request,
                obstacles,
                ..
            } => {
                write!(
                    formatter,
                    "request `{request}` of claim {claim} has too few devices"
                )?;
                for (place, obstacle) in obstacles.iter().take(MAX_OBSTACLES).enumerate() {
                    let before = if place == 0 { "; refused by: " } else { ", " };
                    write!(formatter, "{before}{obstacle}")?;
                }
                match obstacles.len().checked_sub(MAX_OBSTACLES) {
                    Some(more @ 1..) => write!(formatter, " and {more} more"),
                    _ => Ok(()),
                }
            }
            Self::Together => Reason::Count.fmt(formatter),
            Self::Constraint { claim, constraint } => write!(
                formatter,
                "constraint {constraint} of claim {claim} is in the way"
            ),
            Self::Combination => Reason::Exhausted.fmt(formatter),
            Self::AllocatedElsewhere { claim } => {
                let claim = *claim;
                Reason::AllocatedElsewhere { claim }.fmt(formatter)
            }
            Self::Releasing { claim } => Reason::Releasing { claim: *claim }.fmt(formatter),
            Self::FullyReserved { claim } => Reason::FullyReserved { claim: *claim }.fmt(formatter),
            Self::Amount { name } => write!(formatter, "too little `{name}` is left"),
            Self::Error(code) => write!(formatter, "error {}", code.as_str()),
            Self::Unknown(cause) => write!(formatter, "not known, stopped by {}", cause.as_str()),
        }
    }
}

/// Merges equal causes.
#[derive(Debug, Default)]
pub(super) struct Histogram {
    places: BTreeMap<NodeCause, usize>,
    reasons: Vec<NodeReason>,
}

impl Histogram {
    /// Adds nodes of which one was met after all that were added before.
    pub(super) fn add(&mut self, cause: NodeCause, nodes: usize, example: &str) -> usize {
        if let Some(place) = self.places.get(&cause).copied() {
            self.more(place, nodes);
            return place;
        }
        self.places.insert(cause.clone(), self.reasons.len());
        self.reasons.push(NodeReason {
            cause,
            nodes,
            example: example.to_owned(),
        });
        self.reasons.len() - 1
    }

    /// Adds nodes with a cause that is there.
    pub(super) fn more(&mut self, place: usize, nodes: usize) {
        if let Some(reason) = self.reasons.get_mut(place) {
            reason.nodes += nodes;
        }
    }

    /// Returns the most frequent first; those that were met first stay first.
    pub(super) fn into_reasons(self) -> Vec<NodeReason> {
        let mut reasons = self.reasons;
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.nodes));
        reasons
    }
}
