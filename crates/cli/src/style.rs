//! Colours; `anstream` drops them where the output is no terminal.

use std::io::Write;

use anstyle::{AnsiColor, Style};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const HEADING: Style = Style::new().bold();

/// Tells the user what may be wrong.
pub(crate) fn warn(text: &str) {
    say(&format!("{WARNING}warning:{WARNING:#} {text}"));
}

/// Tells the user what may be of use.
pub(crate) fn note(text: &str) {
    say(&format!("{HEADING}note:{HEADING:#} {text}"));
}

/// Prints a line beside the answer; where it cannot be printed there is nobody
/// to tell.
pub(crate) fn say(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
