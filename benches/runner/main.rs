//! Runs the questions of a workload file and prints one JSON object for each.
//!
//! The protocol is that of `benches/peers`: the same workloads, the same modes
//! and the same fields as other allocators print.

mod digest;
mod engine;
mod measure;
mod options;
mod workload;

use std::error::Error;
use std::io::Write;

use options::Options;
use workload::Workload;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::from_arguments(std::env::args().skip(1))?;
    let workload = Workload::read(&options.workload)?;
    let mut out = std::io::stdout().lock();
    for run in &workload.runs {
        if !options.asks_for(&run.name) {
            continue;
        }
        for mode in options.modes_of(&run.kind) {
            let record = measure::measure(&workload, run, &mode, &options);
            writeln!(out, "{record}")?;
            out.flush()?;
        }
    }
    Ok(())
}
