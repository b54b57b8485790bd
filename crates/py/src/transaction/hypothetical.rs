//! Nodes that are not there, and amounts of nodes.

use pyo3::prelude::*;

use super::Transaction;
use crate::document::{parsed, text};
use crate::text as input;

#[pymethods]
impl Transaction {
    /// Adds a node that is like another, nothing of it held.
    #[pyo3(signature = (name, *, like))]
    fn add_node(&self, py: Python<'_>, name: &str, like: &str) -> PyResult<()> {
        self.with(py, |begun| Ok(begun.add_node(name, like)?))
    }

    fn remove_node(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.with(py, |begun| Ok(begun.remove_node(name)?))
    }

    fn take_amounts(
        &self,
        py: Python<'_>,
        node: &str,
        owner: &str,
        amounts: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let amounts =
            input::value(amounts).and_then(|amounts| Ok(dralloc_forms::amounts(&amounts)?));
        let amounts = amounts.map_err(|failure| failure.raise(py))?;
        self.at_once(py, |begun| Ok(begun.take_amounts(node, owner, &amounts)?))
    }

    fn release_amounts(&self, py: Python<'_>, owner: &str) -> PyResult<bool> {
        self.at_once(py, |begun| Ok(begun.release_amounts(owner)))
    }

    fn amounts_in_use<'py>(&self, py: Python<'py>, node: &str) -> PyResult<Bound<'py, PyAny>> {
        let amounts = self.at_once(py, |begun| text(&begun.get().amounts_in_use(node)))?;
        parsed(py, &amounts)
    }
}
