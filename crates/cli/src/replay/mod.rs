//! `dralloc replay`: answers recorded cases, one line each, and makes the calls
//! of traces again.
//!
//! Objects are taken as they are: stored by an API server, so neither defaulted
//! nor validated again.

mod answer;
mod case;
mod trace;

use std::io::{self, BufWriter};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use dralloc::{
    AllocateOptions, Budget, Change, Code, Engine, Error, Policy, PreparedClaims, Snapshot,
    Workspace,
};

use crate::exit_code::ExitCode;
use crate::failure::Failure;
use crate::{input, policy};
use answer::Answer;
use case::Case;

/// Answers recorded cases, one JSON line each, or makes the calls of a trace again.
///
/// A case is one line of JSON with a node, device classes, resource slices,
/// claims and what is in use already; see the conformance cases of the project.
/// Its objects count as stored by an API server: nothing is defaulted or
/// validated. Share ids are printed as `<share-0>`, `<share-1>` and so on.
///
/// A trace is what a `Recorder` of the library wrote: a dump, then one call a
/// line, with its result. The calls are made again, up to the first result that
/// is another; it is printed with the line and both results. If there is none,
/// lines are counted; calls that a deadline or a cancel flag had stopped are not
/// compared. The options below are for cases only.
///
/// Exits with 0 if all lines could be read, with 1 if a result of a trace is
/// another, else with 2.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  dralloc replay cases.jsonl
  dralloc replay --policy pack cases.jsonl
  dralloc replay trace.jsonl
  dralloc replay --repeat 100 cases.jsonl | jq -r '[.name, .outcome, .nanos] | @tsv'
  head -n 1 cases.jsonl | dralloc replay -")]
pub(crate) struct Options {
    /// File of cases, or a trace; `-` reads standard input.
    #[arg(value_name = "FILE.jsonl")]
    cases: PathBuf,
    /// Calls per case, of which the median time is printed.
    #[arg(long, value_name = "N", default_value = "1")]
    repeat: NonZeroU32,
    /// What is wanted of several answers: `kubernetes` for the first one, `pack`,
    /// `spread`, or terms in order, such as `waste,evenness=gpu.example.com/numa`;
    /// without it what claims and classes carry counts.
    #[arg(long, value_name = "NAME|TERMS", value_parser = policy::parse)]
    policy: Option<Policy>,
    /// Ends a search after so many branches, with the outcome `unknown`.
    #[arg(long, value_name = "N")]
    branches: Option<u64>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, Failure> {
    let mut output = BufWriter::new(io::stdout().lock());
    let mut lines = input::lines(&options.cases)?.peekable();
    let is_blank = |line: &Result<Vec<u8>, Failure>| matches!(line, Ok(line) if line.iter().all(u8::is_ascii_whitespace));
    let mut blank = Vec::new();
    while let Some(line) = lines.next_if(is_blank) {
        blank.push(line);
    }
    let is_trace = matches!(lines.peek(), Some(Ok(line)) if trace::is_first_line(line));
    let lines = blank.into_iter().chain(lines);
    if is_trace {
        return trace::run(lines, &mut output);
    }
    let mut workspace = Workspace::new();
    input::answer(
        lines,
        &mut output,
        |line| {
            let case = input::line::<Case>(line)?;
            Ok(answer_case(&case, options, &mut workspace))
        },
        |message| Answer::error(String::new(), &Error::new(Code::Malformed, message)),
    )
}

fn answer_case(case: &Case, options: &Options, workspace: &mut Workspace) -> Answer {
    match load(case) {
        Ok((snapshot, claims)) => allocate(case, &snapshot, &claims, options, workspace),
        Err(error) => Answer::error(case.name.clone(), &error),
    }
}

/// Applies all that a case has, in the order it is written.
fn load(case: &Case) -> Result<(Snapshot, PreparedClaims), Error> {
    let mut engine = Engine::new(case.features);
    engine.apply(Change::Node(case.node.clone()))?;
    for class in &case.device_classes {
        engine.apply(Change::DeviceClass(class.clone()))?;
    }
    for resource_slice in &case.resource_slices {
        engine.apply(Change::ResourceSlice(resource_slice.clone()))?;
    }
    engine.apply(Change::Held(case.allocated.clone()))?;
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&case.claims)?;
    Ok((snapshot, claims))
}

/// Asks `repeat` times and answers with the median time of one call.
fn allocate(
    case: &Case,
    snapshot: &Snapshot,
    claims: &PreparedClaims,
    options: &Options,
    workspace: &mut Workspace,
) -> Answer {
    let budget = options
        .branches
        .map(|branches| Budget::new().branches(branches));
    let mut allocate_options = AllocateOptions::new().budget(budget.unwrap_or_default());
    if let Some(policy) = &options.policy {
        allocate_options = allocate_options.policy(policy);
    }
    let mut nanos = Vec::new();
    let mut last = None;
    for _ in 0..options.repeat.get() {
        let mut transaction = snapshot.transaction();
        let start = Instant::now();
        let outcome = transaction.allocate(
            &case.node.metadata.name,
            claims,
            &allocate_options,
            workspace,
        );
        nanos.push(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
        last = Some(outcome);
    }
    nanos.sort_unstable();
    let median = nanos.get(nanos.len() / 2).copied();
    let answer = match last {
        Some(Ok(outcome)) => Answer::of(case.name.clone(), outcome),
        Some(Err(error)) => Answer::error(case.name.clone(), &error),
        None => Answer::error(
            case.name.clone(),
            &Error::new(Code::Internal, "no call was made"),
        ),
    };
    answer.timed(median)
}
