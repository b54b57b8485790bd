//! `dralloc`: allocates devices from the files that `kubectl get -o yaml` prints.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let code: u8 = dralloc_cli::run(std::env::args_os()).into();
    ExitCode::from(code)
}
