//! `dralloc cel eval`: evaluates selectors on devices, one answer a line.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use dralloc::DeviceRow;
use dralloc::model::{Device, Str};
use dralloc_cel::{Program, Scratch, Verdict};
use serde::{Deserialize, Serialize};

use super::language::Language;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::input;

/// Evaluates selectors on devices, one JSON line each.
///
/// A selector is one line of JSON with `expression`, and with `driver` and
/// `device` if it is not for the device of `--device`; other fields are passed
/// over. Every line is answered by one with `outcome` (`match`, `noMatch`,
/// `compileError` or `evaluationError`), the runtime `cost` by Kubernetes'
/// rules where the selector ran, and the `error`. A line that cannot be read is
/// answered by the outcome `unreadable`; empty lines are passed over.
///
/// Exits with 0 if all lines could be read, else with 2.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc cel eval --device device.json --selectors selectors.jsonl
  echo '{\"expression\": \"device.driver == \\\"a.example.com\\\"\"}' | dralloc cel eval --device device.yaml")]
pub(super) struct Options {
    /// File with a `driver` and a `device` in JSON or YAML: `spec.driver` and
    /// one entry of `spec.devices` of a resource slice.
    #[arg(long, value_name = "FILE")]
    device: Option<PathBuf>,
    /// File of selectors; `-` reads standard input.
    #[arg(long, value_name = "FILE.jsonl", default_value = "-")]
    selectors: PathBuf,
    #[command(flatten)]
    language: Language,
}

/// Is a device and who drives it.
#[derive(Debug, Deserialize)]
struct Driven {
    driver: Str,
    device: Device,
}

/// Is one line of the selectors.
#[derive(Debug, Deserialize)]
struct Selector {
    expression: String,
    #[serde(default)]
    driver: Option<Str>,
    #[serde(default)]
    device: Option<Device>,
}

/// Is one line of the answers.
#[derive(Debug, Default, Serialize)]
struct Answer {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

impl Answer {
    fn failed(outcome: &'static str, error: &dyn std::fmt::Display) -> Self {
        Self {
            outcome,
            cost: None,
            error: Some(error.to_string()),
        }
    }
}

pub(super) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let is_stdin = |path: &Path| path == Path::new("-");
    if options.device.as_deref().is_some_and(is_stdin) && is_stdin(&options.selectors) {
        let message = "standard input can be read only once, by `--device` or `--selectors`";
        return Err(Failure::Input(message.to_owned()));
    }
    let driven = match &options.device {
        Some(path) => Some(input::read_value::<Driven>(path)?),
        None => None,
    };
    options.language.remark();
    let language = options.language.options();
    // A line at a time, for programs that ask and wait.
    input::answer(
        input::lines(&options.selectors)?,
        &mut io::stdout().lock(),
        |line| {
            let (expression, driven) = read(line, driven.as_ref())?;
            Ok(evaluate(&expression, &driven, &language))
        },
        |message| Answer::failed("unreadable", &message),
    )
}

/// Reads a line, with the device of the command line where it has none.
fn read(line: &[u8], given: Option<&Driven>) -> Result<(String, Driven), String> {
    let selector: Selector = input::line(line)?;
    let driver = selector.driver.or_else(|| Some(given?.driver.clone()));
    let device = selector.device.or_else(|| Some(given?.device.clone()));
    match (driver, device) {
        (Some(driver), Some(device)) => Ok((selector.expression, Driven { driver, device })),
        _ => Err("expected `driver` and `device` in the line, or `--device`".to_owned()),
    }
}

fn evaluate(expression: &str, driven: &Driven, language: &dralloc_cel::Options) -> Answer {
    let program = match Program::compile(expression, language) {
        Ok(program) => program,
        Err(error) => return Answer::failed("compileError", &error),
    };
    // As in Kubernetes, an attribute without a usable value fails every
    // selector before it starts.
    let row = match DeviceRow::new(&driven.driver, &driven.device) {
        Ok(row) => row,
        Err(error) => return Answer::failed("evaluationError", &error),
    };
    let mut scratch = Scratch::new();
    let (outcome, error) = match program.matches(&row, &mut scratch) {
        Verdict::Match => ("match", None),
        Verdict::NoMatch => ("noMatch", None),
        Verdict::Error(error) => ("evaluationError", Some(error.to_string())),
    };
    Answer {
        outcome,
        cost: Some(scratch.cost()),
        error,
    }
}
