//! [`Snapshot`]: one that may be recorded.

use dralloc::model::ResourceClaim;
use dralloc::{Error, RecordedSnapshot};

use super::claims::Claims;
use super::trace::KnownTrace;
use super::transaction::Transaction;

/// Is a snapshot whose calls are written if those of the engine were when it was
/// made.
#[derive(Clone, Debug)]
pub struct Snapshot(State);

#[derive(Clone, Debug)]
enum State {
    Plain(dralloc::Snapshot),
    Recorded(RecordedSnapshot, KnownTrace),
}

impl Snapshot {
    pub(super) fn plain(snapshot: dralloc::Snapshot) -> Self {
        Self(State::Plain(snapshot))
    }

    pub(super) fn recorded(snapshot: RecordedSnapshot, trace: KnownTrace) -> Self {
        Self(State::Recorded(snapshot, trace))
    }

    /// Returns the snapshot; calls of it are not written.
    pub fn get(&self) -> &dralloc::Snapshot {
        match &self.0 {
            State::Plain(snapshot) => snapshot,
            State::Recorded(snapshot, _) => snapshot.snapshot(),
        }
    }

    /// Calls [`dralloc::Snapshot::prepare`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Snapshot::prepare`].
    pub fn prepare(&self, claims: Vec<ResourceClaim>) -> Result<Claims, Error> {
        match &self.0 {
            State::Plain(snapshot) => Ok(Claims::plain(snapshot.prepare(&claims)?, claims)),
            State::Recorded(snapshot, trace) => {
                let recorded = snapshot.prepare(&claims)?;
                Ok(Claims::recorded(recorded, trace.clone(), claims))
            }
        }
    }

    /// Calls [`dralloc::Snapshot::transaction`].
    pub fn transaction(&self) -> Transaction {
        match &self.0 {
            State::Plain(snapshot) => Transaction::plain(snapshot.transaction()),
            State::Recorded(snapshot, trace) => {
                Transaction::recorded(snapshot.transaction(), snapshot.clone(), trace.clone())
            }
        }
    }
}
