//! [`Trace`]: the calls of an engine, written.

use dralloc_forms::recordable;
use pyo3::prelude::*;

use crate::boundary::detached;
use crate::document::{DIFFERENCE, document};
use crate::text as input;

/// Keeps the calls of an engine, and of what was made of it, as lines of text.
#[pyclass(frozen, module = "dralloc")]
pub(crate) struct Trace(pub(crate) recordable::Trace);

#[pymethods]
impl Trace {
    /// Takes the lines that were written since the last time.
    fn take(&self) -> String {
        self.0.take()
    }

    #[expect(clippy::unused_self, reason = "Python calls it on a trace")]
    fn __repr__(&self) -> &'static str {
        "<Trace>"
    }
}

/// Makes all calls of a trace again; returns the first result that differs, if any.
#[pyfunction]
pub(crate) fn replay(py: Python<'_>, lines: &Bound<'_, PyAny>) -> PyResult<Option<Py<PyAny>>> {
    let difference = input::value(lines)
        .and_then(|lines| detached(py, || Ok(recordable::replay(&lines)?)))
        .map_err(|failure| failure.raise(py))?;
    if difference == "null" {
        return Ok(None);
    }
    document(py, &DIFFERENCE, &difference).map(Some)
}
