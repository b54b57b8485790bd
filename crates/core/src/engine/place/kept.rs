//! [`Kept`]: the nodes that a call returns.

use std::cmp::Reverse;

use super::placement::{ScoredAnswer, Wanted};
use super::{Find, NodeScore};

/// So many nodes more than are wanted are kept before the worse are dropped.
const SPARE: usize = 64;

/// Keeps the nodes that are wanted of those where claims fit.
#[derive(Debug, Default)]
pub(super) struct Kept {
    wanted: Vec<Wanted>,
    /// What a node must be better than: so many that are as good are kept.
    bar: Option<NodeScore>,
}

impl Kept {
    /// Makes room for so many nodes.
    pub(super) fn reserve(&mut self, nodes: usize) {
        self.wanted.reserve(nodes);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Returns whether a node with a score can be among those that are wanted.
    #[inline]
    pub(super) fn may_keep(&self, find: Find, score: NodeScore) -> bool {
        match find {
            Find::First | Find::All => true,
            Find::Count | Find::Best(0) => false,
            Find::Best(_) => self.bar.is_none_or(|bar| score > bar),
        }
    }

    /// Keeps a node that comes after all before.
    #[inline]
    pub(super) fn keep(&mut self, find: Find, node: Wanted, answers: &[ScoredAnswer]) {
        self.wanted.push(node);
        if let Find::Best(most) = find
            && self.wanted.len() >= most.saturating_mul(2).saturating_add(SPARE)
        {
            self.drop_worse(most, answers);
            let last = most.checked_sub(1);
            let last = last.and_then(|last| self.wanted.get(last));
            let last = last.map(|last| &answers[last.answer as usize]);
            // Under a policy the score does not tell enough.
            let last = last.filter(|last| last.allocation.objective().is_empty());
            self.bar = last.map(|last| last.score);
        }
    }

    /// Returns the nodes that are wanted, as they are wanted.
    pub(super) fn finish(mut self, find: Find, answers: &[ScoredAnswer]) -> Vec<Wanted> {
        if let Find::Best(most) = find {
            self.drop_worse(most, answers);
        }
        self.wanted
    }

    /// The order of the caller decides between equals: the sort is stable.
    fn drop_worse(&mut self, most: usize, answers: &[ScoredAnswer]) {
        let answer = |node: &Wanted| &answers[node.answer as usize];
        let has_policy = |node| !answer(node).allocation.objective().is_empty();
        if self.wanted.first().is_some_and(has_policy) {
            self.wanted
                .sort_by(|one, other| answer(one).order(answer(other)));
        } else {
            self.wanted.sort_by_key(|node| Reverse(answer(node).score));
        }
        self.wanted.truncate(most);
    }
}
