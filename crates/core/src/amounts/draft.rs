//! [`AmountsDraft`]: changes to what is used that can be taken back.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{AmountsInUse, NodeUse, Sums, add, remove};
use crate::model::Str;

/// Lies over an [`AmountsInUse`] and costs what it changes.
#[derive(Clone, Debug)]
pub(crate) struct AmountsDraft {
    base: Arc<AmountsInUse>,
    owners: BTreeMap<Str, DraftedUse>,
    /// The sums of nodes where something is different.
    nodes: BTreeMap<Str, Sums>,
}

/// Is what an owner uses in an [`AmountsDraft`].
#[derive(Clone, Debug, Default)]
pub(crate) struct DraftedUse {
    pub(crate) used: Option<Arc<NodeUse>>,
    /// Whether it was asked if there is enough, so that there must be.
    pub(crate) is_asked: bool,
}

impl AmountsDraft {
    pub(crate) fn new(base: Arc<AmountsInUse>) -> Self {
        Self {
            base,
            owners: BTreeMap::new(),
            nodes: BTreeMap::new(),
        }
    }

    pub(crate) fn of(&self, owner: &str) -> Option<&Arc<NodeUse>> {
        match self.owners.get(owner) {
            Some(drafted) => drafted.used.as_ref(),
            None => self.base.of(owner),
        }
    }

    /// Returns what is used of a node; nothing if none of it.
    pub(crate) fn sums(&self, node: &str) -> Option<&Sums> {
        self.nodes.get(node).or_else(|| self.base.sums(node))
    }

    /// Returns the owners that use something of a node, in order.
    pub(crate) fn users(&self, node: &str) -> Vec<Str> {
        let base = self.base.owners().filter(|(_, used)| *used.node == *node);
        let base = base.map(|(owner, _)| owner.clone());
        let drafted = self.owners.keys().cloned();
        let mut owners: Vec<Str> = base.chain(drafted).collect();
        owners.retain(|owner| self.of(owner).is_some_and(|used| *used.node == *node));
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    /// Returns the owners that use something else than in the state below.
    pub(crate) fn owners(&self) -> &BTreeMap<Str, DraftedUse> {
        &self.owners
    }

    pub(crate) fn take_owners(&mut self) -> BTreeMap<Str, DraftedUse> {
        std::mem::take(&mut self.owners)
    }

    /// Makes an owner use exactly this; returns what to give to [`Self::restore`]
    /// to take it back.
    pub(crate) fn set(&mut self, owner: &Str, drafted: DraftedUse) -> Option<DraftedUse> {
        self.exchange(owner, Some(drafted))
    }

    /// Makes an owner be as it was before.
    pub(crate) fn restore(&mut self, owner: &Str, old: Option<DraftedUse>) {
        self.exchange(owner, old);
    }

    fn exchange(&mut self, owner: &Str, drafted: Option<DraftedUse>) -> Option<DraftedUse> {
        let before = self.of(owner).cloned();
        let old = match drafted {
            Some(drafted) => self.owners.insert(owner.clone(), drafted),
            None => self.owners.remove(owner),
        };
        if let Some(used) = self.of(owner).cloned() {
            add(self.sums_mut(&used.node), &used);
        }
        if let Some(before) = before {
            remove(self.sums_mut(&before.node), &before);
        }
        old
    }

    fn sums_mut(&mut self, node: &Str) -> &mut Sums {
        let base = &self.base;
        let sums = || base.sums(node).cloned().unwrap_or_default();
        self.nodes.entry(node.clone()).or_insert_with(sums)
    }
}
