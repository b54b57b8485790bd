//! [`Shortage`]: a node does not have enough of an amount.

use std::sync::Arc;

use dralloc_quantity::{Amount, Quantity};

use super::{AmountsDraft, NodeUse};
use crate::model::{Amounts, Node, Str};

/// Is how much is missing of an amount, the first by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shortage {
    pub(crate) name: Str,
    pub(crate) missing: Quantity,
}

/// Is what is asked of a node beside what others use.
#[derive(Clone, Debug)]
pub(crate) struct Asked<'a> {
    /// Those of which something is asked; none is never short.
    amounts: Vec<(&'a Str, &'a Quantity)>,
    /// What the owner uses already, which it does not need twice.
    own: Option<Arc<NodeUse>>,
}

impl<'a> Asked<'a> {
    pub(crate) fn new(amounts: &'a Amounts, own: Option<Arc<NodeUse>>) -> Self {
        let asked = amounts.iter();
        let asked = asked.filter(|(_, quantity)| quantity.amount().sign() > 0);
        Self {
            amounts: asked.collect(),
            own,
        }
    }

    /// Returns what a node is short of. What it does not list it does not have.
    pub(crate) fn shortage(&self, node: &Node, used: &AmountsDraft) -> Option<Shortage> {
        let sums = used.sums(&node.metadata.name);
        let own = self.own.as_ref();
        let own = own.filter(|own| own.node == node.metadata.name);
        self.amounts.iter().find_map(|(name, quantity)| {
            let listed = node.status.allocatable.get(*name);
            let listed = listed.map_or(&Amount::ZERO, Quantity::amount);
            let mut needed = quantity.amount().clone();
            if let Some(sum) = sums.and_then(|sums| sums.get(*name)) {
                needed += sum;
            }
            if let Some(own) = own.and_then(|own| own.amounts.get(*name)) {
                needed -= own.amount();
            }
            (needed > *listed).then(|| Shortage {
                name: Str::clone(name),
                missing: Quantity::new(&needed - listed, quantity.format()),
            })
        })
    }
}
