//! What becomes of failures.

use std::ops::Deref;

use crate::runtime::{self, Value};
use crate::{ErrorKind, EvaluationError};

/// Why there is no value; boxed, since every instruction returns one or none.
#[derive(Clone)]
pub(in crate::program) struct Failure(Box<EvaluationError>);

/// A value or why there is none.
pub(super) type Outcome<'a> = Result<Value<'a>, Failure>;

/// A value was put in its place, or why there is none.
pub(in crate::program) type Done = Result<(), Failure>;

impl Deref for Failure {
    type Target = EvaluationError;

    fn deref(&self) -> &EvaluationError {
        &self.0
    }
}

impl From<EvaluationError> for Failure {
    fn from(error: EvaluationError) -> Self {
        Self(Box::new(error))
    }
}

impl From<Failure> for EvaluationError {
    fn from(failure: Failure) -> Self {
        *failure.0
    }
}

/// Separates a failure that an operator absorbs from one that ends everything;
/// what has failed leaves null in its place.
pub(super) fn absorbed(done: Done) -> Result<Option<Failure>, Failure> {
    match done {
        Ok(()) => Ok(None),
        Err(error) if error.is_final() => Err(error),
        Err(error) => Ok(Some(error)),
    }
}

/// Separates a failure that an operator absorbs from one that ends everything.
pub(super) fn split(outcome: Outcome<'_>) -> Result<(Value<'_>, Option<Failure>), Failure> {
    match outcome {
        Ok(value) => Ok((value, None)),
        Err(error) if error.is_final() => Err(error),
        Err(error) => Ok((Value::Null, Some(error))),
    }
}

pub(super) fn internal() -> Failure {
    EvaluationError::new(ErrorKind::Internal, "internal error in evaluation").into()
}

pub(super) fn invalid(message: impl Into<Box<str>>) -> Failure {
    runtime::invalid(message).into()
}

pub(super) fn no_such_overload() -> Failure {
    runtime::no_such_overload().into()
}
