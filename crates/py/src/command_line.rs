//! The command line, as `python -m dralloc`.

use pyo3::prelude::*;

use crate::boundary::detached;

/// Runs the command line on the streams of the process, and returns its exit code.
#[pyfunction(name = "_run")]
pub(crate) fn run(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> PyResult<u8> {
    let code = detached(py, || Ok(dralloc_cli::run(arguments).into()));
    code.map_err(|failure| failure.raise(py))
}
