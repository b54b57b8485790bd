//! [`NodeList`]: nodes by place.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

/// Lists nodes in an order of the caller's, found by name once.
#[pyclass(frozen, sequence, module = "dralloc")]
pub(crate) struct NodeList(pub(crate) dralloc::NodeList);

#[pymethods]
impl NodeList {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__(&self, place: isize) -> PyResult<&str> {
        let from_end = place.checked_add_unsigned(self.0.len());
        let place = if place < 0 { from_end } else { Some(place) };
        let place = place.and_then(|place| usize::try_from(place).ok());
        let name = place.and_then(|place| self.0.name(place));
        name.ok_or_else(|| PyIndexError::new_err("no node has that place"))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.0.names().collect::<Vec<_>>())?.try_iter()
    }

    fn __repr__(&self) -> String {
        match self.0.len() {
            1 => "<NodeList of 1 node>".to_owned(),
            nodes => format!("<NodeList of {nodes} nodes>"),
        }
    }
}
