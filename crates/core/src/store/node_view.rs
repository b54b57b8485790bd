//! [`NodeView`]: the devices that one node sees, in canonical order.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::segment::{Segment, locate, merge};
use super::{DeviceEntry, Inventory, PoolKey, Seen, StoredSlice, Twins, pool};
use crate::error::Error;
use crate::model::Node;
use crate::rules::is_understood;

/// Fewer shared devices than this are put among the own ones at once.
const MIN_DEVICES: usize = 8;

/// Is a node with what it sees.
///
/// That is one [`Seen`], which nodes without slices of their own share; or else
/// two parts, their own and the shared one, of which segments say how they lie
/// in canonical order. The whole is made of parts when it is asked for.
#[derive(Debug)]
pub(crate) struct NodeView {
    /// Is another whenever anything else is, for caches: no two views of one
    /// engine, its snapshots and their transactions have the same.
    pub(crate) revision: u64,
    pub(crate) node: Arc<Node>,
    parts: Box<[Arc<Seen>]>,
    segments: Box<[Segment]>,
    whole: OnceLock<Arc<Seen>>,
    /// Devices that are physically the same as others.
    pub(crate) twins: Twins,
}

/// Derefs to all that the node sees.
impl Deref for NodeView {
    type Target = Seen;

    fn deref(&self) -> &Seen {
        self.whole()
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
        let local: Vec<&Arc<StoredSlice>> = local
            .filter(|stored| is_understood(&stored.slice, features))
            .collect();
        let shared = slices.seen(&outcome, inventory);
        if local.is_empty() {
            return Ok(Self::of_one(node, revision, shared).with_twins(inventory));
        }
        // Pools with slices of both sorts are made of both.
        let own: BTreeSet<PoolKey> = local.iter().map(|stored| stored.pool).collect();
        let of_own_pools = own
            .iter()
            .flat_map(|pool| slices.of_pool(*pool, &outcome, inventory));
        let of_own_pools: Vec<_> = of_own_pools.collect();
        let is_mixed = !of_own_pools.is_empty();
        let candidates = local.into_iter().chain(of_own_pools);
        let mut pools = pool::gather(candidates, |key| inventory.of_pool(key), features);
        if is_mixed || shared.devices.len() < MIN_DEVICES {
            let others = shared.pools.iter();
            pools.extend(others.filter(|pool| !own.contains(&pool.key)).cloned());
            let seen = Arc::new(Seen::new(pool::in_order(pools), inventory));
            return Ok(Self::of_one(node, revision, seen).with_twins(inventory));
        }
        let own = Arc::new(Seen::new(pool::in_order(pools), inventory));
        let view = Self {
            revision,
            node,
            segments: merge(&own, &shared),
            parts: [own, shared].into(),
            whole: OnceLock::new(),
            twins: Twins::default(),
        };
        Ok(view.with_twins(inventory))
    }

    fn of_one(node: Arc<Node>, revision: u64, seen: Arc<Seen>) -> Self {
        Self {
            revision,
            node,
            segments: [Segment::all_of(&seen)].into(),
            parts: [Arc::clone(&seen)].into(),
            whole: OnceLock::from(seen),
            twins: Twins::default(),
        }
    }

    fn with_twins(mut self, inventory: &Inventory) -> Self {
        let name = &self.node.metadata.name;
        self.twins = Twins::new(inventory, name, || &self.whole().devices);
        self
    }

    /// Returns a view of the node that sees only one of the parts.
    pub(crate) fn of_part(&self, part: &Arc<Seen>) -> Self {
        Self::of_one(Arc::clone(&self.node), self.revision, Arc::clone(part))
    }

    /// Returns the parts, which other nodes may share.
    pub(crate) fn parts(&self) -> &[Arc<Seen>] {
        &self.parts
    }

    /// Returns how the parts lie in canonical order.
    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Returns all that the node sees, in one.
    pub(crate) fn whole(&self) -> &Arc<Seen> {
        let join = || Arc::new(Seen::join(&self.parts, &self.segments));
        self.whole.get_or_init(join)
    }

    /// Returns the number of devices.
    pub(crate) fn device_count(&self) -> usize {
        let last = self.segments.last();
        last.map_or(0, |last| last.first + last.devices.len())
    }

    /// Returns the device at a place.
    pub(crate) fn entry(&self, device: usize) -> &DeviceEntry {
        let (part, device) = locate(&self.segments, device);
        &self.parts[part].devices[device]
    }

    /// Returns whether several claims may share the device at a place.
    pub(crate) fn is_shareable(&self, device: usize) -> bool {
        let (part, device) = locate(&self.segments, device);
        self.parts[part].shareable.contains(device)
    }
}
