//! Proofs, and checks of them and of answers.

use dralloc::wire::Decoder;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::Transaction;
use super::question::How;
use crate::claims::PreparedClaims;
use crate::document::{CERTIFIED, VIOLATIONS, document, verdict};
use crate::failure::Failure;
use crate::objects::claims as claims_text;
use crate::options::Options;
use crate::text as input;
use crate::workspace::Workspace;

/// Returns the text of claims: one or a list of them.
fn claims_of(claims: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = claims.py();
    let claims = claims_text(&PyTuple::new(py, [claims])?);
    claims.map_err(|failure| failure.raise(py))
}

fn value(value: &Bound<'_, PyAny>) -> PyResult<String> {
    input::value(value).map_err(|failure: Failure| failure.raise(value.py()))
}

#[pymethods]
impl Transaction {
    #[pyo3(signature = (node, claims, *, options=None, workspace=None, **fields))]
    fn certificate(
        &self,
        py: Python<'_>,
        node: &str,
        claims: &Bound<'_, PreparedClaims>,
        options: Option<&Bound<'_, Options>>,
        workspace: Option<&Bound<'_, Workspace>>,
        fields: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let how = How {
            options,
            workspace,
            fields,
        };
        let certified = self.ask(py, claims, &how, |it, claims, options, room| {
            dralloc_forms::certified(&it.get().certificate(node, claims.get(), options, room)?)
        })?;
        document(py, &CERTIFIED, &certified)
    }

    fn verify(
        &self,
        py: Python<'_>,
        node: &str,
        #[pyo3(from_py_with = claims_of)] claims: String,
        #[pyo3(from_py_with = value)] results: String,
    ) -> PyResult<Py<PyAny>> {
        let violations = self.with(py, |begun| {
            let claims = dralloc_forms::claims(&mut Decoder::new(), &claims)?;
            let results = dralloc_forms::allocations(&results)?;
            verdict(begun.get().verify(node, &claims, &results))
        })?;
        document(py, &VIOLATIONS, &violations)
    }

    fn verify_certificate(
        &self,
        py: Python<'_>,
        node: &str,
        #[pyo3(from_py_with = claims_of)] claims: String,
        #[pyo3(from_py_with = value)] certificate: String,
    ) -> PyResult<Py<PyAny>> {
        let violations = self.with(py, |begun| {
            let claims = dralloc_forms::claims(&mut Decoder::new(), &claims)?;
            let certificate = dralloc_forms::certificate(&certificate)?;
            verdict(begun.get().verify_certificate(node, &claims, &certificate))
        })?;
        document(py, &VIOLATIONS, &violations)
    }

    fn verify_optimality(
        &self,
        py: Python<'_>,
        node: &str,
        #[pyo3(from_py_with = claims_of)] claims: String,
        #[pyo3(from_py_with = value)] results: String,
        #[pyo3(from_py_with = value)] certificate: String,
    ) -> PyResult<Py<PyAny>> {
        let violations = self.with(py, |begun| {
            let claims = dralloc_forms::claims(&mut Decoder::new(), &claims)?;
            let results = dralloc_forms::allocations(&results)?;
            let certificate = dralloc_forms::optimality_certificate(&certificate)?;
            verdict(
                begun
                    .get()
                    .verify_optimality(node, &claims, &results, &certificate),
            )
        })?;
        document(py, &VIOLATIONS, &violations)
    }
}
