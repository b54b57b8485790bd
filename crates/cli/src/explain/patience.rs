//! [`Patience`]: how long a question may take.

use std::time::{Duration, Instant};

use dralloc::Deadline;

/// Ends a question after some time.
pub(super) struct Patience {
    start: Instant,
    limit: Duration,
}

impl Patience {
    /// Returns one that begins now.
    pub(super) fn of_seconds(seconds: u64) -> Self {
        Self {
            start: Instant::now(),
            limit: Duration::from_secs(seconds),
        }
    }
}

impl Deadline for Patience {
    fn is_over(&self) -> bool {
        self.start.elapsed() > self.limit
    }
}
