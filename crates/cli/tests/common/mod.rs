//! Runs `dralloc` as a user does.

#![expect(clippy::unwrap_used, reason = "a test may panic")]
#![allow(dead_code, reason = "no test file uses everything")]

pub(crate) mod nodes;
#[cfg(unix)]
pub(crate) mod terminal;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Is what a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the folder of the programs: where Cargo built them for the tests, or, so that
/// other builds can be tested, the one that `DRALLOC_PROGRAMS` names.
pub(crate) fn programs() -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_dralloc")).parent().unwrap();
    std::env::var_os("DRALLOC_PROGRAMS").map_or_else(|| built.to_owned(), PathBuf::from)
}

/// Returns the command that runs one of the programs.
pub(crate) fn program(name: &str) -> Command {
    Command::new(programs().join(name))
}

/// Runs `dralloc` in the root of the repository.
pub(crate) fn dralloc(arguments: &[&str]) -> Run {
    dralloc_with(arguments, "")
}

/// Runs `dralloc` with text on standard input.
pub(crate) fn dralloc_with(arguments: &[&str], input: &str) -> Run {
    let mut command = program("dralloc");
    command.args(arguments);
    run(command, input)
}

/// Runs `dralloc` where the environment says how many columns there are.
pub(crate) fn dralloc_in_columns(arguments: &[&str], columns: &str) -> Run {
    let mut command = program("dralloc");
    command.args(arguments);
    run_in_columns(command, "", Some(columns))
}

/// Runs `kubectl-dralloc` as `kubectl` does, with one that serves the files of a folder,
/// and other variables of the environment.
pub(crate) fn kubectl_dralloc(
    arguments: &[&str],
    cluster: &Path,
    environment: &[(&str, &str)],
) -> Run {
    run(kubectl_dralloc_command(arguments, cluster, environment), "")
}

/// Returns the command that [`kubectl_dralloc`] runs.
pub(crate) fn kubectl_dralloc_command(
    arguments: &[&str],
    cluster: &Path,
    environment: &[(&str, &str)],
) -> Command {
    let stand_in = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/stand-in");
    let path = std::env::var_os("PATH").unwrap();
    let path = [stand_in.into()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let mut command = program("kubectl-dralloc");
    command
        .args(arguments)
        .env("PATH", std::env::join_paths(path).unwrap())
        .env_remove("KUBECTL")
        .env("DRALLOC_CLUSTER", cluster)
        .envs(environment.iter().copied());
    command
}

/// Runs a command in the root of the repository.
fn run(command: Command, input: &str) -> Run {
    run_in_columns(command, input, None)
}

fn run_in_columns(mut command: Command, input: &str, columns: Option<&str>) -> Run {
    command.env_remove("COLUMNS");
    command.envs(columns.map(|columns| ("COLUMNS", columns)));
    let mut child = command
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // Beside the reading of the output: neither pipe may fill up.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    // A program that stops reading early is no fault of the test.
    let _ = writer.join().unwrap();
    Run {
        code: output.status.code().unwrap(),
        output: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Run {
    /// Returns output, errors and exit code as one text, errors apart from the output.
    pub(crate) fn text(&self) -> String {
        let mut text = self.output.clone();
        for line in self.errors.lines() {
            text.push_str("stderr: ");
            text.push_str(line);
            text.push('\n');
        }
        text + &format!("exit code {}", self.code)
    }
}
