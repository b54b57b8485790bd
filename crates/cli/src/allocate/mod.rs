//! `dralloc allocate`: gives devices to the pods and claims in files.

mod cluster;
mod generated_name;
mod judgement;
mod nodes;
mod placement;
mod pods;
mod progress;
mod question;
mod queue;
mod reasons;
mod report;
mod tally;
mod together;

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dralloc::model::{ObjectMeta, ResourceClaim};
use dralloc::{Change, Engine, Error, Features, Policy, validate};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::gates::{self, GateSetting, Gates};
use crate::{input, policy, style};
use cluster::{Cluster, Given};
use placement::{Placement, Verdict, Wanted};
use progress::Progress;
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
    /// Files, folders, or `-` for standard input; in YAML or JSON.
    #[arg(short = 'f', long = "filename", value_name = "FILE|DIR|-", required = true, num_args = 1..)]
    filenames: Vec<PathBuf>,
    /// Files that say how devices are linked (`Topology`), read as if they were given
    /// with `-f`.
    #[arg(long, value_name = "FILE")]
    topology: Vec<PathBuf>,
    /// Allocates on this node only.
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// What to print: a table to read, or the claims with their allocations.
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    output: Format,
    /// Uses the feature gates of this version, such as `1.35`; without it all
    /// features are on.
    #[arg(long, value_name = "VERSION", value_parser = gates::parse_version)]
    kubernetes_version: Option<u32>,
    /// Switches single features on or off, such as `DRAConsumableCapacity=true`.
    #[arg(long, value_name = "GATE=BOOL", value_delimiter = ',', value_parser = gates::parse_setting)]
    feature_gates: Vec<GateSetting>,
    /// Lets selectors compare quantities and versions by `<`, `<=`, `>` and `>=`,
    /// which Kubernetes does not.
    #[arg(long)]
    relaxed_selectors: bool,
    /// Refuses fields that are not known instead of warning of them.
    #[arg(long)]
    strict: bool,
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
    let mut gates = Gates::new(options.kubernetes_version, &options.feature_gates);
    gates.features.relaxed_selectors = options.relaxed_selectors;
    if let Some(minor) = options.kubernetes_version
        && minor > gates::NEWEST_MINOR
    {
        let newest = gates::NEWEST_MINOR;
        style::note(&format!(
            "1.{minor} is not known here, its gates are taken from 1.{newest}"
        ));
    }
    let files = [&*options.filenames, &*options.topology].concat();
    let mut cluster = read(&files, options.strict)?;
    if !options.topology.is_empty() && cluster.topologies.is_empty() {
        let message = "--topology: no topology in the files, expected kind `Topology`";
        return Err(Failure::Input(message.to_owned()));
    }
    let implied = nodes::settle(&mut cluster, options.node.as_deref()).map_err(Failure::Input)?;
    let work = queue::work(&mut cluster, &gates.features);
    if let (Some(implied), false) = (implied, work.is_empty()) {
        style::note(&implied);
    }
    remark(&cluster, !work.is_empty());
    validate(&cluster, &gates.features)?;
    if options.satisfiable {
        cluster.device_holds.clear();
    }
    let engine = load(&mut cluster, &gates, |claim| {
        claim.status.allocation.is_some() && !options.satisfiable
    })?;
    let wanted = Wanted {
        policy: options.policy.clone(),
        now: options.now,
        branches: options.branches,
    };
    let mut placement = Placement::new(cluster, engine, gates.features, wanted);
    placement.nothing_held = options.satisfiable;
    let mut progress = Progress::new(work.len());
    let mut placed = Vec::new();
    for work in work {
        let verdict = placement.place(&work);
        placed.push(Placed { work, verdict });
        progress.advance();
    }
    progress.finish();
    let printed = if options.satisfiable {
        report::print_satisfiable(&placed)
    } else {
        report::print(&placement.cluster, &placed, options.output)
    };
    match printed {
        // A reader that has seen enough changes nothing about the answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        result => result?,
    }
    let failed = placed
        .iter()
        .any(|placed| matches!(placed.verdict, Verdict::Failed(_)));
    Ok(ExitCode::from(u8::from(failed)))
}

/// Most warnings of a kind that are printed.
const WARNINGS_MAX: usize = 20;

/// Reads all files; faults are told together.
fn read(filenames: &[PathBuf], is_strict: bool) -> Result<Cluster, Failure> {
    let mut cluster = Cluster::default();
    let mut faults = Vec::new();
    let mut warnings = 0;
    let summary = input::read(filenames, is_strict, &mut |item| {
        for (origin, warning) in &item.warnings {
            warnings += 1;
            if warnings <= WARNINGS_MAX {
                style::warn(&format!("{origin}: {warning}"));
            }
        }
        if let Err(fault) = cluster.add(item) {
            faults.push(fault);
        }
        Ok(())
    })?;
    if warnings > WARNINGS_MAX {
        style::warn(&format!("{} more of this kind", warnings - WARNINGS_MAX));
    }
    if !summary.ignored.is_empty() {
        let kinds = summary.ignored.iter().map(|((api_version, kind), count)| {
            format!("{count} of kind `{kind}` ({api_version})")
        });
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        style::note(&format!(
            "objects that do not matter here are passed over: {kinds}"
        ));
    }
    if cluster.is_empty() && faults.is_empty() && summary.ignored.is_empty() {
        style::warn("the input holds no object");
    }
    if faults.is_empty() {
        Ok(cluster)
    } else {
        Err(Failure::Input(faults.join("\n")))
    }
}

