//! [`Kubectl`]: runs `kubectl`, which knows how to reach the cluster.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::thread;

use super::connection::Connection;
use super::live::Read;
use super::version;
use crate::failure::Failure;
use crate::input::Source;
use crate::progress::Progress;

/// What is read of a cluster, as `kubectl` calls it.
const KINDS: [&str; 6] = [
    "resourceslices",
    "deviceclasses",
    "resourceclaims",
    "resourceclaimtemplates",
    "nodes",
    "pods",
];

/// What many clusters do not serve.
const OPTIONAL_KIND: &str = "devicetaintrules";

/// How `kubectl` says so.
const NOT_SERVED: &str = "the server doesn't have a resource type";

/// Is `kubectl` with what it is told of the cluster.
#[derive(Debug)]
pub(super) struct Kubectl<'c> {
    program: OsString,
    connection: &'c Connection,
}

impl<'c> Kubectl<'c> {
    /// Returns the program that `$KUBECTL` names, or `kubectl`.
    pub(super) fn new(connection: &'c Connection) -> Self {
        let named = env::var_os("KUBECTL").filter(|program| !program.is_empty());
        Self {
            program: named.unwrap_or_else(|| "kubectl".into()),
            connection,
        }
    }

    /// Returns the namespace of the context, if it has one.
    pub(super) fn namespace(&self) -> Option<String> {
        let call = self.call(&["config", "view", "--minify", "-o", "jsonpath={..namespace}"]);
        let output = call.run(Errors::Kept).ok()?;
        let namespace = String::from_utf8(output.stdout).ok()?;
        (output.status.success() && !namespace.is_empty()).then_some(namespace)
    }

    /// Returns all that is of interest in the cluster, one text for each kind; and the
    /// version of the server, if that is wanted and told.
    ///
    /// # Errors
    ///
    /// If `kubectl` cannot be run, or fails; it says itself why.
    pub(super) fn cluster(&self, wants_version: bool) -> Result<Read, Failure> {
        let length = KINDS.len() + 1 + usize::from(wants_version);
        let mut progress = Progress::new("reading the cluster", length);
        // The first call is alone: it may ask who you are, and the others need not then.
        let (first, others) = (KINDS[0], &KINDS[1..]);
        let mut sources = vec![self.get(first)?];
        progress.advance();
        let (version, results) = thread::scope(|scope| {
            let mut threads: Vec<_> = others
                .iter()
                .map(|kind| scope.spawn(|| self.get(kind).map(Some)))
                .collect();
            threads.push(scope.spawn(|| self.get_if_served(OPTIONAL_KIND)));
            let version = wants_version.then(|| scope.spawn(|| self.version()));
            let joined = threads.into_iter().map(|thread| {
                let result = thread.join();
                progress.advance();
                result
            });
            let joined = joined.collect::<Vec<_>>();
            let version = version.and_then(|thread| {
                let version = thread.join();
                progress.advance();
                version.ok().flatten()
            });
            (version, joined)
        });
        progress.finish();
        let mut serves_taint_rules = false;
        for result in results {
            let result = result.map_err(|_| Failure::Input("a thread has ended early".into()))?;
            let source = result?;
            // Those of the kind that may be missing come last.
            serves_taint_rules = source.is_some();
            sources.extend(source);
        }
        Ok(Read {
            sources,
            version,
            serves_taint_rules,
        })
    }

    /// Returns the minor part of the server's version, if it tells that.
    fn version(&self) -> Option<u32> {
        let call = self.call(&["version", "-o", "json"]);
        let output = call.run(Errors::Kept).ok()?;
        version::minor(&output.stdout).filter(|_| output.status.success())
    }

    fn get(&self, kind: &str) -> Result<Source, Failure> {
        let call = self.call(&["get", kind, "-A", "-o", "json"]);
        let output = call.run(Errors::Shown)?;
        call.source(kind, output)
    }

    /// Gets a kind, or nothing where the server does not know it.
    fn get_if_served(&self, kind: &str) -> Result<Option<Source>, Failure> {
        let call = self.call(&["get", kind, "-A", "-o", "json"]);
        let output = call.run(Errors::Kept)?;
        let is_served = output.status.success()
            || !String::from_utf8_lossy(&output.stderr).contains(NOT_SERVED);
        if !is_served {
            return Ok(None);
        }
        // Where it cannot be printed there is nobody to tell.
        let _ = anstream::stderr().write_all(&output.stderr);
        call.source(kind, output).map(Some)
    }

    fn call(&self, arguments: &[&str]) -> Call<'_> {
        let arguments = arguments.iter().map(OsStr::new);
        let connection = self
            .connection
            .arguments()
            .iter()
            .map(|argument| &**argument);
        Call {
            program: &self.program,
            arguments: arguments.chain(connection).map(OsStr::to_owned).collect(),
        }
    }
}

/// Says where errors of `kubectl` go.
#[derive(Clone, Copy, Debug)]
enum Errors {
    /// To the user, who may have to answer.
    Shown,
    /// To the caller.
    Kept,
}

/// Is one run of `kubectl`; prints as what a user would type.
#[derive(Debug)]
struct Call<'k> {
    program: &'k OsStr,
    arguments: Vec<OsString>,
}

impl Call<'_> {
    fn run(&self, errors: Errors) -> Result<Output, Failure> {
        let mut command = Command::new(self.program);
        command.args(&self.arguments).stdout(Stdio::piped());
        match errors {
            Errors::Shown => command.stderr(Stdio::inherit()),
            Errors::Kept => command.stdin(Stdio::null()).stderr(Stdio::piped()),
        };
        let output = command
            .spawn()
            .and_then(std::process::Child::wait_with_output);
        output.map_err(|error| {
            Failure::Input(format!(
                "`{self}` cannot be run: {error}; expected kubectl on the PATH or in $KUBECTL"
            ))
        })
    }

    /// Returns what was printed, as an input.
    fn source(&self, kind: &str, output: Output) -> Result<Source, Failure> {
        if !output.status.success() {
            let message = format!("`{self}` failed: {}", output.status);
            return Err(Failure::Input(message));
        }
        if output.stdout.trim_ascii().is_empty() {
            let message = format!("`{self}` printed nothing, expected a list of objects");
            return Err(Failure::Input(message));
        }
        Ok(Source::Program {
            name: format!("kubectl get {kind}").into(),
            bytes: output.stdout,
        })
    }
}

impl fmt::Display for Call<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.program.display())?;
        for argument in &self.arguments {
            write!(formatter, " {}", argument.display())?;
        }
        Ok(())
    }
}
