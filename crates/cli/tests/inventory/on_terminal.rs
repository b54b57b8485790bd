//! What a person sees on a terminal.

use super::FILE;
use crate::common::terminal::dralloc_on_terminal;

#[test]
fn there_are_bars_and_colours() {
    let shown = dralloc_on_terminal(&["inventory", "-f", FILE], 120);
    insta::assert_snapshot!("on-terminal", shown.replace('\u{1b}', "ESC"));
}

#[test]
fn a_narrow_terminal_has_no_bars() {
    let shown = dralloc_on_terminal(&["inventory", "-f", FILE], 60);
    assert!(
        shown.contains("worker-1") && !shown.contains('█'),
        "{shown}"
    );
}
