//! The border of calls that work: without the interpreter's lock, and panics end here.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

use crate::failure::Failure;

/// Works while other threads of Python run.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    py.detach(|| guarded(work))
}

/// Works, and makes a failure of a panic.
///
/// Who lends what the work could leave half done has to poison it then.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(Failure::Panic(message(&*payload))))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}

/// Panics, so that a test sees what becomes of it.
#[pyfunction(name = "_panic")]
#[expect(clippy::panic, reason = "it is what the function is there for")]
pub(crate) fn panic(py: Python<'_>) -> PyResult<()> {
    detached(py, || panic!("as it was asked for")).map_err(|failure| failure.raise(py))
}
