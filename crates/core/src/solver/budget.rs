//! [`Budget`]: how much effort a search may take.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::outcome::StopCause;

/// Deadline and cancel flag are looked at once in so many branches.
const POLL_INTERVAL: u64 = 64;

/// An evaluation counts as so many branches when it is asked whether to look at
/// deadline and cancel flag; most take less time, few take much more.
const POLL_WEIGHT: u64 = 4;

/// So many devices that are looked at count as one branch there.
const POLL_DEVICES: u64 = 32;

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

    pub(crate) fn limits_branches(&self) -> bool {
        self.branches.is_some()
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
        Meter {
            budget: self,
            branches: 0,
            effort: 0,
            next_poll: 0,
            ended: None,
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
pub(crate) struct Meter<'a> {
    budget: Budget<'a>,
    branches: u64,
    /// Is counted for deadline and cancel flag only.
    effort: u64,
    /// At this effort they are looked at.
    next_poll: u64,
    /// Which of them has ended it: that is never taken back.
    ended: Option<StopCause>,
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

    /// Returns how many branches were counted.
    pub(crate) fn spent(&self) -> u64 {
        self.branches
    }

    /// Counts one branch.
    pub(super) fn branch(&mut self) -> Result<(), StopCause> {
        self.spend(1, 1)
    }

    /// Counts one branch of a search that looks at so many devices each time.
    pub(super) fn branch_over(&mut self, devices: usize) -> Result<(), StopCause> {
        self.spend(1, 1 + devices as u64 / POLL_DEVICES)
    }

    /// Counts several branches, one by one as far as anybody can tell.
    pub(super) fn branches(&mut self, count: u64) -> Result<(), StopCause> {
        let end = self
            .budget
            .branches
            .into_iter()
            .chain(self.end_of_try)
            .min();
        let is_near = |end| self.branches.saturating_add(count) > end;
        if self.budget.may_stop() || end.is_some_and(is_near) {
            return (0..count).try_for_each(|_| self.branch());
        }
        self.branches = self.branches.saturating_add(count);
        self.effort = self.effort.saturating_add(count);
        Ok(())
    }

    /// Counts an evaluation that is worth a number of branches, after it was made.
    pub(super) fn evaluation(&mut self, branches: u64) -> Result<(), StopCause> {
        self.spend(branches, branches.saturating_add(POLL_WEIGHT))
    }

    /// Counts work that is worth so many branches, and looks at deadline and
    /// cancel flag.
    pub(super) fn work(&mut self, branches: u64) -> Result<(), StopCause> {
        self.next_poll = self.effort;
        self.spend(branches, branches)
    }

    /// Looks at deadline and cancel flag.
    pub(super) fn poll(&mut self) -> Result<(), StopCause> {
        self.work(0)
    }

    /// Notes work that takes as long as so many branches, and is none.
    pub(super) fn effort(&mut self, effort: u64) -> Result<(), StopCause> {
        self.spend(0, effort)
    }

    /// Does the same for a bound, which has nothing to say if it is stopped: the
    /// next thing that is counted ends the search.
    pub(super) fn is_over(&mut self, effort: u64) -> bool {
        self.effort(effort).is_err()
    }

    /// The one place where a search can be told to stop.
    fn spend(&mut self, branches: u64, effort: u64) -> Result<(), StopCause> {
        let after = self.branches.saturating_add(branches);
        let mut ends = self.budget.branches.into_iter().chain(self.end_of_try);
        if ends.any(|end| after > end) {
            return Err(StopCause::Branches);
        }
        if self.effort >= self.next_poll {
            self.look()?;
        }
        self.branches = after;
        self.effort = self.effort.saturating_add(effort);
        Ok(())
    }

    /// Returns which of deadline and cancel flag has ended it.
    pub(crate) fn ended(&self) -> Option<StopCause> {
        self.ended
    }

    /// Looks at what may end the search at any time.
    fn look(&mut self) -> Result<(), StopCause> {
        self.ended = self.ended.or_else(|| self.budget.stop());
        if let Some(cause) = self.ended {
            self.next_poll = 0;
            return Err(cause);
        }
        self.next_poll = self.effort.saturating_add(POLL_INTERVAL);
        Ok(())
    }
}
