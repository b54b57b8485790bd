//! What claims hold, and who uses it.

use dralloc::model::ResourceClaim;
use dralloc::wire::Decoder;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Transaction;
use crate::failure::Failure;
use crate::objects::claims;
use crate::text as input;

fn claim(claim: &Bound<'_, PyAny>) -> PyResult<ResourceClaim> {
    let py = claim.py();
    let read = claims(&PyTuple::new(py, [claim])?)
        .and_then(|json| Ok(dralloc_forms::claim(&mut Decoder::new(), &json)?));
    read.map_err(|failure: Failure| failure.raise(py))
}

#[pymethods]
impl Transaction {
    fn hold(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = claim)] claim: ResourceClaim,
        allocation: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let allocation = input::value(allocation)
            .and_then(|allocation| Ok(dralloc_forms::allocation(&allocation)?));
        let allocation = allocation.map_err(|failure| failure.raise(py))?;
        self.at_once(py, |begun| {
            begun.hold(&claim, &allocation);
            Ok(())
        })
    }

    fn release(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = claim)] claim: ResourceClaim,
    ) -> PyResult<bool> {
        self.at_once(py, |begun| Ok(begun.release(&claim)))
    }

    fn reserve(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = claim)] claim: ResourceClaim,
        user: &str,
    ) -> PyResult<bool> {
        self.at_once(py, |begun| Ok(begun.reserve(&claim, user)?))
    }

    fn unreserve(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = claim)] claim: ResourceClaim,
        user: &str,
    ) -> PyResult<bool> {
        self.at_once(py, |begun| Ok(begun.unreserve(&claim, user)))
    }

    #[pyo3(signature = (claim, *, releasing=true))]
    fn mark_releasing(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = claim)] claim: ResourceClaim,
        releasing: bool,
    ) -> PyResult<bool> {
        self.at_once(py, |begun| Ok(begun.mark_releasing(&claim, releasing)))
    }
}
