//! Text and places in it.

mod decode;
mod escape;
mod position;
mod words;

pub(crate) use decode::decode;
pub(crate) use position::{Locator, Position};
pub(crate) use words::{Line, Word, lines};

/// How many bytes a text may have.
pub const MAX_TEXT: usize = 256 << 20;

/// Returns a user's text in backticks, on one line and not too long.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 64;
    let mut shown: String = text
        .chars()
        .take(MOST)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    format!("`{shown}`")
}
