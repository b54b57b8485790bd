//! Runs the questions of a workload file and prints one JSON object for each.
//!
//! The protocol is that of `benches/peers`: the same workloads, the same modes
//! and the same fields as other allocators print.

mod cores;
mod digest;
mod engine;
mod meter;
mod options;
mod question;
mod record;
mod sequence;
mod workload;

use std::error::Error;
use std::io::Write;

use options::Options;
use record::Record;
use workload::{Run, Workload};

#[global_allocator]
static COUNTER: dralloc_testkit::heap::Counter = dralloc_testkit::heap::Counter;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::from_arguments(std::env::args().skip(1))?;
    let workload = Workload::read(&options.workload)?;
    let mut out = std::io::stdout().lock();
    for run in &workload.runs {
        if !options.asks_for(&run.name) {
            continue;
        }
        for mode in options.modes_of(&run.kind) {
            let record = measure(&workload, run, &mode, &options);
            writeln!(out, "{}", record.into_json())?;
            out.flush()?;
        }
    }
    Ok(())
}

/// Measures a run in a mode; what goes wrong is told in the record.
fn measure(workload: &Workload, run: &Run, mode: &str, options: &Options) -> Record {
    let mut record = Record::new(workload, run, mode, options);
    let measured = match (&*run.kind, mode) {
        ("sequence", "perpod" | "rebuild") => {
            sequence::measure(workload, run, options, &mut record)
        }
        ("node" | "place" | "score", "held" | "perpod" | "rebuild" | "coldcel")
        | ("score", "par") => question::measure(workload, run, options, &mut record),
        _ => {
            record.put("outcome", format!("unsupported: {mode}"));
            Ok(())
        }
    };
    if let Err(error) = measured {
        record.put("outcome", format!("error: {error}"));
    }
    record
}
