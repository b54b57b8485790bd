//! [`Outcome`]: what a question about claims is answered with.

use crate::engine::Allocation;

/// Answers whether claims fit, and how.
///
/// It is exhaustive on purpose: each of its variants asks for a decision of
/// the caller, and none of them is an error.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The best allocation; in the `kubernetes` policy the first in canonical order.
    Optimal(Allocation),
    /// An allocation that may not be the best; the gap says by how much at most.
    Feasible {
        /// The best allocation found.
        allocation: Allocation,
        /// How far from the best it can be.
        gap: Gap,
    },
    /// There is no allocation.
    Infeasible(Reason),
    /// The search ended before it knew.
    Unknown(StopCause),
}

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

/// Says why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
