//! [`PreparedClaims`]: claims ready for questions.

use dralloc_forms::recordable;
use pyo3::prelude::*;

/// Holds claims that are compiled, to be asked about on any node and as often as
/// wanted.
#[pyclass(frozen, module = "dralloc")]
pub(crate) struct PreparedClaims(pub(crate) recordable::Claims);

#[pymethods]
impl PreparedClaims {
    fn __len__(&self) -> usize {
        self.0.get().len()
    }

    fn __repr__(&self) -> String {
        match self.0.get().len() {
            1 => "<PreparedClaims of 1 claim>".to_owned(),
            claims => format!("<PreparedClaims of {claims} claims>"),
        }
    }
}
