//! The command line of [`dralloc`] as a library, for every program that offers it.
//!
//! The binary `dralloc` and the Python package run the same [`run`].
#![forbid(unsafe_code)]

mod allocate;
mod arguments;
mod cel;
mod cluster;
mod completions;
mod dump;
mod exit_code;
mod failure;
mod gates;
mod input;
mod policy;
mod progress;
mod replay;
mod style;
mod topo;
mod validate;
mod yaml_output;

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::Parser as _;

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
    let result = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => match arguments.command {
            Command::Allocate(options) => allocate::run(&options),
            Command::Validate(options) => validate::run(&options),
            Command::Replay(options) => replay::run(&options),
            Command::Dump(options) => dump::run(&options),
            Command::Topo(options) => topo::run(&options),
            Command::Cel(options) => cel::run(&options),
            Command::Completions(options) => completions::run(&options),
        },
        Err(help) => {
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
