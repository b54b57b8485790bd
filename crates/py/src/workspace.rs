//! [`Workspace`]: what calls remember for later ones.

use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

use pyo3::prelude::*;

use crate::document::{STATISTICS, document};
use crate::failure::Failure;

/// As many workspaces are kept for later calls as a large host has threads.
const IDLE: usize = 64;

/// Keeps what calls found out that makes later ones faster; it never changes an
/// answer.
#[pyclass(frozen, module = "dralloc")]
#[derive(Default)]
pub(crate) struct Workspace(Mutex<Box<dralloc::Workspace>>);

impl Workspace {
    pub(crate) fn lend(&self) -> Result<MutexGuard<'_, Box<dralloc::Workspace>>, Failure> {
        match self.0.try_lock() {
            Ok(workspace) => Ok(workspace),
            Err(TryLockError::WouldBlock) => Err(Failure::busy("workspace")),
            Err(TryLockError::Poisoned(_)) => Err(Failure::poisoned("workspace")),
        }
    }
}

#[pymethods]
impl Workspace {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    #[getter]
    fn statistics(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let statistics = self.lend().and_then(|workspace| {
            let statistics = workspace.statistics();
            Ok(dralloc_forms::statistics(&statistics)?)
        });
        let statistics = statistics.map_err(|failure| failure.raise(py))?;
        document(py, &STATISTICS, &statistics)
    }

    #[expect(clippy::unused_self, reason = "Python calls it on a workspace")]
    fn __repr__(&self) -> &'static str {
        "<Workspace>"
    }
}

/// Is a list of workspaces, which are large and move with every call.
type Idle = Vec<Box<dralloc::Workspace>>;

/// Holds the workspaces of an engine for calls without one of their own: as many as
/// there are such calls at a time.
#[derive(Default)]
pub(crate) struct Workspaces(Mutex<Idle>);

impl Workspaces {
    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns one for a call, which gives it back unless it panics.
    pub(crate) fn take(&self) -> Box<dralloc::Workspace> {
        self.idle().pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&self, workspace: Box<dralloc::Workspace>) {
        let mut idle = self.idle();
        if idle.len() < IDLE {
            idle.push(workspace);
        }
    }

    pub(crate) fn forget(&self) {
        self.idle().clear();
    }
}
