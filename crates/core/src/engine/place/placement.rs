//! [`Placement`]: what many nodes answered.

use std::cmp::{Ordering, Reverse};
use std::fmt;
use std::sync::Arc;

use super::NodeReason;
use crate::engine::Allocation;
use crate::error::Error;
use crate::outcome::{Gap, StopCause};
use crate::store::{Inventory, NodeKey};

/// Says where claims fit, and why not elsewhere.
#[derive(Clone)]
pub struct Placement {
    pub(super) inventory: Arc<Inventory>,
    pub(super) wanted: Vec<Wanted>,
    pub(super) answers: Vec<ScoredAnswer>,
    pub(super) asked: usize,
    pub(super) next: usize,
    pub(super) feasible: usize,
    pub(super) solved: usize,
    pub(super) reasons: Vec<NodeReason>,
    pub(super) failed: Vec<(String, Error)>,
    pub(super) stopped: Option<StopCause>,
}

/// Is a node that was wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// In the order of the caller.
    pub(super) place: u32,
    pub(super) node: NodeKey,
    /// Place of the answer of its class.
    pub(super) answer: u32,
}

/// Is what the nodes of a class answer.
#[derive(Clone, Debug)]
pub(super) struct ScoredAnswer {
    /// That of one of the nodes.
    pub(super) allocation: Allocation,
    pub(super) score: NodeScore,
    /// How far from the best it may be under the policy.
    pub(super) gap: Option<Gap>,
}

impl ScoredAnswer {
    /// Compares answers, the better one first: by the terms of the policy, then
    /// by the score.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let values = |answer: &Self| {
            let terms = answer.allocation.objective().iter();
            terms.map(|term| term.value).collect::<Vec<_>>()
        };
        let by_policy = if self.allocation.objective().is_empty() {
            Ordering::Equal
        } else {
            values(self).cmp(&values(other))
        };
        by_policy.then_with(|| other.score.cmp(&self.score))
    }
}

impl Placement {
    /// Returns the nodes that were wanted; [`Find`](super::Find) says in which order.
    pub fn nodes(&self) -> PlacedNodes<'_> {
        PlacedNodes {
            placement: self,
            wanted: &self.wanted,
        }
    }

    /// Returns how many nodes answered.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// Returns the place of the order after that of the last node that was
    /// asked, where another call may begin; after the last place comes 0.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Returns on how many of them the claims fit, wanted or not.
    pub fn feasible(&self) -> usize {
        self.feasible
    }

    /// Returns how many searches that took: one for each class of nodes that the
    /// claims cannot tell apart, and one for each node with an error.
    ///
    /// With [`Find::First`](super::Find::First) it also depends on which nodes
    /// the workspace knows: of those that it does not know, the first few are
    /// solved without a look at their classes.
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

impl fmt::Debug for Placement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Placement")
            .field("nodes", &self.nodes().iter().collect::<Vec<_>>())
            .field("asked", &self.asked)
            .field("feasible", &self.feasible)
            .field("reasons", &self.reasons)
            .field("failed", &self.failed)
            .field("stopped", &self.stopped)
            .finish_non_exhaustive()
    }
}

/// Lists the nodes that were wanted.
#[derive(Clone, Copy)]
pub struct PlacedNodes<'a> {
    placement: &'a Placement,
    wanted: &'a [Wanted],
}

impl<'a> PlacedNodes<'a> {
    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.wanted.len()
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Returns the first.
    pub fn first(&self) -> Option<PlacedNode<'a>> {
        self.get(0)
    }

    /// Returns the one at a place.
    pub fn get(&self, place: usize) -> Option<PlacedNode<'a>> {
        let wanted = *self.wanted.get(place)?;
        let answer = self.placement.answers.get(wanted.answer as usize)?;
        Some(PlacedNode {
            inventory: &self.placement.inventory,
            wanted,
            answer,
        })
    }

    /// Returns them in order.
    pub fn iter(&self) -> PlacedNodesIter<'a> {
        (*self).into_iter()
    }
}

impl<'a> IntoIterator for PlacedNodes<'a> {
    type Item = PlacedNode<'a>;
    type IntoIter = PlacedNodesIter<'a>;

    fn into_iter(self) -> PlacedNodesIter<'a> {
        PlacedNodesIter {
            placement: self.placement,
            wanted: self.wanted.iter(),
        }
    }
}

impl<'a> IntoIterator for &PlacedNodes<'a> {
    type Item = PlacedNode<'a>;
    type IntoIter = PlacedNodesIter<'a>;

    fn into_iter(self) -> PlacedNodesIter<'a> {
        (*self).into_iter()
    }
}

/// Goes through the nodes that were wanted, in order.
#[derive(Clone)]
pub struct PlacedNodesIter<'a> {
    placement: &'a Placement,
    wanted: std::slice::Iter<'a, Wanted>,
}

impl<'a> Iterator for PlacedNodesIter<'a> {
    type Item = PlacedNode<'a>;

    fn next(&mut self) -> Option<PlacedNode<'a>> {
        let wanted = *self.wanted.next()?;
        Some(PlacedNode {
            inventory: &self.placement.inventory,
            wanted,
            answer: self.placement.answers.get(wanted.answer as usize)?,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.wanted.size_hint()
    }
}

impl ExactSizeIterator for PlacedNodesIter<'_> {}

/// Is a node where claims fit.
///
/// What it tells beside its score is made when it is asked for: nodes that the
/// claims cannot tell apart share one answer until then.
#[derive(Clone, Copy)]
pub struct PlacedNode<'a> {
    inventory: &'a Inventory,
    wanted: Wanted,
    answer: &'a ScoredAnswer,
}

impl<'a> PlacedNode<'a> {
    /// Returns the name of the node.
    pub fn name(&self) -> &'a str {
        let entry = self.inventory.numbered().get(self.wanted.node);
        entry.map_or("", |entry| &entry.name)
    }

    /// Returns its number.
    pub(in crate::engine) fn key(&self) -> NodeKey {
        self.wanted.node
    }

    /// Returns what is the same for nodes that the claims cannot tell apart.
    pub(in crate::engine) fn class(&self) -> u32 {
        self.wanted.answer
    }

    /// Returns its place in the order of the caller.
    pub fn place(&self) -> usize {
        self.wanted.place as usize
    }

    /// Returns what the claims would get.
    pub fn allocation(&self) -> Allocation {
        let entry = self.inventory.numbered().get(self.wanted.node);
        match entry.and_then(|entry| self.inventory.view_of(entry)) {
            Some(Ok(view)) => self.answer.allocation.on(view),
            // A node that answered can be seen.
            _ => self.answer.allocation.clone(),
        }
    }

    /// Returns how far from the best for the node the answer may be under the
    /// policy; nothing if it is proved the best.
    pub fn gap(&self) -> Option<Gap> {
        self.answer.gap
    }

    /// Returns how good the node is; under a policy the values of
    /// [`Allocation::objective`] count before that.
    pub fn score(&self) -> NodeScore {
        self.answer.score
    }
}

impl fmt::Debug for PlacedNode<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let devices = self.allocation();
        formatter
            .debug_struct("PlacedNode")
            .field("name", &self.name())
            .field("score", &self.score())
            .field("devices", &devices.devices().collect::<Vec<_>>())
            .finish()
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
    fn cmp(&self, other: &Self) -> Ordering {
        (self.rank, Reverse(self.free)).cmp(&(other.rank, Reverse(other.free)))
    }
}

impl PartialOrd for NodeScore {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
