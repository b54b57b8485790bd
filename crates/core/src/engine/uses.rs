//! What is used of the amounts of nodes, as an [`Engine`] keeps it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Applied, Engine, Snapshot};
use crate::amounts::{self, AmountsDraft, AmountsInUse, Asked, DraftedUse, NodeUse};
use crate::error::{Code, Error};
use crate::model::Str;
use crate::state::Draft;

/// Holds who uses what of which node.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub(super) now: Arc<AmountsInUse>,
    /// What each owner uses as the last change said.
    pub(super) said: BTreeMap<Str, Arc<NodeUse>>,
    /// Owners whose use a transaction changed and no change has shown yet.
    pub(super) assumed: BTreeSet<Str>,
}

impl Uses {
    pub(super) fn is_assumed(&self, owner: &str) -> bool {
        self.assumed.contains(owner)
    }

    /// Makes an owner use exactly this.
    fn set(&mut self, owner: &Str, used: Option<Arc<NodeUse>>, applied: &mut Applied) {
        let old = self.now.of(owner).cloned();
        if old == used {
            return;
        }
        let nodes = old.iter().chain(&used).map(|used| used.node.clone());
        applied.nodes.extend(nodes);
        applied.changed = true;
        Arc::make_mut(&mut self.now).set(owner, used);
    }

    /// Goes back to what the last change said, if a transaction changed it since.
    pub(super) fn forget(&mut self, owner: &str, applied: &mut Applied) {
        if let Some(owner) = self.assumed.take(owner) {
            let said = self.said.get(&owner).cloned();
            self.set(&owner, said, applied);
        }
    }
}

impl Engine {
    pub(super) fn put_use(&mut self, used: NodeUse) -> Result<Applied, Error> {
        amounts::check(&used.amounts)?;
        let mut applied = Applied::default();
        let (owner, used) = (used.owner.clone(), Arc::new(used));
        self.uses.assumed.remove(&owner);
        self.uses.said.insert(owner.clone(), Arc::clone(&used));
        self.uses.set(&owner, Some(used), &mut applied);
        Ok(applied)
    }

    pub(super) fn remove_use(&mut self, owner: &Str) -> Applied {
        let mut applied = Applied::default();
        self.uses.assumed.remove(owner);
        self.uses.said.remove(owner);
        self.uses.set(owner, None, &mut applied);
        applied
    }

    /// Checks a full list, and removes what was said and is not in it.
    pub(super) fn absent_uses(&mut self, list: &[NodeUse]) -> Result<Applied, Error> {
        let mut owners = BTreeSet::new();
        for (place, used) in list.iter().enumerate() {
            amounts::check(&used.amounts).map_err(|error| error.under(&format!("[{place}]")))?;
            if !owners.insert(&used.owner) {
                let message = format!("`{}` is there twice, expected it once", used.owner);
                let error = Error::new(Code::Duplicate, message);
                return Err(error.at(format!("[{place}].owner")));
            }
        }
        let known = self.uses.said.keys();
        let gone: Vec<Str> = known.filter(|one| !owners.contains(one)).cloned().collect();
        let mut applied = Applied::default();
        for owner in gone {
            applied.join(self.remove_use(&owner));
        }
        Ok(applied)
    }

    /// Checks that owners use what they used before a transaction, and that what
    /// it asked for is still there to be used.
    pub(super) fn check_uses(&self, snapshot: &Snapshot, draft: &Draft) -> Result<(), Error> {
        let owners = draft.amounts().owners();
        let mut then = AmountsDraft::new(Arc::clone(&self.uses.now));
        for (owner, drafted) in owners {
            if snapshot.amounts.of(owner) != self.uses.now.of(owner) {
                let message = format!("`{owner}` uses other amounts of nodes than before");
                return Err(Error::new(Code::Conflict, message));
            }
            then.set(owner, drafted.clone());
        }
        let seen = draft.inventory().unwrap_or(&snapshot.inventory);
        let asked = owners.values().filter(|drafted| drafted.is_asked);
        for used in asked.filter_map(|drafted| drafted.used.as_ref()) {
            let node = &used.node;
            let asked = Asked::new(&used.amounts, Some(Arc::clone(used)));
            let is_taken_here = |node| asked.shortage(node, draft.amounts()).is_some();
            let message = match self.inventory.node(node) {
                None => format!("node `{node}` is gone, expected one that is there"),
                Some(found) => match asked.shortage(found, &then) {
                    // The transaction itself took more later, without asking.
                    Some(_) if seen.node(node).is_some_and(|node| is_taken_here(node)) => continue,
                    Some(short) => format!(
                        "node `{node}` has `{}` of `{}` too little now",
                        short.missing, short.name
                    ),
                    None => continue,
                },
            };
            return Err(Error::new(Code::Conflict, message).at("node").on_node());
        }
        Ok(())
    }

    /// Makes owners use what a transaction decided.
    pub(super) fn assume_uses(&mut self, owners: BTreeMap<Str, DraftedUse>, applied: &mut Applied) {
        for (owner, DraftedUse { used, .. }) in owners {
            if used.is_none() {
                self.uses.assumed.remove(&owner);
            } else if self.uses.now.of(&owner) != used.as_ref() {
                self.uses.assumed.insert(owner.clone());
            }
            self.uses.set(&owner, used, applied);
        }
    }
}
