//! `dralloc dump`: what an engine knows of the objects in files.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;

use crate::allocate::engine_of;
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::gates::{self, GateSetting, Gates};

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
    /// Files, folders, or `-` for standard input; in YAML or JSON.
    #[arg(short = 'f', long = "filename", value_name = "FILE|DIR|-", required = true, num_args = 1..)]
    filenames: Vec<PathBuf>,
    /// Uses the feature gates of this version, such as `1.35`; without it all
    /// features are on.
    #[arg(long, value_name = "VERSION", value_parser = gates::parse_version)]
    kubernetes_version: Option<u32>,
    /// Switches single features on or off, such as `DRAConsumableCapacity=true`.
    #[arg(long, value_name = "GATE=BOOL", value_delimiter = ',', value_parser = gates::parse_setting)]
    feature_gates: Vec<GateSetting>,
    /// Refuses fields that are not known instead of warning of them.
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let gates = Gates::new(options.kubernetes_version, &options.feature_gates);
    let engine = engine_of(&options.filenames, options.strict, &gates)?;
    let mut output = io::stdout().lock();
    writeln!(output, "{}", engine.dump())?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}
