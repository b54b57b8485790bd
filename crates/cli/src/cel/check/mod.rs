//! `dralloc cel check`: tells a person what Kubernetes makes of a selector.

mod finding;
mod text;

use std::io::{self, Read as _, Write as _};

use clap::{Args, ValueEnum};

use super::language::Language;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::gates::{self, GateSetting, Gates};
use finding::Finding;

/// Checks a selector as an API server does, and shows where it goes wrong.
///
/// For a valid selector it tells what it reads, what it costs at most, and
/// which reads fail on devices that lack the attribute.
///
/// Exits with 0 if Kubernetes accepts the selector, else with 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc cel check 'device.attributes[\"gpu.example.com\"].index > 2'
  dralloc cel check 'device.capacity[\"gpu.example.com\"].memory >= quantity(\"40Gi\")'
  dralloc cel check --kubernetes-version 1.35 - < selector.cel")]
pub(super) struct Options {
    /// The selector; `-` reads standard input.
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    expression: String,
    /// Form of the answer.
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    output: Format,
    /// Switches single features on or off, such as `DRAListTypeAttributes=true`;
    /// without a version all are on.
    #[arg(long, value_name = "GATE=BOOL", value_delimiter = ',', value_parser = gates::parse_setting)]
    feature_gates: Vec<GateSetting>,
    #[command(flatten)]
    language: Language,
}

/// Is a form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(super) fn run(options: &Options) -> Result<ExitCode, Failure> {
    options.language.remark();
    let expression = expression(&options.expression)?;
    let gates = Gates::new(options.language.version(), &options.feature_gates);
    let finding = Finding::of(&expression, &options.language, &gates.features);
    match options.output {
        Format::Text => {
            let mut output = anstream::stdout().lock();
            writeln!(output, "{}", text::report(&expression, &finding))?;
        }
        Format::Json => {
            let mut output = io::stdout().lock();
            serde_json::to_writer_pretty(&mut output, &finding).map_err(io::Error::from)?;
            writeln!(output)?;
        }
    }
    Ok(ExitCode::from(u8::from(!finding.valid)))
}

fn expression(given: &str) -> Result<String, Failure> {
    if given != "-" {
        return Ok(given.to_owned());
    }
    let mut text = String::new();
    io::stdin()
        .lock()
        .read_to_string(&mut text)
        .map_err(|error| Failure::Input(format!("cannot read standard input: {error}")))?;
    // The line feed that ends a file is none of the selector.
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}
