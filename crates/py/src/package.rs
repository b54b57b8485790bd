//! What is asked of the Python half of the package, `python/dralloc`.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyAny;

/// Names a class or function of a module, which is looked up once.
pub(crate) struct Item {
    module: &'static str,
    name: &'static str,
    found: PyOnceLock<Py<PyAny>>,
}

impl Item {
    pub(crate) const fn new(module: &'static str, name: &'static str) -> Self {
        Self {
            module,
            name,
            found: PyOnceLock::new(),
        }
    }

    pub(crate) fn get<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        let find = || Ok(py.import(self.module)?.getattr(self.name)?.unbind());
        self.found
            .get_or_try_init(py, find)
            .map(|found| found.bind(py))
    }
}

/// Refuses a second interpreter in one process: what is looked up once is the first's.
pub(crate) fn only_interpreter(py: Python<'_>) -> PyResult<()> {
    static MODULES: Item = Item::new("sys", "modules");
    if py.import("sys")?.getattr("modules")?.is(MODULES.get(py)?) {
        return Ok(());
    }
    let message = "dralloc does not support sub-interpreters, expected the main one";
    Err(PyImportError::new_err(message))
}
