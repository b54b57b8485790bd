//! [`Savepoint`]: a point of a transaction to go back to.

use dralloc_forms::recordable;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::transaction::Transaction;

/// Is a point of a transaction to go back to; it stays one after going back to it.
#[pyclass(frozen, module = "dralloc")]
pub(crate) struct Savepoint {
    pub(crate) transaction: Py<Transaction>,
    pub(crate) savepoint: recordable::Savepoint,
}

#[pymethods]
impl Savepoint {
    fn rollback(&self, py: Python<'_>) -> PyResult<()> {
        self.transaction.get().rollback(py, self)
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    /// Takes everything back if the block was left by an exception.
    fn __exit__(
        &self,
        py: Python<'_>,
        raised: Option<&Bound<'_, PyType>>,
        _value: Option<&Bound<'_, PyAny>>,
        _traceback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        match raised {
            Some(_) => self.rollback(py),
            None => Ok(()),
        }
    }

    #[expect(clippy::unused_self, reason = "Python calls it on a savepoint")]
    fn __repr__(&self) -> &'static str {
        "<Savepoint>"
    }
}
