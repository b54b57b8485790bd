//! JSON with places.

use dralloc_topology::Code;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::error::Error;
use crate::text::{Locator, Position};

/// Is a text of which parts are read.
#[derive(Clone, Debug)]
pub(super) struct Text<'t> {
    text: &'t str,
    locator: Locator<'t>,
}

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            locator: Locator::new(text),
        }
    }

    /// Returns the values of the text, one after another.
    pub(super) fn values(&mut self) -> Result<Vec<&'t RawValue>, Error> {
        let mut values = Vec::new();
        let reader = serde_json::Deserializer::from_str(self.text).into_iter();
        for value in reader {
            values.push(value.map_err(|error| self.wrong(0, self.text, &error))?);
        }
        Ok(values)
    }

    /// Returns where a part of the text begins.
    pub(super) fn position(&mut self, part: &RawValue) -> Position {
        self.locator.position(self.offset(part.get()))
    }

    /// Reads a part of the text.
    pub(super) fn read<T: Deserialize<'t>>(&mut self, part: &'t RawValue) -> Result<T, Error> {
        let offset = self.offset(part.get());
        serde_json::from_str(part.get()).map_err(|error| self.wrong(offset, part.get(), &error))
    }

    /// Returns where a slice of the text begins.
    fn offset(&self, part: &str) -> usize {
        part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr())
    }

    /// Returns an error with its place in the text, from one with that in a part.
    fn wrong(&mut self, offset: usize, part: &str, error: &serde_json::Error) -> Error {
        let lines = part
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1));
        let line: usize = lines.map(str::len).sum();
        let inside = line + error.column().saturating_sub(1);
        let position = self.locator.position(offset + inside);
        let message = error.to_string();
        let message = message
            .rsplit_once(" at line ")
            .map_or(&*message, |(text, _)| text);
        Error::new(Code::Malformed, position, message)
    }
}
