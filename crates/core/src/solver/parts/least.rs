//! The least that picks can cost, as a sum over parts.

use std::collections::BTreeMap;
use std::ops::Range;

use super::known_costs::KnownCosts;
use super::lanes::Lanes;
use super::options::{give, has_room, take};
use super::query::{PartScratch, Question};
use super::table::{BITS, Kind, PartTable};
use super::{PartCost, crowd, options};
use crate::budget::Meter;
use crate::outcome::StopCause;

/// Deadline and cancel flag are looked at once in so many steps.
const POLL: usize = 64;

/// So many sums take as long as a branch.
const SUMS: u64 = 4;

/// With more labels than this, and twice those that were left of them before, the
/// least are sorted out.
const MANY: usize = 128;

/// After so many sums needs are merged.
const WORK: usize = 1 << 16;

/// Says why a sum was not made.
enum Ended {
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

impl PartScratch {
    /// Returns the least that the picks of needs can cost, each need getting as
    /// many devices as it wants; nothing if they cannot be met.
    ///
    /// Never too high: labels keep the least cost of each vector, and where there
    /// would be too many of them needs are merged, which leaves more choices.
    ///
    /// What is known of parts was found with this table and cost.
    pub(crate) fn least<C: PartCost>(
        &mut self,
        table: &PartTable,
        question: &Question<'_>,
        cost: &C,
        known: &mut KnownCosts<C::Cost>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<C::Cost>, StopCause> {
        if !self.can_be_met(table, question, meter) {
            return Ok(None);
        }
        let mut terms = Terms::new(cost, self.needs.target());
        self.add_parts(table, question, known, &mut terms, meter)?;
        self.add_plain(table, &mut terms, meter)?;
        crowd::add(table, &self.needs, &mut terms, meter)?;
        terms.leave_idle_out();
        loop {
            match terms.sum(meter) {
                Ok(least) => return Ok(least),
                Err(Ended::Stopped(cause)) => return Err(cause),
                Err(Ended::TooMany) if terms.merge() => {}
                Err(Ended::TooMany) => break,
            }
        }
        let all = (0..table.len()).map(|part| cost.least(part));
        let sum = all.fold(cost.zero(), |sum, least| cost.add(&sum, &least));
        Ok(Some(sum))
    }

    /// Adds what parts can give; those that are alike in all are looked at once.
    fn add_parts<C: PartCost>(
        &mut self,
        table: &PartTable,
        question: &Question<'_>,
        known: &mut KnownCosts<C::Cost>,
        terms: &mut Terms<'_, C>,
        meter: &mut Meter<'_>,
    ) -> Result<(), StopCause> {
        known.begin();
        // By place in what is known: the options that were made of it here.
        let mut made: Vec<(usize, Range<usize>)> = Vec::new();
        let (mut masks, mut left) = (Vec::new(), Vec::new());
        for (place, part) in table.parts.iter().enumerate() {
            if !self.needs.masks(part, &mut masks) {
                continue;
            }
            meter.effort(1)?;
            left.clear();
            left.extend(part.counters.iter().map(|counter| {
                let left = question.left.get(*counter as usize);
                left.copied().unwrap_or(i128::MAX)
            }));
            let kind = &table.kinds[part.kind];
            let Some(class) = terms.cost.class(place) else {
                match terms.of_part(place, kind, &masks, &mut left, meter)? {
                    Some(costs) => terms.add_options(costs),
                    None => terms.relax(place, options::most(kind, &masks, &left)),
                }
                continue;
            };
            let (of, state) = ((part.kind, class), (&*masks, &*left));
            let found = known.find(place, of, state, terms.target);
            let found = if let Some(found) = found {
                found
            } else {
                let costs = terms.of_part(place, kind, &masks, &mut left.clone(), meter)?;
                known.add(place, of, (&masks, &left), terms.target, costs)
            };
            if let Some((_, options)) = made.iter().find(|(other, _)| *other == found) {
                terms.order.push(options.clone());
                continue;
            }
            match known.costs(found) {
                Some(costs) => {
                    terms.add_options(costs.to_vec());
                    made.extend(terms.order.last().map(|options| (found, options.clone())));
                }
                None => terms.relax(place, options::most(kind, &masks, &left)),
            }
        }
        Ok(())
    }

    /// Adds plain devices: of those that serve the same, the cheapest count.
    fn add_plain<C: PartCost>(
        &self,
        table: &PartTable,
        terms: &mut Terms<'_, C>,
        meter: &mut Meter<'_>,
    ) -> Result<(), StopCause> {
        let mut groups: BTreeMap<u32, Vec<C::Cost>> = BTreeMap::new();
        for (at, plain) in table.alone.iter().enumerate() {
            let lanes = 0..self.needs.len();
            let all = lanes
                .clone()
                .fold(0, |all, lane| all | self.needs.words(lane)[at]);
            let mut devices = all & plain;
            meter.effort(u64::from(devices.count_ones()))?;
            while devices != 0 {
                let bit = devices.trailing_zeros() as usize;
                devices &= devices - 1;
                let serves = |lane: &usize| self.needs.words(*lane)[at] >> bit & 1 == 1;
                let lanes = lanes
                    .clone()
                    .filter(serves)
                    .fold(0, |set, lane| set | 1 << lane);
                let costs = groups.entry(lanes).or_default();
                costs.push(terms.cost.of_plain(at * BITS + bit));
            }
        }
        for (lanes, mut costs) in groups {
            let own = || (0..Lanes::COUNT).filter(|lane| lanes >> lane & 1 == 1);
            costs.sort_unstable();
            costs.truncate(own().map(|lane| terms.target.get(lane)).sum());
            let nothing = (Lanes::default(), terms.cost.zero());
            if lanes.is_power_of_two() {
                let first = terms.options.len();
                let (mut given, mut sum) = nothing.clone();
                terms.options.push(nothing);
                for more in costs {
                    let one = Lanes::at(lanes.trailing_zeros() as usize, 1);
                    given = given.plus(one, Lanes::full());
                    sum = terms.cost.add(&sum, &more);
                    terms.options.push((given, sum.clone()));
                }
                terms.order.push(first..terms.options.len());
                continue;
            }
            for more in costs {
                let first = terms.options.len();
                terms.options.push(nothing.clone());
                let options = own().map(|lane| (Lanes::at(lane, 1), more.clone()));
                terms.options.extend(options);
                terms.order.push(first..terms.options.len());
            }
        }
        Ok(())
    }
}

/// Holds what is summed up.
pub(super) struct Terms<'c, C: PartCost> {
    pub(super) cost: &'c C,
    pub(super) target: Lanes,
    options: Vec<Label<C::Cost>>,
    /// The options of each part and group of devices.
    pub(super) order: Vec<Range<usize>>,
    /// What parts give that are not looked at closer, and what they cost at least.
    pub(super) slack: Lanes,
    base: C::Cost,
}

impl<'c, C: PartCost> Terms<'c, C> {
    fn new(cost: &'c C, target: Lanes) -> Self {
        Self {
            cost,
            target,
            options: Vec::new(),
            order: Vec::new(),
            slack: Lanes::default(),
            base: cost.zero(),
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
    fn leave_idle_out(&mut self) {
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
    fn sum(&self, meter: &mut Meter<'_>) -> Result<Option<C::Cost>, Ended> {
        let target = self.target;
        let mut rest = vec![self.slack; self.order.len() + 1];
        for (place, options) in self.order.iter().enumerate().rev() {
            let options = self.options[options.clone()].iter();
            let most = options.fold(Lanes::default(), |most, (lanes, _)| most.most(*lanes));
            rest[place] = rest[place + 1].plus(most, target);
        }
        let mut labels = vec![(Lanes::default(), self.base.clone())];
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
    fn merge(&mut self) -> bool {
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

    /// Takes what a part gives for granted.
    fn relax(&mut self, part: usize, most: Lanes) {
        self.slack = self.slack.plus(most, self.target);
        self.base = self.cost.add(&self.base, &self.cost.least(part));
    }

    /// Adds vectors of which one can be chosen.
    pub(super) fn add_options(&mut self, mut options: Vec<Label<C::Cost>>) {
        let first = self.options.len();
        self.options.append(&mut options);
        self.order.push(first..self.options.len());
    }

    /// Returns the least cost of each vector of a part; nothing if that takes
    /// too many steps.
    fn of_part(
        &self,
        part: usize,
        kind: &Kind,
        masks: &[u64],
        left: &mut [i128],
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<Label<C::Cost>>>, StopCause> {
        let mut walk = Walk {
            kind,
            masks,
            left,
            target: self.target,
            found: Vec::new(),
            steps: 0,
            meter,
            stopped: None,
        };
        let devices = masks.iter().fold(0, |all, mask| all | mask);
        walk.go(devices, 0, Lanes::default());
        if let Some(cause) = walk.stopped {
            return Err(cause);
        }
        if walk.steps > options::STEPS {
            return Ok(None);
        }
        // The same devices may serve needs in several ways, at one cost.
        walk.found.sort_unstable();
        walk.found.dedup();
        let mut of = (0, self.cost.zero());
        let mut found: Vec<Label<C::Cost>> = Vec::with_capacity(walk.found.len());
        for (place, (chosen, lanes)) in walk.found.into_iter().enumerate() {
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

/// Tries all sets of devices of a part, in all ways that they can serve.
struct Walk<'w, 'm> {
    kind: &'w Kind,
    masks: &'w [u64],
    left: &'w mut [i128],
    target: Lanes,
    found: Vec<(u64, Lanes)>,
    steps: usize,
    meter: &'w mut Meter<'m>,
    stopped: Option<StopCause>,
}

impl Walk<'_, '_> {
    /// Notes what is chosen and goes on with each of the devices after it; as
    /// deep as there are devices, so 64.
    fn go(&mut self, mut devices: u64, chosen: u64, lanes: Lanes) {
        self.found.push((chosen, lanes));
        while devices != 0 && self.steps <= options::STEPS && self.stopped.is_none() {
            self.steps += 1;
            if self.steps.is_multiple_of(POLL) {
                self.stopped = self.meter.poll().err();
            }
            let device = devices.trailing_zeros() as usize;
            devices &= devices - 1;
            let kind = self.kind;
            let uses = &kind.uses[device];
            if !has_room(uses, self.left) {
                continue;
            }
            take(uses, self.left);
            for (lane, mask) in self.masks.iter().enumerate() {
                let more = lanes.plus(Lanes::at(lane, 1), Lanes::full());
                if mask >> device & 1 == 1 && self.target.covers(more) {
                    self.go(devices, chosen | 1 << device, more);
                }
            }
            give(uses, self.left);
        }
    }
}

/// Keeps the least cost of each vector.
fn keep_least<C: Ord>(labels: &mut Vec<Label<C>>) {
    labels.sort_unstable();
    labels.dedup_by(|later, first| later.0 == first.0);
}
