//! [`InputError`]: what is wrong with the input, and where.

use std::fmt;

use super::Origin;

/// Lists what is wrong with the input; never empty.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) struct InputError {
    faults: Vec<InputFault>,
    is_complete: bool,
}

/// Is one fault of the input; prints as `file:line:column: path: message`.
#[derive(Clone, Debug)]
pub(crate) struct InputFault {
    /// Where it is.
    pub(crate) origin: Origin,
    /// What it is.
    pub(crate) error: dralloc::Error,
}

impl InputError {
    pub(super) fn new(faults: Vec<InputFault>, is_complete: bool) -> Self {
        Self {
            faults,
            is_complete,
        }
    }

    /// Returns the error that one thing is wrong.
    pub(crate) fn one(origin: Origin, error: dralloc::Error) -> Self {
        Self::new(vec![InputFault { origin, error }], true)
    }

    /// Returns the faults in the order of the input.
    pub(crate) fn faults(&self) -> &[InputFault] {
        &self.faults
    }
}

/// Prints one fault a line.
impl fmt::Display for InputError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.faults.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(formatter, "{separator}{fault}")?;
        }
        if !self.is_complete {
            write!(
                formatter,
                "\ntoo many errors, the rest of the input was not read"
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for InputFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.origin, self.error)
    }
}
