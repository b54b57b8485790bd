//! [`NodeView`]: the devices that one node sees, in canonical order.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use super::pool;
use super::{Inventory, PoolKey, Seen};
use crate::error::Error;
use crate::model::Node;
use crate::rules::is_understood;

/// Is a node with what it sees.
#[derive(Debug)]
pub(crate) struct NodeView {
    /// Is another whenever anything else is, for caches: no two views of one
    /// engine, its snapshots and their transactions have the same.
    pub(crate) revision: u64,
    pub(crate) node: Arc<Node>,
    /// Nodes with no slices of their own share it.
    seen: Arc<Seen>,
}

impl Deref for NodeView {
    type Target = Seen;

    fn deref(&self) -> &Seen {
        &self.seen
    }
}

impl NodeView {
    /// Returns what a node sees.
    ///
    /// # Errors
    ///
    /// [`Code::NodeSelector`](crate::Code::NodeSelector) if a slice that may be
    /// for the node has a malformed selector: which pools are complete is not
    /// known then.
    pub(crate) fn new(
        inventory: &Inventory,
        node: Arc<Node>,
        revision: u64,
    ) -> Result<Self, Error> {
        let slices = inventory.shared_slices();
        let outcome = slices.outcome(&node)?;
        let features = inventory.features();
        let local = inventory.local(&node.metadata.name).iter();
        let local: Vec<_> = local
            .filter(|stored| is_understood(&stored.slice, features))
            .collect();
        let shared = slices.seen(&outcome, inventory);
        if local.is_empty() {
            return Ok(Self {
                revision,
                node,
                seen: shared,
            });
        }
        // Pools with slices of both sorts are made of both.
        let own: BTreeSet<PoolKey> = local.iter().map(|stored| stored.pool).collect();
        let of_own_pools = own
            .iter()
            .flat_map(|pool| slices.of_pool(*pool, &outcome, inventory));
        let candidates = local.iter().copied().chain(of_own_pools);
        let mut pools = pool::gather(candidates, |key| inventory.of_pool(key), features);
        let others = shared.pools.iter();
        pools.extend(others.filter(|pool| !own.contains(&pool.key)).cloned());
        Ok(Self {
            revision,
            node,
            seen: Arc::new(Seen::new(pool::in_order(pools), inventory)),
        })
    }

    /// Returns what it sees, which nodes may share.
    pub(crate) fn seen(&self) -> &Arc<Seen> {
        &self.seen
    }
}
