//! [`Granted`]: what claims had before an answer, as part of it.

use std::sync::Arc;

use super::Allocation;
use crate::model::AllocationResult;

/// What claims have already, by their place; none if none has anything.
pub(in crate::engine) type Granted = Option<Arc<[Option<Arc<AllocationResult>>]>>;

impl Allocation {
    /// Returns what a claim had already.
    pub(super) fn granted_to(&self, claim: usize) -> Option<&Arc<AllocationResult>> {
        self.granted.as_ref()?.get(claim)?.as_ref()
    }

    /// Returns whether a claim had something already.
    pub(in crate::engine) fn is_granted(&self, claim: usize) -> bool {
        self.granted_to(claim).is_some()
    }
}
