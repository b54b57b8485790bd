//! Prints a large cluster as `kubectl get … -A -o json` does: `dralloc-cluster NODES CLAIMS`.

use std::io::{BufWriter, Write as _};
use std::process::ExitCode;

use dralloc_testkit::cluster::{self, Size};

const USAGE: &str = "usage: dralloc-cluster NODES CLAIMS";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("dralloc-cluster: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [nodes, claims] = arguments else {
        return Err(USAGE.to_owned());
    };
    let number = |text: &String| text.parse().map_err(|_| USAGE.to_owned());
    let size = Size {
        nodes: number(nodes)?,
        claims: number(claims)?,
    };
    let mut output = BufWriter::new(std::io::stdout().lock());
    let written = cluster::write(size, &mut output).and_then(|()| output.flush());
    written.map_err(|error| error.to_string())
}
