//! [`Trace`]: the calls that were written.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use dralloc::{Difference, Error};
use serde::Serialize;

use crate::text::text;

/// Are lines that nobody has taken yet.
type Lines = Mutex<String>;

/// Keeps what is recorded until it is taken. Recording ends when it is dropped.
#[derive(Debug, Default)]
pub struct Trace(Arc<Lines>);

impl Trace {
    /// Takes the lines that came since the last time, each with its end.
    pub fn take(&self) -> String {
        // A writer that panicked has lost a line, nothing else.
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the trace as recorded things know it.
    pub(super) fn known(&self) -> KnownTrace {
        KnownTrace(Arc::downgrade(&self.0))
    }
}

/// Is the trace that calls are written to.
#[derive(Clone, Debug)]
pub(super) struct KnownTrace(Weak<Lines>);

impl KnownTrace {
    /// Returns whether nobody has the trace any more.
    pub(super) fn is_dropped(&self) -> bool {
        self.0.strong_count() == 0
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// Writes a line, if anybody may read it.
    pub(super) fn write(&self, line: &str) {
        if let Some(lines) = self.0.upgrade() {
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.push_str(line);
            lines.push('\n');
        }
    }
}

#[derive(Serialize)]
struct DifferenceForm<'a> {
    line: usize,
    call: &'a str,
    recorded: &'a str,
    replayed: &'a str,
}

/// Makes all calls of a trace again; writes the first result that is not the recorded
/// one (`line`, `call`, `recorded` and `replayed`), or `null` if all are.
///
/// # Errors
///
/// Those of [`Replay::line`](dralloc::Replay::line).
///
/// # Examples
///
/// ```
/// use dralloc::Features;
/// use dralloc_forms::recordable;
///
/// let mut engine = recordable::Engine::new(Features::all());
/// let trace = engine.record();
/// engine.forget("nobody");
/// let lines = trace.take();
/// assert_eq!(lines.lines().count(), 2);
/// assert_eq!(recordable::replay(&lines)?, "null");
///
/// let other = lines.replace(r#""changed":false"#, r#""changed":true"#);
/// assert!(recordable::replay(&other)?.starts_with(r#"{"line":2,"call":"forget","#));
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn replay(trace: &str) -> Result<String, Error> {
    let difference = dralloc::replay(trace)?;
    let form = |difference: &Difference| {
        text(&DifferenceForm {
            line: difference.line,
            call: &difference.call,
            recorded: &difference.recorded,
            replayed: &difference.replayed,
        })
    };
    difference
        .as_ref()
        .map_or_else(|| Ok("null".to_owned()), form)
}
