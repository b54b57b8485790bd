//! Objects without an engine: their checks, defaults and text; and features.

use dralloc::Features;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::boundary::detached;
use crate::document::{FAULTS, document, parsed};
use crate::failure::Failure;
use crate::text::{self as input, Kind};

/// Returns the version in which an object is read that says neither version nor kind.
pub(crate) fn api_version(kind: &str) -> &'static str {
    match kind {
        "Node" | "Pod" => "v1",
        "Topology" | "AttributeOverlay" | "DeviceHealth" | "DeviceHold" => "dralloc.dev/v1alpha1",
        _ => "resource.k8s.io/v1",
    }
}

/// Returns which features are on, all if nothing is said.
pub(crate) fn features(features: Option<&Bound<'_, PyAny>>) -> Result<Features, Failure> {
    let features = features.map(input::value).transpose()?;
    Ok(dralloc_forms::features(
        features.as_deref().unwrap_or_default(),
    )?)
}

/// Checks objects as an API server does.
#[pyfunction]
#[pyo3(signature = (*objects, features=None))]
pub(crate) fn validate(
    py: Python<'_>,
    objects: &Bound<'_, PyTuple>,
    features: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let faults = self::features(features).and_then(|features| {
        let objects = input::objects(objects, None)?;
        detached(py, || Ok(dralloc_forms::validate(&objects, &features)?))
    });
    let faults = faults.map_err(|failure| failure.raise(py))?;
    document(py, &FAULTS, &faults)
}

/// Fills in what an API server fills in.
#[pyfunction]
#[pyo3(signature = (*objects))]
pub(crate) fn defaults(py: Python<'_>, objects: &Bound<'_, PyTuple>) -> PyResult<Py<PyAny>> {
    let list = input::objects(objects, None)
        .and_then(|objects| detached(py, || Ok(dralloc_forms::defaulted(&objects)?)));
    let list = list.map_err(|failure| failure.raise(py))?;
    Ok(parsed(py, &list)?.get_item("items")?.unbind())
}

/// Returns the JSON text that objects are read from.
#[pyfunction]
#[pyo3(signature = (*objects))]
pub(crate) fn to_json(py: Python<'_>, objects: &Bound<'_, PyTuple>) -> PyResult<String> {
    let text = input::objects(objects, None).map_err(|failure| failure.raise(py))?;
    Ok(text.trim_end().to_owned())
}

/// Reads claims: anything that is one may leave out that it is.
pub(crate) fn claims(objects: &Bound<'_, PyTuple>) -> Result<String, Failure> {
    input::objects(objects, Some(CLAIM))
}

/// Claims may leave out what they are: nothing else is asked for.
const CLAIM: Kind<'static> = Kind {
    api_version: "resource.k8s.io/v1",
    kind: "ResourceClaim",
};
