//! [`Lines`]: lines and columns of offsets.

/// Is a place in a text as people count, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// Line.
    pub(crate) line: usize,
    /// Character in the line.
    pub(crate) column: usize,
}

/// Counts lines, cheaply if asked for in ascending order.
#[derive(Debug)]
pub(super) struct Lines<'t> {
    text: &'t [u8],
    line: usize,
    start: usize,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self { text, line: 1, start: 0 }
    }

    pub(super) fn position(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        if offset < self.start {
            *self = Self::new(self.text);
        }
        let passed = &self.text[self.start..offset];
        if let Some(last) = passed.iter().rposition(|byte| *byte == b'\n') {
            self.line += passed[..=last].iter().filter(|byte| **byte == b'\n').count();
            self.start += last + 1;
        }
        // Bytes that go on with a character do not count.
        let before = self.text[self.start..offset].iter();
        let column = 1 + before.filter(|byte| **byte & 0xc0 != 0x80).count();
        Position { line: self.line, column }
    }
}
