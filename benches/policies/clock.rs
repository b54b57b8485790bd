//! The time that a thread was on a processor: others do not count.

use std::time::Duration;

/// Returns the CPU time of this thread.
#[cfg(unix)]
pub(crate) fn spent_so_far() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = Duration::from_secs(time.tv_sec.unsigned_abs());
    seconds + Duration::from_nanos(time.tv_nsec.unsigned_abs())
}

/// Returns the time since the first call.
#[cfg(not(unix))]
pub(crate) fn spent_so_far() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
