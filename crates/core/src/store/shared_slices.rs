//! [`SharedSlices`]: the slices that name no node.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use imbl::OrdMap;

use super::{Inventory, PoolKey, Seen, StoredSlice, pool};
use crate::error::Error;
use crate::features::Features;
use crate::model::{Node, NodeSelector, Str};
use crate::rules::{NodeSelection, is_relevant, is_understood};

/// With more outcomes than this those that nobody uses are forgotten.
const MAX_PARTS: usize = 64;

/// With more pools to gather again than this, all are.
const MAX_STALE: usize = 64;

/// Name and place by which slices are in order.
type Order = (Str, u64);

/// Says which selections choose a node: their numbers, in order.
pub(super) type Outcome = Vec<u64>;

/// Holds the slices that name no node, by how they select nodes, and what nodes
/// see of them.
///
/// Many slices select nodes in few ways. So each way is looked at once for a
/// node, and nodes that are chosen in the same ways see the same pools, which
/// are gathered once.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedSlices {
    slices: OrdMap<Order, Entry>,
    selections: OrdMap<Selection, Use>,
    last: u64,
    /// INVARIANT: every change that it depends on makes it apart from that of
    /// clones, and is noted in it.
    parts: Arc<Parts>,
}

#[derive(Clone, Debug)]
struct Entry {
    stored: Arc<StoredSlice>,
    /// None if it is for no node, or the features do not allow to look at it.
    selection: Option<u64>,
}

/// Is a way to select nodes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Selection {
    All,
    Selector(NodeSelector),
    /// As the devices of one slice say.
    Devices(Order),
}

/// Is who selects nodes in one way.
#[derive(Clone, Debug)]
struct Use {
    number: u64,
    slices: usize,
    /// The slice, where its devices say it.
    stored: Option<Arc<StoredSlice>>,
}

/// Is what was found out about outcomes.
#[derive(Debug, Default)]
struct Parts(Mutex<BTreeMap<Outcome, Part>>);

/// Is what nodes with one outcome see.
#[derive(Clone, Debug)]
struct Part {
    seen: Arc<Seen>,
    /// Pools that have changed since.
    stale: Vec<PoolKey>,
}

