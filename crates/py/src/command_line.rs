//! The command line, as `python -m dralloc`.

use pyo3::prelude::*;

use crate::boundary::detached;

/// Runs the command line, and returns its exit code.
#[pyfunction(name = "_run")]
pub(crate) fn run(py: Python<'_>, arguments: Vec<String>) -> PyResult<u8> {
    let _ = arguments;
    detached(py, || Ok(0)).map_err(|failure| failure.raise(py))
}
