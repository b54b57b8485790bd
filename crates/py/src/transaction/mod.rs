//! [`Transaction`]: a private what-if on a snapshot.

mod gang;
mod holding;
mod hypothetical;
mod proof;
mod question;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use dralloc_forms::recordable;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::boundary::detached;
use crate::document::{APPLIED, document, text};
use crate::engine::Shared;
use crate::failure::Failure;
use crate::savepoint::Savepoint;

/// Tries things on a snapshot that nobody else sees before they are committed.
#[pyclass(frozen, module = "dralloc")]
pub(crate) struct Transaction {
    engine: Arc<Shared>,
    state: Mutex<State>,
}

enum State {
    Open(Box<recordable::Transaction>),
    Spent,
    Closed,
    Poisoned,
}

impl State {
    fn open(&mut self) -> Result<&mut recordable::Transaction, Failure> {
        match self {
            Self::Open(transaction) => Ok(transaction),
            Self::Spent => Err(spent()),
            Self::Closed => Err(Failure::closed("transaction")),
            Self::Poisoned => Err(Failure::poisoned("transaction")),
        }
    }
}

fn spent() -> Failure {
    let message = "the transaction was committed, expected one that was not";
    Failure::new("spent", message)
}

impl Transaction {
    pub(crate) fn new(engine: Arc<Shared>, begun: recordable::Transaction) -> Self {
        Self {
            engine,
            state: Mutex::new(State::Open(Box::new(begun))),
        }
    }

    /// Lends what it is; one call at a time.
    fn state(&self) -> Result<MutexGuard<'_, State>, Failure> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::WouldBlock) => Err(Failure::busy("transaction")),
            Err(TryLockError::Poisoned(_)) => Err(Failure::poisoned("transaction")),
        }
    }

    /// Works with the transaction while other threads of Python run.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut recordable::Transaction) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done = self.state().and_then(|mut state| {
            let transaction = state.open()?;
            let done = detached(py, || work(transaction));
            if matches!(done, Err(Failure::Panic(_))) {
                *state = State::Poisoned;
            }
            done
        });
        done.map_err(|failure| failure.raise(py))
    }

    /// Does what takes no longer than to let other threads run.
    fn at_once<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut recordable::Transaction) -> Result<T, Failure>,
    ) -> PyResult<T> {
        let done = self.state().and_then(|mut state| {
            let transaction = state.open()?;
            let done = crate::boundary::guarded(|| work(transaction));
            if matches!(done, Err(Failure::Panic(_))) {
                *state = State::Poisoned;
            }
            done
        });
        done.map_err(|failure| failure.raise(py))
    }

    pub(crate) fn rollback(&self, py: Python<'_>, savepoint: &Savepoint) -> PyResult<()> {
        self.with(py, |begun| Ok(begun.rollback(&savepoint.savepoint)?))
    }

    fn commit(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let applied = self
            .state()
            .and_then(|mut state| {
                state.open()?;
                match std::mem::replace(&mut *state, State::Spent) {
                    State::Open(begun) => Ok(begun),
                    _ => Err(spent()),
                }
            })
            .map_err(|failure| failure.raise(py))?;
        let applied = self
            .engine
            .with(py, |told| text(&applied.commit(&mut told.engine)?))?;
        document(py, &APPLIED, &applied)
    }

    fn close(&self, py: Python<'_>) -> Result<(), Failure> {
        let state = {
            let mut state = match self.state.try_lock() {
                Ok(state) => state,
                Err(TryLockError::Poisoned(state)) => PoisonError::into_inner(state),
                Err(TryLockError::WouldBlock) => return Err(Failure::busy("transaction")),
            };
            match &*state {
                State::Open(_) => std::mem::replace(&mut *state, State::Closed),
                _ => return Ok(()),
            }
        };
        py.detach(|| drop(state));
        Ok(())
    }
}

#[pymethods]
impl Transaction {
    /// Makes a transaction of its own that is where this one is.
    fn clone(&self, py: Python<'_>) -> PyResult<Self> {
        let clone = self.with(py, |begun| Ok(Clone::clone(begun)))?;
        Ok(Self::new(Arc::clone(&self.engine), clone))
    }

    fn savepoint(this: &Bound<'_, Self>) -> PyResult<Savepoint> {
        let savepoint = this
            .get()
            .at_once(this.py(), |begun| Ok(begun.savepoint()))?;
        Ok(Savepoint {
            transaction: this.clone().unbind(),
            savepoint,
        })
    }

    #[pyo3(name = "rollback")]
    fn rollback_to(&self, py: Python<'_>, savepoint: &Bound<'_, Savepoint>) -> PyResult<()> {
        self.rollback(py, savepoint.get())
    }

    #[pyo3(name = "commit")]
    fn commit_now(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.commit(py)
    }

    fn dump(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |begun| Ok(begun.dump()))
    }

    #[pyo3(name = "close")]
    fn close_now(&self, py: Python<'_>) -> PyResult<()> {
        self.close(py).map_err(|failure| failure.raise(py))
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py).map_err(|failure| failure.raise(py))
    }

    fn __repr__(&self) -> &'static str {
        match self.state.try_lock().as_deref() {
            Ok(State::Open(_)) => "<Transaction>",
            Ok(State::Spent) => "<Transaction committed>",
            Ok(State::Closed) => "<Transaction closed>",
            Ok(State::Poisoned) | Err(TryLockError::Poisoned(_)) => "<Transaction that panicked>",
            Err(TryLockError::WouldBlock) => "<Transaction in use>",
        }
    }
}
