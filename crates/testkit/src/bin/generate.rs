//! Prints generated cases as JSON Lines: `dralloc-generate SMALL|MEDIUM SEED COUNT`.

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;

use dralloc_testkit::generate::{self, Profile};

const USAGE: &str = "usage: dralloc-generate small|medium FIRST-SEED COUNT";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("dralloc-generate: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [profile, first, count] = arguments else {
        return Err(USAGE.to_owned());
    };
    let profile = match profile.as_str() {
        "small" => Profile::Small,
        "medium" => Profile::Medium,
        _ => return Err(USAGE.to_owned()),
    };
    let first: u64 = first.parse().map_err(|_| USAGE)?;
    let count: u64 = count.parse().map_err(|_| USAGE)?;
    let mut output = BufWriter::new(std::io::stdout().lock());
    for seed in first..first.saturating_add(count) {
        writeln!(output, "{}", generate::json(seed, profile)).map_err(|error| error.to_string())?;
    }
    output.flush().map_err(|error| error.to_string())
}
