//! Colours; `anstream` drops them where the output is no terminal.

use std::borrow::Cow;
use std::io::Write;

use anstyle::{AnsiColor, Style};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const HEADING: Style = Style::new().bold();

/// Where nothing says how wide the output may be.
const WIDTH: usize = 80;

/// Less than that has no room for words.
const WIDTH_MIN: usize = 40;

/// Returns how many columns text on standard output may have: what `COLUMNS` says, else
/// those of the terminal, else 80.
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok();
    let told = columns.and_then(|columns| columns.parse().ok());
    let width = told.filter(|columns| *columns > 0).or_else(|| {
        let size = terminal_size::terminal_size_of(std::io::stdout());
        size.map(|(width, _)| usize::from(width.0))
    });
    width
        .filter(|width| *width > 0)
        .unwrap_or(WIDTH)
        .max(WIDTH_MIN)
}

/// Tells the user what may be wrong.
pub(crate) fn warn(text: &str) {
    say(&format!("{WARNING}warning:{WARNING:#} {text}"));
}

/// Tells the user what may be of use.
pub(crate) fn note(text: &str) {
    say(&format!("{HEADING}note:{HEADING:#} {text}"));
}

/// Returns a text without what would control the terminal: such characters and
/// those that change the direction of text are written as escapes.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmful = |next: char| {
        next.is_control() && next != '\n' && next != '\t'
            || matches!(next, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let escape = |next: char| {
        if is_harmful(next) {
            next.escape_unicode().to_string()
        } else {
            next.to_string()
        }
    };
    Cow::Owned(text.chars().map(escape).collect())
}

/// Prints a line beside the answer; where it cannot be printed there is nobody
/// to tell.
pub(crate) fn say(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
