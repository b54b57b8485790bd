//! [`Placement`]: what a question to many nodes is answered with.

use std::sync::Arc;

use dralloc::PlacedNode as Placed;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

use crate::document::parsed;
use crate::failure::Failure;
use crate::outcome::{Outcome, gap, stop_cause};
use crate::package::Item;

static REASONS: Item = Item::new("dralloc._reason", "node_reasons");
static FAILED: Item = Item::new("dralloc._reason", "failed_nodes");
static HTML: Item = Item::new("dralloc._html", "placement");
static REPR: Item = Item::new("dralloc._repr", "placement");

/// Says on which nodes claims fit, and why not elsewhere.
#[pyclass(frozen, sequence, module = "dralloc")]
pub(crate) struct Placement(Arc<dralloc::Placement>);

/// Is a node where claims fit.
#[pyclass(frozen, module = "dralloc")]
pub(crate) struct PlacedNode {
    placement: Arc<dralloc::Placement>,
    index: usize,
}

impl From<dralloc::Placement> for Placement {
    fn from(placement: dralloc::Placement) -> Self {
        Self(Arc::new(placement))
    }
}

impl PlacedNode {
    fn get(&self) -> PyResult<Placed<'_>> {
        let node = self.placement.nodes().get(self.index);
        node.ok_or_else(|| PyIndexError::new_err("no node has that place"))
    }
}

#[pymethods]
impl Placement {
    fn __len__(&self) -> usize {
        self.0.nodes().len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<PlacedNode> {
        let length = self.0.nodes().len();
        let from_end = index.checked_add_unsigned(length);
        let index = if index < 0 { from_end } else { Some(index) };
        let index = index.and_then(|index| usize::try_from(index).ok());
        let index = index.filter(|index| *index < length);
        let index = index.ok_or_else(|| PyIndexError::new_err("no node has that place"))?;
        let placement = Arc::clone(&self.0);
        Ok(PlacedNode { placement, index })
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let nodes = (0..self.0.nodes().len()).map(|index| PlacedNode {
            placement: Arc::clone(&self.0),
            index,
        });
        PyList::new(py, nodes.collect::<Vec<_>>())?.try_iter()
    }

    #[getter]
    fn names(&self) -> Vec<&str> {
        self.0.nodes().iter().map(|node| node.name()).collect()
    }

    /// Place, rank and free devices of each node, in order.
    #[getter]
    fn scores(&self) -> Vec<(usize, u64, usize)> {
        let nodes = self.0.nodes();
        let scores = nodes.iter().map(|node| {
            let score = node.score();
            (node.place(), score.rank, score.free)
        });
        scores.collect()
    }

    #[getter]
    fn asked(&self) -> usize {
        self.0.asked()
    }

    #[getter]
    fn feasible(&self) -> usize {
        self.0.feasible()
    }

    #[getter]
    fn next(&self) -> usize {
        self.0.next()
    }

    #[getter]
    fn stopped(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let stopped = self.0.stopped();
        stopped.map(|cause| stop_cause(py, cause)).transpose()
    }

    #[getter]
    fn reasons(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let whole = self.to_dict(py)?.get_item("reasons")?;
        Ok(REASONS.get(py)?.call1((whole,))?.unbind())
    }

    #[getter]
    fn failed(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let whole = self.to_dict(py)?.get_item("failed")?;
        Ok(FAILED.get(py)?.call1((whole,))?.unbind())
    }

    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let json = dralloc_forms::placement(&self.0).map_err(Failure::from);
        json.map_err(|failure| failure.raise(py))
    }

    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self.to_json(py)?)
    }

    fn __repr__(this: &Bound<'_, Self>) -> PyResult<String> {
        REPR.get(this.py())?.call1((this,))?.extract()
    }

    fn _repr_html_(this: &Bound<'_, Self>) -> PyResult<String> {
        HTML.get(this.py())?.call1((this,))?.extract()
    }
}

#[pymethods]
impl PlacedNode {
    #[getter]
    fn name(&self) -> PyResult<&str> {
        Ok(self.get()?.name())
    }

    #[getter]
    fn place(&self) -> PyResult<usize> {
        Ok(self.get()?.place())
    }

    #[getter]
    fn rank(&self) -> PyResult<u64> {
        Ok(self.get()?.score().rank)
    }

    #[getter]
    fn free(&self) -> PyResult<usize> {
        Ok(self.get()?.score().free)
    }

    #[getter]
    fn gap(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.get()?.gap().map(|found| gap(py, found)).transpose()
    }

    /// What the claims would get there.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Outcome>> {
        let node = self.get()?;
        let allocation = node.allocation();
        let outcome = match node.gap() {
            None => dralloc::Outcome::Optimal(allocation),
            Some(gap) => dralloc::Outcome::Feasible { allocation, gap },
        };
        Outcome::of(py, outcome)
    }

    fn __repr__(&self) -> PyResult<String> {
        let node = self.get()?;
        let free = node.score().free;
        Ok(format!(
            "<PlacedNode {:?}: {free} devices free>",
            node.name()
        ))
    }
}
