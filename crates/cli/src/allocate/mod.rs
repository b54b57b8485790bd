//! `dralloc allocate`: gives devices to the pods and claims in files.

mod numbers;
pub(crate) mod placement;
mod reasons;
mod report;
mod tally;
mod together;

use clap::{Args, ValueEnum};
use dralloc::Policy;

use crate::cluster::queue::{self, Waiting};
use crate::cluster::{self, ClusterOptions, nodes};
use crate::exit_code::ExitCode;
use crate::failure::{self, Failure};
use crate::policy::{self, Wanted};
use crate::progress::Progress;
use crate::style;
use placement::{Placement, Verdict};
use report::Placed;

/// Allocates devices to pods and claims, from files.
///
/// Reads what `kubectl get -o yaml` prints or what was written by hand: slices,
/// classes, nodes, taint rules, claims, templates and pods, and of `dralloc.dev`
/// topologies, attribute overlays, health and holds of devices. What is allocated
/// already is held. Then pods that wait, with all their claims, and claims
/// without a pod get devices in the order of their creation, each on the first
/// node, by name, on which everything fits.
///
/// Of the answers on a node the first in canonical order is given, as Kubernetes
/// would, or with a policy the best. Claims and classes can carry one in their
/// configuration; that of `--policy` counts before these.
///
/// What a pod asks for as an extended resource, such as `nvidia.com/gpu: 2`, is devices of
/// the class that has the name, and the pod gets a claim for them; on a node that lists
/// some as allocatable a device plugin serves it.
///
/// Looks at devices only: other resources of nodes, taints of nodes and
/// affinities of pods are not considered.
///
/// Exits with 0 if everything was allocated (with `--satisfiable`, if it would be),
/// with 1 if something was not, and with 2 if the input cannot be used.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc allocate -f cluster.yaml -f pod.yaml
  dralloc allocate -f manifests/ --node node-7 --kubernetes-version 1.35
  dralloc allocate -f cluster.yaml -f pod.yaml --policy pack
  dralloc allocate -f cluster.yaml --topology machines.yaml --policy affinity
  kubectl get resourceslices,deviceclasses,resourceclaims,resourceclaimtemplates,nodes,pods \\
    -A -o yaml | dralloc allocate -f - -o yaml
Add `devicetaintrules` where your cluster serves them.")]
pub(crate) struct Options {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Allocates on this node only.
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// What to print: a table to read, or the claims with their allocations.
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    output: Format,
    /// Says what would fit if nothing were held, and allocates nothing.
    #[arg(long, conflicts_with = "output")]
    satisfiable: bool,
    /// What is wanted of several answers: `kubernetes` for the first one, `pack`,
    /// `spread`, `affinity`, or terms in order, such as `waste,evenness=gpu.example.com/numa`.
    #[arg(long, value_name = "NAME|TERMS", value_parser = policy::parse)]
    policy: Option<Policy>,
    /// The time of the question, such as `2026-01-31T12:00:00Z`: failures of devices
    /// count half after each day. Without it none is forgotten.
    #[arg(long, value_name = "TIME", value_parser = policy::parse_time)]
    now: Option<i64>,
    /// Gives up a node after so many branches of the search.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    branches: u64,
}

/// Is a form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Yaml,
    Json,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let (mut cluster, gates) = options.cluster.read()?;
    let implied = nodes::settle(&mut cluster, options.node.as_deref()).map_err(Failure::Input)?;
    let work = queue::work(&mut cluster, &gates.features);
    let (work, others) = queue::of_files(work, &cluster);
    if let (Some(implied), false) = (implied, work.is_empty()) {
        style::note(&implied);
    }
    if !work.is_empty() {
        cluster::warn_of_missing_kinds(&cluster);
    }
    remark_on_others(Waiting::of(&others));
    cluster::refuse(&cluster, &gates.features)?;
    if options.satisfiable {
        cluster.device_holds.clear();
    }
    let engine = cluster::load(&mut cluster, &gates, |claim| {
        claim.status.allocation.is_some() && !options.satisfiable
    })?;
    let wanted = Wanted {
        policy: options.policy.clone(),
        now: options.now,
    };
    let branches = options.branches;
    let mut placement = Placement::new(
        cluster,
        engine,
        gates.features,
        wanted,
        branches,
        options.satisfiable,
    );
    let mut progress = Progress::new("allocating", work.len());
    let mut placed = Vec::new();
    for mut work in work {
        let verdict = placement.place(&mut work);
        placed.push(Placed { work, verdict });
        progress.advance();
    }
    progress.finish();
    let printed = if options.satisfiable {
        report::print_satisfiable(&placed)
    } else {
        report::print(&placement.cluster, &placed, options.output)
    };
    failure::unless_seen_enough(printed)?;
    let failed = placed
        .iter()
        .any(|placed| matches!(placed.verdict, Verdict::Failed(_)));
    Ok(ExitCode::from(u8::from(failed)))
}

/// Says that what waits beside the files gets nothing.
fn remark_on_others(others: Waiting) {
    let (wait, are) = match others.total() {
        0 => return,
        1 => ("waits", "it is"),
        _ => ("wait", "they are"),
    };
    style::note(&format!(
        "{others} of the cluster {wait} beside the files: {are} not placed"
    ));
}
