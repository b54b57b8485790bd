//! Compares dralloc with Kubernetes' own allocator on generated cases.
//!
//! Cases go through both in blocks. Where the answers differ, brute force over
//! the API's rules is asked: if it agrees with dralloc and a known fault of
//! Kubernetes' allocator can be at work, the case is counted under that fault;
//! anything else is printed with its case, and the exit code is 1. The same
//! arguments give the same output, up to what exceeds its time.

mod arguments;
mod engine;
mod judge;
mod kind;
mod opinion;
mod summary;

use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dralloc_testkit::case::{Answer, Case, OutcomeKind};
use dralloc_testkit::generate;
use indicatif::{ProgressBar, ProgressStyle};

use arguments::{Arguments, USAGE};
use engine::Upstream;
use judge::{Verdict, judge};
use kind::Kind;
use opinion::Opinion;
use summary::Summary;

/// Unexplained differences after which the run ends.
const ENOUGH: u64 = 20;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words.iter().any(|word| word == "--help" || word == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match Arguments::parse(words).and_then(|arguments| run(&arguments)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("dralloc-differential: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs all blocks; returns the number of unexplained differences.
fn run(arguments: &Arguments) -> Result<u64, String> {
    let file = CaseFile::new()?;
    let mut summary = Summary::default();
    // Hidden by itself where standard error is no terminal.
    let bar = ProgressBar::new(arguments.cases);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {eta} left") {
        bar.set_style(style);
    }
    let last = arguments.seed.saturating_add(arguments.cases);
    let mut first = arguments.seed;
    while first < last {
        let end = first.saturating_add(arguments.block).min(last);
        block(arguments, first..end, &file.0, &mut summary, &bar)?;
        bar.set_position(end - arguments.seed);
        bar.set_message(format!("{} unexplained", summary.unexplained));
        first = end;
        if summary.unexplained >= ENOUGH && !arguments.keep_going {
            break;
        }
    }
    bar.finish_and_clear();
    println!("{summary}");
    Ok(summary.unexplained)
}

/// The file that the engines read a block from; removed at the end.
struct CaseFile(PathBuf);

impl CaseFile {
    fn new() -> Result<Self, String> {
        let name = format!("dralloc-differential-{}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        File::create(&path).map_err(|error| format!("`{}`: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for CaseFile {
    fn drop(&mut self) {
        // Nothing can be done about a file that stays.
        let _ = fs::remove_file(&self.0);
    }
}

/// Generates the cases of some seeds, has them answered, and judges.
fn block(
    arguments: &Arguments,
    seeds: std::ops::Range<u64>,
    path: &Path,
    summary: &mut Summary,
    bar: &ProgressBar,
) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("`{}`: {error}", path.display());
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    for seed in seeds.clone() {
        writeln!(file, "{}", generate::json(seed, arguments.profile)).map_err(failed)?;
    }
    file.into_inner()
        .map_err(|error| failed(error.into_error()))?;
    let upstream = arguments
        .upstream
        .as_deref()
        .map(|program| engine::start_upstream(program, arguments.timeout, path))
        .transpose()?;
    let dralloc = arguments
        .dralloc
        .as_deref()
        .map(|program| engine::start_dralloc(program, path))
        .transpose()?;
    // Both write while they run: neither may wait until the other is read.
    let (upstream, dralloc) = std::thread::scope(|scope| {
        let upstream = scope.spawn(|| upstream.map(engine::upstream_answers).transpose());
        let dralloc = dralloc.map(engine::dralloc_answers).transpose();
        let upstream = upstream
            .join()
            .unwrap_or_else(|_| Err("a thread failed".into()));
        (upstream, dralloc)
    });
    let (mut upstream, mut dralloc) = (upstream?, dralloc?);
    for seed in seeds {
        let case = generate::case(seed, arguments.profile);
        let missing = |who: &str| format!("{who} did not answer `{}`", case.name);
        let answer = match &mut dralloc {
            Some(answers) => answers
                .remove(&case.name)
                .ok_or_else(|| missing("dralloc"))?,
            None => Opinion::new(&case).into_answer(),
        };
        let reference = match &mut upstream {
            Some(answers) => answers
                .remove(&case.name)
                .ok_or_else(|| missing("Kubernetes' allocator"))?,
            None => Upstream::Timeout,
        };
        if arguments.dralloc.is_none() && answer.outcome == OutcomeKind::Unknown {
            summary.skipped += 1;
            continue;
        }
        summary.count(case.group(), answer.outcome);
        match judge(&case, &answer, &reference) {
            Verdict::Equal => summary.equal += 1,
            Verdict::Known(Kind::Timeout) if upstream.is_none() => summary.equal += 1,
            Verdict::Known(kind) => *summary.known.entry(kind).or_default() += 1,
            Verdict::Unexplained(reasons) => {
                summary.unexplained += 1;
                bar.suspend(|| report(&case, seed, arguments, &answer, &reference, &reasons));
            }
        }
    }
    Ok(())
}

/// Prints a difference with all that is needed to see it again.
fn report(
    case: &Case,
    seed: u64,
    arguments: &Arguments,
    answer: &Answer,
    upstream: &Upstream,
    reasons: &[String],
) {
    println!("{} (seed {seed}, {:?})", case.name, arguments.profile);
    for reason in reasons {
        println!("  {reason}");
    }
    if let Ok(answer) = serde_json::to_string(answer) {
        println!("  dralloc: {answer}");
    }
    if let Upstream::Answer(observed) = upstream
        && let Ok(observed) = serde_json::to_string(observed)
    {
        println!("  Kubernetes: {observed}");
    }
    println!("  case: {}", generate::json(seed, arguments.profile));
}
