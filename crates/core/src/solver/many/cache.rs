//! [`ManyCache`]: what was compiled for claims and what nodes see.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use super::compile::compile;
use super::question::Part;
use super::{Many, ManyQuestion};
use crate::budget::Meter;
use crate::claims::{PreparedClaims, WeakClaims};
use crate::eligible::Verdicts;
use crate::model::Node;
use crate::outcome::StopCause;
use crate::state::Draft;
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
    /// Returns what is asked of a node, if the question is usual.
    ///
    /// # Errors
    ///
    /// If it is stopped: evaluating selectors counts each time.
    pub(crate) fn ask<'a>(
        &'a mut self,
        claims: &PreparedClaims,
        view: &'a NodeView,
        held: &'a Draft,
        verdicts: &mut Verdicts,
        meter: &mut Meter<'_>,
    ) -> Result<Option<ManyQuestion<'a>>, StopCause> {
        for seen in view.parts() {
            if !self.prepare(claims, view, seen, verdicts, meter)? {
                return Ok(None);
            }
        }
        let parts = view.parts().iter().map(|seen| {
            let entry = self.entries.get(&key(claims, view, seen))?;
            let many = entry.many.as_ref()?;
            Some(Part { many, seen })
        });
        // One of them may have made room for another.
        let parts: Option<Vec<Part<'_>>> = parts.collect();
        Ok(parts.and_then(|parts| ManyQuestion::new(parts, view.segments(), held)))
    }

    /// Compiles what is not known yet of a part; returns whether it is usual.
    fn prepare(
        &mut self,
        claims: &PreparedClaims,
        view: &NodeView,
        seen: &Arc<Seen>,
        verdicts: &mut Verdicts,
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        let key = key(claims, view, seen);
        if let Some(entry) = self.entries.get(&key) {
            let Some(many) = &entry.many else {
                return Ok(false);
            };
            if many.branches > 0 {
                meter.evaluation(many.branches)?;
            }
            return Ok(true);
        }
        let many = compile(claims, &view.of_part(seen), verdicts, meter)?;
        let is_usual = many.is_some();
        let entry = Entry {
            claims: claims.downgrade(),
            seen: Arc::downgrade(seen),
            node: seen.differs_by_node.then(|| Arc::downgrade(&view.node)),
            many,
        };
        self.make_room(entry.weight());
        self.weight += entry.weight();
        self.entries.insert(key, entry);
        Ok(is_usual)
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

fn key(claims: &PreparedClaims, view: &NodeView, seen: &Arc<Seen>) -> Key {
    let node = if seen.differs_by_node {
        Arc::as_ptr(&view.node).addr()
    } else {
        0
    };
    (claims.address(), Arc::as_ptr(seen).addr(), node)
}
