//! [`Cards`]: what open requests add at least, part by part.

mod scope;

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::alternatives::Open;
use super::cost::{CostOfParts, NOTHING, plus, times};
use crate::budget::Meter;
use crate::number::number;
use crate::objective::{Buffers, Tally};
use crate::outcome::StopCause;
use crate::solver::parts::{Need, PartScratch, PartTable, Question};
use crate::solver::problem::Problem;
use scope::OfScope;

/// Adds up the least that parts of the node can be used for, exactly in each
/// part: a card with its partitions, or what else a term looks at together.
///
/// A request is looked at so if one alternative of it can be had, which takes devices
/// away and shares none. The others add what each of their picks adds at least.
///
/// Admissible: the values of picks are sums over parts, or more than that, where
/// a parent is in several of them; the relaxation drops rules, so what it leaves
/// is no worse than any answer; and picks of other requests come on top of it
/// with what they add at least.
pub(super) struct Cards {
    table: PartTable,
    scratch: PartScratch,
    /// What each device takes of counters, and what is left of them.
    uses: Vec<Vec<(u32, i128)>>,
    left: Vec<i128>,
    /// Counters as they were before the latest picks.
    trail: Vec<(usize, i128)>,
    marks: Vec<(usize, usize)>,
    /// By device: its part.
    part: Vec<Option<u32>>,
    /// By device: a number that it shares with those that count the same, all in
    /// all, as long as nothing of their parts is picked.
    alike: Vec<u32>,
    /// By device: its place in its part, as a bit.
    bits: Vec<u64>,
    /// By part: how many picks it has.
    picks: Vec<u32>,
    /// What was picked before the latest picks, by scope and part.
    picked: Vec<(usize, usize, Option<u64>)>,
    /// By request: the alternative that it is looked at with.
    fixed: Vec<Option<usize>>,
    scopes: Vec<OfScope>,
    buffers: RefCell<Buffers>,
    key: Vec<i128>,
}

