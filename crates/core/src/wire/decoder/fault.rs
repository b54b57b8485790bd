//! Faults of objects, from what was wrong with their text.

use crate::wire::json::Failure;
use crate::wire::{Fault, Warning};
use crate::{Code, Error};

/// Returns a fault at a place in an object, with the path of the object before it.
pub(super) fn fault(failure: &Failure, code: Code, prefix: &str) -> Fault {
    let error = Error::new(code, failure.message())
        .at(failure.path())
        .under(prefix);
    Fault {
        error,
        offset: failure.offset(),
        object: None,
        warnings: Vec::new(),
    }
}

impl From<Warning> for Fault {
    fn from(warning: Warning) -> Self {
        let message = match warning.hint {
            Some(hint) => format!("{} ({hint})", warning.message),
            None => warning.message,
        };
        let error = Error::new(Code::UnknownField, message).at(warning.path);
        Self {
            error,
            offset: warning.offset,
            object: None,
            warnings: Vec::new(),
        }
    }
}
