//! [`Start`]: where an object is, and where in it its fields are.

use std::fmt;

use super::{Origin, Text};

/// Is where an object starts; prints as that place.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    origin: Origin,
    text: Text,
}

impl Start {
    pub(super) fn new(origin: Origin, text: Text) -> Self {
        Self { origin, text }
    }

    /// Returns where the object starts.
    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Returns the text that starts with the object, to find fields in it.
    pub(crate) fn text(&self) -> &Text {
        &self.text
    }
}

impl fmt::Display for Start {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.origin.fmt(formatter)
    }
}