impl Cards {
    /// Returns nothing if counters are beyond plain numbers.
    pub(super) fn new(
        problem: &Problem<'_>,
        tally: &mut Tally,
        open: &Open,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Self>, StopCause> {
        meter.poll()?;
        let counters = &problem.state.counters;
        let left = counters.left().iter();
        let left: Option<Vec<i128>> = left.map(dralloc_quantity::Amount::as_nanos).collect();
        let uses = (0..problem.view.devices.len()).map(|device| {
            // What is held in part has its counters already.
            let is_paid = counters.is_paid(device);
            let uses = counters.uses(device).iter().filter(|_| !is_paid);
            let plain = |(counter, amount): &(usize, dralloc_quantity::Amount)| {
                Some((number(*counter), amount.as_nanos()?))
            };
            uses.map(plain).collect()
        });
        let uses: Option<Vec<Vec<(u32, i128)>>> = uses.collect();
        let Some((left, uses)) = left.zip(uses) else {
            return Ok(None);
        };
        meter.poll()?;
        let groups = tally.groups();
        let of = |device: usize| &*uses[device];
        let table = PartTable::new(uses.len(), left.len(), of, &groups, meter)?;
        tally.split(table.split_groups());
        let crowds = table.crowds(&groups, uses.len());
        let mut part = vec![None; uses.len()];
        let mut bits = vec![0; uses.len()];
        for number in 0..number(table.len()) {
            for (bit, device) in table.devices_of(number as usize).iter().enumerate() {
                part[*device as usize] = Some(number);
                bits[*device as usize] = 1 << bit;
            }
        }
        let fixed = (0..problem.requests.len()).map(|request| fixed(problem, request, open));
        let mut cards = Self {
            scratch: PartScratch::default(),
            uses,
            left,
            trail: Vec::new(),
            marks: Vec::new(),
            part,
            alike: Vec::new(),
            bits,
            picks: vec![0; table.len()],
            picked: Vec::new(),
            table,
            fixed: fixed.collect(),
            scopes: Vec::new(),
            buffers: RefCell::default(),
            key: Vec::new(),
        };
        for scope in 0..tally.scopes() {
            let known = (&cards.table, &*cards.fixed);
            let of_scope = OfScope::new(problem, tally, known, (scope, open), meter)?;
            cards.scopes.push(of_scope);
        }
        meter.poll()?;
        if !cards.table.is_relaxed() {
            cards.alike = cards.number_alike(problem, tally, &crowds, meter)?;
        }
        Ok(Some(cards))
    }

    /// Numbers devices by what this bound reads of them and of their parts.
    fn number_alike(
        &mut self,
        problem: &Problem<'_>,
        tally: &Tally,
        crowds: &[Option<u32>],
        meter: &mut Meter<'_>,
    ) -> Result<Vec<u32>, StopCause> {
        let mut known: BTreeMap<Vec<i128>, u32> = BTreeMap::new();
        let mut alike = vec![0; self.uses.len()];
        let mut next = 0;
        let shareable = &problem.view.shareable;
        let serves = |devices: &[u32], key: &mut Vec<i128>| {
            // What is taken of a shared device is its own.
            let shared = devices
                .iter()
                .find(|device| shareable.contains(**device as usize));
            key.push(shared.map_or(-1, |device| i128::from(*device)));
            for plan in &problem.plans {
                let bits = devices
                    .iter()
                    .enumerate()
                    .fold(0_i128, |bits, (bit, device)| {
                        let serves = plan.candidates.contains(*device as usize);
                        bits | i128::from(serves) << bit
                    });
                key.push(bits);
            }
        };
        for part in 0..self.table.len() {
            let devices = self.table.devices_of(part);
            meter.effort(1 + devices.len() as u64)?;
            let mut key = vec![i128::from(number(self.table.kind_of(part)))];
            let classes = self
                .scopes
                .iter()
                .map(|scope| i128::from(scope.classes[part]));
            key.extend(classes);
            let counters = devices
                .iter()
                .flat_map(|device| &self.uses[*device as usize]);
            key.extend(counters.map(|(counter, _)| self.left[*counter as usize]));
            serves(devices, &mut key);
            let first = *known.entry(key).or_insert(next);
            for (device, number) in devices.iter().zip(first..) {
                alike[*device as usize] = number;
            }
            next = next.max(first + number(devices.len()));
        }
        for device in (0..self.uses.len()).filter(|device| self.part[*device].is_none()) {
            meter.effort(2)?;
            // What is picked of a crowd tells it apart from others.
            let mut key = vec![-1, crowds[device].map_or(-1, i128::from)];
            let devices = [number(device)];
            for scope in 0..self.scopes.len() {
                tally.describe(scope, &devices, &mut self.key);
                key.append(&mut self.key);
            }
            serves(&devices, &mut key);
            alike[device] = *known.entry(key).or_insert(next);
            next = next.max(alike[device] + 1);
        }
        Ok(alike)
    }

    /// Returns a number of a device: if the bound refuses it, it refuses those that
    /// come later and have the same number, too. Nothing if none has.
    ///
    /// Parts with the same number can be exchanged; those that come later leave
    /// fewer devices to what is picked after them.
    pub(super) fn like(&self, device: usize) -> Option<u32> {
        let part = self.part[device];
        let is_untouched = part.is_none_or(|part| self.picks[part as usize] == 0);
        self.alike.get(device).copied().filter(|_| is_untouched)
    }

    /// Notes a pick for a plan that takes the device away, and its counters if it
    /// pays them.
    pub(super) fn add(
        &mut self,
        tally: &Tally,
        (plan, device): (usize, usize),
        takes: bool,
        pays: bool,
    ) {
        self.marks.push((self.trail.len(), self.picked.len()));
        if let Some(part) = self.part[device] {
            let part = part as usize;
            self.picks[part] += 1;
            let scopes = self.scopes.iter_mut().enumerate();
            for (place, scope) in scopes.filter(|(place, _)| takes && tally.counts(*place, plan)) {
                let picked = scope.picked[part];
                self.picked.push((place, part, picked));
                let is_new = picked.filter(|picked| picked & self.bits[device] == 0);
                scope.picked[part] = is_new.map(|picked| picked | self.bits[device]);
            }
        }
        if !pays {
            return;
        }
        for (counter, amount) in &self.uses[device] {
            let left = &mut self.left[*counter as usize];
            self.trail.push((*counter as usize, *left));
            *left = left.saturating_sub(*amount);
        }
    }

    /// Takes the latest pick back.
    pub(super) fn take_back(&mut self, device: usize) {
        if let Some(part) = self.part[device] {
            self.picks[part as usize] -= 1;
        }
        let (counters, picked) = self.marks.pop().unwrap_or((0, 0));
        for (counter, left) in self.trail.drain(counters..).rev() {
            self.left[counter] = left;
        }
        for (scope, part, picked) in self.picked.drain(picked..).rev() {
            self.scopes[scope].picked[part] = picked;
        }
    }

    /// Writes what answers come to at least that begin with the picks so far,
    /// when a plan still needs some from a place on, and others are open; returns
    /// whether there may be any.
    pub(super) fn at_least(
        &mut self,
        problem: &Problem<'_>,
        tally: &Tally,
        current: Option<(usize, usize, usize)>,
        open: &Open,
        least: &mut Vec<i64>,
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        least.clear();
        least.extend_from_slice(tally.values());
        let away = problem.state.exclusive.taken_by_any().words();
        for scope in 0..self.scopes.len() {
            let of_scope = &mut self.scopes[scope];
            let mut base = NOTHING;
            if !of_scope.alternatives.add_least(problem, open, &mut base) {
                return Ok(false);
            }
            let mut needs = Vec::new();
            if let Some((plan, from, left)) = current
                && left > 0
                && tally.counts(scope, plan)
                && is_exclusive(problem, plan)
            {
                base = plus(&base, &times(&of_scope.less[plan], left));
                needs.push(need(problem, plan, from, left));
            }
            let fixed = self.fixed[open.later..].iter().flatten();
            let fixed = fixed.filter(|plan| tally.counts(scope, **plan));
            needs.extend(fixed.map(|plan| need(problem, *plan, 0, problem.plans[*plan].needed)));
            let question = Question {
                left: &self.left,
                away,
                needs: &needs,
            };
            let cost = CostOfParts {
                tally,
                scope,
                table: &self.table,
                classes: &of_scope.classes,
                picked: &of_scope.picked,
                states: &of_scope.states,
                buffers: &self.buffers,
            };
            let known = &mut of_scope.known;
            let sum = self
                .scratch
                .least(&self.table, &question, &cost, known, meter)?;
            let Some(sum) = sum else {
                return Ok(false);
            };
            let sum = plus(&base, &sum);
            let values = &mut least[tally.values_of(scope)];
            for (value, more) in values.iter_mut().zip(sum) {
                *value = value.saturating_add(more);
            }
        }
        Ok(true)
    }
}

/// Returns the alternative of a request that parts are looked at with.
fn fixed(problem: &Problem<'_>, request: usize, open: &Open) -> Option<usize> {
    let plans = problem.requests[request].clone();
    let mut plans = plans.filter(|plan| open.plans.contains(*plan));
    let plan = plans.next().filter(|_| plans.next().is_none())?;
    is_exclusive(problem, plan).then_some(plan)
}

/// Returns whether a plan takes each device away from all others.
fn is_exclusive(problem: &Problem<'_>, plan: usize) -> bool {
    let choice = &problem.plans[plan];
    let mut shared = problem.serving.iter();
    !choice.alternative.admin_access && !shared.any(|device| choice.candidates.contains(device))
}

fn need<'p>(problem: &'p Problem<'_>, plan: usize, from: usize, count: usize) -> Need<'p> {
    Need {
        words: problem.plans[plan].candidates.words(),
        from,
        count,
    }
}
