//! [`Budget`]: how much effort a search may take.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::outcome::StopCause;

/// Deadline and cancel flag are looked at once in so many branches.
const POLL_INTERVAL: u64 = 64;

/// Limits the effort of a search; without limits by default.
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

    /// Limits the number of devices that are tried; no limit by default.
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

    pub(super) fn meter(self) -> Meter<'a> {
        Meter {
            budget: self,
            branches: 0,
            first: None,
        }
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

/// Counts branches against a budget.
pub(super) struct Meter<'a> {
    budget: Budget<'a>,
    branches: u64,
    /// Ends a first try, which is not the end of the budget.
    first: Option<u64>,
}

impl Meter<'_> {
    /// Returns a meter for a first try, whose branches are not counted.
    pub(super) fn first(&self, branches: u64) -> Self {
        Self {
            budget: self.budget,
            branches: self.branches,
            first: Some(self.branches + branches),
        }
    }

    /// Counts one branch; the one place where a search can be told to stop.
    pub(super) fn branch(&mut self) -> Result<(), StopCause> {
        let limit = [self.budget.branches, self.first]
            .into_iter()
            .flatten()
            .min();
        if limit.is_some_and(|limit| self.branches >= limit) {
            return Err(StopCause::Branches);
        }
        if self.branches.is_multiple_of(POLL_INTERVAL) {
            if self
                .budget
                .cancel
                .is_some_and(|cancel| cancel.load(Ordering::Relaxed))
            {
                return Err(StopCause::Cancelled);
            }
            if self.budget.deadline.is_some_and(Deadline::is_over) {
                return Err(StopCause::Deadline);
            }
        }
        self.branches += 1;
        Ok(())
    }
}
