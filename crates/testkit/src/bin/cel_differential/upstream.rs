//! [`Upstream`]: Kubernetes' own CEL, in a process of its own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use dralloc_testkit::selectors::RandomSelector;
use serde::Deserialize;
use serde_json::json;

/// What Kubernetes says to a selector.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct UpstreamAnswer {
    pub(crate) outcome: String,
    pub(crate) cost: Option<u64>,
    pub(crate) estimate: Option<u64>,
    #[serde(rename = "estimateError")]
    pub(crate) estimate_error: Option<String>,
    pub(crate) error: Option<String>,
    #[serde(default)]
    pub(crate) alternatives: Vec<UpstreamAnswer>,
}

impl UpstreamAnswer {
    /// What counts as the answer where the program ended instead.
    pub(crate) fn ended() -> Self {
        Self {
            outcome: "panic".to_owned(),
            cost: None,
            estimate: None,
            estimate_error: None,
            error: Some("the program ended".to_owned()),
            alternatives: Vec::new(),
        }
    }
}

/// The program in `benches/upstream-cel`, which answers line by line.
pub(crate) struct Upstream {
    child: Child,
    answers: Answers,
}

/// What the program prints.
pub(crate) struct Answers(BufReader<ChildStdout>);

impl Upstream {
    /// Starts the program; every selector is compiled and evaluated so often.
    pub(crate) fn start(program: &Path, repeat: u32) -> Result<Self, String> {
        let mut child = Command::new(program)
            .args(["evaluate", "-repeat", &repeat.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Where it ends for want of memory it says so at length.
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("`{}`: {error}", program.display()))?;
        let output = child.stdout.take().ok_or("no output to read")?;
        Ok(Self {
            child,
            answers: Answers(BufReader::new(output)),
        })
    }

    /// Takes the input of the program, for another thread to write.
    pub(crate) fn input(&mut self) -> Result<ChildStdin, String> {
        self.child.stdin.take().ok_or_else(|| "no input".to_owned())
    }

    /// Reads the next answer.
    pub(crate) fn next(&mut self) -> Result<UpstreamAnswer, String> {
        self.answers.next()
    }

    /// Whether the program has ended, or is about to.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.answers.0.fill_buf().is_ok_and(<[u8]>::is_empty)
    }

    /// Asks about one selector and waits for the answer.
    pub(crate) fn ask(&mut self, selector: &RandomSelector) -> Result<UpstreamAnswer, String> {
        let input = self.child.stdin.as_mut().ok_or("no input")?;
        writeln!(input, "{}", line(selector)).map_err(|error| error.to_string())?;
        self.next()
    }
}

impl Drop for Upstream {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // It ends with its input; what it says then interests no one.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answers {
    fn next(&mut self) -> Result<UpstreamAnswer, String> {
        let mut line = String::new();
        match self.0.read_line(&mut line) {
            Ok(0) => Err("Kubernetes' CEL ended".to_owned()),
            Ok(_) => serde_json::from_str(&line).map_err(|error| format!("`{line}`: {error}")),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Writes a selector as the program reads it.
pub(crate) fn line(selector: &RandomSelector) -> String {
    let mut line = json!({
        "expression": selector.expression,
        "driver": selector.device.driver(),
        "device": selector.device.json(),
    });
    if let Some(limit) = selector.cost_limit {
        line["costLimit"] = limit.into();
    }
    line.to_string()
}
