//! [`Closer`]: what is looked at only once a search has trouble.
//!
//! Most questions are answered by the first picks that are tried. So this is
//! made when a search has come to a dead end, and kept for the problem.

use super::bundles::Bundles;
use super::partwise::Partwise;
use super::shares::Shares;
use super::values::Rest;
use crate::solver::alike::{self, Before};
use crate::solver::components;
use crate::solver::problem::Problem;
use crate::solver::statistics::Statistics;

/// A search that has come to so many dead ends looks closer: at the first.
pub(in crate::solver) const DEAD_ENDS: u64 = 1;

/// Holds bounds and structure of a problem that take time to make.
pub(in crate::solver) struct Closer {
    /// By request: which have to do with each other.
    pub(in crate::solver) components: Vec<usize>,
    /// By request: one before it whose first device is not after its own.
    pub(in crate::solver) before: Vec<Option<Before>>,
    pub(in crate::solver) bounds: CloserBounds,
}

/// Holds the bounds of a closer look.
pub(in crate::solver) struct CloserBounds {
    bundles: Bundles,
    shares: Shares,
    parts: Option<Partwise>,
}

impl Closer {
    pub(in crate::solver) fn new(problem: &Problem<'_>) -> Self {
        let blocks = alike::blocks(problem);
        Self {
            components: components::of(problem),
            before: alike::before(problem, &blocks),
            bounds: CloserBounds {
                bundles: Bundles::new(problem, &blocks),
                shares: Shares::new(problem),
                parts: Partwise::new(problem),
            },
        }
    }
}

impl CloserBounds {
    /// Returns whether nothing can come of what is picked, as far as they can tell.
    pub(in crate::solver) fn refuse(
        &mut self,
        problem: &Problem<'_>,
        rest: Rest<'_, '_>,
        statistics: &mut Statistics,
    ) -> bool {
        if self.bundles.are_short(problem, rest) {
            statistics.short_of_bundles += 1;
            return true;
        }
        if self.shares.are_short(problem, rest) {
            statistics.short_of_shares += 1;
            return true;
        }
        let parts = self.parts.as_mut();
        let refused = parts.is_some_and(|parts| parts.refuses(problem, rest));
        statistics.short_of_parts += u64::from(refused);
        refused
    }
}
