//! [`Meter`]: what some work costs.

use std::time::{Duration, Instant};

use dralloc_testkit::heap;

/// Is one of the things that are measured, each in samples of its own: reading
/// one clock takes time on the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meter {
    /// Time on the wall.
    Wall,
    /// Time on processors, of all threads.
    Processor,
    /// Memory that this thread takes.
    Heap,
}

/// Is where a meter stood when work began.
#[derive(Clone, Copy)]
pub(crate) enum Start {
    Wall(Instant),
    Processor(Duration),
    Heap(usize, usize),
}

/// Is what work cost; what its meter does not measure is zero.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) time: Duration,
    pub(crate) allocations: usize,
    pub(crate) bytes: usize,
}

impl Meter {
    pub(crate) fn start(self) -> Start {
        match self {
            Self::Wall => Start::Wall(Instant::now()),
            Self::Processor => Start::Processor(processor().unwrap_or_default()),
            Self::Heap => {
                let (allocations, bytes) = heap::taken();
                Start::Heap(allocations, bytes)
            }
        }
    }
}

impl Start {
    /// Returns what was spent since.
    pub(crate) fn stop(self) -> Cost {
        let mut cost = Cost::default();
        match self {
            Self::Wall(start) => cost.time = start.elapsed(),
            Self::Processor(start) => {
                cost.time = processor().unwrap_or_default().saturating_sub(start);
            }
            Self::Heap(allocations, bytes) => {
                let now = heap::taken();
                cost.allocations = now.0 - allocations;
                cost.bytes = now.1.wrapping_sub(bytes);
            }
        }
        cost
    }
}

/// Returns the time that this process was on a processor, in user and system.
#[cfg(unix)]
pub(crate) fn processor() -> Option<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(now).ok()
}

/// Elsewhere there is no such clock.
#[cfg(not(unix))]
pub(crate) fn processor() -> Option<Duration> {
    None
}

/// Returns how long it takes to read the clock of processors.
pub(crate) fn reading() -> Duration {
    let read = |_| Meter::Processor.start().stop().time;
    (0..100).map(read).min().unwrap_or_default()
}
