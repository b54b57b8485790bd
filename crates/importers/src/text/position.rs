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

/// So many bytes are walked at most to find a position.
const STEP: usize = 1024;

/// Finds the positions of offsets, in any order.
///
/// Positions are noted every few bytes as far as anybody asked.
#[derive(Clone, Debug)]
pub(crate) struct Locator<'t> {
    text: &'t str,
    noted: Vec<(usize, Position)>,
}

impl<'t> Locator<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self {
            text,
            noted: vec![(0, Position::START)],
        }
    }

    /// Returns the position of a byte; of the end for an offset beyond it.
    pub(crate) fn position(&mut self, offset: usize) -> Position {
        let offset = boundary(self.text, offset);
        let mut from = self.nearest(offset);
        while from.0 + STEP < offset {
            let next = boundary(self.text, from.0 + STEP);
            from = (next, self.walk(from, next));
            self.noted.push(from);
        }
        self.walk(from, offset)
    }

    /// Returns the last position that is noted before an offset.
    fn nearest(&self, offset: usize) -> (usize, Position) {
        let after = self.noted.partition_point(|&(noted, _)| noted <= offset);
        let found = self.noted.get(after.saturating_sub(1)).copied();
        found.unwrap_or((0, Position::START))
    }

    fn walk(&self, (from, mut position): (usize, Position), to: usize) -> Position {
        for next in self.text.get(from..to).unwrap_or_default().chars() {
            if next == '\n' {
                position.line += 1;
                position.column = 1;
            } else {
                position.column += 1;
            }
        }
        position
    }
}

/// Returns the last offset up to one at which a character begins, or the end.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::{Locator, Position};

    #[test]
    fn any_order_of_questions_gives_the_same_answers() {
        let text = "é\nab ".repeat(700);
        let mut positions = Vec::new();
        let mut position = Position::START;
        for next in text.chars() {
            positions.extend(std::iter::repeat_n(position, next.len_utf8()));
            position = match next {
                '\n' => Position {
                    line: position.line + 1,
                    column: 1,
                },
                _ => Position {
                    column: position.column + 1,
                    ..position
                },
            };
        }
        positions.push(position);
        let mut locator = Locator::new(&text);
        for offset in (0..positions.len()).map(|place| place * 1009 % positions.len()) {
            assert_eq!(locator.position(offset), positions[offset], "{offset}");
        }
        assert_eq!(locator.position(usize::MAX), position);
    }
}
