//! Traces: the calls of a host, made again.

use std::io::Write;

use dralloc::model::Json;
use dralloc::{Difference, Replay, Replayed};
use serde::{Deserialize, Serialize};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::input;

/// Is what the first line of a trace says that it is.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TypeMeta {
    kind: String,
}

/// Returns whether a line is the first one of a trace.
pub(super) fn is_first_line(line: &[u8]) -> bool {
    input::line::<TypeMeta>(line).is_ok_and(|found| found.kind == "Trace")
}

/// Counts the lines of a trace whose results are all the recorded ones.
#[derive(Debug, Default, Serialize)]
struct Summary {
    lines: usize,
    /// Calls that were stopped by a deadline or a cancel flag.
    stopped: usize,
}

/// Is a result that is not the recorded one.
#[derive(Debug, Serialize)]
struct DifferenceLine {
    line: usize,
    call: String,
    recorded: Option<Json>,
    replayed: Option<Json>,
}

impl From<Difference> for DifferenceLine {
    fn from(difference: Difference) -> Self {
        Self {
            line: difference.line,
            call: difference.call,
            recorded: Json::new(difference.recorded).ok(),
            replayed: Json::new(difference.replayed).ok(),
        }
    }
}

/// Makes the calls of a trace, up to the first result that is another.
pub(super) fn run(
    lines: impl Iterator<Item = Result<Vec<u8>, Failure>>,
    output: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let mut replay = Replay::new();
    let mut summary = Summary::default();
    for line in lines {
        let line = line?;
        summary.lines += 1;
        let text = std::str::from_utf8(&line);
        let text =
            text.map_err(|_| Failure::Input(format!("line {}: expected UTF-8", summary.lines)))?;
        let text = text.trim_start_matches('\u{feff}');
        let replayed = replay.line(text);
        match replayed.map_err(|error| Failure::Input(error.to_string()))? {
            Replayed::Same => {}
            Replayed::Stopped => summary.stopped += 1,
            Replayed::Different(difference) => {
                write(output, &DifferenceLine::from(difference))?;
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    write(output, &summary)?;
    Ok(ExitCode::SUCCESS)
}

fn write(output: &mut dyn Write, line: &impl Serialize) -> Result<(), Failure> {
    serde_json::to_writer(&mut *output, line).map_err(std::io::Error::from)?;
    output.write_all(b"\n")?;
    output.flush()?;
    Ok(())
}