impl SharedSlices {
    /// Returns all slices, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<StoredSlice>> {
        self.slices.values().map(|entry| &entry.stored)
    }

    /// Takes a slice out, and puts another in; slices that name a node are not meant.
    pub(super) fn exchange(
        &mut self,
        old: Option<&Arc<StoredSlice>>,
        new: Option<&Arc<StoredSlice>>,
        features: &Features,
    ) {
        let is_shared = |stored: &&Arc<StoredSlice>| stored.node().is_none();
        let (old, new) = (old.filter(is_shared), new.filter(is_shared));
        // The new one first: a way to select nodes that both have stays.
        let entry = new.map(|new| Entry {
            stored: Arc::clone(new),
            selection: self.use_selection(new, features),
        });
        let removed = old.and_then(|old| self.slices.remove(&order(old)));
        if let Some(removed) = removed.filter(|removed| removed.selection.is_some()) {
            self.leave_selection(&removed.stored);
        }
        if let (Some(new), Some(entry)) = (new, entry) {
            self.slices.insert(order(new), entry);
        }
    }

    fn use_selection(&mut self, stored: &Arc<StoredSlice>, features: &Features) -> Option<u64> {
        let selection = Selection::of(stored)?;
        if !is_understood(&stored.slice, features) {
            return None;
        }
        let by_devices = matches!(selection, Selection::Devices(_));
        let known = self.selections.get(&selection).cloned();
        let mut known = known.unwrap_or_else(|| {
            self.last += 1;
            Use {
                number: self.last,
                slices: 0,
                stored: None,
            }
        });
        known.slices += 1;
        known.stored = by_devices.then(|| Arc::clone(stored));
        let number = known.number;
        self.selections.insert(selection, known);
        Some(number)
    }

    fn leave_selection(&mut self, stored: &StoredSlice) {
        let Some(selection) = Selection::of(stored) else {
            return;
        };
        let Some(known) = self.selections.get_mut(&selection) else {
            return;
        };
        known.slices -= 1;
        if known.slices == 0 {
            let number = known.number;
            self.selections.remove(&selection);
            self.own_parts()
                .retain(|outcome, _| outcome.binary_search(&number).is_err());
        }
    }

    /// Returns which ways to select nodes choose a node.
    ///
    /// # Errors
    ///
    /// [`Code::NodeSelector`](crate::Code::NodeSelector) of the first slice with
    /// a malformed selector.
    pub(super) fn outcome(&self, node: &Node) -> Result<Outcome, Error> {
        let mut outcome = Outcome::new();
        for (selection, known) in &self.selections {
            let chosen = match (selection, &known.stored) {
                (Selection::All, _) => Ok(true),
                (Selection::Selector(selector), _) => selector.matches(node),
                (Selection::Devices(_), Some(stored)) => is_relevant(&stored.slice, node),
                (Selection::Devices(_), None) => Ok(false),
            };
            match chosen {
                Ok(true) => outcome.push(known.number),
                Ok(false) => {}
                Err(error) => return Err(self.first_error(node).unwrap_or(error)),
            }
        }
        outcome.sort_unstable();
        Ok(outcome)
    }

    fn first_error(&self, node: &Node) -> Option<Error> {
        let mut understood = self
            .slices
            .values()
            .filter(|entry| entry.selection.is_some());
        understood.find_map(|entry| is_relevant(&entry.stored.slice, node).err())
    }

    /// Returns the slices of a pool that an outcome chooses, in order.
    pub(super) fn of_pool<'a>(
        &'a self,
        pool: PoolKey,
        outcome: &'a [u64],
        inventory: &'a Inventory,
    ) -> impl Iterator<Item = &'a Arc<StoredSlice>> {
        let shared = inventory.of_pool(pool).iter();
        let shared = shared.filter(|stored| stored.node().is_none());
        shared.filter(|stored| {
            let entry = self.slices.get(&order(stored));
            entry.is_some_and(|entry| entry.is_chosen(outcome))
        })
    }

    /// Returns what nodes with an outcome see of these slices.
    pub(super) fn seen(&self, outcome: &Outcome, inventory: &Inventory) -> Arc<Seen> {
        let mut parts = self.parts.lock();
        let all = |key| inventory.of_pool(key);
        let features = inventory.features();
        let pools = match parts.get(outcome) {
            Some(part) if part.stale.is_empty() => return Arc::clone(&part.seen),
            Some(part) => {
                let kept = part.seen.pools.iter();
                let kept = kept.filter(|pool| !part.stale.contains(&pool.key));
                let mut pools: Vec<_> = kept.cloned().collect();
                let stale = part.stale.iter();
                let slices = stale.flat_map(|pool| self.of_pool(*pool, outcome, inventory));
                pools.extend(pool::gather(slices, all, features));
                pools
            }
            None => {
                let chosen = self.slices.values();
                let chosen = chosen.filter(|entry| entry.is_chosen(outcome));
                pool::gather(chosen.map(|entry| &entry.stored), all, features)
            }
        };
        let seen = Arc::new(Seen::new(pool::in_order(pools), inventory));
        if parts.len() > MAX_PARTS {
            parts.retain(|_, part| Arc::strong_count(&part.seen) > 1);
        }
        let part = Part {
            seen: Arc::clone(&seen),
            stale: Vec::new(),
        };
        parts.insert(outcome.clone(), part);
        seen
    }

    /// Forgets what nodes see of a pool.
    pub(super) fn touch(&mut self, pool: PoolKey) {
        self.own_parts().retain(|_, part| {
            if !part.stale.contains(&pool) {
                part.stale.push(pool);
            }
            part.stale.len() <= MAX_STALE
        });
    }

    /// Forgets what nodes see.
    pub(super) fn touch_all(&mut self) {
        self.own_parts().clear();
    }

    /// Returns what is known of outcomes, apart from what clones know.
    fn own_parts(&mut self) -> &mut BTreeMap<Outcome, Part> {
        let parts = Arc::make_mut(&mut self.parts);
        parts.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Parts {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Outcome, Part>> {
        // Whatever was going on, what is there is true.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for Parts {
    fn clone(&self) -> Self {
        let known = self.lock();
        let is_few = known.len() <= MAX_PARTS;
        Self(Mutex::new(if is_few {
            known.clone()
        } else {
            BTreeMap::new()
        }))
    }
}

impl Entry {
    fn is_chosen(&self, outcome: &[u64]) -> bool {
        self.selection
            .is_some_and(|selection| outcome.binary_search(&selection).is_ok())
    }
}

impl Selection {
    /// Returns how a slice selects nodes, if it does.
    fn of(stored: &StoredSlice) -> Option<Self> {
        match NodeSelection::of_slice(&stored.slice) {
            NodeSelection::All => Some(Self::All),
            NodeSelection::Selector(selector) => Some(Self::Selector(selector.clone())),
            NodeSelection::None if stored.slice.spec.per_device_node_selection == Some(true) => {
                Some(Self::Devices(order(stored)))
            }
            NodeSelection::None | NodeSelection::Name(_) => None,
        }
    }
}

fn order(stored: &StoredSlice) -> Order {
    let (name, place) = stored.order();
    (name.clone(), place)
}
