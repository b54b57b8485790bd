//! [`dralloc_transaction`]: a private what-if on a snapshot.

mod gang;
mod holding;
mod hypothetical;
mod proof;
mod question;
mod written;

use dralloc_forms::recordable::Transaction;

use crate::bytes::dralloc_bytes;
use crate::engine::{dralloc_engine, tell};
use crate::error::{Failure, dralloc_error};
use crate::raw::{Exclusive, Noun, call};
use crate::savepoint::dralloc_savepoint;
use crate::status::dralloc_status;

/// Tries things on a snapshot that nobody else sees before they are committed.
pub struct dralloc_transaction(());

/// Is a transaction until it is committed. Threads write to theirs all the time, so two
/// have no cache line in common.
#[repr(align(128))]
pub struct Begun(Option<Transaction>);

impl Noun for dralloc_transaction {
    type Value = Begun;
    const TAG: u32 = 0xd7a1_000b;
    const NAME: &'static str = "transaction";
}

impl Exclusive for dralloc_transaction {}

impl From<Transaction> for Begun {
    fn from(transaction: Transaction) -> Self {
        Self(Some(transaction))
    }
}

impl Begun {
    fn get(&mut self) -> Result<&mut Transaction, Failure> {
        self.0.as_mut().ok_or_else(spent)
    }
}

fn spent() -> Failure {
    let message = "the transaction was committed, expected one that was not";
    Failure::new(dralloc_status::Spent, message)
}

/// Makes a transaction of its own that is where this one is; savepoints of one are
/// none of the other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_clone(
    transaction: *mut dralloc_transaction,
    clone: *mut *mut dralloc_transaction,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(clone, "clone")?;
        let mut begun = caller.exclusive(transaction)?;
        out.give(begun.get()?.clone().into());
        Ok(())
    })
}

/// Returns a point to go back to; it stays one after going back to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_savepoint(
    transaction: *mut dralloc_transaction,
    savepoint: *mut *mut dralloc_savepoint,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(savepoint, "savepoint")?;
        let mut begun = caller.exclusive(transaction)?;
        out.give(begun.get()?.savepoint());
        Ok(())
    })
}

/// Takes back everything since a savepoint.
///
/// `DRALLOC_STATUS_NOT_FOUND` if it is of another transaction, or was itself taken
/// back.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_rollback(
    transaction: *mut dralloc_transaction,
    savepoint: *const dralloc_savepoint,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let savepoint = caller.shared(savepoint)?;
        let mut begun = caller.exclusive(transaction)?;
        begun.get()?.rollback(savepoint)?;
        Ok(())
    })
}

/// Makes the changes known to everybody, all or none.
///
/// `DRALLOC_STATUS_CONFLICT` if something has changed that the transaction decided
/// by: begin anew from a new snapshot. The transaction is spent in both cases, and
/// still has to be freed. `applied` is as for `dralloc_engine_apply`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_commit(
    transaction: *mut dralloc_transaction,
    engine: *mut dralloc_engine,
    applied: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(applied);
        let mut begun = caller.exclusive(transaction)?;
        let mut told = caller.exclusive(engine)?;
        let transaction = begun.0.take().ok_or_else(spent)?;
        tell(&transaction.commit(&mut told.engine)?, out)
    })
}

/// Writes the transaction as JSON, of which `dralloc_engine_load` makes an engine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_dump(
    transaction: *mut dralloc_transaction,
    dump: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(dump, "dump")?;
        let mut begun = caller.exclusive(transaction)?;
        out.give(begun.get()?.dump());
        Ok(())
    })
}

/// Frees a transaction; null is none. What it did and was not committed is undone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_free(
    transaction: *mut dralloc_transaction,
) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(transaction).map(drop)
    })
}
