//! JSON lines: one value a line, so that a fault concerns its line only.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use serde::Serialize;

use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Answers each line of a file by a line; empty lines are passed over.
///
/// A line that cannot be read has the answer that `unreadable` makes of the
/// message; the exit code is 2 then.
///
/// # Errors
///
/// If the file cannot be read, or the answers cannot be written.
pub(crate) fn answer<T: Serialize>(
    lines: impl Iterator<Item = Result<Vec<u8>, Failure>>,
    output: &mut dyn Write,
    mut answer: impl FnMut(&[u8]) -> Result<T, String>,
    unreadable: impl Fn(String) -> T,
) -> Result<ExitCode, Failure> {
    let mut code = ExitCode::SUCCESS;
    for (index, line) in lines.enumerate() {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let answer = answer(&line).unwrap_or_else(|message| {
            code = ExitCode::from(2);
            unreadable(format!("line {}: {message}", index + 1))
        });
        serde_json::to_writer(&mut *output, &answer).map_err(io::Error::from)?;
        output.write_all(b"\n")?;
    }
    output.flush()?;
    Ok(code)
}

/// Returns the lines of a file (`-` is standard input) as they are read.
///
/// # Errors
///
/// If the file cannot be read.
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
