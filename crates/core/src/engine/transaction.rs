//! [`Transaction`]: a private what-if on a snapshot.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{AllocateOptions, Engine, Outcome, Snapshot, Workspace};
use crate::claims::{PreparedClaims, owner_of};
use crate::error::{Code, Error};
use crate::explain::{self, Explanation};
use crate::model::{AllocationResult, ResourceClaim, Str};
use crate::solver::Problem;
use crate::state::{Draft, DraftMark, Record, records_of};

/// Tries things on a [`Snapshot`] that nobody else sees before they are committed.
///
/// # Examples
///
/// ```
/// use dralloc::{Engine, Features};
///
/// let mut engine = Engine::new(Features::all());
/// let mut transaction = engine.snapshot().transaction();
/// let start = transaction.savepoint();
/// // allocate, hold, release …
/// transaction.rollback(&start)?;
/// transaction.commit(&mut engine)?;
/// # Ok::<(), dralloc::Error>(())
/// ```
#[derive(Debug)]
pub struct Transaction {
    /// Tells the transaction from others, its clones included.
    identity: Arc<()>,
    snapshot: Snapshot,
    pub(crate) draft: Draft,
}

/// Is a point in a transaction to go back to.
#[derive(Clone, Debug)]
pub struct Savepoint {
    transaction: Arc<()>,
    mark: DraftMark,
}

/// The clone is a transaction of its own: savepoints of one are none of the other.
impl Clone for Transaction {
    fn clone(&self) -> Self {
        Self {
            identity: Arc::default(),
            snapshot: self.snapshot.clone(),
            draft: self.draft.clone(),
        }
    }
}

impl Transaction {
    pub(super) fn new(snapshot: Snapshot) -> Self {
        let draft = Draft::new(Arc::clone(&snapshot.state));
        Self {
            identity: Arc::default(),
            snapshot,
            draft,
        }
    }

    /// Returns the snapshot that it started from.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Allocates claims together on a node; what they get is held from then on.
    ///
    /// # Errors
    ///
    /// With scope node, so that another node may do: [`Code::NotFound`] (the
    /// node), and [`Code::Pool`] where nothing fits and a pool is invalid. With
    /// scope request: [`Code::Duplicate`] (a claim holds devices already),
    /// [`Code::Invalid`] (claims of other features), [`Code::LimitExceeded`],
    /// [`Code::NodeSelector`], [`Code::Pool`] (all devices are asked for and a
    /// pool is not complete), and what fails on a device that the search comes
    /// to before the answer.
    pub fn allocate(
        &mut self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        let outcome = self.consider(node, claims, options, workspace)?;
        let Outcome::Optimal(allocation) = &outcome else {
            return Ok(outcome);
        };
        if let [claim] = claims.claims() {
            let records: Vec<Record> = allocation.records().map(|(_, record)| record).collect();
            if !records.is_empty() {
                self.draft.set(&claim.owner, records);
            }
            return Ok(outcome);
        }
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
        Ok(outcome)
    }

    /// Answers like [`Transaction::allocate`], and holds nothing.
    ///
    /// It is there for measurements of the search alone.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::allocate`].
    #[doc(hidden)]
    pub fn consider(
        &self,
        node: &str,
        claims: &PreparedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        let view = self.snapshot.inventory.view(node)?;
        if claims.features() != self.snapshot.features() {
            let message = "the claims were prepared under other features, expected the engine's";
            return Err(Error::new(Code::Invalid, message).at("claims"));
        }
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
        workspace.solve(claims, view, &self.draft, options)
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
    /// Whether others hold the same is not asked, nor whether the devices are
    /// published: an exact apply repeats what was decided elsewhere.
    pub fn hold(&mut self, claim: &ResourceClaim, allocation: &AllocationResult) {
        let shares = self.snapshot.features().consumable_capacity;
        let catalog = Arc::make_mut(&mut self.snapshot.catalog);
        let records = records_of(allocation, shares, catalog);
        self.draft.set(&owner_of(claim), records);
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

    /// Returns a point to go back to; it stays one after going back to it.
    pub fn savepoint(&self) -> Savepoint {
        Savepoint {
            transaction: Arc::clone(&self.identity),
            mark: self.draft.mark(),
        }
    }

    /// Takes back everything since a savepoint, in time proportional to it.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if the savepoint is of another transaction, or was
    /// itself taken back; nothing is changed then.
    pub fn rollback(&mut self, savepoint: &Savepoint) -> Result<(), Error> {
        let own = Arc::ptr_eq(&self.identity, &savepoint.transaction);
        if own && self.draft.undo(savepoint.mark) {
            return Ok(());
        }
        let message = "the savepoint is gone, expected one of this transaction";
        Err(Error::new(Code::NotFound, message))
    }

    /// Makes the changes known to everybody, all or none.
    ///
    /// # Errors
    ///
    /// [`Code::Conflict`] if the engine has changed since the snapshot, or is another.
    pub fn commit(self, engine: &mut Engine) -> Result<(), Error> {
        if !Arc::ptr_eq(&engine.identity, &self.snapshot.identity) {
            let message = "the snapshot is of another engine, expected one of this engine";
            return Err(Error::new(Code::Conflict, message));
        }
        if engine.revision != self.snapshot.revision {
            let message = format!(
                "the engine is at revision {}, expected {} as in the snapshot",
                engine.revision, self.snapshot.revision
            );
            return Err(Error::new(Code::Conflict, message));
        }
        let Self {
            snapshot, draft, ..
        } = self;
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
            if records.is_empty() {
                engine.assumed.remove(&owner);
            } else {
                engine.assumed.insert(owner.clone());
            }
            state.set(&owner, records);
        }
        engine.revision += 1;
        Ok(())
    }
}
