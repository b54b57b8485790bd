//! [`Terms`]: what parts and groups of devices can give at which cost, to be summed up.

use std::collections::BTreeMap;
use std::ops::Range;

use super::PartCost;
use super::choices::{POLL, choices};
use super::lanes::Lanes;
use super::table::Kind;
use crate::budget::Meter;
use crate::outcome::StopCause;

/// So many sums take as long as a branch.
const SUMS: u64 = 4;

/// With more labels than this, and twice those that were left of them before, the
/// least are sorted out.
const MANY: usize = 128;

/// After so many sums needs are merged.
const WORK: usize = 1 << 16;

/// Says why a sum was not made.
pub(super) enum Ended {
    /// There are too many vectors to look at.
    TooMany,
    Stopped(StopCause),
}

impl From<StopCause> for Ended {
    fn from(cause: StopCause) -> Self {
        Self::Stopped(cause)
    }
}

/// Is a number of devices for each need, with the least that it costs.
pub(super) type Label<C> = (Lanes, C);

/// Holds what is summed up.
pub(super) struct Terms<'c, C: PartCost> {
    pub(super) cost: &'c C,
    pub(super) target: Lanes,
    pub(super) options: Vec<Label<C::Cost>>,
    /// The options of each part and group of devices.
    pub(super) order: Vec<Range<usize>>,
    /// What parts give that are not looked at closer.
    pub(super) slack: Lanes,
}

impl<'c, C: PartCost> Terms<'c, C> {
    pub(super) fn new(cost: &'c C, target: Lanes) -> Self {
        Self {
            cost,
            target,
            options: Vec::new(),
            order: Vec::new(),
            slack: Lanes::default(),
        }
    }

    /// Returns whether some options are these.
    pub(super) fn is_same(&self, range: &Range<usize>, options: &[Label<C::Cost>]) -> bool {
        self.options.get(range.clone()) == Some(options)
    }

    /// Leaves out parts that have the same options as many before.
    ///
    /// Exact: of those that are alike no more are used than devices are wanted, and
    /// it does not matter which.
    pub(super) fn leave_idle_out(&mut self) {
        let wanted = (0..Lanes::COUNT).map(|lane| self.target.get(lane));
        let wanted: usize = wanted.sum();
        let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
        self.order.retain(|options| {
            let seen = seen.entry(options.start).or_default();
            *seen += 1;
            *seen <= wanted
        });
    }

    /// Returns the least sum that reaches the target.
    pub(super) fn sum(&self, meter: &mut Meter<'_>) -> Result<Option<C::Cost>, Ended> {
        let target = self.target;
        let mut rest = vec![self.slack; self.order.len() + 1];
        for (place, options) in self.order.iter().enumerate().rev() {
            let options = self.options[options.clone()].iter();
            let most = options.fold(Lanes::default(), |most, (lanes, _)| most.most(*lanes));
            rest[place] = rest[place + 1].plus(most, target);
        }
        let mut labels = vec![(Lanes::default(), self.cost.zero())];
        let mut work = 0;
        for (place, options) in self.order.iter().enumerate() {
            let options = &self.options[options.clone()];
            work += labels.len().saturating_mul(options.len());
            if work > WORK {
                return Err(Ended::TooMany);
            }
            meter.poll()?;
            let mut next: Vec<Label<C::Cost>> = Vec::new();
            let mut many = MANY;
            for (lanes, sum) in &labels {
                meter.effort(1 + options.len() as u64 / SUMS)?;
                for (given, more) in options {
                    let lanes = lanes.plus(*given, Lanes::full());
                    if target.covers(lanes) && lanes.plus(rest[place + 1], target).covers(target) {
                        next.push((lanes, self.cost.add(sum, more)));
                    }
                }
                if next.len() > many {
                    // Many are of one vector: to sort all of them at once takes long.
                    keep_least(&mut next);
                    many = MANY + 2 * next.len();
                    meter.effort(MANY as u64)?;
                }
            }
            keep_least(&mut next);
            labels = next;
        }
        let full = labels
            .into_iter()
            .filter(|(lanes, _)| lanes.plus(self.slack, target) == target);
        Ok(full.map(|(_, sum)| sum).min())
    }

    /// Merges the two needs of which most is wanted; returns whether there were two.
    ///
    /// Admissible: what serves two needs serves their sum.
    pub(super) fn merge(&mut self) -> bool {
        let wanted = |lane: &usize| self.target.get(*lane);
        let lanes = (0..Lanes::COUNT).filter(|lane| wanted(lane) > 0);
        let mut lanes: Vec<usize> = lanes.collect();
        lanes.sort_by_key(|lane| std::cmp::Reverse(wanted(lane)));
        let [into, from, ..] = *lanes else {
            return false;
        };
        let merged = |lanes: Lanes| {
            let moved = lanes.get(from);
            let rest = lanes.minus(Lanes::at(from, moved));
            rest.plus(Lanes::at(into, moved), Lanes::full())
        };
        self.target = merged(self.target);
        self.slack = merged(self.slack);
        let mut options = Vec::new();
        let mut places: BTreeMap<usize, Range<usize>> = BTreeMap::new();
        for order in &mut self.order {
            // Parts that are alike have their options in one place.
            let place = places.entry(order.start).or_insert_with(|| {
                let own = self.options[order.clone()].iter();
                let own = own.map(|(lanes, cost)| (merged(*lanes), cost.clone()));
                let mut own: Vec<Label<C::Cost>> = own.collect();
                keep_least(&mut own);
                let first = options.len();
                options.append(&mut own);
                first..options.len()
            });
            *order = place.clone();
        }
        self.options = options;
        true
    }

    /// Takes what a part gives for granted, at no cost: no part costs less than nothing.
    pub(super) fn relax(&mut self, most: Lanes) {
        self.slack = self.slack.plus(most, self.target);
    }

    /// Adds vectors of which one can be chosen.
    pub(super) fn add_options(&mut self, mut options: Vec<Label<C::Cost>>) {
        let first = self.options.len();
        self.options.append(&mut options);
        self.order.push(first..self.options.len());
    }

    /// Returns the least cost of each vector of a part; nothing if that takes
    /// too many steps.
    pub(super) fn of_part(
        &self,
        part: usize,
        kind: &Kind,
        (masks, left): (&[u64], &mut [i128]),
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Label<C::Cost>>>, StopCause> {
        let Some(choices) = choices(kind, masks, left, self.target, meter)? else {
            return Ok(None);
        };
        let mut of = (0, self.cost.zero());
        let mut found: Vec<Label<C::Cost>> = Vec::with_capacity(choices.len());
        for (place, (chosen, lanes)) in choices.into_iter().enumerate() {
            if place % POLL == 0 {
                meter.poll()?;
            }
            if of.0 != chosen {
                of = (chosen, self.cost.of(part, chosen));
            }
            found.push((lanes, of.1.clone()));
        }
        keep_least(&mut found);
        Ok(Some(found))
    }
}

/// Keeps the least cost of each vector.
pub(super) fn keep_least<C: Ord>(labels: &mut Vec<Label<C>>) {
    labels.sort_unstable();
    labels.dedup_by(|later, first| later.0 == first.0);
}
