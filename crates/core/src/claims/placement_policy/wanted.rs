//! [`Wanted`]: what a policy asks of places, whether it requires or prefers it.

use super::unit::Unit;
use crate::model::{PlacementPolicy, Str};
use crate::topology::AffinityScope;

/// Lists what an answer is told about once it is there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// None for all requests of the claim; otherwise as
    /// [`RequestName::is_among`](crate::rules::RequestName) reads them.
    pub(crate) requests: Vec<Str>,
    /// In the order of the policy: the scopes of each level, the best first.
    pub(crate) levels: Vec<Vec<AffinityScope>>,
    pub(crate) unit: Option<Unit>,
}

impl Wanted {
    /// Returns what a document with these groups asks for, with requests that are still
    /// to be named.
    pub(super) fn of(document: &PlacementPolicy, unit: Option<&Unit>) -> Self {
        let levels = document.affinity.iter().map(|level| {
            let words = std::iter::once(&level.scope).chain(&level.fallback);
            words.filter_map(|word| AffinityScope::new(word)).collect()
        });
        Self {
            requests: Vec::new(),
            levels: levels.collect(),
            unit: unit.cloned(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.unit.is_none()
    }
}
