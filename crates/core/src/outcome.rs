//! What an [`Outcome`](crate::Outcome) says beside the allocation.

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
