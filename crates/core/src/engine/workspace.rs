//! [`Workspace`]: memory that calls reuse.

use super::place::Kinds;
use crate::eligible::Verdicts;

/// Keeps what calls can reuse: verdicts of selectors, and scratch memory.
///
/// It never changes an answer. One serves any number of engines, one call at
/// a time.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(super) verdicts: Verdicts,
    /// What claims see of nodes, for [`Transaction::place`](super::Transaction::place).
    pub(super) kinds: Kinds,
}

impl Workspace {
    /// Returns an empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    #[cfg(test)]
    pub(crate) fn verdicts(&self) -> &Verdicts {
        &self.verdicts
    }
}
