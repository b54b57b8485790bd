//! How wide the text is.

use crate::common::{dralloc, dralloc_in_columns};

const ARGUMENTS: [&str; 3] = [
    "explain",
    "-f",
    "testdata/operators/pending/04-no-common-root.yaml",
];

fn longest(text: &str) -> usize {
    text.lines().map(str::len).max().unwrap()
}

#[test]
fn lines_are_as_long_as_there_is_room() {
    let usual = dralloc(&ARGUMENTS).output;
    assert!((70..=80).contains(&longest(&usual)), "{usual}");
    let in_columns = |columns| dralloc_in_columns(&ARGUMENTS, columns).output;
    let wide = in_columns("160");
    assert!((100..=160).contains(&longest(&wide)), "{wide}");
    assert_eq!(in_columns("80"), usual);
    for invalid in ["", "0", "wide", "-5"] {
        assert_eq!(in_columns(invalid), usual, "{invalid}");
    }
    // Less than that has no room for words.
    assert_eq!(in_columns("5"), in_columns("40"));
    let narrow = in_columns("40");
    assert!(longest(&narrow) < longest(&usual), "{narrow}");
}

#[cfg(unix)]
#[test]
fn a_terminal_says_how_wide_it_is() {
    use crate::common::program;
    use crate::common::terminal::on_terminal;

    for (columns, least) in [(60_u16, 45), (150, 100)] {
        let mut command = program("dralloc");
        command.args(ARGUMENTS);
        let (shown, code) = on_terminal(command, columns);
        assert_eq!(code, 1, "{shown}");
        let lines = shown.lines().map(|line| line.trim_end().chars().count());
        let longest = lines.max().unwrap();
        assert!((least..=usize::from(columns)).contains(&longest), "{shown}");
    }
}
