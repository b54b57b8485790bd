//! [`Snapshot`]: all that was known at one moment.

use std::sync::{Arc, Mutex, PoisonError};

use dralloc::wire::Decoder;
use dralloc::{Code, Error};
use dralloc_forms::recordable;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::boundary::detached;
use crate::claims::PreparedClaims;
use crate::document::parsed;
use crate::engine::Shared;
use crate::failure::Failure;
use crate::node_list::NodeList;
use crate::objects::claims;
use crate::outcome::{Numbers, Outcome, device_id, numbers};
use crate::package::Item;
use crate::transaction::Transaction;

static FEATURES: Item = Item::new("dralloc._model", "features");
static HTML: Item = Item::new("dralloc._html", "snapshot");

/// Shows what an engine knew when it was made. It never changes.
#[pyclass(frozen, module = "dralloc")]
pub(crate) struct Snapshot {
    engine: Arc<Shared>,
    /// None when it is closed. Who works with it keeps it.
    snapshot: Mutex<Option<Arc<recordable::Snapshot>>>,
}

impl Snapshot {
    pub(crate) fn new(engine: Arc<Shared>, snapshot: recordable::Snapshot) -> Self {
        Self {
            engine,
            snapshot: Mutex::new(Some(Arc::new(snapshot))),
        }
    }

    fn get(&self) -> Result<Arc<recordable::Snapshot>, Failure> {
        let snapshot = self.snapshot.lock();
        let snapshot = snapshot.unwrap_or_else(PoisonError::into_inner);
        snapshot.clone().ok_or_else(|| Failure::closed("snapshot"))
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&recordable::Snapshot) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let snapshot = self.get();
        let done = snapshot.and_then(|snapshot| detached(py, || work(&snapshot)));
        done.map_err(|failure| failure.raise(py))
    }
}

#[pymethods]
impl Snapshot {
    #[getter]
    fn revision(&self, py: Python<'_>) -> PyResult<u64> {
        let snapshot = self.get().map_err(|failure| failure.raise(py))?;
        Ok(snapshot.get().revision())
    }

    #[getter]
    fn nodes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.with(py, |snapshot| {
            let names = snapshot
                .get()
                .nodes()
                .map(|node| node.metadata.name.to_string());
            Ok(names.collect())
        })
    }

    #[getter]
    fn features(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let features = self.with(py, |snapshot| {
            Ok(dralloc_forms::features_on(snapshot.get().features())?)
        })?;
        let features = parsed(py, &features)?;
        Ok(FEATURES.get(py)?.call1((features,))?.unbind())
    }

    #[pyo3(signature = (kind, name=None))]
    fn objects<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        name: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let list = self.with(py, |snapshot| {
            Ok(dralloc_forms::known(snapshot.get(), kind, name)?)
        })?;
        parsed(py, &list)?.get_item("items")
    }

    #[pyo3(signature = (*objects))]
    fn prepare(&self, py: Python<'_>, objects: &Bound<'_, PyTuple>) -> PyResult<PreparedClaims> {
        let claims = claims(objects).map_err(|failure| failure.raise(py))?;
        self.with(py, |snapshot| {
            let claims = dralloc_forms::claims(&mut Decoder::new(), &claims)?;
            Ok(PreparedClaims(snapshot.prepare(claims)?))
        })
    }

    fn transaction(&self, py: Python<'_>) -> PyResult<Transaction> {
        let snapshot = self.get().map_err(|failure| failure.raise(py))?;
        let engine = Arc::clone(&self.engine);
        Ok(Transaction::new(engine, snapshot.transaction()))
    }

    #[pyo3(signature = (names=None))]
    fn node_list(&self, py: Python<'_>, names: Option<Vec<String>>) -> PyResult<NodeList> {
        self.with(py, |snapshot| {
            let snapshot = snapshot.get();
            Ok(NodeList(match &names {
                Some(names) => snapshot.node_list(names.iter().map(String::as_str)),
                None => snapshot.node_list(snapshot.nodes().map(|node| &*node.metadata.name)),
            }))
        })
    }

    fn device(&self, py: Python<'_>, number: u32) -> PyResult<Py<PyAny>> {
        let device = self.get().and_then(|snapshot| {
            snapshot.get().device_name(number).ok_or_else(|| {
                let message = format!("no device has the number {number}, expected one that has");
                Error::new(Code::NotFound, message).into()
            })
        });
        let device = device.map_err(|failure| failure.raise(py))?;
        device_id(py, &device)
    }

    fn device_numbers(
        &self,
        py: Python<'_>,
        outcome: &Bound<'_, Outcome>,
    ) -> PyResult<Vec<Numbers>> {
        let snapshot = self.get().map_err(|failure| failure.raise(py))?;
        let allocation = outcome.get().allocation();
        Ok(allocation.map_or_else(Vec::new, |allocation| numbers(snapshot.get(), allocation)))
    }

    fn dump(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |snapshot| Ok(snapshot.get().dump()))
    }

    fn close(&self, py: Python<'_>) {
        // What it was made of may be large.
        let snapshot = self.snapshot.lock();
        let snapshot = snapshot.unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| drop(snapshot));
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        match self.get() {
            Ok(snapshot) => {
                let snapshot = snapshot.get();
                let (nodes, revision) = (snapshot.nodes().count(), snapshot.revision());
                format!("<Snapshot of {nodes} nodes at revision {revision}>")
            }
            Err(_) => "<Snapshot closed>".to_owned(),
        }
    }

    fn _repr_html_(this: &Bound<'_, Self>) -> PyResult<String> {
        HTML.get(this.py())?.call1((this,))?.extract()
    }
}
