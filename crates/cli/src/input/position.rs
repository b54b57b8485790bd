//! [`Lines`]: lines and columns of offsets.

/// Is a place in a text as people count, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// Line.
    pub(crate) line: usize,
    /// Character in the line.
    pub(crate) column: usize,
}

/// Counts lines and columns, cheaply if asked for in ascending order.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t [u8],
    /// What was asked for last.
    offset: usize,
    position: Position,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, offset: 0, position: Position { line: 1, column: 1 } }
    }

    pub(super) fn position(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        if offset < self.offset {
            *self = Self::new(self.text);
        }
        let mut passed = &self.text[self.offset..offset];
        if let Some(last) = passed.iter().rposition(|byte| *byte == b'\n') {
            self.position.line += passed[..=last].iter().filter(|byte| **byte == b'\n').count();
            self.position.column = 1;
            passed = &passed[last + 1..];
        }
        // Bytes that go on with a character do not count.
        self.position.column += passed.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        self.offset = offset;
        self.position
    }
}
