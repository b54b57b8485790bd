//! [`Closer`]: what is looked at only once a search has trouble.
//!
//! Most questions are answered by the first picks that are tried. So this is
//! made when a search has come to a dead end, and kept for the problem.

use super::bundles::Bundles;
use super::partwise::Partwise;
use super::shares::Shares;
use super::values::Rest;
use crate::budget::Meter;
use crate::outcome::StopCause;
use crate::solver::problem::alike::{self, Before};
use crate::solver::problem::{Exchanges, Problem, Statistics, components};

/// A search that has come to so many dead ends looks closer: at the first.
pub(in crate::solver) const DEAD_ENDS: u64 = 1;

/// Holds bounds and structure of a problem that take time to make.
pub(in crate::solver) struct Closer {
    /// By request: which have to do with each other.
    pub(in crate::solver) components: Vec<usize>,
    /// By request: one before it whose first device is not after its own.
    pub(in crate::solver) before: Vec<Option<Before>>,
    pub(in crate::solver) exchanges: Exchanges,
    pub(in crate::solver) bounds: CloserBounds,
}

/// Holds the bounds of a closer look.
pub(in crate::solver) struct CloserBounds {
    bundles: Bundles,
    shares: Shares,
    parts: Option<Partwise>,
}

impl Closer {
    /// Looks closer at a problem.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(in crate::solver) fn new(
        problem: &Problem<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        meter.poll()?;
        let blocks = alike::blocks(problem);
        meter.poll()?;
        let components = components::of(problem, meter)?;
        let before = alike::before(problem, &blocks);
        meter.poll()?;
        let bundles = Bundles::new(problem, &blocks, meter)?;
        let shares = Shares::new(problem, meter)?;
        Ok(Self {
            components,
            before,
            exchanges: Exchanges::new(problem, |_, _| {}, meter)?,
            bounds: CloserBounds {
                bundles,
                shares,
                parts: Partwise::new(problem, meter)?,
            },
        })
    }
}

impl CloserBounds {
    /// Returns whether nothing can come of what is picked, as far as they can tell.
    pub(in crate::solver) fn refuse(
        &mut self,
        problem: &Problem<'_>,
        rest: Rest<'_, '_>,
        statistics: &mut Statistics,
        meter: &mut Meter<'_>,
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
        let refused = parts.is_some_and(|parts| parts.refuses(problem, rest, meter));
        statistics.short_of_parts += u64::from(refused);
        refused
    }
}
