//! The least that picks can cost, as a sum over parts.

use std::collections::BTreeMap;
use std::ops::Range;

use super::lanes::Lanes;
use super::options::{give, has_room, take};
use super::query::{PartScratch, Question};
use super::table::{BITS, Kind, PartTable};
use super::{PartCost, options};

/// After so many sums needs are merged.
const WORK: usize = 1 << 16;

/// Says that there are too many vectors to look at.
struct TooMany;

/// Is a number of devices for each need, with the least that it costs.
type Label<C> = (Lanes, C);

impl PartScratch {
    /// Returns the least that the picks of needs can cost, each need getting as
    /// many devices as it wants; nothing if they cannot be met.
    ///
    /// Never too high: labels keep the least cost of each vector, and where there
    /// would be too many of them needs are merged, which leaves more choices.
    pub(crate) fn least<C: PartCost>(
        &mut self,
        table: &PartTable,
        question: &Question<'_>,
        cost: &C,
    ) -> Option<C::Cost> {
        if !self.can_be_met(table, question) {
            return None;
        }
        let mut terms = Terms::new(cost, self.needs.target());
        self.add_parts(table, question, &mut terms);
        self.add_plain(table, &mut terms);
        loop {
            if let Ok(least) = terms.sum() {
                return least;
            }
            if !terms.merge() {
                break;
            }
        }
        let all = (0..table.len()).map(|part| cost.least(part));
        Some(all.fold(cost.zero(), |sum, least| cost.add(&sum, &least)))
    }

    /// Adds what parts can give; those that are alike in all are looked at once.
    fn add_parts<C: PartCost>(
        &mut self,
        table: &PartTable,
        question: &Question<'_>,
        terms: &mut Terms<'_, C>,
    ) {
        let mut known: BTreeMap<(usize, u64, Vec<u64>, Vec<i128>), usize> = BTreeMap::new();
        for (place, part) in table.parts.iter().enumerate() {
            let mut masks = Vec::new();
            if !self.needs.masks(part, &mut masks) {
                continue;
            }
            let left = part.counters.iter().map(|counter| {
                let left = question.left.get(*counter as usize);
                left.copied().unwrap_or(i128::MAX)
            });
            let mut left: Vec<i128> = left.collect();
            let class = terms.cost.class(place);
            let key = class.map(|class| (part.kind, class, masks.clone(), left.clone()));
            let same = key.as_ref().and_then(|key| known.get(key));
            if let Some(same) = same {
                let options = terms.order[*same].clone();
                terms.order.push(options);
                continue;
            }
            let kind = &table.kinds[part.kind];
            let first = terms.options.len();
            if terms.try_part(place, kind, &masks, &mut left) {
                if let Some(key) = key {
                    known.insert(key, terms.order.len());
                }
                terms.order.push(first..terms.options.len());
            } else {
                terms.options.truncate(first);
                terms.relax(place, options::most(kind, &masks, &left));
            }
        }
    }

    /// Adds plain devices: of those that serve the same, the cheapest count.
    fn add_plain<C: PartCost>(&self, table: &PartTable, terms: &mut Terms<'_, C>) {
        let mut groups: BTreeMap<u32, Vec<C::Cost>> = BTreeMap::new();
        for (at, plain) in table.plain.iter().enumerate() {
            let lanes = 0..self.needs.len();
            let all = lanes
                .clone()
                .fold(0, |all, lane| all | self.needs.words(lane)[at]);
            let mut devices = all & plain;
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
    }
}

/// Holds what is summed up.
struct Terms<'c, C: PartCost> {
    cost: &'c C,
    target: Lanes,
    options: Vec<Label<C::Cost>>,
    /// The options of each part and group of devices.
    order: Vec<Range<usize>>,
    /// What parts give that are not looked at closer, and what they cost at least.
    slack: Lanes,
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

    /// Returns the least sum that reaches the target.
    fn sum(&self) -> Result<Option<C::Cost>, TooMany> {
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
                return Err(TooMany);
            }
            let mut next: Vec<Label<C::Cost>> = Vec::new();
            for (lanes, sum) in &labels {
                for (given, more) in options {
                    let lanes = lanes.plus(*given, Lanes::full());
                    if target.covers(lanes) && lanes.plus(rest[place + 1], target).covers(target) {
                        next.push((lanes, self.cost.add(sum, more)));
                    }
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

    /// Adds the least cost of each vector of a part; returns whether that was
    /// possible in so many steps.
    fn try_part(&mut self, part: usize, kind: &Kind, masks: &[u64], left: &mut [i128]) -> bool {
        let mut walk = Walk {
            kind,
            masks,
            left,
            target: self.target,
            found: Vec::new(),
            steps: 0,
        };
        let devices = masks.iter().fold(0, |all, mask| all | mask);
        walk.go(devices, 0, Lanes::default());
        if walk.steps > options::STEPS {
            return false;
        }
        // The same devices may serve needs in several ways, at one cost.
        walk.found.sort_unstable();
        walk.found.dedup();
        let mut of = (0, self.cost.zero());
        let found = walk.found.into_iter().map(|(chosen, lanes)| {
            if of.0 != chosen {
                of = (chosen, self.cost.of(part, chosen));
            }
            (lanes, of.1.clone())
        });
        let mut found: Vec<Label<C::Cost>> = found.collect();
        keep_least(&mut found);
        self.options.append(&mut found);
        true
    }
}

/// Tries all sets of devices of a part, in all ways that they can serve.
struct Walk<'w> {
    kind: &'w Kind,
    masks: &'w [u64],
    left: &'w mut [i128],
    target: Lanes,
    found: Vec<(u64, Lanes)>,
    steps: usize,
}

impl Walk<'_> {
    /// Notes what is chosen and goes on with each of the devices after it; as
    /// deep as there are devices, so 64.
    fn go(&mut self, mut devices: u64, chosen: u64, lanes: Lanes) {
        self.found.push((chosen, lanes));
        while devices != 0 && self.steps <= options::STEPS {
            self.steps += 1;
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
