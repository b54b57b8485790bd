//! [`Columns`]: rows in columns as wide as needed, as `kubectl` prints them.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use crate::style::{HEADING, harmless};

/// Says where the text of a column is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

/// Holds the rows of a table; columns in which nothing stands are left out.
#[derive(Clone, Debug)]
pub(crate) struct Columns<'t> {
    titles: Vec<(&'t str, Side)>,
    rows: Vec<Vec<String>>,
}

impl<'t> Columns<'t> {
    pub(crate) fn new(titles: &[(&'t str, Side)]) -> Self {
        Self {
            titles: titles.to_vec(),
            rows: Vec::new(),
        }
    }

    /// Adds a row, which has as many texts as there are titles.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        let row = row.into_iter().map(|text| harmless(&text).into_owned());
        self.rows.push(row.collect());
    }

    /// Adds a column, of which the texts are those of the rows in order.
    pub(crate) fn add(&mut self, title: (&'t str, Side), texts: impl IntoIterator<Item = String>) {
        self.titles.push(title);
        for (row, text) in self.rows.iter_mut().zip(texts) {
            row.push(harmless(&text).into_owned());
        }
    }

    /// Returns how many columns of a terminal a line takes at most.
    pub(crate) fn width(&self) -> usize {
        let shown = self.shown();
        let widths: usize = shown.iter().map(|(_, width)| width).sum();
        widths + 2 * shown.len().saturating_sub(1)
    }

    /// Writes the titles and the rows.
    pub(crate) fn write(&self, output: &mut String) {
        let shown = self.shown();
        let _ = write!(output, "{HEADING}");
        self.line(&shown, |column| self.titles[column].0, output);
        let _ = writeln!(output, "{HEADING:#}");
        for row in &self.rows {
            self.line(&shown, |column| &row[column], output);
            output.push('\n');
        }
    }

    /// Writes the text of each column that is shown, without blanks at the end.
    fn line<'r>(
        &self,
        shown: &[(usize, usize)],
        text: impl Fn(usize) -> &'r str,
        output: &mut String,
    ) {
        let start = output.len();
        for (place, (column, width)) in shown.iter().enumerate() {
            if place > 0 {
                output.push_str("  ");
            }
            let text = text(*column);
            // Some characters take two columns, and some none.
            let blanks = " ".repeat(width.saturating_sub(text.width()));
            let (before, after) = match self.titles[*column].1 {
                Side::Left => ("", &*blanks),
                Side::Right => (&*blanks, ""),
            };
            output.extend([before, text, after]);
        }
        output.truncate(start + output[start..].trim_end().len());
    }

    /// Returns the columns in which something stands, each with its width.
    fn shown(&self) -> Vec<(usize, usize)> {
        let widths = self.titles.iter().enumerate().map(|(column, (title, _))| {
            let texts = self.rows.iter().map(|row| row[column].width());
            let width = texts.max().unwrap_or_default();
            (column, width, title.width())
        });
        let shown = widths.filter(|(_, width, _)| *width > 0);
        shown
            .map(|(column, width, title)| (column, width.max(title)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_take_the_room_that_they_have_on_a_terminal() {
        let mut columns = Columns::new(&[("NODE", Side::Left), ("DEVICES", Side::Right)]);
        // Two ideographs are as wide as four letters; an accent of its own takes no room.
        for node in ["node", "節点", "node-e\u{301}"] {
            columns.push(vec![node.to_owned(), "8".to_owned()]);
        }
        columns.push(vec!["n".to_owned(), "八".to_owned()]);
        let mut text = String::new();
        columns.write(&mut text);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "node          8",
                "節点          8",
                "node-e\u{301}        8",
                "n            八",
            ]
        );
        assert!(lines.iter().all(|line| line.width() == columns.width()));
    }
}
