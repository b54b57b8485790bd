//! [`Placement`]: what many nodes answered.

use std::cmp::Reverse;
use std::sync::Arc;

use super::NodeReason;
use crate::engine::Allocation;
use crate::error::Error;
use crate::outcome::StopCause;

/// Says where claims fit, and why not elsewhere.
#[derive(Clone, Debug)]
pub struct Placement {
    pub(super) nodes: Vec<PlacedNode>,
    pub(super) asked: usize,
    pub(super) feasible: usize,
    pub(super) solved: usize,
    pub(super) reasons: Vec<NodeReason>,
    pub(super) failed: Vec<(String, Error)>,
    pub(super) stopped: Option<StopCause>,
}

impl Placement {
    /// Returns the nodes that were wanted; [`Find`](super::Find) says in which order.
    pub fn nodes(&self) -> &[PlacedNode] {
        &self.nodes
    }

    /// Returns how many nodes answered.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// Returns on how many of them the claims fit, wanted or not.
    pub fn feasible(&self) -> usize {
        self.feasible
    }

    /// Returns how many searches that took: one for each class of nodes that the
    /// claims cannot tell apart, and one for each node with an error.
    pub fn solved(&self) -> usize {
        self.solved
    }

    /// Returns why the claims do not fit, with the number of nodes; the most
    /// frequent reason first, then the one that was met first.
    pub fn reasons(&self) -> &[NodeReason] {
        &self.reasons
    }

    /// Returns the errors by node, in order.
    pub fn failed(&self) -> &[(String, Error)] {
        &self.failed
    }

    /// Returns what ended the call before all nodes were asked, if anything did.
    pub fn stopped(&self) -> Option<StopCause> {
        self.stopped
    }
}

/// Is a node where claims fit.
#[derive(Clone, Debug)]
pub struct PlacedNode {
    place: usize,
    allocation: Arc<Allocation>,
    score: NodeScore,
}

impl PlacedNode {
    pub(super) fn new(place: usize, allocation: Arc<Allocation>, score: NodeScore) -> Self {
        Self {
            place,
            allocation,
            score,
        }
    }

    /// Returns the name of the node.
    pub fn name(&self) -> &str {
        self.allocation.node()
    }

    /// Returns its place in the order in which nodes were asked.
    pub fn place(&self) -> usize {
        self.place
    }

    /// Returns what the claims would get.
    pub fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// Returns how good the node is.
    pub fn score(&self) -> NodeScore {
        self.score
    }
}

/// Tells better nodes from worse; the greater is the better.
///
/// The rank decides, then fewer free devices: nodes that are in use already are
/// filled up before others are begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeScore {
    /// As Kubernetes' scheduler scores `firstAvailable`: for each request with
    /// alternatives 8, less the place of the one that it gets.
    pub rank: u64,
    /// How many devices of the node nobody would hold afterwards, whether the
    /// claims can use them or not. Devices that count as free because they are
    /// given back soon are among them.
    pub free: usize,
}

impl Ord for NodeScore {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.rank, Reverse(self.free)).cmp(&(other.rank, Reverse(other.free)))
    }
}

impl PartialOrd for NodeScore {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
