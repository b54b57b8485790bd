//! [`Watch`]: ends a search in time, or when Python wants to handle a signal.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use dralloc::Deadline;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::package::Item;

/// Signals are looked at this often; handlers run late by that much at most.
const INTERVAL: u64 = 20_000_000;

/// No search looks at signals as late as that.
const NEVER: u64 = u64::MAX;

static MAIN_THREAD: Item = Item::new("threading", "main_thread");
static THIS_THREAD: Item = Item::new("threading", "current_thread");

/// Watches the clock, and signals of the process, for one call.
///
/// The search asks it every few microseconds. Python handles signals on its main
/// thread only, and only when that thread asks for it: so the watch does, but not
/// before a call is so long that it shows.
pub(crate) struct Watch {
    begin: Instant,
    end: Option<Instant>,
    /// Nanoseconds from the beginning.
    next_look: AtomicU64,
    raised: OnceLock<PyErr>,
}

impl Watch {
    /// Begins to watch a call, which may take so long.
    pub(crate) fn over(timeout: Option<Duration>) -> Self {
        let begin = Instant::now();
        Self {
            begin,
            end: timeout.and_then(|timeout| begin.checked_add(timeout)),
            next_look: AtomicU64::new(INTERVAL),
            raised: OnceLock::new(),
        }
    }

    /// Returns what a handler of a signal has raised meanwhile, as a failure.
    pub(crate) fn raised(self) -> Result<(), Failure> {
        self.raised
            .into_inner()
            .map_or(Ok(()), |raised| Err(Failure::Raised(raised)))
    }

    /// Lets Python handle signals; returns whether a handler raised something.
    fn look(&self, elapsed: u64) -> bool {
        let looked = Python::try_attach(|py| {
            let this = THIS_THREAD.get(py)?.call0()?;
            if !this.is(&MAIN_THREAD.get(py)?.call0()?) {
                return Ok(NEVER);
            }
            py.check_signals()?;
            Ok(elapsed.saturating_add(INTERVAL))
        });
        match looked {
            Some(Ok(next)) => {
                self.next_look.store(next, Ordering::Relaxed);
                false
            }
            Some(Err(raised)) => {
                self.raised.get_or_init(|| raised);
                true
            }
            // The interpreter is about to end.
            None => true,
        }
    }
}

impl Deadline for Watch {
    fn is_over(&self) -> bool {
        let now = Instant::now();
        if self.end.is_some_and(|end| now >= end) || self.raised.get().is_some() {
            return true;
        }
        let elapsed = u64::try_from(now.duration_since(self.begin).as_nanos()).unwrap_or(NEVER);
        elapsed >= self.next_look.load(Ordering::Relaxed) && self.look(elapsed)
    }
}
