//! Stands in for `ahead` where there is one thread: nothing is known of nodes
//! before their turn.

use crate::engine::Outcome;
use crate::engine::workspace::Shortly;
use crate::error::Error;
use crate::store::NodeKey;

/// Knows nothing.
#[derive(Default)]
pub(super) struct Ahead {}

impl Ahead {
    /// Finds the short answer of a node.
    #[expect(
        clippy::unused_self,
        reason = "it has something with the feature `rayon`"
    )]
    pub(super) fn short(
        &mut self,
        _: NodeKey,
        find: impl FnOnce() -> Option<Shortly>,
    ) -> Option<Shortly> {
        find()
    }

    /// Finds the answer of a node by itself.
    #[expect(
        clippy::unused_self,
        reason = "it has something with the feature `rayon`"
    )]
    pub(super) fn whole(
        &mut self,
        _: NodeKey,
        find: impl FnOnce() -> Result<Outcome, Error>,
    ) -> Result<Outcome, Error> {
        find()
    }
}
