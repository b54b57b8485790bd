//! [`Cell`]: what the matrix says of two devices.

use dralloc_topology::{Code, Level};

use crate::error::Error;
use crate::text::{Position, Word, quoted};

/// Is a cell of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The level; none where the tool does not know it.
    pub(super) level: Option<Level>,
    pub(super) position: Position,
}

/// The most links that a document may bond.
const MOST_LINKS: u32 = 1_000_000;

/// Reads the cells of a word: one, or several where the blank between them is lost, as
/// in text copied from a narrow window (`NODENODE`).
pub(super) fn cells(word: &Word<'_>, cells: &mut Vec<Cell>) -> Result<(), Error> {
    let mut rest = word.text;
    while !rest.is_empty() {
        let Some((level, left)) = first(rest) else {
            return Err(unknown(word));
        };
        let mut position = word.position;
        position.column += word.text.chars().count() - rest.chars().count();
        if let Some(Level::NvLink(count)) = level
            && !(1..=MOST_LINKS).contains(&count)
        {
            let message = format!("expected 1 to {MOST_LINKS} links, found {}", quoted(rest));
            return Err(Error::new(Code::Invalid, position, message));
        }
        cells.push(Cell { level, position });
        rest = left;
    }
    Ok(())
}

/// Returns the level that a text begins with, and what follows.
fn first(text: &str) -> Option<(Option<Level>, &str)> {
    for (name, level) in [
        ("X", Some(Level::Same)),
        ("PIX", Some(Level::Pix)),
        // On one board, so over one switch at most.
        ("PSB", Some(Level::Pix)),
        ("PXB", Some(Level::Pxb)),
        ("PHB", Some(Level::Phb)),
        ("NODE", Some(Level::Node)),
        ("SYS", Some(Level::Sys)),
        // Drivers before 2017.
        ("SOC", Some(Level::Sys)),
        ("N/A", None),
    ] {
        if let Some(rest) = text.strip_prefix(name) {
            return Some((level, rest));
        }
    }
    let rest = text.strip_prefix("NV")?;
    let end = rest.trim_start_matches(|next: char| next.is_ascii_digit());
    let digits = rest.get(..rest.len() - end.len())?;
    // A number too large to be read is too large.
    let count = digits.parse().unwrap_or(u32::MAX);
    (!digits.is_empty()).then_some((Some(Level::NvLink(count)), end))
}

fn unknown(word: &Word<'_>) -> Error {
    // What `nvidia-smi topo -p2p` prints of pairs.
    if ["OK", "NS", "CNS", "GNS", "TNS", "DR", "U"].contains(&word.text) {
        let message = "this is the matrix of `nvidia-smi topo -p2p`, which has no levels, \
                       expected that of `nvidia-smi topo -m`";
        return Error::new(Code::Unsupported, word.position, message);
    }
    let found = quoted(word.text);
    let message = format!("expected a level such as `PIX` or `NV4`, found {found}");
    Error::malformed(word.position, message)
}
