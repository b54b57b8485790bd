//! [`Outcome`]: what a question about claims is answered with.

use super::Allocation;
use crate::outcome::{Gap, Reason, StopCause};

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
