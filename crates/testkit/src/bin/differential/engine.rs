//! The engines: other programs, run on a file of cases.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use dralloc::model::AllocationResult;
use dralloc_testkit::case::{Answer, Observed, OutcomeKind};
use serde::Deserialize;

/// Branches after which dralloc gives a case up.
const BRANCHES: &str = "300000";

/// What Kubernetes' allocator said.
pub(crate) enum Upstream {
    /// An answer.
    Answer(Observed),
    /// Nothing within its time.
    Timeout,
}

/// A program at work.
pub(crate) struct Running {
    name: String,
    child: Child,
}

impl Running {
    fn start(program: &Path, arguments: &[&str], cases: &Path) -> Result<Self, String> {
        let name = program.display().to_string();
        let child = Command::new(program)
            .args(arguments)
            .arg(cases)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot run `{name}`: {error}"))?;
        Ok(Self { name, child })
    }

    fn lines(self) -> Result<String, String> {
        let name = self.name;
        let output = self
            .child
            .wait_with_output()
            .map_err(|error| format!("`{name}`: {error}"))?;
        if !output.status.success() {
            return Err(format!("`{name}` failed: {}", output.status));
        }
        String::from_utf8(output.stdout).map_err(|_| format!("`{name}` printed bytes, not text"))
    }
}

/// Starts Kubernetes' allocator.
pub(crate) fn start_upstream(
    program: &Path,
    timeout: u64,
    cases: &Path,
) -> Result<Running, String> {
    let timeout = format!("{timeout}s");
    let arguments = ["-variants", "experimental", "-timeout", &timeout];
    Running::start(program, &arguments, cases)
}

/// Starts the command line under test.
pub(crate) fn start_dralloc(program: &Path, cases: &Path) -> Result<Running, String> {
    Running::start(program, &["replay", "--branches", BRANCHES], cases)
}

/// Returns the answers of Kubernetes' allocator by name of the case.
pub(crate) fn upstream_answers(running: Running) -> Result<BTreeMap<String, Upstream>, String> {
    running
        .lines()?
        .lines()
        .map(|line| {
            let line: Line = serde_json::from_str(line)
                .map_err(|error| format!("answer of Kubernetes' allocator: {error}"))?;
            if let Some(reason) = line.invalid {
                return Err(format!("`{}` is no case: {reason}", line.name));
            }
            let variant = line.variant.into_values().next();
            let variant = variant.ok_or_else(|| format!("`{}` has no answer", line.name))?;
            Ok((line.name, variant.decode()?))
        })
        .collect()
}

/// Returns the answers of `dralloc replay` by name of the case.
pub(crate) fn dralloc_answers(running: Running) -> Result<BTreeMap<String, Answer>, String> {
    running
        .lines()?
        .lines()
        .map(|line| {
            let answer: Answer = serde_json::from_str(line)
                .map_err(|error| format!("answer of dralloc: {error}: {line}"))?;
            Ok((answer.name.clone(), answer))
        })
        .collect()
}

/// One line of the program in `oracle/`.
#[derive(Deserialize)]
struct Line {
    name: String,
    invalid: Option<String>,
    #[serde(default)]
    variant: BTreeMap<String, Variant>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Variant {
    outcome: String,
    error: Option<String>,
    #[serde(default)]
    node_local: bool,
    results: Option<Vec<AllocationResult>>,
    #[serde(default)]
    steps: u64,
}

impl Variant {
    fn decode(self) -> Result<Upstream, String> {
        let outcome = match self.outcome.as_str() {
            "allocated" => OutcomeKind::Allocated,
            "infeasible" => OutcomeKind::Infeasible,
            "error" => OutcomeKind::Error,
            "panic" => OutcomeKind::Panic,
            "timeout" => return Ok(Upstream::Timeout),
            other => return Err(format!("Kubernetes' allocator gave the outcome `{other}`")),
        };
        Ok(Upstream::Answer(Observed {
            outcome,
            results: self.results,
            error: self.error,
            node_local: self.node_local,
            steps: self.steps,
        }))
    }
}
