//! Amounts of nodes in a transaction: taken, given back, counted.

use std::sync::Arc;

use super::{Snapshot, Transaction};
use crate::amounts::{self, DraftedUse, NodeUse, Sums};
use crate::error::Error;
use crate::model::{Amounts, Quantity};

impl Snapshot {
    /// Returns what is used of the amounts of a node, by name.
    pub fn amounts_in_use(&self, node: &str) -> Amounts {
        to_amounts(self.amounts.sums(node))
    }
}

impl Transaction {
    /// Returns what is used of the amounts of a node, by name.
    pub fn amounts_in_use(&self, node: &str) -> Amounts {
        to_amounts(self.draft.amounts().sums(node))
    }

    /// Makes an owner, such as a pod by its uid, use exactly these amounts of a node;
    /// what it used before is given back.
    ///
    /// Whether there is enough is not asked, nor whether there is such a node: it
    /// repeats what was decided elsewhere.
    /// [`AllocateOptions::amounts`](super::AllocateOptions::amounts) asks.
    ///
    /// # Errors
    ///
    /// [`Code::Invalid`](crate::Code::Invalid) if an amount is negative; nothing is
    /// changed then.
    pub fn take_amounts(
        &mut self,
        node: &str,
        owner: &str,
        amounts: &Amounts,
    ) -> Result<(), Error> {
        amounts::check(amounts)?;
        self.use_amounts(node, owner, amounts, false);
        Ok(())
    }

    /// Gives back what an owner uses; returns whether it used anything.
    pub fn release_amounts(&mut self, owner: &str) -> bool {
        let is_using = self.draft.amounts().of(owner).is_some();
        if is_using {
            self.draft.set_use(&owner.into(), DraftedUse::default());
        }
        is_using
    }

    /// Makes an owner use exactly these amounts of a node.
    pub(super) fn use_amounts(
        &mut self,
        node: &str,
        owner: &str,
        amounts: &Amounts,
        is_asked: bool,
    ) {
        let used = NodeUse {
            owner: owner.into(),
            node: node.into(),
            amounts: amounts.clone(),
        };
        let owner = used.owner.clone();
        let drafted = DraftedUse {
            used: Some(Arc::new(used)),
            is_asked,
        };
        self.draft.set_use(&owner, drafted);
    }
}

fn to_amounts(sums: Option<&Sums>) -> Amounts {
    let sums = sums.into_iter().flatten();
    sums.map(|(name, sum)| (name.clone(), Quantity::from(sum.clone())))
        .collect()
}
