//! [`ManyCache`]: what was compiled for claims and what nodes see.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use super::Many;
use super::compile::compile;
use crate::claims::{PreparedClaims, WeakClaims};
use crate::eligible::Verdicts;
use crate::model::Node;
use crate::outcome::StopCause;
use crate::solver::budget::Meter;
use crate::store::{NodeView, Seen};

/// With more words of 8 bytes than this (128 MiB), all is forgotten.
const MAX_WEIGHT: usize = if cfg!(test) { 1 << 14 } else { 1 << 24 };

/// Keeps what was compiled by the identity of claims and of what nodes see, and
/// of the node where that matters, too. Nothing is kept alive by it.
#[derive(Debug, Default)]
pub(crate) struct ManyCache {
    entries: BTreeMap<Key, Entry>,
    weight: usize,
}

/// Is made of addresses.
type Key = (usize, usize, usize);

#[derive(Debug)]
struct Entry {
    /// While these are there, no others can be in their places in memory.
    claims: WeakClaims,
    seen: Weak<Seen>,
    node: Option<Weak<Node>>,
    /// None if the question is not usual.
    many: Option<Many>,
}

impl ManyCache {
    /// Returns what claims say of what a node sees, if the question is usual.
    ///
    /// # Errors
    ///
    /// If it is stopped: evaluating selectors counts each time.
    pub(crate) fn get(
        &mut self,
        claims: &PreparedClaims,
        view: &NodeView,
        verdicts: &mut Verdicts,
        meter: &mut Meter<'_>,
    ) -> Result<Option<&Many>, StopCause> {
        let node = view.differs_by_node.then(|| &view.node);
        let seen = view.seen();
        let key = (
            claims.address(),
            Arc::as_ptr(seen).addr(),
            node.map_or(0, |node| Arc::as_ptr(node).addr()),
        );
        if self.entries.contains_key(&key) {
            let many = self.entries.get(&key).and_then(|entry| entry.many.as_ref());
            if let Some(many) = many
                && many.branches > 0
            {
                meter.evaluation(many.branches)?;
            }
            return Ok(many);
        }
        let many = compile(claims, view, verdicts, meter)?;
        let entry = Entry {
            claims: claims.downgrade(),
            seen: Arc::downgrade(seen),
            node: node.map(Arc::downgrade),
            many,
        };
        self.make_room(entry.weight());
        self.weight += entry.weight();
        let entry = self.entries.entry(key).insert_entry(entry);
        Ok(entry.into_mut().many.as_ref())
    }

    fn make_room(&mut self, weight: usize) {
        if self.weight + weight <= MAX_WEIGHT {
            return;
        }
        self.entries.retain(|_, entry| entry.is_there());
        self.weight = self.entries.values().map(Entry::weight).sum();
        // Half of it must be free, or else this would have to be done too often.
        if 2 * (self.weight + weight) > MAX_WEIGHT {
            self.entries.clear();
            self.weight = 0;
        }
    }

    /// Returns the number of entries, and their memory.
    #[cfg(test)]
    pub(super) fn size(&self) -> (usize, usize) {
        (self.entries.len(), self.weight)
    }
}

impl Entry {
    fn is_there(&self) -> bool {
        let has_node = self
            .node
            .as_ref()
            .is_none_or(|node| node.strong_count() > 0);
        has_node && self.claims.is_there() && self.seen.strong_count() > 0
    }

    fn weight(&self) -> usize {
        32 + self.many.as_ref().map_or(0, Many::weight)
    }
}
