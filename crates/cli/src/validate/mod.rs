//! `dralloc validate`: what is wrong with objects in files, and what will surprise.

mod asked;
mod code;
mod finding;
mod findings;
mod lacking;
mod matches;
mod published;
mod report;
mod warnings;

use clap::{Args, ValueEnum};

use crate::cluster::{ClusterOptions, faults, read};
use crate::exit_code::ExitCode;
use crate::failure::{self, Failure};
use crate::style;
use code::Code;
use finding::Severity;
use findings::Findings;

/// Says what is wrong with objects in files, and what will surprise.
///
/// Reads what `kubectl get -o yaml` or `-o json` prints or what was written by hand,
/// and tells three sorts of things, each with file, line, column and field:
/// faults, which an API server would refuse; warnings, for what is allowed and cannot
/// work as it is, such as a selector that fails on devices; and hints, for what may be
/// meant. Each warning and hint has a code, a page in `docs/warnings`, and can be
/// switched off.
///
/// What objects are to each other can be told only where both are given: with classes
/// and slices beside claims more is found. Of a kind that is not given at all nothing
/// is missed, but a note says what could not be looked at.
///
/// With `--kubernetes-version` or `--feature-gates` fields are told, too, that the API
/// server drops since their feature is off.
///
/// Exits with 0 if there is no fault, with 1 if there is one, and with 2 if something
/// cannot be read; then only single objects are looked at.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc validate -f manifests/
  dralloc validate -f cluster.yaml -f pod.yaml --disable decimal-suffix,old-generation
  kubectl get resourceslices,deviceclasses,resourceclaims,resourceclaimtemplates,nodes,pods \\
    -A -o json | dralloc validate -f - -o json")]
pub(crate) struct Options {
    #[command(flatten)]
    cluster: ClusterOptions,
    /// What to print: lines to read, or JSON.
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    output: Format,
    /// Switches warnings and hints off by their codes, such as `decimal-suffix`.
    #[arg(
        long,
        value_enum,
        value_name = "CODE",
        value_delimiter = ',',
        hide_possible_values = true
    )]
    disable: Vec<Code>,
}

/// Is a form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let (gathered, gates) = options.cluster.gather()?;
    let cluster = &gathered.cluster;
    let mut findings = Findings::new(&options.disable);
    if let Some(error) = &gathered.error {
        findings.unreadable(error);
    }
    findings.conflicts(&gathered.conflicts);
    findings.passed_over(&gathered.warnings, options.cluster.is_strict());
    for fault in faults::faults(cluster, &gates.features) {
        findings.refused(&fault);
    }
    let asked = asked::asked(cluster);
    warnings::by_itself(cluster, &asked, &gates, &mut findings);
    let is_whole = gathered.error.is_none();
    if is_whole {
        warnings::together(cluster, &asked, &gates.features, &mut findings);
    }
    let findings = findings.finish();
    let printed = match options.output {
        Format::Text => report::text(&findings, cluster.len()),
        Format::Json => report::json(&findings, cluster.len()),
    };
    failure::unless_seen_enough(printed)?;
    if let Some(note) = read::passed_over(&gathered.ignored) {
        style::note(&note);
    }
    if !is_whole {
        style::note("not everything can be read, so objects are not compared with each other");
    } else if cluster.is_empty() && gathered.ignored.is_empty() {
        style::warn(read::NO_OBJECT);
    } else {
        for note in lacking::notes(cluster, &asked) {
            style::note(&note);
        }
    }
    let has_fault = findings.iter().any(|one| one.severity == Severity::Fault);
    Ok(match (&gathered.error, has_fault) {
        (Some(_), _) => ExitCode::from(2),
        (None, true) => ExitCode::FAILURE,
        (None, false) => ExitCode::SUCCESS,
    })
}
