//! [`Meter`]: counts what a call does, and says when it must end.

use dralloc_topology::Watch;

use super::Budget;
use crate::outcome::StopCause;

/// Deadline and cancel flag are looked at once in so much effort.
const POLL_INTERVAL: u64 = 64;

/// The effort of an evaluation beside the branches that it is worth; most take less
/// time, few take much more.
const EVALUATION: u64 = 4;

/// So many devices that are looked at one by one take as long as a branch,
const LOOKED_AT: usize = 8;

/// or so many that a branch passes by,
const PASSED_BY: usize = 32;

/// or so many of which only bits are looked at, a word of them at once.
const IN_A_WORD: usize = 64;

/// or so many steps of computations over links.
const STEPS: u64 = 128;

/// Counts branches against a budget.
///
/// *Effort* is what takes time: a branch is one, and other work is as much as the
/// branches that take as long. It is counted only to know when to look at deadline
/// and cancel flag, so it does not matter to a budget of branches.
///
/// Who is stopped ends the call. A bound says that there may be an answer instead:
/// what is counted next ends the call.
pub(crate) struct Meter<'a> {
    budget: Budget<'a>,
    branches: u64,
    effort: u64,
    /// Steps that are no effort yet.
    steps: u64,
    /// At this effort deadline and cancel flag are looked at.
    next_poll: u64,
    /// Which of them has ended it: that is never taken back.
    ended: Option<StopCause>,
    /// Where a try ends, which is not the end of the budget.
    end_of_try: Option<u64>,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: Budget<'a>) -> Self {
        Self {
            budget,
            branches: 0,
            effort: 0,
            steps: 0,
            next_poll: 0,
            ended: None,
            end_of_try: None,
        }
    }

    /// Tries something with so many branches at most; returns nothing if they
    /// are not enough.
    pub(crate) fn within<T>(
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
    pub(crate) fn branch(&mut self) -> Result<(), StopCause> {
        self.spend(1, 1)
    }

    /// Counts one branch of a search among so many devices.
    pub(crate) fn branch_among(&mut self, devices: usize) -> Result<(), StopCause> {
        self.spend(1, 1 + (devices / PASSED_BY) as u64)
    }

    /// Counts several branches, one by one as far as anybody can tell.
    pub(crate) fn branches(&mut self, count: u64) -> Result<(), StopCause> {
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
    pub(crate) fn evaluation(&mut self, branches: u64) -> Result<(), StopCause> {
        self.spend(branches, branches.saturating_add(EVALUATION))
    }

    /// Counts work that is worth so many branches, and looks at deadline and
    /// cancel flag.
    pub(crate) fn work(&mut self, branches: u64) -> Result<(), StopCause> {
        self.next_poll = self.effort;
        self.spend(branches, branches)
    }

    /// Looks at deadline and cancel flag.
    pub(crate) fn poll(&mut self) -> Result<(), StopCause> {
        self.work(0)
    }

    /// Notes work that takes as long as so many branches, and is none.
    pub(crate) fn effort(&mut self, effort: u64) -> Result<(), StopCause> {
        self.spend(0, effort)
    }

    /// Notes that so many devices are looked at one by one.
    pub(crate) fn look_at(&mut self, devices: usize) -> Result<(), StopCause> {
        self.effort(1 + (devices / LOOKED_AT) as u64)
    }

    /// Notes that so many devices are looked at as bits.
    pub(crate) fn look_at_bits(&mut self, devices: usize) -> Result<(), StopCause> {
        self.effort(1 + (devices / IN_A_WORD) as u64)
    }

    /// Notes that a loop that looks at devices one by one has come to a place.
    pub(crate) fn come_to(&mut self, place: usize) -> Result<(), StopCause> {
        if place.is_multiple_of(LOOKED_AT) {
            self.effort(1)?;
        }
        Ok(())
    }

    /// Notes steps of a computation over links.
    pub(crate) fn steps(&mut self, steps: u64) -> Result<(), StopCause> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps < STEPS {
            return Ok(());
        }
        let effort = self.steps / STEPS;
        self.steps %= STEPS;
        self.effort(effort)
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

impl Watch for Meter<'_> {
    type Stop = StopCause;

    fn steps(&mut self, steps: u64) -> Result<(), StopCause> {
        Meter::steps(self, steps)
    }
}
