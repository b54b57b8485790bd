//! The command line of [`dralloc`] as a library, for every program that offers it.
//!
//! The binary `dralloc` and the Python package run the same [`run`].
#![forbid(unsafe_code)]

mod allocate;
mod arguments;
mod cel;
mod cluster;
mod columns;
mod completions;
mod dump;
mod exit_code;
mod explain;
mod failure;
mod gates;
mod input;
mod inventory;
mod judgement;
mod kubectl;
mod object_name;
mod policy;
mod progress;
mod reasons;
mod replay;
mod style;
mod topo;
mod validate;
mod words;
mod yaml_output;

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::{CommandFactory as _, FromArgMatches as _};

use arguments::{Arguments, Command};
pub use exit_code::ExitCode;
use failure::Failure;

/// Runs the command line, of which the first argument is the name of the program.
///
/// It reads and writes the files and streams of the process, as it was asked to, and
/// returns what the process should end with: see [`ExitCode`].
///
/// # Examples
///
/// ```
/// let code = dralloc_cli::run(["dralloc", "cel", "check", "device.driver == 'gpu.example.com'"]);
/// assert_eq!(u8::from(code), 0);
/// ```
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    execute(Arguments::command(), arguments)
}

/// Runs the command line as a plugin of `kubectl`: like [`run`], but commands about
/// clusters read the cluster by `kubectl get` where no file is given.
///
/// The program is `kubectl` on the `PATH`, or what `$KUBECTL` names.
///
/// # Examples
///
/// ```
/// let code = dralloc_cli::run_plugin(["kubectl-dralloc", "allocate", "--help"]);
/// assert_eq!(u8::from(code), 0);
/// ```
pub fn run_plugin(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    execute(kubectl::plugin(Arguments::command()), arguments)
}

fn execute(
    mut command: clap::Command,
    arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>,
) -> ExitCode {
    let arguments = command
        .try_get_matches_from_mut(arguments)
        .and_then(|mut matches| Arguments::from_arg_matches_mut(&mut matches));
    let result = match arguments {
        Ok(arguments) => match arguments.command {
            Command::Allocate(options) => allocate::run(&options),
            Command::Validate(options) => validate::run(&options),
            Command::Inventory(options) => inventory::run(&options),
            Command::Explain(options) => explain::run(&options),
            Command::Replay(options) => replay::run(&options),
            Command::Dump(options) => dump::run(&options),
            Command::Topo(options) => topo::run(&options),
            Command::Cel(options) => cel::run(&options),
            Command::Completions(options) => completions::run(&options),
        },
        Err(help) => {
            let help = help.format(&mut command);
            // Where it cannot be printed there is nobody to tell.
            let _ = help.print();
            let code = u8::try_from(help.exit_code()).unwrap_or(2);
            Ok(ExitCode::from(code))
        }
    };
    let code = result.unwrap_or_else(Failure::report);
    // Not every process does it at its end.
    let _ = io::stdout().flush();
    code
}
