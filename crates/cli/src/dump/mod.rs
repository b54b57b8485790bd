//! `dralloc dump`: what an engine knows of the objects in files.

use std::io::{self, Write as _};

use clap::Args;

use crate::cluster::{self, ClusterOptions};
use crate::exit_code::ExitCode;
use crate::failure::Failure;

/// Prints what the engine knows of the objects in files, as one JSON document.
///
/// Reads what `dralloc allocate` reads. Slices, classes, nodes, taint rules, claims
/// with what they hold, and of `dralloc.dev` topologies, attribute overlays, health
/// and holds of devices are in the document, in a fixed order; templates and pods,
/// which are questions, are not. It is what `Engine::load` of the library reads, and
/// good for bug reports.
///
/// Exits with 0, or with 2 if the input cannot be used.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc dump -f cluster.yaml > dump.json
  kubectl get resourceslices,deviceclasses,resourceclaims,nodes -A -o yaml | dralloc dump -f -
Add `devicetaintrules` where your cluster serves them.")]
pub(crate) struct Options {
    #[command(flatten)]
    cluster: ClusterOptions,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let (mut cluster, gates) = options.cluster.read()?;
    let engine = cluster::load(&mut cluster, &gates, |_| true)?;
    let mut output = io::stdout().lock();
    writeln!(output, "{}", engine.dump())?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}
