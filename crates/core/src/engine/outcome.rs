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

impl Outcome {
    /// Returns what was allocated, the best or not; nothing if there is no answer.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::{Outcome, StopCause};
    ///
    /// assert!(Outcome::Unknown(StopCause::Cancelled).allocation().is_none());
    /// ```
    pub fn allocation(&self) -> Option<&Allocation> {
        match self {
            Self::Optimal(allocation) | Self::Feasible { allocation, .. } => Some(allocation),
            Self::Infeasible(_) | Self::Unknown(_) => None,
        }
    }
}
