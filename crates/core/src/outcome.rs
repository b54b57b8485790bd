//! What an [`Outcome`](crate::Outcome) says beside the allocation.

use std::fmt;

use crate::model::{Quantity, Str};

/// Bounds how far an allocation is from the best one.
///
/// Terms before `term` are proved best; in that term the allocation has
/// `value`, and nothing better than `bound` exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Place of the first term that is not proved.
    pub term: usize,
    /// Value of the allocation in that term, lower is better.
    pub value: i64,
    /// Bound on the value of any allocation in that term.
    pub bound: i64,
}

/// Says what the proof that nothing fits rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A request cannot get enough devices even alone.
    Request {
        /// Place of the claim in the question.
        claim: usize,
        /// Place of the request in the claim.
        request: usize,
    },
    /// The requests need more devices than there are for all of them.
    Count,
    /// Every combination of devices breaks something.
    Exhausted,
    /// A claim is allocated already, and what it has cannot be used on the node:
    /// the node selector of its allocation does not match, or the node does not
    /// have a feature that its devices need.
    AllocatedElsewhere {
        /// Place of the claim in the question.
        claim: usize,
    },
    /// A claim is being deleted, or what it has is about to be given back.
    Releasing {
        /// Place of the claim in the question.
        claim: usize,
    },
    /// A claim that is allocated already has as many users as it may have, and
    /// the one that is asked for is none of them.
    FullyReserved {
        /// Place of the claim in the question.
        claim: usize,
    },
    /// The node has too little of an amount beside what others use; the first by name.
    Amount {
        /// Name of the amount, such as `cpu`.
        name: Str,
        /// How much is missing.
        missing: Quantity,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Request { claim, request } => {
                write!(
                    formatter,
                    "request {request} of claim {claim} has too few devices"
                )
            }
            Self::Count => formatter.write_str("all requests together have too few devices"),
            Self::Exhausted => formatter.write_str("every combination of devices breaks a rule"),
            Self::AllocatedElsewhere { claim } => {
                write!(formatter, "claim {claim} is allocated and out of reach")
            }
            Self::Releasing { claim } => {
                write!(formatter, "claim {claim} is about to give back what it has")
            }
            Self::FullyReserved { claim } => {
                write!(
                    formatter,
                    "claim {claim} has all the users that it may have"
                )
            }
            Self::Amount { name, missing } => {
                write!(
                    formatter,
                    "too little `{name}` is left, {missing} more expected"
                )
            }
        }
    }
}

/// Says why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum StopCause {
    /// The budget of branches is used up.
    Branches,
    /// The caller's deadline has passed.
    Deadline,
    /// The caller cancelled.
    Cancelled,
}

impl StopCause {
    /// Returns the stable name of the cause.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Branches => "branches",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for StopCause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::{Reason, StopCause};

    #[test]
    fn reasons_are_told_in_one_line() {
        let short = Reason::Amount {
            name: "cpu".into(),
            missing: "1500m".parse().unwrap(),
        };
        assert_eq!(
            short.to_string(),
            "too little `cpu` is left, 1500m more expected"
        );
        let few = Reason::Request {
            claim: 1,
            request: 0,
        };
        assert_eq!(few.to_string(), "request 0 of claim 1 has too few devices");
        assert_eq!(StopCause::Deadline.to_string(), "deadline");
    }
}
