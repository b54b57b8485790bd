//! `dralloc explain`: why pods and claims wait, or why they have what they have.

mod asks;
mod found;
mod given;
mod groups;
mod parts;
mod patience;
mod selection;
mod suggestion;
mod survey;
mod taints;
mod text;
mod together;
mod whole;

use std::io::{self, Write as _};

use clap::{Args, ValueEnum};
use dralloc::Policy;

use crate::allocate::placement::Placement;
use crate::cluster::{self, ClusterOptions, nodes, queue};
use crate::exit_code::ExitCode;
use crate::failure::{self, Failure};
use crate::policy::{self, Wanted};
use crate::progress::Progress;
use crate::style;
use found::Report;
use together::Together;
use whole::Explainer;

/// Branches of the search on a node after which it counts as not known whether things fit
/// together.
const BRANCHES: u64 = 1_000_000;

/// Says why pods and claims wait for devices, and what would change that
///
/// Reads what `dralloc allocate` reads, and changes nothing. Each pod that waits, with
/// all of its claims, and each claim without a pod is asked about by itself, as things
/// are now: on which nodes it fits, and why not on the others. Nodes with one reason are
/// one line. Below that is what would make it fit: a release, a lower count, a toleration,
/// and so on; each was tried, and is enough alone. If several things fit, it says whether
/// they do together, given out in the order in which they wait.
///
/// Of a claim that has devices it says why these: whether they are the first in canonical
/// order, the best by a policy, or not what would be given today.
///
/// The words for a node, the most hopeful first:
///   fits       the devices are there; something else keeps the pod waiting
///   not now    it fits once others give back what they hold
///   not known  the search ended early
///   bad input  something cannot be evaluated, such as a selector
///   never      it would not fit even if nothing were held
///   not asked  the pod may not use the node, or it is cordoned
///
/// What has a device that no driver publishes any more is told as `device gone`: whoever
/// uses the claim cannot start.
///
/// Looks at devices only: other resources of nodes, taints of nodes and affinities of
/// pods are not considered.
///
/// Exits with 0 if all that it was asked about fits, also together, or has its devices, with
/// 1 if something does not, and with 2 if the input cannot be used.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Examples:
  dralloc explain -f cluster.yaml
  dralloc explain -f cluster.yaml --claim team-a/training
  dralloc explain -f cluster.yaml --pod team-a/trainer-0 --node worker-7
  kubectl get resourceslices,deviceclasses,resourceclaims,resourceclaimtemplates,nodes,pods \\
    -A -o json | dralloc explain -f -
Add `devicetaintrules` where your cluster serves them. docs/commands/explain.md reads an answer
line by line."
)]
pub(crate) struct Options {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Explains this claim. Where no namespace is named it is that of `-n` or of the context
    /// in the plugin, and else `default`.
    #[arg(long, value_name = "NAMESPACE/NAME", conflicts_with = "pod")]
    claim: Option<String>,
    /// Explains this pod with its claims; the namespace is as for `--claim`.
    #[arg(long, value_name = "NAMESPACE/NAME")]
    pod: Option<String>,
    /// Looks at this node only.
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// What to print: text to read, or the same facts as JSON.
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    output: Format,
    /// By what answers for claims that have devices are compared, in the place of the
    /// policies that claims and classes carry.
    #[arg(long, value_name = "NAME|TERMS", value_parser = policy::parse)]
    policy: Option<Policy>,
    /// The time of the question, such as `2026-01-31T12:00:00Z`, for policies that look at
    /// failures of devices.
    #[arg(long, value_name = "TIME", value_parser = policy::parse_time)]
    now: Option<i64>,
    /// Gives up a question after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,
}

/// Is a form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let (mut cluster, gates) = options.cluster.read()?;
    let implied = nodes::settle(&mut cluster, options.node.as_deref()).map_err(Failure::Input)?;
    let pending = queue::work(&mut cluster, &gates.features);
    let chosen = selection::choose(
        &cluster,
        pending,
        options.claim.as_deref(),
        options.pod.as_deref(),
    )
    .map_err(Failure::Input)?;
    if let (Some(implied), false) = (implied, chosen.subjects.is_empty()) {
        style::note(&implied);
    }
    if !chosen.subjects.is_empty() && chosen.waiting.total() > 0 {
        cluster::warn_of_missing_kinds(&cluster);
    }
    cluster::refuse(&cluster, &gates.features)?;
    let homes = given::homes(&cluster);
    let engine = cluster::load(&mut cluster, &gates, |claim| {
        claim.status.allocation.is_some()
    })?;
    let wanted = Wanted {
        policy: options.policy.clone(),
        now: options.now,
    };
    let (snapshot, patience) = (engine.snapshot(), options.patience);
    let mut explainer = Explainer::new(
        &cluster,
        snapshot,
        gates.features,
        homes,
        wanted.clone(),
        patience,
    );
    let mut progress = Progress::new("explaining", chosen.subjects.len());
    for subject in &chosen.subjects {
        explainer.explain(subject);
        progress.advance();
    }
    progress.finish();
    let mut subjects = explainer.into_found();
    let together = if chosen.is_all {
        let features = gates.features;
        let mut placement = Placement::new(cluster, engine, features, wanted, BRANCHES, false);
        Together::of(&mut placement, chosen.subjects, &mut subjects)
    } else {
        None
    };
    let report = Report {
        subjects,
        together,
        waiting: chosen.waiting,
        allocated: chosen.allocated,
    };
    let printed = match options.output {
        Format::Text => text::print(&report, chosen.is_all),
        Format::Json => print_json(&report),
    };
    failure::unless_seen_enough(printed)?;
    let fit_together = report.together.as_ref().is_none_or(Together::is_all);
    let is_good = fit_together && report.subjects.iter().all(|one| one.verdict.is_good());
    Ok(ExitCode::from(u8::from(!is_good)))
}

fn print_json(report: &Report) -> io::Result<()> {
    let mut output = io::stdout().lock();
    serde_json::to_writer_pretty(&mut output, report)?;
    writeln!(output)?;
    output.flush()
}
