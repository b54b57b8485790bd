//! `kubectl dralloc`: the command line as a plugin of `kubectl`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let code: u8 = dralloc_cli::run_plugin(std::env::args_os()).into();
    ExitCode::from(code)
}
