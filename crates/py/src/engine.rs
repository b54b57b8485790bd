//! [`Engine`]: what there is, and what is held of it.

use std::sync::{Arc, Mutex, PoisonError};

use dralloc::wire::Decoder;
use dralloc_forms::recordable;
use dralloc_forms::text;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::boundary::detached;
use crate::document::{APPLIED, document};
use crate::failure::Failure;
use crate::objects::{api_version, features};
use crate::snapshot::Snapshot;
use crate::text::{self as input, Kind};
use crate::trace::Trace;
use crate::transaction::Transaction;
use crate::workspace::Workspaces;

/// Keeps what devices there are and what is held of them.
#[pyclass(frozen, module = "dralloc")]
pub(crate) struct Engine(Arc<Shared>);

/// Is an engine, for all that was made of it.
pub(crate) struct Shared {
    told: Mutex<State>,
    pub(crate) workspaces: Workspaces,
}

enum State {
    Open(Box<Told>),
    Closed,
    Poisoned,
}

/// Is an engine with the reader of what it is told.
pub(crate) struct Told {
    pub(crate) engine: recordable::Engine,
    /// What many objects have in common is kept once.
    decoder: Decoder,
}

impl From<recordable::Engine> for Engine {
    fn from(engine: recordable::Engine) -> Self {
        let decoder = Decoder::new();
        Self(Arc::new(Shared {
            told: Mutex::new(State::Open(Box::new(Told { engine, decoder }))),
            workspaces: Workspaces::default(),
        }))
    }
}

impl Shared {
    /// Works with the engine; other threads wait for it.
    ///
    /// Nothing of Python runs in `work`, so that nobody waits for a thread that waits.
    pub(crate) fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Told) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut state = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            let told = match &mut *state {
                State::Open(told) => told,
                State::Closed => return Err(Failure::closed("engine")),
                State::Poisoned => return Err(Failure::poisoned("engine")),
            };
            let done = crate::boundary::guarded(|| work(told));
            if matches!(done, Err(Failure::Panic(_))) {
                *state = State::Poisoned;
            }
            done
        });
        done.map_err(|failure| failure.raise(py))
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            *self.told.lock().unwrap_or_else(PoisonError::into_inner) = State::Closed;
            self.workspaces.forget();
        });
    }
}

impl Engine {
    fn applied(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Told) -> Result<String, Failure> + Send,
    ) -> PyResult<Py<PyAny>> {
        let applied = self.0.with(py, work)?;
        document(py, &APPLIED, &applied)
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, features=None))]
    fn new(py: Python<'_>, features: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let features = self::features(features).map_err(|failure| failure.raise(py))?;
        Ok(recordable::Engine::new(features).into())
    }

    #[classmethod]
    fn load(_class: &Bound<'_, PyType>, py: Python<'_>, dump: &Bound<'_, PyAny>) -> PyResult<Self> {
        let load = input::value(dump).and_then(|dump| {
            let engine = detached(py, || Ok(dralloc::Engine::load(&dump)?))?;
            Ok(recordable::Engine::from(engine).into())
        });
        load.map_err(|failure: Failure| failure.raise(py))
    }

    #[pyo3(signature = (*objects))]
    fn apply(&self, py: Python<'_>, objects: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
        let objects = input::objects(objects, None).map_err(|failure| failure.raise(py))?;
        self.applied(py, move |told| {
            let Told { engine, decoder } = told;
            let applied =
                dralloc_forms::apply_with(decoder, &objects, |change| engine.apply(change));
            Ok(text(&applied?)?)
        })
    }

    fn change(&self, py: Python<'_>, change: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let change = input::value(change).map_err(|failure| failure.raise(py))?;
        self.applied(py, move |told| {
            let change = dralloc_forms::change(&mut told.decoder, &change)?;
            Ok(text(&told.engine.apply(change)?)?)
        })
    }

    #[pyo3(signature = (kind, *objects))]
    fn replace(
        &self,
        py: Python<'_>,
        kind: &str,
        objects: &Bound<'_, PyTuple>,
    ) -> PyResult<Py<PyAny>> {
        let api_version = api_version(kind);
        let objects = match (kind, objects.len()) {
            // Those are no objects of their own: they come as a list.
            ("NodeUse", 1) => input::value(&objects.get_item(0)?),
            ("NodeUse", _) => input::value(objects),
            _ => input::objects(objects, Some(Kind { api_version, kind })),
        };
        let objects = objects.map_err(|failure| failure.raise(py))?;
        self.applied(py, move |told| {
            let list = dralloc_forms::relist(&mut told.decoder, kind, &objects)?;
            Ok(text(&told.engine.replace(list)?)?)
        })
    }

    fn forget(&self, py: Python<'_>, owner: &str) -> PyResult<Py<PyAny>> {
        self.applied(py, |told| Ok(text(&told.engine.forget(owner))?))
    }

    fn is_assumed(&self, py: Python<'_>, owner: &str) -> PyResult<bool> {
        self.0.with(py, |told| Ok(told.engine.is_assumed(owner)))
    }

    fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        let snapshot = self.0.with(py, |told| Ok(told.engine.snapshot()))?;
        Ok(Snapshot::new(Arc::clone(&self.0), snapshot))
    }

    /// Begins a transaction on a snapshot of now.
    fn transaction(&self, py: Python<'_>) -> PyResult<Transaction> {
        let begun = self
            .0
            .with(py, |told| Ok(told.engine.snapshot().transaction()))?;
        Ok(Transaction::new(Arc::clone(&self.0), begun))
    }

    /// Writes the calls that follow to a trace.
    fn record(&self, py: Python<'_>) -> PyResult<Trace> {
        Ok(Trace(self.0.with(py, |told| Ok(told.engine.record()))?))
    }

    fn dump(&self, py: Python<'_>) -> PyResult<String> {
        self.0.with(py, |told| Ok(told.engine.dump()))
    }

    fn close(&self, py: Python<'_>) {
        self.0.close(py);
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self) -> &'static str {
        match self.0.told.try_lock().as_deref() {
            Ok(State::Closed) => "<Engine closed>",
            Ok(State::Poisoned) => "<Engine that panicked>",
            _ => "<Engine>",
        }
    }
}
