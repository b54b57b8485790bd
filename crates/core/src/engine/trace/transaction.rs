//! [`RecordedTransaction`]: a transaction whose calls are written down.

use std::sync::Arc;

use super::answer::{done, outcome, placement, result};
use super::gang::{GangForm, gang};
use super::log::{Handle, Line};
use super::options::OptionsForm;
use super::recorder::{RecordedClaims, Recorder};
use crate::engine::form::{object, text};
use crate::engine::{
    AllocateOptions, Applied, GangOptions, GangOutcome, Outcome, PlaceOptions, Placement,
    Savepoint, Transaction, Workspace,
};
use crate::error::Error;
use crate::model::{AllocationResult, Amounts, ResourceClaim};

/// Is a [`Transaction`] whose calls are written down.
#[derive(Debug)]
pub struct RecordedTransaction {
    transaction: Transaction,
    handle: Handle,
}

/// Is a [`Savepoint`] that calls of a trace name.
#[derive(Clone, Debug)]
pub struct RecordedSavepoint {
    savepoint: Savepoint,
    handle: Arc<Handle>,
}

impl Clone for RecordedTransaction {
    fn clone(&self) -> Self {
        let line = |id| self.handle.line("clone").with("id", &id);
        Self {
            transaction: self.transaction.clone(),
            handle: self.handle.log.make("transaction", line),
        }
    }
}

impl RecordedTransaction {
    pub(super) fn new(transaction: Transaction, handle: Handle) -> Self {
        Self {
            transaction,
            handle,
        }
    }

    /// Returns the transaction; calls of it are not written.
    pub fn transaction(&self) -> &Transaction {
        &self.transaction
    }

    fn write(&self, line: Line, result: &str) {
        self.handle.log.write(&line.raw("result", result));
    }

    /// Starts the line of a call about a claim.
    fn about(&self, call: &str, claim: &ResourceClaim) -> Line {
        self.handle.line(call).raw("object", &object(claim))
    }

    /// Calls [`Transaction::allocate`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::allocate`].
    pub fn allocate(
        &mut self,
        node: &str,
        claims: &RecordedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        let answer = self
            .transaction
            .allocate(node, &claims.claims, options, workspace);
        let line = self.handle.line("allocate").with("node", &node);
        let line = line.with("claims", &claims.handle.id);
        let line = line.with("options", &OptionsForm::from(options));
        self.write(line, &result(&answer, outcome));
        answer
    }

