//! [`Budget`]: how much effort a call may take, and [`Meter`], which counts it.
//!
//! Whatever takes longer with more devices or requests on a node gets a meter and
//! tells it what it does. So deadline and cancel flag are looked at in one place,
//! and what takes as long as a branch is said in one place.

mod meter;

pub(crate) use meter::Meter;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::outcome::StopCause;

/// Limits the effort of a search; without limits by default.
///
/// Effort is counted in branches: devices that are tried. The evaluation of an
/// expression on a device counts as one branch for each 100 of its runtime
/// cost, as Kubernetes counts that; the usual ones cost less than 50 and count
/// nothing. What is known from earlier calls counts all the same.
///
/// A limit of branches gives the same answer always. A deadline or a cancel
/// flag may end the search anywhere.
///
/// # Examples
///
/// ```
/// use dralloc::Budget;
///
/// let budget = Budget::new().branches(100_000);
/// # let _ = budget;
/// ```
#[derive(Clone, Copy, Default)]
pub struct Budget<'a> {
    branches: Option<u64>,
    deadline: Option<&'a dyn Deadline>,
    cancel: Option<&'a AtomicBool>,
}

/// Tells whether it is too late; the caller owns the clock.
pub trait Deadline: Sync {
    /// Returns whether the time is over.
    fn is_over(&self) -> bool;
}

impl<'a> Budget<'a> {
    /// Returns a budget without limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Limits the number of branches; no limit by default.
    #[must_use]
    pub fn branches(mut self, branches: u64) -> Self {
        self.branches = Some(branches);
        self
    }

    /// Ends the search when a deadline is over; none by default.
    #[must_use]
    pub fn deadline(mut self, deadline: &'a dyn Deadline) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Ends the search when a flag is set; none by default.
    #[must_use]
    pub fn cancel(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Returns the limit of branches.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.branches
    }

    /// Returns whether a deadline or a cancel flag may end a search.
    pub(crate) fn may_stop(&self) -> bool {
        self.deadline.is_some() || self.cancel.is_some()
    }

    /// Returns what ends a search now, whatever its effort.
    pub(crate) fn stop(&self) -> Option<StopCause> {
        if self
            .cancel
            .is_some_and(|cancel| cancel.load(Ordering::Relaxed))
        {
            return Some(StopCause::Cancelled);
        }
        let is_over = self.deadline.is_some_and(Deadline::is_over);
        is_over.then_some(StopCause::Deadline)
    }

    pub(crate) fn meter(self) -> Meter<'a> {
        Meter::new(self)
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Budget")
            .field("branches", &self.branches)
            .field("deadline", &self.deadline.is_some())
            .field("cancel", &self.cancel.is_some())
            .finish()
    }
}
