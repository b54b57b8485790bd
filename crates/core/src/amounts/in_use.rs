//! [`AmountsInUse`]: all that is used of the amounts of nodes.

use std::sync::Arc;

use imbl::OrdMap;

use super::{NodeUse, Sums, add, remove};
use crate::model::Str;

/// Holds what every owner uses, and the sums by node.
///
/// A clone shares everything; what is written after that is copied on the way.
///
/// INVARIANT: the sums of a node are those of its owners.
#[derive(Clone, Debug, Default)]
pub(crate) struct AmountsInUse {
    owners: OrdMap<Str, Arc<NodeUse>>,
    nodes: OrdMap<Str, Arc<Sums>>,
}

impl AmountsInUse {
    pub(crate) fn of(&self, owner: &str) -> Option<&Arc<NodeUse>> {
        self.owners.get(owner)
    }

    /// Returns what all owners use, in order.
    pub(crate) fn owners(&self) -> impl Iterator<Item = (&Str, &Arc<NodeUse>)> {
        self.owners.iter()
    }

    /// Returns what is used of a node; nothing if none of it.
    pub(crate) fn sums(&self, node: &str) -> Option<&Sums> {
        self.nodes.get(node).map(|sums| &**sums)
    }

    /// Makes an owner use exactly this.
    pub(crate) fn set(&mut self, owner: &Str, used: Option<Arc<NodeUse>>) {
        let old = match &used {
            Some(used) => self.owners.insert(owner.clone(), Arc::clone(used)),
            None => self.owners.remove(owner),
        };
        if old == used {
            return;
        }
        if let Some(used) = used {
            let sums = self.nodes.entry(used.node.clone()).or_default();
            add(Arc::make_mut(sums), &used);
        }
        if let Some(old) = old
            && let Some(sums) = self.nodes.get_mut(&old.node)
        {
            let sums = Arc::make_mut(sums);
            remove(sums, &old);
            if sums.is_empty() {
                self.nodes.remove(&old.node);
            }
        }
    }
}
