//! Prints cards as partitionable devices: `dralloc-partitions MODEL CARDS`.

use std::io::Write as _;
use std::process::ExitCode;

use dralloc_testkit::partitions::{self, Model};

const USAGE: &str = "usage: dralloc-partitions a100-40gb|h100-80gb|h200-141gb|b200-180gb CARDS";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("dralloc-partitions: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [model, cards] = arguments else {
        return Err(USAGE.to_owned());
    };
    let model = Model::EVERY
        .into_iter()
        .find(|known| known.as_str() == model)
        .ok_or(USAGE)?;
    let cards = cards.parse().map_err(|_| USAGE)?;
    let text = partitions::text(model, cards);
    let mut output = std::io::stdout().lock();
    output
        .write_all(text.as_bytes())
        .map_err(|error| error.to_string())
}
