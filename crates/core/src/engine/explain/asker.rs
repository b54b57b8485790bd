//! [`Asker`]: asks questions again with parts left out.

use super::Why;
use crate::claims::PreparedClaims;
use crate::engine::{AllocateOptions, ErrorMode, Outcome, Transaction, Workspace};
use crate::explain::Remedy;
use crate::model::Str;
use crate::objective::Policy;
use crate::state::{DraftMark, HeldAs};

/// So many questions an explanation may ask of a node with few devices.
const QUESTIONS: usize = 256;

/// One that is as expensive as it may be counts as so many.
const EXPENSIVE: usize = 32;

/// Branches of each question.
const BRANCHES: u64 = 5_000;

/// Up to so many devices are few; with more of them each question takes longer.
const FEW_DEVICES: usize = 256;

/// Fewer questions than this explain nothing.
const LEAST_QUESTIONS: usize = 32;

/// Is what becomes of a question with parts left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Fits,
    Infeasible,
    /// Something cannot be evaluated, or there are devices, but the answer cannot be written
    /// down.
    Fails,
    /// That was not found out.
    Unknown,
}

/// Asks about claims while some have given back what they hold.
///
/// It has a transaction of its own, on which nothing stays, and a workspace of its
/// own: what is compiled for parts of a question is of no use to others.
pub(super) struct Asker<'w> {
    transaction: Transaction,
    start: DraftMark,
    node: &'w str,
    options: AllocateOptions<'w>,
    workspace: Workspace,
    left: usize,
}

impl<'w> Asker<'w> {
    /// Returns one for the parts of a question that has no answer.
    pub(super) fn new(why: &Why<'w>, on_empty_books: bool, workspace: &mut Workspace) -> Self {
        let mut options = *why.options;
        // Devices on which evaluation fails did not come into question.
        options.errors = Some(ErrorMode::Skip);
        if on_empty_books {
            options = options.on_empty_books(why.claims);
        }
        let devices = why.view.devices.len();
        Self::on(why.transaction, why.node, devices, options, workspace)
    }

    /// Returns one that asks as a question does, on a node with so many devices.
    pub(super) fn on(
        transaction: &Transaction,
        node: &'w str,
        devices: usize,
        mut options: AllocateOptions<'w>,
        workspace: &mut Workspace,
    ) -> Self {
        let transaction = transaction.clone();
        // Whether claims fit does not depend on which answer is the best.
        options.policy = Some(&Policy::Kubernetes);
        let branches = options.budget.limit().unwrap_or(BRANCHES).min(BRANCHES);
        options.budget = options.budget.branches(branches);
        let scale = devices.div_ceil(FEW_DEVICES).max(1);
        Self {
            start: transaction.draft.mark(),
            transaction,
            node,
            options,
            workspace: Workspace::with_verdicts_of(workspace),
            left: (QUESTIONS / scale).max(LEAST_QUESTIONS),
        }
    }

    /// Gives back what was borrowed.
    pub(super) fn finish(mut self, workspace: &mut Workspace) {
        workspace.take_verdicts_of(&mut self.workspace);
    }

    /// Returns whether an owner has a share of some device.
    pub(super) fn has_shares(&self, owner: &str) -> bool {
        let holding = self.transaction.draft.holding(owner);
        let mut records = holding.into_iter().flat_map(|holding| &holding.records);
        records.any(|record| matches!(record.held_as, HeldAs::Share { .. }))
    }

    /// Asks about claims once some holders hold nothing.
    pub(super) fn ask<'o>(
        &mut self,
        claims: &PreparedClaims,
        released: impl Iterator<Item = &'o Str>,
    ) -> Reply {
        if self.left == 0 || self.options.budget.stop().is_some() {
            return Reply::Unknown;
        }
        self.left -= 1;
        for owner in released {
            self.transaction.let_go(owner);
        }
        self.answer(claims)
    }

    /// Asks about claims with a remedy.
    pub(super) fn ask_with(&mut self, claims: &PreparedClaims, remedy: &Remedy) -> Reply {
        if self.left == 0 || self.options.budget.stop().is_some() {
            return Reply::Unknown;
        }
        self.left -= 1;
        if let Ok(claims) = self.transaction.remedied(claims, remedy) {
            self.answer(&claims)
        } else {
            self.transaction.draft.undo(self.start);
            Reply::Unknown
        }
    }

    /// Asks as things are, and takes back what was changed.
    fn answer(&mut self, claims: &PreparedClaims) -> Reply {
        let (options, workspace) = (&self.options, &mut self.workspace);
        let outcome = self
            .transaction
            .consider(self.node, claims, options, workspace);
        self.transaction.draft.undo(self.start);
        match outcome {
            Ok(Outcome::Optimal(_) | Outcome::Feasible { .. }) => Reply::Fits,
            Ok(Outcome::Infeasible(_)) => Reply::Infeasible,
            Err(_) => Reply::Fails,
            Ok(Outcome::Unknown(_)) => {
                self.left = self.left.saturating_sub(EXPENSIVE);
                Reply::Unknown
            }
        }
    }
}
