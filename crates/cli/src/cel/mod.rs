//! `dralloc cel`: selectors by themselves, without a cluster.

mod check;
mod eval;
mod language;

use clap::{Args, Subcommand};

use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Checks and evaluates device selectors.
///
/// A selector is an expression in Kubernetes' CEL that says whether a device
/// will do: `device.driver == "gpu.example.com"`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc cel check 'device.attributes[\"gpu.example.com\"].index > 2'
  dralloc cel eval --device device.json --selectors selectors.jsonl")]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Options),
    Eval(eval::Options),
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    match &options.command {
        Command::Check(options) => check::run(options),
        Command::Eval(options) => eval::run(options),
    }
}
