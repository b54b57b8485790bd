//! [`Block`]: a fenced block of a page.

use std::ops::Range;

/// Is a fenced block of a page.
#[derive(Debug)]
pub(crate) struct Block {
    /// Where it starts, from 1.
    pub(crate) line: usize,
    pub(crate) language: String,
    pub(crate) text: String,
    /// The lines of the text, from 0.
    pub(crate) lines: Range<usize>,
    /// Whether nothing but empty lines is between it and the block before.
    pub(crate) is_next: bool,
    /// The file that it is a part of, as a comment before it says.
    pub(crate) file: Option<String>,
}

/// Returns the blocks of a page in order.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut is_next = false;
    let mut file = None;
    for (number, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some(Block {
                    line: number + 1,
                    language: language.to_owned(),
                    text: String::new(),
                    lines: number + 1..number + 1,
                    is_next: std::mem::take(&mut is_next),
                    file: file.take(),
                });
            }
            (Some(_), Some("")) => {
                blocks.extend(open.take());
                is_next = true;
            }
            (Some(block), _) => {
                block.text.push_str(line);
                block.text.push('\n');
                block.lines.end = number + 1;
            }
            (None, None) => {
                is_next &= line.is_empty();
                let comment = line
                    .strip_prefix("<!-- ")
                    .and_then(|rest| rest.strip_suffix(" -->"));
                file = comment.map(str::to_owned);
            }
        }
    }
    assert!(open.is_none(), "a block does not end: {open:?}");
    blocks
}

/// Returns a page without its blocks and without code in its lines.
pub(crate) fn prose(page: &str) -> String {
    let mut prose = String::new();
    let mut is_block = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_block = !is_block;
        } else if !is_block {
            let parts = line.split('`').step_by(2);
            prose.push_str(&parts.collect::<Vec<_>>().join("code"));
        }
        prose.push('\n');
    }
    prose
}
