//! [`Levels`]: the choices that a search has made and can change.

use crate::constraint::Mark;

/// Is a choice that can be changed; `next` is the first to try.
#[derive(Clone, Copy)]
pub(in crate::solver) enum Level {
    /// Which alternative of a request.
    Alternative {
        request: usize,
        next: usize,
        before: Point,
    },
    /// Which device of a plan, of which some are picked.
    Device {
        plan: usize,
        picked: usize,
        next: usize,
        before: Point,
    },
}

/// Is a point to go back to: how much there was of everything.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Point {
    pub(in crate::solver) mark: Mark,
    pub(in crate::solver) picks: usize,
    pub(in crate::solver) plans: usize,
}

/// Is the stack of a search: one that calls itself would need more than callers have.
#[derive(Default)]
pub(in crate::solver) struct Levels(Vec<Level>);

impl Levels {
    /// Returns the last choice.
    pub(in crate::solver) fn last(&self) -> Option<Level> {
        self.0.last().copied()
    }

    /// Leaves the last choice.
    pub(in crate::solver) fn pop(&mut self) -> Option<Level> {
        self.0.pop()
    }

    /// Begins to choose an alternative for a request.
    pub(in crate::solver) fn alternative(&mut self, request: usize, before: Point) {
        self.0.push(Level::Alternative {
            request,
            next: 0,
            before,
        });
    }

    /// Begins to choose another device for a plan that has some, from a place on.
    pub(in crate::solver) fn device(
        &mut self,
        plan: usize,
        (picked, next): (usize, usize),
        before: Point,
    ) {
        self.0.push(Level::Device {
            plan,
            picked,
            next,
            before,
        });
    }

    /// Remembers where the last choice goes on.
    pub(in crate::solver) fn go_on_from(&mut self, place: usize) {
        if let Some(Level::Alternative { next, .. } | Level::Device { next, .. }) =
            self.0.last_mut()
        {
            *next = place;
        }
    }
}
