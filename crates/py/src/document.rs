//! Answers as JSON text, in classes of the Python half of the package.

use dralloc::Violation;
use pyo3::prelude::*;
use serde::Serialize;

use crate::failure::Failure;
use crate::package::Item;

pub(crate) static APPLIED: Item = Item::new("dralloc._applied", "Applied");
pub(crate) static CERTIFIED: Item = Item::new("dralloc._certificate", "Certified");
pub(crate) static DIFFERENCE: Item = Item::new("dralloc._difference", "Difference");
pub(crate) static EXPLANATION: Item = Item::new("dralloc._explanation", "Explanation");
pub(crate) static GANG: Item = Item::new("dralloc._gang", "Gang");
pub(crate) static RUNNER_UP: Item = Item::new("dralloc._runner_up", "RunnerUp");
pub(crate) static VIOLATIONS: Item = Item::new("dralloc._violation", "violations");
pub(crate) static FAULTS: Item = Item::new("dralloc._violation", "faults");
pub(crate) static STATISTICS: Item = Item::new("dralloc._statistics", "statistics");
static LOADS: Item = Item::new("json", "loads");

/// Returns a document of a class.
pub(crate) fn document(py: Python<'_>, class: &Item, json: &str) -> PyResult<Py<PyAny>> {
    Ok(class.get(py)?.call1((json,))?.unbind())
}

/// Returns a text as dicts, lists, texts and numbers.
pub(crate) fn parsed<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    LOADS.get(py)?.call1((json,))
}

/// Writes a value.
pub(crate) fn text(value: &impl Serialize) -> Result<String, Failure> {
    Ok(dralloc_forms::text(value)?)
}

/// Writes what is wrong, if anything is.
pub(crate) fn verdict(verdict: Result<(), Vec<Violation>>) -> Result<String, Failure> {
    let violations = verdict.err().unwrap_or_default();
    Ok(dralloc_forms::violations(&violations)?)
}
