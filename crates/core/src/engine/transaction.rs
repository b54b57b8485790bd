//! [`Transaction`]: a private what-if on a snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::allocation::Allocation;
use super::{AllocateOptions, Engine, Snapshot, Workspace};
use crate::claims::{PreparedClaims, owner_of};
use crate::error::{Code, Error};
use crate::explain::{self, Explanation};
use crate::model::{AllocationResult, ResourceClaim, Str};
use crate::outcome::Outcome;
use crate::solver::{self, Answer, Problem};
use crate::state::{Draft, Mark, Record, records_of};

/// Tries things on a [`Snapshot`] that nobody else sees before they are committed.
#[derive(Clone, Debug)]
pub struct Transaction {
    snapshot: Snapshot,
    pub(crate) draft: Draft,
}

/// Is a point in a transaction to go back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Savepoint(Mark);

impl Transaction {
    pub(super) fn new(snapshot: Snapshot) -> Self {
        let draft = Draft::new(Arc::clone(&snapshot.state));
        Self { snapshot, draft }
    }

    /// Returns the snapshot that it started from.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Allocates claims together on a node; what they get is held from then on.
    ///
    /// # Errors
    ///
    /// An error of scope request concerns the claims, whatever the node; one
    /// of scope node this node alone: [`Code::NotFound`] (the node),
    /// [`Code::Duplicate`] (a claim holds devices already), [`Code::Pool`],
    /// [`Code::LimitExceeded`], [`Code::NodeSelector`], and whatever fails on
    /// a device that the search comes to before the answer.
    pub fn allocate(
        &mut self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        let view = Arc::clone(self.snapshot.inventory.view(node)?);
        for (index, claim) in claims.claims().iter().enumerate() {
            if !self.draft.records(&claim.owner).is_empty() {
                let message = format!(
                    "claim `{}` holds devices already, expected one that was released",
                    claim.owner
                );
                return Err(Error::new(Code::Duplicate, message).at(format!("claims[{index}]")));
            }
        }
        // The `kubernetes` policy is the only one so far.
        let super::Policy::Kubernetes = options.policy;
        let verdicts = &mut workspace.verdicts;
        let mut problem = Problem::new(claims, &view, &self.draft, verdicts, options.errors)?;
        let solution = match solver::solve(&mut problem, &options.budget)? {
            Ok(Answer::First(solution)) => solution,
            Ok(Answer::None(reason)) => return Ok(Outcome::Infeasible(reason)),
            Err(cause) => return Ok(Outcome::Unknown(cause)),
        };
        let allocation = Allocation::new(&problem, &solution, claims, &view, &self.draft)?;
        let mut records: BTreeMap<&Str, Vec<Record>> = BTreeMap::new();
        for (claim, record) in allocation.records() {
            records
                .entry(&claims.claims()[claim].owner)
                .or_default()
                .push(record);
        }
        for (owner, records) in records {
            self.draft.set(owner, records);
        }
        Ok(Outcome::Optimal(allocation))
    }

    /// Says for each request what becomes of each device, with nothing of the claims picked.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::allocate`], but for what fails on a device.
    pub fn explain(
        &self,
        node: &str,
        claims: &PreparedClaims,
        workspace: &mut Workspace,
    ) -> Result<Explanation, Error> {
        let view = self.snapshot.inventory.view(node)?;
        let mut problem = Problem::with_notes(claims, view, &self.draft, &mut workspace.verdicts)?;
        Ok(explain::explain(&mut problem))
    }

    /// Holds exactly what an allocation says, for a claim.
    ///
    /// Whether others hold the same is not asked: an exact apply repeats what
    /// was decided elsewhere.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if a device was never seen by the engine.
    pub fn hold(
        &mut self,
        claim: &ResourceClaim,
        allocation: &AllocationResult,
    ) -> Result<(), Error> {
        let shares = self.snapshot.features().consumable_capacity;
        let records = records_of(
            allocation,
            shares,
            Arc::make_mut(&mut self.snapshot.catalog),
        );
        self.draft.set(&owner_of(claim), records);
        Ok(())
    }

    /// Gives back what a claim holds; returns whether it held anything.
    pub fn release(&mut self, claim: &ResourceClaim) -> bool {
        let owner = owner_of(claim);
        let held = !self.draft.records(&owner).is_empty();
        if held {
            self.draft.set(&owner, Vec::new());
        }
        held
    }

    /// Returns a point to go back to.
    pub fn savepoint(&self) -> Savepoint {
        Savepoint(self.draft.mark())
    }

    /// Takes back everything since a savepoint, in time proportional to it.
    pub fn rollback(&mut self, savepoint: Savepoint) {
        self.draft.undo(savepoint.0);
    }

    /// Makes the changes known to everybody, all or none.
    ///
    /// # Errors
    ///
    /// [`Code::Conflict`] if the engine has changed since the snapshot.
    pub fn commit(self, engine: &mut Engine) -> Result<(), Error> {
        if engine.revision != self.snapshot.revision {
            let message = format!(
                "the engine is at revision {}, expected {} as in the snapshot",
                engine.revision, self.snapshot.revision
            );
            return Err(Error::new(Code::Conflict, message));
        }
        let Self { snapshot, draft } = self;
        let catalog = Arc::clone(&snapshot.catalog);
        // The engine's own state is changed in place if nobody else looks at it.
        drop(snapshot);
        let owners = draft.into_owners();
        if owners.is_empty() {
            return Ok(());
        }
        engine.catalog = catalog;
        let state = Arc::make_mut(&mut engine.state);
        for (owner, records) in owners {
            state.set(&owner, records, &engine.catalog);
        }
        engine.revision += 1;
        Ok(())
    }
}