    /// Calls [`Transaction::satisfiable`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::satisfiable`].
    pub fn satisfiable(
        &self,
        node: &str,
        claims: &RecordedClaims,
        options: &AllocateOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Outcome, Error> {
        let answer = self
            .transaction
            .satisfiable(node, &claims.claims, options, workspace);
        let line = self.handle.line("satisfiable").with("node", &node);
        let line = line.with("claims", &claims.handle.id);
        let line = line.with("options", &OptionsForm::from(options));
        self.write(line, &result(&answer, outcome));
        answer
    }

    /// Calls [`Transaction::place`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::place`].
    pub fn place(
        &self,
        claims: &RecordedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        let answer = self.transaction.place(&claims.claims, options, workspace);
        let line = self.handle.line("place").with("claims", &claims.handle.id);
        let line = line.with("options", &OptionsForm::from(options));
        self.write(line, &result(&answer, placement));
        answer
    }

    /// Calls [`Transaction::place_and_allocate`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::place_and_allocate`].
    pub fn place_and_allocate(
        &mut self,
        claims: &RecordedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        let transaction = &mut self.transaction;
        let before = transaction.draft.mark();
        let answer = transaction.place_and_allocate(&claims.claims, options, workspace);
        let holds = transaction.draft.mark() != before;
        let line = self.handle.line("placeAndAllocate");
        let line = line.with("claims", &claims.handle.id);
        let line = line
            .with("options", &OptionsForm::from(options))
            .with("holds", &holds);
        self.write(line, &result(&answer, placement));
        answer
    }

    /// Calls [`Transaction::gang`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::gang`].
    pub fn gang(
        &mut self,
        members: &[RecordedClaims],
        options: &GangOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<GangOutcome, Error> {
        let claims: Vec<_> = members.iter().map(|member| member.claims.clone()).collect();
        let answer = self.transaction.gang(&claims, options, workspace);
        let numbers: Vec<_> = members.iter().map(|member| member.handle.id).collect();
        let line = self.handle.line("gang").with("members", &numbers);
        let line = line
            .with("options", &OptionsForm::from(&options.place))
            .with("gang", &GangForm::from(options));
        self.write(line, &result(&answer, gang));
        answer
    }

    /// Calls [`Transaction::hold`].
    pub fn hold(&mut self, claim: &ResourceClaim, allocation: &AllocationResult) {
        self.transaction.hold(claim, allocation);
        let line = self.about("hold", claim).with("allocation", allocation);
        self.handle.log.write(&line);
    }

    /// Calls [`Transaction::release`].
    pub fn release(&mut self, claim: &ResourceClaim) -> bool {
        let answer = self.transaction.release(claim);
        self.write(self.about("release", claim), &text(&answer));
        answer
    }

    /// Calls [`Transaction::reserve`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::reserve`].
    pub fn reserve(&mut self, claim: &ResourceClaim, user: &str) -> Result<bool, Error> {
        let answer = self.transaction.reserve(claim, user);
        let line = self.about("reserve", claim).with("user", &user);
        self.write(line, &result(&answer, text));
        answer
    }

    /// Calls [`Transaction::unreserve`].
    pub fn unreserve(&mut self, claim: &ResourceClaim, user: &str) -> bool {
        let answer = self.transaction.unreserve(claim, user);
        let line = self.about("unreserve", claim).with("user", &user);
        self.write(line, &text(&answer));
        answer
    }

    /// Calls [`Transaction::mark_releasing`].
    pub fn mark_releasing(&mut self, claim: &ResourceClaim, releasing: bool) -> bool {
        let answer = self.transaction.mark_releasing(claim, releasing);
        let line = self.about("markReleasing", claim);
        self.write(line.with("releasing", &releasing), &text(&answer));
        answer
    }

    /// Calls [`Transaction::add_node`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::add_node`].
    pub fn add_node(&mut self, name: &str, like: &str) -> Result<(), Error> {
        let answer = self.transaction.add_node(name, like);
        let call = self.handle.line("addNode").with("node", &name);
        self.write(call.with("like", &like), &result(&answer, done));
        answer
    }

    /// Calls [`Transaction::remove_node`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::remove_node`].
    pub fn remove_node(&mut self, name: &str) -> Result<(), Error> {
        let answer = self.transaction.remove_node(name);
        let line = self.handle.line("removeNode").with("node", &name);
        self.write(line, &result(&answer, done));
        answer
    }

    /// Calls [`Transaction::take_amounts`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::take_amounts`].
    pub fn take_amounts(
        &mut self,
        node: &str,
        owner: &str,
        amounts: &Amounts,
    ) -> Result<(), Error> {
        let answer = self.transaction.take_amounts(node, owner, amounts);
        let line = self.handle.line("takeAmounts").with("node", &node);
        let line = line.with("owner", &owner).with("amounts", amounts);
        self.write(line, &result(&answer, done));
        answer
    }

    /// Calls [`Transaction::release_amounts`].
    pub fn release_amounts(&mut self, owner: &str) -> bool {
        let answer = self.transaction.release_amounts(owner);
        let line = self.handle.line("releaseAmounts").with("owner", &owner);
        self.write(line, &text(&answer));
        answer
    }

    /// Calls [`Transaction::savepoint`].
    pub fn savepoint(&self) -> RecordedSavepoint {
        let line = |id| self.handle.line("savepoint").with("id", &id);
        RecordedSavepoint {
            savepoint: self.transaction.savepoint(),
            handle: Arc::new(self.handle.log.make("savepoint", line)),
        }
    }

    /// Calls [`Transaction::rollback`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::rollback`].
    pub fn rollback(&mut self, savepoint: &RecordedSavepoint) -> Result<(), Error> {
        let answer = self.transaction.rollback(&savepoint.savepoint);
        let line = self.handle.line("rollback");
        let line = line.with("savepoint", &savepoint.handle.id);
        self.write(line, &result(&answer, done));
        answer
    }

    /// Calls [`Transaction::dump`]; the dump is written, so that a replay
    /// compares all that the transaction sees.
    pub fn dump(&self) -> String {
        let dump = self.transaction.dump();
        self.write(self.handle.line("dump"), &dump);
        dump
    }

    /// Calls [`Transaction::commit`].
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::commit`].
    pub fn commit(self, recorder: &mut Recorder) -> Result<Applied, Error> {
        let Self {
            transaction,
            handle,
        } = self;
        let answer = transaction.commit(&mut recorder.engine);
        let line = handle.line("commit").raw("result", &result(&answer, text));
        handle.log.write(&line);
        answer
    }
}
