//! [`Engine`]: one that may be recorded.

use std::mem;

use dralloc::{Applied, Change, Error, Features, Recorder, Relist};

use super::snapshot::Snapshot;
use super::trace::{KnownTrace, Trace};

/// Is an engine whose calls are written once somebody wants them.
///
/// # Examples
///
/// ```
/// use dralloc::{Change, Features, model::Node};
/// use dralloc_forms::recordable::{self, Engine};
///
/// let mut engine = Engine::new(Features::all());
/// engine.apply(Change::Node(Node::new("node-1", [])))?;
///
/// let trace = engine.record();
/// let mut transaction = engine.snapshot().transaction();
/// transaction.add_node("node-2", "node-1")?;
/// assert_eq!(recordable::replay(&trace.take())?, "null");
/// # Ok::<(), dralloc::Error>(())
/// ```
#[derive(Debug)]
pub struct Engine(State);

#[derive(Debug)]
pub(super) enum State {
    Plain(dralloc::Engine),
    Recorded(Recorder, KnownTrace),
}

/// Makes a call of an engine or of its recorder.
macro_rules! call {
    ($state:expr, $call:ident ( $($argument:expr),* )) => {
        match $state {
            State::Plain(engine) => engine.$call($($argument),*),
            State::Recorded(recorder, _) => recorder.$call($($argument),*),
        }
    };
}

impl Engine {
    /// Returns an engine that knows nothing yet.
    pub fn new(features: Features) -> Self {
        dralloc::Engine::new(features).into()
    }

    /// Writes the calls that follow, of the engine and of what is made of it from now
    /// on; the first line is all that the engine knows now.
    ///
    /// It ends when the trace is dropped. A trace that is recorded already ends here.
    #[must_use]
    pub fn record(&mut self) -> Trace {
        let trace = Trace::default();
        let (known, sink) = (trace.known(), trace.known());
        let recorder = Recorder::new(self.take(), move |line| sink.write(line));
        self.0 = State::Recorded(recorder, known);
        trace
    }

    /// Takes the engine, and leaves one that knows nothing.
    fn take(&mut self) -> dralloc::Engine {
        let nothing = State::Plain(dralloc::Engine::new(Features::all()));
        match mem::replace(&mut self.0, nothing) {
            State::Plain(engine) => engine,
            State::Recorded(recorder, _) => recorder.into_engine(),
        }
    }

    /// Returns the engine or its recorder; it is not recorded if nobody reads that.
    pub(super) fn state(&mut self) -> &mut State {
        if matches!(&self.0, State::Recorded(_, trace) if trace.is_dropped()) {
            self.0 = State::Plain(self.take());
        }
        &mut self.0
    }

    /// Calls [`dralloc::Engine::apply`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Engine::apply`].
    pub fn apply(&mut self, change: Change) -> Result<Applied, Error> {
        call!(self.state(), apply(change))
    }

    /// Calls [`dralloc::Engine::replace`].
    ///
    /// # Errors
    ///
    /// Those of [`dralloc::Engine::replace`].
    pub fn replace(&mut self, list: Relist) -> Result<Applied, Error> {
        call!(self.state(), replace(list))
    }

    /// Calls [`dralloc::Engine::forget`].
    pub fn forget(&mut self, owner: &str) -> Applied {
        call!(self.state(), forget(owner))
    }

    /// Calls [`dralloc::Engine::is_assumed`].
    pub fn is_assumed(&self, owner: &str) -> bool {
        call!(&self.0, is_assumed(owner))
    }

    /// Calls [`dralloc::Engine::dump`].
    pub fn dump(&self) -> String {
        call!(&self.0, dump())
    }

    /// Calls [`dralloc::Engine::snapshot`].
    pub fn snapshot(&mut self) -> Snapshot {
        match self.state() {
            State::Plain(engine) => Snapshot::plain(engine.snapshot()),
            State::Recorded(recorder, trace) => {
                Snapshot::recorded(recorder.snapshot(), trace.clone())
            }
        }
    }
}

impl From<dralloc::Engine> for Engine {
    fn from(engine: dralloc::Engine) -> Self {
        Self(State::Plain(engine))
    }
}
