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
            end_of_try: None,
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
    /// Where a try ends, which is not the end of the budget.
    end_of_try: Option<u64>,
}

impl Meter<'_> {
    /// Tries something with so many branches at most; returns nothing if they
    /// are not enough.
    pub(super) fn within<T>(
        &mut self,
        branches: u64,
        try_it: impl FnOnce(&mut Self) -> Result<T, StopCause>,
    ) -> Result<Option<T>, StopCause> {
        self.end_of_try = Some(self.branches.saturating_add(branches));
        let tried = try_it(self);
        self.end_of_try = None;
        match tried {
            Ok(found) => Ok(Some(found)),
            Err(StopCause::Branches) if !self.is_spent() => Ok(None),
            Err(cause) => Err(cause),
        }
    }

    fn is_spent(&self) -> bool {
        self.budget
            .branches
            .is_some_and(|limit| self.branches >= limit)
    }

    /// Counts one branch; the one place where a search can be told to stop.
    pub(super) fn branch(&mut self) -> Result<(), StopCause> {
        if self.is_spent() || self.end_of_try.is_some_and(|end| self.branches >= end) {
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
