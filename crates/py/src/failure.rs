//! [`Failure`]: why a call failed, before it is an exception.

use dralloc::{Code, Error};
use pyo3::prelude::*;

use crate::package::Item;

/// Makes the exception of a code.
static EXCEPTION: Item = Item::new("dralloc._errors", "exception");

/// Is why a call failed.
pub(crate) enum Failure {
    /// What the engine says, or what is said in its words.
    Error {
        code: &'static str,
        error: Box<Error>,
    },
    /// What Python raised meanwhile, such as `KeyboardInterrupt`.
    Raised(PyErr),
    /// A panic, which is a bug in dralloc.
    Panic(String),
}

impl Failure {
    /// Returns the failure of a call that was not made as it should be.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self::Error {
            code,
            error: Box::new(Error::new(Code::Invalid, message)),
        }
    }

    /// Returns the failure of what another thread is using.
    pub(crate) fn busy(noun: &str) -> Self {
        let message = format!("another thread is using the {noun}, expected one at a time");
        Self::new("busy", message)
    }

    /// Returns the failure of what is there no more.
    pub(crate) fn closed(noun: &str) -> Self {
        let message = format!("the {noun} is closed, expected an open one");
        Self::new("closed", message)
    }

    /// Returns the failure of what a panic may have left half done.
    pub(crate) fn poisoned(noun: &str) -> Self {
        let message = format!("an earlier call panicked, expected another {noun}");
        Self::new("poisoned", message)
    }

    /// Returns the exception.
    pub(crate) fn raise(self, py: Python<'_>) -> PyErr {
        let (code, error) = match self {
            Self::Raised(raised) => return raised,
            Self::Error { code, error } => (code, error),
            Self::Panic(message) => {
                let message = format!("dralloc panicked, which is a bug: {message}");
                ("panic", Box::new(Error::new(Code::Internal, message)))
            }
        };
        let (message, path) = (error.message(), error.path());
        let scope = error.scope().as_str();
        let exception = EXCEPTION
            .get(py)
            .and_then(|exception| exception.call1((code, message, path, scope)));
        match exception {
            Ok(exception) => PyErr::from_value(exception),
            Err(error) => error,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error {
            code: error.code().as_str(),
            error: Box::new(error),
        }
    }
}

impl From<PyErr> for Failure {
    fn from(raised: PyErr) -> Self {
        Self::Raised(raised)
    }
}
