//! [`dralloc_trace`]: the calls of an engine, written.

use dralloc_forms::recordable::{self, Trace};

use crate::bytes::dralloc_bytes;
use crate::error::dralloc_error;
use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;

/// Keeps the calls of an engine, and of what was made of it, as lines of text; any
/// number of threads may use it.
pub struct dralloc_trace(());

impl Noun for dralloc_trace {
    type Value = Trace;
    const TAG: u32 = 0xd7a1_000e;
    const NAME: &'static str = "trace";
}

impl Shared for dralloc_trace {}

/// Takes the lines that were written since the last time, each with its end.
///
/// All lines together, one after the other, are the trace. They are kept in memory
/// until they are taken.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_trace_take(
    trace: *const dralloc_trace,
    lines: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(lines, "lines")?;
        out.give(caller.shared(trace)?.take());
        Ok(())
    })
}

/// Makes all calls of a trace again; returns the first result that is not the recorded
/// one, as JSON (`line`, `call`, `recorded`, `replayed`), or `null` if all are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_trace_replay(
    lines: *const u8,
    lines_length: usize,
    difference: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(difference, "difference")?;
        let lines = caller.text(lines, lines_length, "lines")?;
        out.give(recordable::replay(lines)?);
        Ok(())
    })
}

/// Frees a trace, and ends the recording; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_trace_free(trace: *mut dralloc_trace) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(trace).map(drop)
    })
}
