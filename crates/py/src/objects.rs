//! Objects without an engine: their checks, defaults and text; and features.

use dralloc::{Code, Error, Features};
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

/// Returns which features are on.
pub(crate) fn features(
    kubernetes_version: Option<&str>,
    feature_gates: Option<&Bound<'_, PyAny>>,
    relaxed_selectors: bool,
) -> Result<Features, Failure> {
    let minor = kubernetes_version.map(minor).transpose()?;
    let gates = feature_gates.map_or(Ok("null".to_owned()), input::value)?;
    let minor = minor.map_or("null".to_owned(), |minor| minor.to_string());
    Ok(dralloc_forms::features(&format!(
        r#"{{"kubernetesMinor":{minor},"gates":{gates},"relaxedSelectors":{relaxed_selectors}}}"#
    ))?)
}

fn minor(version: &str) -> Result<u32, Failure> {
    let minor = version.strip_prefix("1.").map(str::parse);
    let Some(Ok(minor)) = minor else {
        let message = format!("`{version}`, expected a version such as `1.35`");
        return Err(Error::new(Code::Malformed, message)
            .at("kubernetes_version")
            .into());
    };
    Ok(minor)
}

/// Checks objects as an API server does.
#[pyfunction]
#[pyo3(signature = (*objects, kubernetes_version=None, feature_gates=None, relaxed_selectors=false))]
pub(crate) fn validate(
    py: Python<'_>,
    objects: &Bound<'_, PyTuple>,
    kubernetes_version: Option<&str>,
    feature_gates: Option<&Bound<'_, PyAny>>,
    relaxed_selectors: bool,
) -> PyResult<Py<PyAny>> {
    let features = features(kubernetes_version, feature_gates, relaxed_selectors);
    let faults = features.and_then(|features| {
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
pub(crate) fn json(py: Python<'_>, objects: &Bound<'_, PyTuple>) -> PyResult<String> {
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
