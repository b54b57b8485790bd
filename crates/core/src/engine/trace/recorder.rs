//! [`Recorder`]: an engine whose calls are written down.

use std::sync::Arc;

use super::answer::{placement, result};
use super::arguments::{objects, with_change, with_list};
use super::log::{Handle, Line, Log};
use super::options::OptionsForm;
use super::transaction::RecordedTransaction;
use super::{KIND, answer};
use crate::claims::PreparedClaims;
use crate::engine::form::text;
use crate::engine::{
    Applied, Change, Engine, PlaceOptions, Placement, Relist, Snapshot, Workspace,
};
use crate::error::Error;
use crate::model::ResourceClaim;

/// Passes calls on to an engine, and writes each with its result.
///
/// Snapshots, prepared claims and transactions of a recorder have the same calls
/// as those of an engine, and write them, too. Each call is one line of JSON,
/// which the sink gets without the end of the line; what it does with it, and
/// whether that can fail, is up to the caller. [`Replay`](super::Replay) makes
/// the same calls again.
///
/// # Examples
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use dralloc::model::Node;
/// use dralloc::{Change, Engine, Features, Recorder};
///
/// let lines = Arc::new(Mutex::new(String::new()));
/// let sink = Arc::clone(&lines);
/// let write = move |line: &str| {
///     if let Ok(mut lines) = sink.lock() {
///         *lines += line;
///         *lines += "\n";
///     }
/// };
/// let mut recorder = Recorder::new(Engine::new(Features::all()), write);
/// recorder.apply(Change::Node(Node::new("node-1", [])))?;
/// let mut transaction = recorder.snapshot().transaction();
/// transaction.add_node("node-2", "node-1")?;
///
/// let trace = lines.lock().map(|lines| lines.clone()).unwrap_or_default();
/// assert_eq!(dralloc::replay(&trace)?, None);
/// # Ok::<(), dralloc::Error>(())
/// ```
#[derive(Debug)]
pub struct Recorder {
    pub(super) engine: Engine,
    log: Log,
}

impl Recorder {
    /// Returns a recorder of an engine, and writes the state that it begins with.
    pub fn new(engine: Engine, sink: impl FnMut(&str) + Send + 'static) -> Self {
        let log = Log::new(Box::new(sink));
        log.write(&Line::first(KIND, &engine.dump()));
        Self { engine, log }
    }

    /// Returns the engine for good; its further calls are not written.
    pub fn into_engine(self) -> Engine {
        self.engine
    }

    /// Calls [`Engine::apply`].
    ///
    /// # Errors
    ///
    /// Those of [`Engine::apply`].
    pub fn apply(&mut self, change: Change) -> Result<Applied, Error> {
        let line = with_change(Line::new("apply"), &change);
        let answer = self.engine.apply(change);
        self.log.write(&line.raw("result", &result(&answer, text)));
        answer
    }

    /// Calls [`Engine::replace`].
    ///
    /// # Errors
    ///
    /// Those of [`Engine::replace`].
    pub fn replace(&mut self, list: Relist) -> Result<Applied, Error> {
        let line = with_list(Line::new("replace"), &list);
        let answer = self.engine.replace(list);
        self.log.write(&line.raw("result", &result(&answer, text)));
        answer
    }

    /// Calls [`Engine::forget`].
    pub fn forget(&mut self, owner: &str) -> Applied {
        let answer = self.engine.forget(owner);
        let line = Line::new("forget").with("owner", &owner);
        self.log.write(&line.raw("result", &text(&answer)));
        answer
    }

    /// Calls [`Engine::is_assumed`], which is not written.
    pub fn is_assumed(&self, owner: &str) -> bool {
        self.engine.is_assumed(owner)
    }

    /// Calls [`Engine::dump`]; the dump is written, so that a replay compares all
    /// that is known.
    pub fn dump(&self) -> String {
        let dump = self.engine.dump();
        self.log.write(&Line::new("dump").raw("result", &dump));
        dump
    }

    /// Calls [`Engine::snapshot`].
    pub fn snapshot(&self) -> RecordedSnapshot {
        let snapshot = self.engine.snapshot();
        let line = |id| Line::new("snapshot").with("id", &id);
        RecordedSnapshot {
            snapshot,
            handle: Arc::new(self.log.make("snapshot", line)),
        }
    }
}

/// Is a [`Snapshot`] whose calls are written down.
#[derive(Clone, Debug)]
pub struct RecordedSnapshot {
    snapshot: Snapshot,
    handle: Arc<Handle>,
}

/// Are [`PreparedClaims`] that calls of a trace name.
#[derive(Clone, Debug)]
pub struct RecordedClaims {
    pub(super) claims: PreparedClaims,
    pub(super) handle: Arc<Handle>,
}

impl RecordedClaims {
    /// Returns the claims.
    pub fn claims(&self) -> &PreparedClaims {
        &self.claims
    }
}

impl RecordedSnapshot {
    /// Returns the snapshot; calls of it are not written.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Calls [`Snapshot::prepare`].
    ///
    /// # Errors
    ///
    /// Those of [`Snapshot::prepare`].
    pub fn prepare(&self, claims: &[ResourceClaim]) -> Result<RecordedClaims, Error> {
        let answer = self.snapshot.prepare(claims);
        let line = self.handle.line("prepare").raw("objects", &objects(claims));
        let line = line.raw("result", &result(&answer, answer::done));
        match answer {
            Ok(claims) => {
                let handle = self.handle.log.make("claims", |id| line.with("id", &id));
                Ok(RecordedClaims {
                    claims,
                    handle: Arc::new(handle),
                })
            }
            Err(error) => {
                self.handle.log.write(&line);
                Err(error)
            }
        }
    }

    /// Calls [`Snapshot::transaction`].
    pub fn transaction(&self) -> RecordedTransaction {
        let line = |id| self.handle.line("transaction").with("id", &id);
        let handle = self.handle.log.make("transaction", line);
        RecordedTransaction::new(self.snapshot.transaction(), handle)
    }

    /// Calls [`Snapshot::place`].
    ///
    /// # Errors
    ///
    /// Those of [`Snapshot::place`].
    pub fn place(
        &self,
        claims: &RecordedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        let answer = self.snapshot.place(&claims.claims, options, workspace);
        let line = self.handle.line("place").with("claims", &claims.handle.id);
        let line = line.with("options", &OptionsForm::from(options));
        let log = &self.handle.log;
        log.write(&line.raw("result", &result(&answer, placement)));
        answer
    }
}
