//! `dralloc topo`: how devices are linked.

mod import;

use clap::{Args, Subcommand};

use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Reads how devices are linked.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nvidia-smi topo -m | dralloc topo import --from nvidia-smi -")]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Import(import::Options),
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    match &options.command {
        Command::Import(options) => import::run(options),
    }
}
