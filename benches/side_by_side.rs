//! Selectors A to E here and in Kubernetes' own package, in one run.
//!
//! Kubernetes' side is the Go program in `upstream-cel`; without Go only ours
//! is measured. Its evaluation starts with the conversion of the device, as in
//! the scheduler; ours finds attributes by name in a device that was converted
//! before, which is how an engine holds it.

#![expect(clippy::expect_used, reason = "a benchmark fails like a test")]

use std::error::Error;
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use dralloc_benches::{ATTRIBUTES, CAPACITY, DRIVER, Fact, SELECTORS, gpu};
use dralloc_cel::{Options, Program, Scratch, Verdict};
use serde_json::{Map, Value as Json, json};

/// Rounds of which the median is taken, on both sides.
const ROUNDS: usize = 7;

/// How long one round of ours takes, about.
const ROUND: Duration = Duration::from_millis(50);

/// How long a compilation and an evaluation take.
#[derive(Clone, Copy)]
struct Times {
    compile: u64,
    evaluate: u64,
}

/// Kubernetes' side: reads a selector per line, and answers with a line.
struct Upstream {
    process: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Upstream {
    /// Builds and starts the program; none without Go.
    fn start() -> Result<Option<Self>, Box<dyn Error>> {
        let Some(program) = build()? else {
            return Ok(None);
        };
        let mut process = Command::new(program)
            .args(["bench", "-rounds", &ROUNDS.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let questions = process.stdin.take().ok_or("no standard input")?;
        let answers = process.stdout.take().ok_or("no standard output")?;
        Ok(Some(Self {
            process,
            questions,
            answers: BufReader::new(answers),
        }))
    }

    fn measure(&mut self, name: &str, selector: &str) -> Result<Times, Box<dyn Error>> {
        let question = json!({
            "name": name,
            "expression": selector,
            "driver": DRIVER,
            "device": device(),
        });
        writeln!(self.questions, "{question}")?;
        self.questions.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let answer: Json = serde_json::from_str(&line)?;
        let time = |key: &str| answer[key].as_u64().ok_or(format!("no `{key}` in {line}"));
        Ok(Times {
            compile: time("compileNs")?,
            evaluate: time("evaluateNs")?,
        })
    }

    fn stop(self) -> io::Result<()> {
        let Self {
            mut process,
            questions,
            ..
        } = self;
        drop(questions);
        process.wait().map(drop)
    }
}

/// Builds Kubernetes' side; none without Go.
fn build() -> Result<Option<PathBuf>, Box<dyn Error>> {
    if Command::new("go").arg("version").output().is_err() {
        return Ok(None);
    }
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("upstream-cel");
    let status = Command::new("go")
        .arg("build")
        .arg("-o")
        .arg(&program)
        .arg(".")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("upstream-cel"))
        .status()?;
    if !status.success() {
        return Err("`go build` failed in `benches/upstream-cel`".into());
    }
    Ok(Some(program))
}

/// The device in the form of the API.
fn device() -> Json {
    let attribute = |(name, fact): (&str, Fact)| {
        let value = match fact {
            Fact::Int(value) => json!({ "int": value }),
            Fact::String(text) => json!({ "string": text }),
            Fact::Version(text) => json!({ "version": text }),
        };
        (name.to_owned(), value)
    };
    let capacity = |(name, text): (&str, &str)| (name.to_owned(), json!({ "value": text }));
    json!({
        "attributes": ATTRIBUTES.map(attribute).into_iter().collect::<Map<_, _>>(),
        "capacity": CAPACITY.map(capacity).into_iter().collect::<Map<_, _>>(),
    })
}

/// Returns the time of one call in nanoseconds: the median of the rounds, after
/// one that is not counted.
fn median(mut call: impl FnMut()) -> u64 {
    let mut round = |calls: u32| {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        start.elapsed()
    };
    let mut calls = 1;
    let mut taken = round(calls);
    while taken < ROUND / 4 {
        calls *= 2;
        taken = round(calls);
    }
    let calls = calls * 4;
    let mut times: Vec<u128> = (0..ROUNDS)
        .map(|_| round(calls).as_nanos() / u128::from(calls))
        .collect();
    times.sort_unstable();
    u64::try_from(times[ROUNDS / 2]).unwrap_or(u64::MAX)
}

fn ours(selector: &str) -> Times {
    let options = Options::selector();
    let compile = median(|| {
        let _ = black_box(Program::compile(black_box(selector), &options));
    });
    let program = Program::compile(selector, &options).expect("a program");
    let device = gpu(3).expect("a device");
    let mut scratch = Scratch::new();
    assert_eq!(program.matches(&device, &mut scratch), Verdict::Match);
    let evaluate = median(|| {
        black_box(program.matches(black_box(&device), &mut scratch));
    });
    Times { compile, evaluate }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut upstream = Upstream::start()?;
    let mut out = io::stdout().lock();
    if upstream.is_none() {
        writeln!(out, "Go is not installed, so Kubernetes' side is missing.")?;
    }
    writeln!(
        out,
        "Nanoseconds, median of {ROUNDS} rounds.\n\n\
         | selector | ours compile | upstream compile | ratio | ours evaluate | upstream evaluate | ratio |\n\
         |---|---:|---:|---:|---:|---:|---:|"
    )?;
    for (name, selector) in SELECTORS {
        let theirs = match &mut upstream {
            Some(upstream) => Some(upstream.measure(name, selector)?),
            None => None,
        };
        let ours = ours(selector);
        let compared = |ours: u64, theirs: Option<u64>| match theirs {
            Some(theirs) => format!("{ours} | {theirs} | {}", theirs / ours.max(1)),
            None => format!("{ours} | - | -"),
        };
        writeln!(
            out,
            "| {name} | {} | {} |",
            compared(ours.compile, theirs.map(|times| times.compile)),
            compared(ours.evaluate, theirs.map(|times| times.evaluate)),
        )?;
    }
    match upstream {
        Some(upstream) => Ok(upstream.stop()?),
        None => Ok(()),
    }
}
