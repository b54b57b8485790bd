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
        Self {
            text,
            offset: 0,
            position: Position { line: 1, column: 1 },
        }
    }

    pub(super) fn position(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        if offset < self.offset {
            self.go_back(offset);
        }
        let mut passed = &self.text[self.offset..offset];
        if let Some(last) = passed.iter().rposition(|byte| *byte == b'\n') {
            self.position.line += breaks(&passed[..=last]);
            self.position.column = 1;
            passed = &passed[last + 1..];
        }
        // Bytes that go on with a character do not count.
        self.position.column += passed.iter().filter(|byte| **byte & 0xc0 != 0x80).count();
        self.offset = offset;
        self.position
    }

    /// Goes back to the start of the line of an offset, which is never far.
    fn go_back(&mut self, offset: usize) {
        let passed = &self.text[offset..self.offset];
        self.position.line -= breaks(passed);
        let before = &self.text[..offset];
        self.offset = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |last| last + 1);
        self.position.column = 1;
    }
}

/// Counts line breaks, many bytes at a time.
fn breaks(bytes: &[u8]) -> usize {
    // Sums of single bytes, which cannot overflow in a chunk, are added up in parallel.
    let chunks = bytes.chunks(usize::from(u8::MAX));
    let sums = chunks.map(|chunk| {
        let breaks = chunk.iter().map(|byte| u8::from(*byte == b'\n'));
        usize::from(breaks.sum::<u8>())
    });
    sums.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_order_of_questions_gives_the_same_answers() {
        let text = "ab\n\né c\nd";
        let positions = [
            (1, 1),
            (1, 2),
            (1, 3),
            (2, 1),
            (3, 1),
            (3, 2),
            (3, 2),
            (3, 3),
            (3, 4),
            (4, 1),
            (4, 2),
        ];
        let mut lines = Lines::new(text.as_bytes());
        for first in 0..=text.len() {
            for (offset, (line, column)) in positions.into_iter().enumerate() {
                lines.position(first);
                assert_eq!(
                    lines.position(offset),
                    Position { line, column },
                    "{first} {offset}"
                );
            }
        }
        assert_eq!(lines.position(usize::MAX), Position { line: 4, column: 2 });
    }
}
