//! [`Grant`]: what an owner was given, as Kubernetes stores it.

use std::fmt;
use std::sync::Arc;

use crate::model::AllocationResult;

/// Is an answer without names; it makes the text that Kubernetes stores for the
/// claim at a place, always the same.
pub(crate) trait DenseAnswer: fmt::Debug + Send + Sync {
    fn result(&self, claim: usize) -> AllocationResult;
}

/// Is what an owner was given, as text or as a search found it.
#[derive(Clone, Debug)]
pub(crate) enum Grant {
    /// By an event or a host, word for word.
    Written(Arc<AllocationResult>),
    /// By an answer, for its claim at a place. The text is made when it is asked for.
    Dense(Arc<dyn DenseAnswer>, usize),
}

impl Grant {
    pub(crate) fn result(&self) -> Arc<AllocationResult> {
        match self {
            Self::Written(result) => Arc::clone(result),
            Self::Dense(answer, claim) => Arc::new(answer.result(*claim)),
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
