//! [`Transaction`]: one that may be recorded.

use dralloc::model::{AllocationResult, Amounts, ResourceClaim};
use dralloc::{
    AllocateOptions, Applied, Code, Error, GangOptions, GangOutcome, Outcome, PlaceOptions,
    Placement, PreparedClaims, RecordedClaims, RecordedSavepoint, RecordedSnapshot,
    RecordedTransaction, Workspace,
};

use super::claims::Claims;
use super::engine::{self, Engine};
use super::trace::KnownTrace;

/// Is a transaction whose calls are written if those of its snapshot are.
#[derive(Clone, Debug)]
pub struct Transaction(State);

#[derive(Clone, Debug)]
enum State {
    Plain(dralloc::Transaction),
    Recorded(Recorded),
}

#[derive(Clone, Debug)]
struct Recorded {
    transaction: RecordedTransaction,
    /// Where it started: claims that the trace does not know are prepared there.
    snapshot: RecordedSnapshot,
    trace: KnownTrace,
}

/// Is a point of a transaction to go back to.
#[derive(Clone, Debug)]
pub struct Savepoint(Point);

#[derive(Clone, Debug)]
enum Point {
    Plain(dralloc::Savepoint),
    Recorded(RecordedSavepoint),
}

/// Makes a call of a transaction, recorded or not.
macro_rules! call {
    ($state:expr, $call:ident ( $($argument:expr),* )) => {
        match $state {
            State::Plain(transaction) => transaction.$call($($argument),*),
            State::Recorded(recorded) => recorded.transaction.$call($($argument),*),
        }
    };
}

/// The same for a call that is about claims.
macro_rules! ask {
    ($state:expr, $claims:expr, |$transaction:ident, $known:ident| $call:expr) => {
        match $state {
            State::Plain($transaction) => {
                let $known = $claims.get();
                $call
            }
            State::Recorded(recorded) => {
                let $known = &$claims.of_trace(&recorded.trace, &recorded.snapshot)?;
                let $transaction = &mut recorded.transaction;
                $call
            }
        }
    };
}

impl Transaction {
    pub(super) fn plain(transaction: dralloc::Transaction) -> Self {
        Self(State::Plain(transaction))
    }

    pub(super) fn recorded(
        transaction: RecordedTransaction,
        snapshot: RecordedSnapshot,
        trace: KnownTrace,
    ) -> Self {
        Self(State::Recorded(Recorded {
            transaction,
            snapshot,
            trace,
        }))
    }

    /// Returns whether calls are written.
    pub fn is_recorded(&self) -> bool {
        matches!(self.0, State::Recorded(_))
    }

    /// Returns the transaction; calls of it are not written.
    pub fn get(&self) -> &dralloc::Transaction {
        match &self.0 {
            State::Plain(transaction) => transaction,
            State::Recorded(recorded) => recorded.transaction.transaction(),
        }
    }

    /// Calls [`dralloc::Transaction::allocate`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::allocate`].
    pub fn allocate(
        &mut self,
        node: &str,
        claims: &Claims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        ask!(&mut self.0, claims, |transaction, claims| {
            transaction.allocate(node, claims, options, workspace)
        })
    }

    /// Calls [`dralloc::Transaction::satisfiable`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::satisfiable`].
    pub fn satisfiable(
        &mut self,
        node: &str,
        claims: &Claims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        ask!(&mut self.0, claims, |transaction, claims| {
            transaction.satisfiable(node, claims, options, workspace)
        })
    }

    /// Calls [`dralloc::Transaction::place`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::place`].
    pub fn place(
        &mut self,
        claims: &Claims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        ask!(&mut self.0, claims, |transaction, claims| {
            transaction.place(claims, options, workspace)
        })
    }

    /// Calls [`dralloc::Transaction::place_and_allocate`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::place_and_allocate`].
    pub fn place_and_allocate(
        &mut self,
        claims: &Claims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        ask!(&mut self.0, claims, |transaction, claims| {
            transaction.place_and_allocate(claims, options, workspace)
        })
    }

