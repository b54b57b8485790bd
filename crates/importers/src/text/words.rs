//! [`Line`] and [`Word`]: a table of a terminal.

use super::{Position, escape};

/// Is a line that has words.
#[derive(Clone, Debug)]
pub(crate) struct Line<'t> {
    pub(crate) words: Vec<Word<'t>>,
    /// Where the line ends.
    pub(crate) end: Position,
}

/// Is a run of characters without blanks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) position: Position,
}

/// Returns the lines of a text, without escape sequences.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = text.split('\n').enumerate();
    lines.map(|(number, line)| words(line, number + 1))
}

fn words(text: &str, line: usize) -> Line<'_> {
    let mut words = Vec::new();
    let mut column = 1;
    let mut rest = text.trim_end();
    let mut word: Option<(usize, usize)> = None;
    let text = rest;
    loop {
        let at = text.len() - rest.len();
        let skipped = escape::length(rest);
        let next = rest.chars().next();
        let blank = skipped > 0 || next.is_none_or(char::is_whitespace);
        if blank && let Some((start, column)) = word.take() {
            words.push(Word {
                text: text.get(start..at).unwrap_or_default(),
                position: Position { line, column },
            });
        }
        let Some(next) = next else { break };
        if !blank && word.is_none() {
            word = Some((at, column));
        }
        let width = if skipped > 0 {
            skipped
        } else {
            next.len_utf8()
        };
        let (passed, left) = rest.split_at(width);
        column += passed.chars().count();
        rest = left;
    }
    let end = Position { line, column };
    Line { words, end }
}
