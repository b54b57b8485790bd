//! [`Alike`]: nodes that claims cannot tell apart.

use super::question::Question;
use super::{Find, PlaceOptions};
use crate::claims::PreparedClaims;
use crate::engine::{Transaction, Workspace};
use crate::error::Error;

/// Is a class of nodes that claims cannot tell apart.
#[derive(Debug)]
pub(in crate::engine) struct Alike {
    pub(in crate::engine) answer: AlikeAnswer,
    /// Their places in the order of the nodes, increasing.
    pub(in crate::engine) nodes: Vec<usize>,
}

/// Is what nodes answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::engine) enum AlikeAnswer {
    Fits,
    Infeasible,
    /// It was not found out before the budget ended.
    Unknown,
    /// The budget ended before they were asked.
    Unasked,
    /// There is an error.
    Fails,
}

impl Transaction {
    /// Asks all nodes of an order about claims; each is in one class of the answer.
    pub(in crate::engine) fn alike(
        &self,
        claims: &PreparedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Vec<Alike>, Error> {
        let mut options = options.find(Find::Count);
        options.on_a_node = options.on_a_node.for_any_answer(claims);
        let call = self.call(claims, &options.on_a_node, &mut workspace.reduced)?;
        let mut kinds = std::mem::take(&mut workspace.kinds);
        let mut classes = std::mem::take(&mut workspace.classes);
        classes.clear();
        let of_claims = kinds.of(&call.claims, &self.snapshot.identity, self.inventory());
        let answer = Question::new(self, &call, &options).alike(of_claims, &mut classes, workspace);
        workspace.kinds = kinds;
        workspace.classes = classes;
        answer
    }
}