    /// Calls [`dralloc::Transaction::gang`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::gang`].
    pub fn gang(
        &mut self,
        members: &[&Claims],
        options: &GangOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<GangOutcome, Error> {
        match &mut self.0 {
            State::Plain(transaction) => {
                let members: Vec<PreparedClaims> =
                    members.iter().map(|member| member.get().clone()).collect();
                transaction.gang(&members, options, workspace)
            }
            State::Recorded(recorded) => {
                let (trace, snapshot) = (&recorded.trace, &recorded.snapshot);
                let members = members
                    .iter()
                    .map(|member| member.of_trace(trace, snapshot));
                let members = members.collect::<Result<Vec<RecordedClaims>, Error>>()?;
                recorded.transaction.gang(&members, options, workspace)
            }
        }
    }

    /// Calls [`dralloc::Transaction::hold`].
    pub fn hold(&mut self, claim: &ResourceClaim, allocation: &AllocationResult) {
        call!(&mut self.0, hold(claim, allocation));
    }

    /// Calls [`dralloc::Transaction::release`].
    pub fn release(&mut self, claim: &ResourceClaim) -> bool {
        call!(&mut self.0, release(claim))
    }

    /// Calls [`dralloc::Transaction::reserve`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::reserve`].
    pub fn reserve(&mut self, claim: &ResourceClaim, user: &str) -> Result<bool, Error> {
        call!(&mut self.0, reserve(claim, user))
    }

    /// Calls [`dralloc::Transaction::unreserve`].
    pub fn unreserve(&mut self, claim: &ResourceClaim, user: &str) -> bool {
        call!(&mut self.0, unreserve(claim, user))
    }

    /// Calls [`dralloc::Transaction::mark_releasing`].
    pub fn mark_releasing(&mut self, claim: &ResourceClaim, releasing: bool) -> bool {
        call!(&mut self.0, mark_releasing(claim, releasing))
    }

    /// Calls [`dralloc::Transaction::add_node`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::add_node`].
    pub fn add_node(&mut self, name: &str, like: &str) -> Result<(), Error> {
        call!(&mut self.0, add_node(name, like))
    }

    /// Calls [`dralloc::Transaction::remove_node`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::remove_node`].
    pub fn remove_node(&mut self, name: &str) -> Result<(), Error> {
        call!(&mut self.0, remove_node(name))
    }

    /// Calls [`dralloc::Transaction::take_amounts`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::take_amounts`].
    pub fn take_amounts(
        &mut self,
        node: &str,
        owner: &str,
        amounts: &Amounts,
    ) -> Result<(), Error> {
        call!(&mut self.0, take_amounts(node, owner, amounts))
    }

    /// Calls [`dralloc::Transaction::release_amounts`].
    pub fn release_amounts(&mut self, owner: &str) -> bool {
        call!(&mut self.0, release_amounts(owner))
    }

    /// Calls [`dralloc::Transaction::savepoint`].
    pub fn savepoint(&self) -> Savepoint {
        Savepoint(match &self.0 {
            State::Plain(transaction) => Point::Plain(transaction.savepoint()),
            State::Recorded(recorded) => Point::Recorded(recorded.transaction.savepoint()),
        })
    }

    /// Calls [`dralloc::Transaction::rollback`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::rollback`].
    pub fn rollback(&mut self, savepoint: &Savepoint) -> Result<(), Error> {
        match (&mut self.0, &savepoint.0) {
            (State::Plain(transaction), Point::Plain(savepoint)) => transaction.rollback(savepoint),
            (State::Recorded(recorded), Point::Recorded(savepoint)) => {
                recorded.transaction.rollback(savepoint)
            }
            _ => {
                let message = "the savepoint is gone, expected one of this transaction";
                Err(Error::new(Code::NotFound, message))
            }
        }
    }

    /// Calls [`dralloc::Transaction::dump`].
    pub fn dump(&self) -> String {
        call!(&self.0, dump())
    }

    /// Calls [`dralloc::Transaction::commit`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Transaction::commit`], and [`Code::Conflict`] if calls of the
    /// engine are written to a trace that those of the transaction are not in.
    pub fn commit(self, engine: &mut Engine) -> Result<Applied, Error> {
        match (self.0, engine.state()) {
            (State::Plain(transaction), engine::State::Plain(engine)) => transaction.commit(engine),
            // The recording has ended since.
            (State::Recorded(recorded), engine::State::Plain(engine)) => {
                recorded.transaction.transaction().clone().commit(engine)
            }
            (State::Recorded(recorded), engine::State::Recorded(engine, trace))
                if recorded.trace.is(trace) =>
            {
                recorded.transaction.commit(engine)
            }
            _ => {
                let message = "the transaction began before the engine was recorded, expected \
                               one of a new snapshot";
                Err(Error::new(Code::Conflict, message))
            }
        }
    }
}
