//! Colours; `anstream` drops them where the output is no terminal.

use anstyle::{AnsiColor, Style};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const HEADING: Style = Style::new().bold();

/// Tells the user what may be wrong.
pub(crate) fn warn(text: &str) {
    anstream::eprintln!("{WARNING}warning:{WARNING:#} {text}");
}

/// Tells the user what may be of use.
pub(crate) fn note(text: &str) {
    anstream::eprintln!("{HEADING}note:{HEADING:#} {text}");
}
