//! The least that picks can cost, as a sum over parts.

use std::collections::BTreeMap;
use std::ops::Range;

use super::known_costs::KnownCosts;
use super::lanes::Lanes;
use super::options::most;
use super::query::{PartScratch, Question};
use super::table::{BITS, PartTable};
use super::terms::{Ended, Terms};
use super::{PartCost, crowd};
use crate::budget::Meter;
use crate::outcome::StopCause;

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
                Err(Ended::TooMany) => return Ok(Some(cost.zero())),
            }
        }
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
                match terms.of_part(place, kind, (&masks, &mut left), meter)? {
                    Some(costs) => terms.add_options(costs),
                    None => terms.relax(most(kind, &masks, &left)),
                }
                continue;
            };
            let (of, state) = ((part.kind, class), (&*masks, &*left));
            let found = known.find(place, of, state, terms.target);
            let found = if let Some(found) = found {
                found
            } else {
                let costs = terms.of_part(place, kind, (&masks, &mut left.clone()), meter)?;
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
                None => terms.relax(most(kind, &masks, &left)),
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
