//! [`Room`]: how many members each node can take.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dralloc_topology::MAX_HOST_DEVICES;

use super::GangOptions;
use crate::claims::PreparedClaims;
use crate::engine::place::NodeCause;
use crate::engine::{Find, NodeReason, Outcome, Snapshot, Transaction, Workspace};
use crate::error::Error;
use crate::outcome::StopCause;
use crate::store::NodeKey;

/// Says how many members nodes can take.
pub(super) struct Room {
    /// In the order of the caller; nodes that could take none even if nothing were held
    /// are left out.
    pub(super) nodes: Vec<NodeRoom>,
    /// Why not even one fits.
    pub(super) reasons: Vec<NodeReason>,
    /// Whether no budget of branches ended.
    pub(super) is_proved: bool,
}

/// Is a node with its room.
pub(super) struct NodeRoom {
    pub(super) key: NodeKey,
    /// How many members it can take.
    pub(super) free: u32,
    /// How many it could take if nothing were held.
    pub(super) whole: u32,
}

/// Is how many members nodes take, by place in the order of the caller.
struct Counted {
    nodes: BTreeMap<usize, (NodeKey, u32)>,
    reasons: Vec<NodeReason>,
    is_proved: bool,
}

impl Transaction {
    /// Counts how many members each node can take; a stop is what ended that.
    pub(super) fn room(
        &mut self,
        claims: &PreparedClaims,
        options: &GangOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Result<Room, StopCause>, Error> {
        let now = match self.count_members(claims, options, workspace)? {
            Ok(counted) => counted,
            Err(cause) => return Ok(Err(cause)),
        };
        let mut empty = self.emptied();
        let whole = match empty.count_members(claims, options, workspace)? {
            Ok(counted) => counted,
            Err(cause) => return Ok(Err(cause)),
        };
        let mut nodes: BTreeMap<usize, NodeRoom> = BTreeMap::new();
        for (place, (key, whole)) in whole.nodes {
            let free = 0;
            nodes.insert(place, NodeRoom { key, free, whole });
        }
        for (place, (key, free)) in now.nodes {
            let whole = free;
            let room = nodes.entry(place).or_insert(NodeRoom { key, free, whole });
            room.free = free;
            room.whole = room.whole.max(free);
        }
        // A node that is named twice counts once, where it is named first.
        let mut named = BTreeSet::new();
        let mut nodes: Vec<NodeRoom> = nodes.into_values().collect();
        nodes.retain(|room| named.insert(room.key.index()));
        Ok(Ok(Room {
            nodes,
            reasons: now.reasons,
            is_proved: now.is_proved,
        }))
    }

    /// Returns a transaction on the same nodes where nothing is held.
    fn emptied(&self) -> Transaction {
        let snapshot = Snapshot {
            state: Arc::default(),
            amounts: Arc::default(),
            owners: imbl::OrdMap::new(),
            ..self.snapshot.clone()
        };
        let mut empty = snapshot.transaction();
        if let Some(inventory) = self.draft.inventory() {
            empty.draft.set_inventory(Arc::clone(inventory));
        }
        empty
    }

    /// Counts members on one node of each class: all nodes of it answer the same, one
    /// member after another.
    fn count_members(
        &mut self,
        claims: &PreparedClaims,
        options: &GangOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Result<Counted, StopCause>, Error> {
        let place = options.place.find(Find::All);
        let placement = self.place(claims, &place, workspace)?;
        if let Some(cause) = placement.stopped() {
            return Ok(Err(cause));
        }
        let stopped = |reason: &NodeReason| matches!(reason.cause, NodeCause::Unknown(_));
        let mut counted = Counted {
            nodes: BTreeMap::new(),
            is_proved: !placement.reasons().iter().any(stopped),
            reasons: placement.reasons().to_vec(),
        };
        let mut classes: BTreeMap<u32, u32> = BTreeMap::new();
        for node in placement.nodes() {
            let count = match classes.get(&node.class()) {
                Some(&count) => count,
                None => match self.count_on(node.name(), claims, options, workspace)? {
                    (count, None) => count,
                    (count, Some(StopCause::Branches)) => {
                        counted.is_proved = false;
                        count
                    }
                    (_, Some(cause)) => return Ok(Err(cause)),
                },
            };
            classes.insert(node.class(), count);
            counted.nodes.insert(node.place(), (node.key(), count));
        }
        Ok(Ok(counted))
    }

    /// Counts members on a node, and what ended that before one did not fit.
    fn count_on(
        &mut self,
        node: &str,
        claims: &PreparedClaims,
        options: &GangOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<(u32, Option<StopCause>), Error> {
        let start = self.savepoint();
        let on_a_node = options.place.on_a_node;
        let (mut count, mut stopped) = (0, None);
        while count < MAX_HOST_DEVICES {
            let member = claims.of_nobody(count);
            match self.allocate(node, &member, &on_a_node, workspace) {
                Ok(Outcome::Optimal(_) | Outcome::Feasible { .. }) => count += 1,
                Ok(Outcome::Unknown(cause)) => {
                    stopped = Some(cause);
                    break;
                }
                // An error concerns the node: it takes no more.
                Ok(Outcome::Infeasible(_)) | Err(_) => break,
            }
        }
        self.rollback(&start)?;
        Ok((count, stopped))
    }
}
