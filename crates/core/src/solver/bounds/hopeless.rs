//! Whether anything can come of what is picked: all bounds in a row.

use super::closer::Closer;
use super::values::{self, Rest};
use super::{count, matching};
use crate::budget::Meter;
use crate::solver::problem::{Later, Problem};

impl Problem<'_> {
    /// Returns whether nothing can come of what is picked, when a plan still needs
    /// a number of devices from a place on, and the requests after it to before
    /// an end are open; counts why. The plans that are chosen are those so far,
    /// this one among them.
    pub(in crate::solver) fn is_hopeless_after(
        &mut self,
        plan: usize,
        rest: (usize, usize),
        end: usize,
        chosen: &[usize],
        meter: &mut Meter<'_>,
    ) -> bool {
        let mut statistics = self.statistics;
        let count = {
            let plan = &self.plans[plan];
            let mut later = Later::all(plan.request + 1, end);
            if let Some(closer) = &self.closer {
                later = later.beside(&closer.components, plan.request);
            }
            let (start, left) = rest;
            let values = Rest {
                current: Some((plan, start, left)),
                later,
            };
            if count::is_hopeless(self, later) {
                Some(&mut statistics.short_of_request)
            } else if self.limited.contains(&true)
                && count::is_over_limit(self, later, (plan.claim, self.room(plan.claim, chosen)))
                || count::is_short(self, plan, rest, later)
            {
                Some(&mut statistics.short_of_count)
            } else if values::are_short(self, values) {
                Some(&mut statistics.short_of_values)
            } else if left == 0 && matching::is_unmatched(self, later, meter) {
                Some(&mut statistics.short_of_count)
            } else if left == 0 && self.breaks_rule(plan.request) {
                Some(&mut statistics.refused)
            } else {
                None
            }
        };
        if let Some(count) = count {
            *count += 1;
            self.statistics = statistics;
            return true;
        }
        self.looks_hopeless(plan, rest, end, meter)
    }

    /// Returns the same as far as a closer look shows it, if the search has come
    /// to where it looks closer.
    pub(in crate::solver) fn looks_hopeless(
        &mut self,
        plan: usize,
        (start, left): (usize, usize),
        end: usize,
        meter: &mut Meter<'_>,
    ) -> bool {
        let Some(mut closer) = self.closer.take() else {
            return false;
        };
        let mut statistics = self.statistics;
        let Closer {
            components, bounds, ..
        } = &mut *closer;
        let plan = &self.plans[plan];
        let rest = Rest {
            current: Some((plan, start, left)),
            later: Later::all(plan.request + 1, end).beside(components, plan.request),
        };
        let refused = bounds.refuse(self, rest, &mut statistics, meter);
        self.statistics = statistics;
        self.closer = Some(closer);
        refused
    }
}
