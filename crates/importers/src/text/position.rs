//! [`Position`]: a place in a text.

use std::fmt;

/// Is a line and a column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Position {
    /// The first character.
    pub(crate) const START: Self = Self { line: 1, column: 1 };
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// Finds the positions of offsets.
///
/// Offsets that grow take one walk over the text altogether.
#[derive(Clone, Debug)]
pub(crate) struct Locator<'t> {
    text: &'t str,
    offset: usize,
    position: Position,
}

impl<'t> Locator<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            offset: 0,
            position: Position::START,
        }
    }

    /// Returns the position of a byte; of the end for an offset beyond it.
    pub(crate) fn position(&mut self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        if offset < self.offset {
            *self = Self::new(self.text);
        }
        for next in self
            .text
            .get(self.offset..offset)
            .unwrap_or_default()
            .chars()
        {
            if next == '\n' {
                self.position.line += 1;
                self.position.column = 1;
            } else {
                self.position.column += 1;
            }
        }
        self.offset = offset;
        self.position
    }
}
