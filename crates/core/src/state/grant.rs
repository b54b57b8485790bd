//! [`Grant`]: what an owner was given, as Kubernetes stores it.

use std::fmt;
use std::sync::Arc;

use crate::model::AllocationResult;

/// Makes the form that Kubernetes stores of what a claim at a place was given.
///
/// Always the same for the same claim.
pub(crate) trait Found: fmt::Debug + Send + Sync {
    fn result(&self, claim: usize) -> AllocationResult;
}

/// Is what an owner was given, as it was written or as it was found.
#[derive(Clone, Debug)]
pub(crate) enum Grant {
    /// By an event or a host, word for word.
    Written(Arc<AllocationResult>),
    /// By an answer, for its claim at a place. The form is made when it is asked for.
    Found(Arc<dyn Found>, usize),
}

impl Grant {
    pub(crate) fn result(&self) -> Arc<AllocationResult> {
        match self {
            Self::Written(result) => Arc::clone(result),
            Self::Found(found, claim) => Arc::new(found.result(*claim)),
        }
    }

    /// Returns whether both are written, and the same word for word.
    pub(crate) fn is_same_text(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Written(one), Self::Written(other)) => Arc::ptr_eq(one, other) || one == other,
            _ => false,
        }
    }
}
