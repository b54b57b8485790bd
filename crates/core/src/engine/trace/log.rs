//! [`Log`]: where lines go, and the numbers of what they made.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use crate::engine::form::{API_VERSION, text};

/// Takes lines, without their ends.
type Sink = Box<dyn FnMut(&str) + Send>;

/// Writes lines, one after the other, whichever thread they come from.
#[derive(Clone)]
pub(super) struct Log(Arc<Mutex<Inner>>);

struct Inner {
    sink: Sink,
    /// How many of each sort were made.
    made: BTreeMap<&'static str, u64>,
}

impl Log {
    pub(super) fn new(sink: Sink) -> Self {
        let made = BTreeMap::new();
        Self(Arc::new(Mutex::new(Inner { sink, made })))
    }

    /// Writes a line.
    pub(super) fn write(&self, line: &Line) {
        self.with(|inner| inner.write(line));
    }

    /// Writes a line about something new, which gets the next number of its sort.
    pub(super) fn make(&self, sort: &'static str, line: impl FnOnce(u64) -> Line) -> Handle {
        let id = self.with(|inner| {
            let made = inner.made.entry(sort).or_default();
            let id = *made;
            *made += 1;
            inner.write(&line(id));
            id
        });
        Handle {
            sort,
            id,
            log: self.clone(),
        }
    }

    fn with<T>(&self, write: impl FnOnce(&mut Inner) -> T) -> T {
        // A sink that panicked has lost a line, nothing else.
        write(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Inner {
    fn write(&mut self, line: &Line) {
        (self.sink)(&line.end());
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Log")
    }
}

/// Is the number of something; its end is written, too.
#[derive(Debug)]
pub(super) struct Handle {
    sort: &'static str,
    pub(super) id: u64,
    pub(super) log: Log,
}

impl Handle {
    /// Returns a line about the thing.
    pub(super) fn line(&self, call: &str) -> Line {
        Line::new(call).with(self.sort, &self.id)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.log.write(&self.line("drop"));
    }
}

/// Is a line in the making.
pub(super) struct Line(String);

impl Line {
    pub(super) fn new(call: &str) -> Self {
        Self("{".to_owned()).with("call", &call)
    }

    /// Returns the first line of a trace.
    pub(super) fn first(kind: &str, dump: &str) -> Self {
        Self("{".to_owned())
            .with("apiVersion", &API_VERSION)
            .with("kind", &kind)
            .raw("dump", dump)
    }

    /// Adds a field.
    pub(super) fn with(self, name: &str, value: &impl Serialize) -> Self {
        self.raw(name, &text(value))
    }

    /// Adds a field that is JSON already.
    pub(super) fn raw(mut self, name: &str, json: &str) -> Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push_str(&text(&name));
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    fn end(&self) -> String {
        one_line(&(self.0.clone() + "}"))
    }
}

/// Returns the same JSON in one line: no text has an end of a line in it, and
/// no two tokens need one between them.
pub(super) fn one_line(json: &str) -> String {
    let mut lines = json.split(['\n', '\r']);
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |line, next| line + next.trim_start_matches(' '))
}
