//! [`InputError`]: what is wrong with the input, and where.

use std::fmt;

use dralloc::wire::Warning;

use super::Origin;
use crate::object_name::ObjectName;

/// Lists what is wrong with the input; never empty.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) struct InputError {
    faults: Vec<InputFault>,
    is_complete: bool,
}

/// Is one fault of the input; prints as ``file:line:column: Kind `name`: path: message``.
#[derive(Clone, Debug)]
pub(crate) struct InputFault {
    /// Where it is.
    pub(crate) origin: Origin,
    /// The object that it is in; none where that is not known.
    pub(crate) object: Option<FaultyObject>,
    /// What it is.
    pub(crate) error: dralloc::Error,
    /// What else is to be said of the object, each with its place.
    pub(crate) warnings: Vec<(Origin, Warning)>,
}

/// Names an object that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FaultyObject {
    pub(crate) kind: &'static str,
    /// As the object says it: the namespace may be missing.
    pub(crate) name: ObjectName,
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
        let fault = InputFault {
            origin,
            object: None,
            error,
            warnings: Vec::new(),
        };
        Self::new(vec![fault], true)
    }

    /// Changes the names of the objects that cannot be read.
    pub(crate) fn rename(&mut self, rename: impl FnMut(&mut FaultyObject)) {
        let faults = self.faults.iter_mut();
        let objects = faults.filter_map(|fault| fault.object.as_mut());
        objects.for_each(rename);
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
        write!(formatter, "{}: ", self.origin)?;
        if let Some(FaultyObject { kind, name }) = &self.object {
            write!(formatter, "{kind} `{name}`: ")?;
        }
        self.error.fmt(formatter)
    }
}
