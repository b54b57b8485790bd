//! `dralloc topo`: how devices are linked, and which of them work best together.

mod chosen;
mod drawing;
mod import;
mod islands;
mod machine;
mod measures;
mod places;
mod select;
mod show;
mod words;

use clap::{Args, Subcommand};

use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Shows how devices are linked, and selects those that work best together.
///
/// What is linked how is said by a document of kind `Topology` (`dralloc.dev/v1alpha1`).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc topo show -f machine.yaml
  dralloc topo select -f machine.yaml --count 4 --svg four.svg
  nvidia-smi topo -m | dralloc topo import --from nvidia-smi -")]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Show(show::Options),
    Select(select::Options),
    Import(import::Options),
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    match &options.command {
        Command::Show(options) => show::run(options),
        Command::Select(options) => select::run(options),
        Command::Import(options) => import::run(options),
    }
}
