//! `dralloc inventory`: what devices there are, and what is left of them.

mod amounts;
mod bar;
mod group;
mod holder;
mod json;
mod names;
mod partitions;
mod racks;
mod survey;
mod table;
mod taints;
mod tally;
mod usage;

use std::io::Write as _;

use clap::{Args, ValueEnum};

use crate::cluster::{self, ClusterOptions, nodes};
use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::style;
use survey::Survey;

/// Lists what devices there are, what is free, and who holds the rest.
///
/// Reads what `kubectl get -o json` prints: slices, nodes, claims, classes and taint rules,
/// and of `dralloc.dev` topologies, overlays and holds. Each device is in one of six
/// columns: FREE can be had; HELD has one claim or hold alone; SHARED is held in parts;
/// TAINTED keeps away claims that do not tolerate it; BLOCKED lacks what others hold, such
/// as a partition of a card that is given away as a whole; UNUSABLE is in a pool with
/// missing or contradicting slices, or needs a feature gate that is off. STRANDED counts cards and shared devices of which
/// something is left that nobody can use. USED is how much is taken: a card that is divided
/// counts once, with what its partitions take of it, and a shared device with what its
/// claims take.
///
/// Exits with 0, or with 2 if the input cannot be used.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc inventory -f cluster.yaml
  dralloc inventory -f cluster.yaml --by product
  dralloc inventory -f cluster.yaml -o wide
  kubectl get resourceslices,deviceclasses,resourceclaims,nodes -A -o json \\
    | dralloc inventory -f - --by rack")]
pub(crate) struct Options {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// What a row of the table is.
    #[arg(long, value_enum, default_value_t = By::Node)]
    by: By,
    /// What to print: a table, in which nodes that are alike are one row if there are
    /// many; one that has each node, and who holds devices; or all of it for programs.
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    output: Format,
}

/// Is what devices are put together by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// The node that the devices are on.
    Node,
    /// The classes that select them; a device can be in several.
    Class,
    /// What they are, by `productName` or `model`.
    Product,
    /// The rack of the node, by topologies or else by labels.
    Rack,
}

/// Is a form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Wide,
    Json,
}

impl By {
    fn as_str(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Class => "class",
            Self::Product => "product",
            Self::Rack => "rack",
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let (mut cluster, gates) = options.cluster.read()?;
    nodes::settle(&mut cluster, None).map_err(Failure::Input)?;
    if cluster.resource_slices.is_empty() {
        style::warn("no ResourceSlice is given: there are no devices");
    }
    cluster::refuse(&cluster, &gates.features)?;
    let engine = cluster::load(&mut cluster, &gates, |claim| {
        claim.status.allocation.is_some()
    })?;
    let snapshot = engine.snapshot();
    let stock = snapshot.stock();
    let survey = Survey::new(&snapshot, &stock, options.by);
    let text = match options.output {
        Format::Json => json::write(&survey)?,
        Format::Table | Format::Wide => {
            table::write(&survey, options.output == Format::Wide, bar::room())
        }
    };
    let mut output = anstream::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}
