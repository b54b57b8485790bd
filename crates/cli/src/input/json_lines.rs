//! Reading JSON lines: one value a line, so that a fault concerns its line only.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::failure::Failure;

/// Returns the lines of a file (`-` is standard input) as they are read.
///
/// # Errors
///
/// If the file cannot be opened, and in place of the line that cannot be read.
pub(crate) fn lines(
    path: &Path,
) -> Result<impl Iterator<Item = Result<Vec<u8>, Failure>>, Failure> {
    let unreadable = move |error: io::Error| {
        Failure::Input(format!("cannot read `{}`: {error}", path.display()))
    };
    let reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).map_err(unreadable)?))
    };
    Ok(reader
        .split(b'\n')
        .map(move |line| line.map_err(unreadable)))
}

/// Decodes a line.
///
/// # Errors
///
/// If it is not JSON of that form; the message names the column.
pub(crate) fn line<T: serde::de::DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    let text = std::str::from_utf8(line)
        .map_err(|error| format!("column {}: expected UTF-8", error.valid_up_to() + 1))?;
    let text = text.trim_start_matches('\u{feff}');
    dralloc::wire::from_json(text)
        .map_err(|fault| format!("column {}: {}", fault.offset + 1, fault.error))
}
