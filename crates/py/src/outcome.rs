//! [`Outcome`]: what a question to one node is answered with.

use dralloc::model::DeviceId;
use dralloc::{Allocation, Gap, Reason, StopCause};
use dralloc_forms::Kind;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::{PyClass, PyClassInitializer};

use crate::document::{parsed, text};
use crate::failure::Failure;
use crate::package::Item;

static KIND: Item = Item::new("dralloc._enums", "Kind");
static STOP_CAUSE: Item = Item::new("dralloc._enums", "StopCause");
static DEVICE_ID: Item = Item::new("dralloc._device", "DeviceId");
static ALLOCATED_DEVICE: Item = Item::new("dralloc._device", "AllocatedDevice");
static ALLOCATIONS: Item = Item::new("dralloc._model", "allocations");
static TERM_VALUES: Item = Item::new("dralloc._objective", "term_values");
static TOGETHER: Item = Item::new("dralloc._together", "together");
static FAULTS: Item = Item::new("dralloc._violation", "faults");
static GAP: Item = Item::new("dralloc._objective", "Gap");
static REASON: Item = Item::new("dralloc._reason", "reason");
static HTML: Item = Item::new("dralloc._html", "outcome");
static REPR: Item = Item::new("dralloc._repr", "outcome");

/// Answers whether claims fit, and how; it is one of its four subclasses.
#[pyclass(frozen, subclass, module = "dralloc")]
pub(crate) struct Outcome {
    outcome: dralloc::Outcome,
}

/// The best allocation; without a policy the first in canonical order.
#[pyclass(frozen, extends = Outcome, module = "dralloc")]
pub(crate) struct Optimal;

/// An allocation that may not be the best.
#[pyclass(frozen, extends = Outcome, module = "dralloc")]
pub(crate) struct Feasible(Gap);

/// There is no allocation.
#[pyclass(frozen, extends = Outcome, module = "dralloc")]
pub(crate) struct Infeasible;

/// The search ended before it knew.
#[pyclass(frozen, extends = Outcome, module = "dralloc")]
pub(crate) struct Unknown(StopCause);

impl Outcome {
    /// Returns an outcome as one of the subclasses.
    pub(crate) fn of(py: Python<'_>, outcome: dralloc::Outcome) -> PyResult<Bound<'_, Self>> {
        fn made<T: PyClass<BaseType = Outcome>>(
            py: Python<'_>,
            outcome: dralloc::Outcome,
            own: T,
        ) -> PyResult<Bound<'_, Outcome>> {
            let base = PyClassInitializer::from(Outcome { outcome });
            Ok(Bound::new(py, base.add_subclass(own))?.into_super())
        }
        match &outcome {
            dralloc::Outcome::Optimal(_) => made(py, outcome, Optimal),
            dralloc::Outcome::Feasible { gap, .. } => {
                let gap = *gap;
                made(py, outcome, Feasible(gap))
            }
            dralloc::Outcome::Infeasible(_) => made(py, outcome, Infeasible),
            dralloc::Outcome::Unknown(cause) => {
                let cause = *cause;
                made(py, outcome, Unknown(cause))
            }
        }
    }

    pub(crate) fn allocation(&self) -> Option<&Allocation> {
        self.outcome.allocation()
    }

    fn reason(&self) -> Option<&Reason> {
        match &self.outcome {
            dralloc::Outcome::Infeasible(reason) => Some(reason),
            _ => None,
        }
    }
}

/// Is a device as numbers: claim, request, alternative, device.
pub(crate) type Numbers = (u32, u32, u32, u32);

/// Returns the devices of an answer as numbers.
pub(crate) fn numbers(snapshot: &dralloc::Snapshot, allocation: &Allocation) -> Vec<Numbers> {
    let devices = snapshot.numbered_devices(allocation);
    let numbers = devices.map(|one| (one.claim, one.request, one.alternative, one.device));
    numbers.collect()
}

/// Returns the name of a device.
pub(crate) fn device_id(py: Python<'_>, device: &DeviceId) -> PyResult<Py<PyAny>> {
    let DeviceId {
        driver,
        pool,
        device,
    } = device;
    let names = (&**driver, &**pool, &**device);
    Ok(DEVICE_ID.get(py)?.call1(names)?.unbind())
}

