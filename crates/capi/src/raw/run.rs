//! The border of panics.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::caller::Caller;
use crate::error::{Failure, dralloc_error};
use crate::status::dralloc_status as Status;

impl Caller {
    /// Makes a call; what went wrong is its status, and an error if one is wanted.
    ///
    /// A panic ends here. What the call had for itself is poisoned as it is given
    /// back, so that nobody sees it half changed. The hook of the host has printed
    /// the panic, or done what else it does.
    pub(crate) fn run(
        self,
        error: *mut *mut dralloc_error,
        body: impl FnOnce(&Self) -> Result<(), Failure>,
    ) -> Status {
        let result = catch_unwind(AssertUnwindSafe(|| body(&self)));
        let failure = match result {
            Ok(Ok(())) => return Status::Ok,
            Ok(Err(failure)) => failure,
            Err(panic) => panicked(&*panic),
        };
        let status = failure.status();
        if let Some(error) = self.wanted(error) {
            error.give(failure);
        }
        status
    }
}

fn panicked(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("of an unknown sort");
    Failure::new(
        Status::Panic,
        format!("a panic, which is a bug in dralloc: {text}"),
    )
}
