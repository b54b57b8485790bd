//! `dralloc`: allocates devices from the files that `kubectl get -o yaml` prints.
#![forbid(unsafe_code)]

mod allocate;
mod arguments;
mod cel;
mod completions;
mod dump;
mod failure;
mod gates;
mod input;
mod policy;
mod replay;
mod style;
mod yaml_output;

use std::process::ExitCode;

use clap::Parser as _;

use arguments::{Arguments, Command};
use failure::Failure;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Allocate(options) => allocate::run(&options),
        Command::Replay(options) => replay::run(&options),
        Command::Dump(options) => dump::run(&options),
        Command::Cel(options) => cel::run(&options),
        Command::Completions(options) => completions::run(&options),
    };
    result.unwrap_or_else(Failure::report)
}