/// Says what a user may have forgotten, or may wrongly expect.
fn remark(cluster: &Cluster, has_work: bool) {
    if has_work && cluster.resource_slices.is_empty() {
        style::warn("no ResourceSlice is given: there are no devices");
    }
    if has_work && cluster.device_classes.is_empty() {
        style::warn("no DeviceClass is given: requests have nothing to refer to");
    }
    for (name, given) in &cluster.pods {
        let names = pods::extended_resources(&given.object);
        if pods::is_pending(&given.object) && !names.is_empty() {
            let names = names.join("`, `");
            style::warn(&format!(
                "pod {name} asks for `{names}`: extended resources are not handled yet"
            ));
        }
    }
}

/// Checks what was written by hand as an API server would.
///
/// Objects with a uid come from a server, which let them through.
fn validate(cluster: &Cluster, features: &Features) -> Result<(), Failure> {
    let mut faults = Vec::new();
    let mut check =
        |kind: &str, name: &cluster::ObjectName, metadata: &ObjectMeta, found: Vec<Error>| {
            if metadata.uid.is_none() {
                faults.extend(
                    found
                        .iter()
                        .map(|fault| format!("{kind} `{name}`: {fault}")),
                );
            }
        };
    for (name, Given { object, .. }) in &cluster.device_classes {
        let found = validate::device_class(object, features);
        check("DeviceClass", name, &object.metadata, found);
    }
    for (name, Given { object, .. }) in &cluster.resource_slices {
        let found = validate::resource_slice(object, features);
        check("ResourceSlice", name, &object.metadata, found);
    }
    for (name, Given { object, .. }) in &cluster.device_taint_rules {
        let found = validate::device_taint_rule(object, features);
        check("DeviceTaintRule", name, &object.metadata, found);
        if object.spec.device_selector.is_none() {
            style::warn(&format!(
                "DeviceTaintRule `{name}` has no `deviceSelector`: it taints no device"
            ));
        }
    }
    for (name, Given { object, .. }) in &cluster.topologies {
        let found = validate::topology(object);
        check("Topology", name, &object.metadata, found);
        let vertices = object.spec.vertices.iter();
        let mut bound =
            vertices.filter(|vertex| vertex.matches.is_some() || vertex.device.is_some());
        if bound.next().is_none() {
            style::warn(&format!(
                "Topology `{name}` finds no device: none of its vertices has `match` or `device`"
            ));
        }
    }
    for (name, Given { object, .. }) in &cluster.attribute_overlays {
        let found = validate::attribute_overlay(object, features);
        check("AttributeOverlay", name, &object.metadata, found);
    }
    for (name, Given { object, .. }) in &cluster.device_healths {
        let found = validate::device_health(object);
        check("DeviceHealth", name, &object.metadata, found);
    }
    for (name, Given { object, .. }) in &cluster.device_holds {
        let found = validate::device_hold(object, features);
        check("DeviceHold", name, &object.metadata, found);
    }
    if faults.is_empty() {
        return Ok(());
    }
    let more = faults.len().saturating_sub(WARNINGS_MAX);
    faults.truncate(WARNINGS_MAX);
    if more > 0 {
        faults.push(format!("{more} more faults"));
    }
    Err(Failure::Input(faults.join("\n")))
}

/// Returns an engine that knows the objects of files.
///
/// # Errors
///
/// If the files cannot be read, or the engine refuses an object.
pub(crate) fn engine_of(
    filenames: &[PathBuf],
    is_strict: bool,
    gates: &Gates,
) -> Result<Engine, Failure> {
    load(&mut read(filenames, is_strict)?, gates, |_| true)
}

/// Moves what nodes offer, and what is held of it, into an engine.
fn load(
    cluster: &mut Cluster,
    gates: &Gates,
    is_wanted: impl Fn(&ResourceClaim) -> bool,
) -> Result<Engine, Failure> {
    let mut engine = Engine::new(gates.features);
    let mut apply = |kind: &str, name: &cluster::ObjectName, change| match engine.apply(change) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Input(format!("{kind} `{name}`: {error}"))),
    };
    for (name, given) in &cluster.nodes {
        apply("Node", name, Change::Node(given.object.clone()))?;
    }
    // Overlays come before the slices that they are laid over: each is made once.
    for (name, given) in std::mem::take(&mut cluster.attribute_overlays) {
        let change = Change::AttributeOverlay(given.object);
        apply("AttributeOverlay", &name, change)?;
    }
    for (name, given) in std::mem::take(&mut cluster.device_classes) {
        apply("DeviceClass", &name, Change::DeviceClass(given.object))?;
    }
    for (name, given) in std::mem::take(&mut cluster.resource_slices) {
        apply("ResourceSlice", &name, Change::ResourceSlice(given.object))?;
    }
    for (name, given) in std::mem::take(&mut cluster.device_taint_rules) {
        if gates.taint_rules {
            apply(
                "DeviceTaintRule",
                &name,
                Change::DeviceTaintRule(given.object),
            )?;
        }
    }
    for (name, given) in std::mem::take(&mut cluster.topologies) {
        apply("Topology", &name, Change::Topology(given.object))?;
    }
    for (name, given) in std::mem::take(&mut cluster.device_healths) {
        apply("DeviceHealth", &name, Change::DeviceHealth(given.object))?;
    }
    for (name, given) in std::mem::take(&mut cluster.device_holds) {
        apply("DeviceHold", &name, Change::DeviceHold(given.object))?;
    }
    for (name, given) in &cluster.claims {
        if is_wanted(&given.object) {
            apply(
                "ResourceClaim",
                name,
                Change::ResourceClaim(given.object.clone()),
            )?;
        }
    }
    Ok(engine)
}