/// Returns the kind of an outcome.
pub(crate) fn kind(py: Python<'_>, outcome: &dralloc::Outcome) -> PyResult<Py<PyAny>> {
    static KINDS: [PyOnceLock<Py<PyAny>>; 4] = [const { PyOnceLock::new() }; 4];
    let kind = Kind::of(outcome);
    let made = KINDS[kind as usize].get_or_try_init(py, || {
        Ok::<_, PyErr>(KIND.get(py)?.call1((kind.as_str(),))?.unbind())
    });
    made.map(|made| made.clone_ref(py))
}

/// Returns a cause as one of the enumeration.
pub(crate) fn stop_cause(py: Python<'_>, cause: StopCause) -> PyResult<Py<PyAny>> {
    Ok(STOP_CAUSE.get(py)?.call1((cause.as_str(),))?.unbind())
}

/// Returns a gap.
pub(crate) fn gap(py: Python<'_>, gap: Gap) -> PyResult<Py<PyAny>> {
    let gap = GAP.get(py)?.call1((gap.term, gap.value, gap.bound))?;
    Ok(gap.unbind())
}

#[pymethods]
impl Outcome {
    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        kind(py, &self.outcome)
    }

    /// Whether there is an allocation.
    #[getter]
    fn fits(&self) -> bool {
        self.allocation().is_some()
    }

    #[getter]
    fn node(&self) -> Option<&str> {
        self.allocation().map(Allocation::node)
    }

    /// What Kubernetes keeps in `status.allocation` of each claim; empty if there is
    /// no answer.
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let results = self.allocation().map(dralloc_forms::results).transpose();
        let results = results.map_err(|error| Failure::from(error).raise(py))?;
        parsed(py, results.as_deref().unwrap_or("[]"))
    }

    /// The same in classes.
    #[getter]
    fn allocations(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let results = self.results(py)?;
        Ok(ALLOCATIONS.get(py)?.call1((results,))?.unbind())
    }

    #[getter]
    fn devices(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let Some(allocation) = self.allocation() else {
            return Ok(Vec::new());
        };
        let class = ALLOCATED_DEVICE.get(py)?;
        let devices = allocation.devices().map(|one| {
            let device = device_id(py, &one.device)?;
            let device = class.call1((one.claim, one.request, one.alternative, device))?;
            Ok(device.unbind())
        });
        devices.collect()
    }

    #[getter]
    fn objective(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let objective = self.allocation().map_or(&[][..], Allocation::objective);
        let objective = text(&objective).map_err(|failure| failure.raise(py))?;
        Ok(TERM_VALUES.get(py)?.call1((objective,))?.unbind())
    }

    #[getter]
    fn placement(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let placement = self.allocation().map_or(&[][..], Allocation::placement);
        let placement = text(&placement).map_err(|failure| failure.raise(py))?;
        Ok(TOGETHER.get(py)?.call1((placement,))?.unbind())
    }

    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let warnings = self.allocation().map_or(&[][..], Allocation::warnings);
        let warnings = text(&warnings).map_err(|failure| failure.raise(py))?;
        Ok(FAULTS.get(py)?.call1((warnings,))?.unbind())
    }

    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let json = dralloc_forms::outcome(&self.outcome).map_err(Failure::from);
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
impl Optimal {
    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("results",)
    }
}

#[pymethods]
impl Feasible {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("results", "gap")
    }

    #[getter]
    fn gap(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        gap(py, self.0)
    }
}

#[pymethods]
impl Infeasible {
    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("reason",)
    }

    #[getter]
    fn reason(this: PyRef<'_, Self>) -> PyResult<Py<PyAny>> {
        let py = this.py();
        let base = this.as_super();
        let reason = base.reason().map(dralloc_forms::reason).transpose();
        let reason = reason.map_err(|error| Failure::from(error).raise(py))?;
        Ok(REASON.get(py)?.call1((reason,))?.unbind())
    }
}

#[pymethods]
impl Unknown {
    #[classattr]
    fn __match_args__() -> (&'static str,) {
        ("cause",)
    }

    #[getter]
    fn cause(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        stop_cause(py, self.0)
    }
}
