//! [`Exchanges`]: devices of which it does not matter which one is picked.

use std::collections::BTreeMap;

use super::{Problem, Propagator};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::constraint::SetId;
use crate::number::number;
use crate::outcome::StopCause;

/// Knows the devices that can be exchanged with each other in every answer.
///
/// Sound: two devices are alike to every alternative, to each rule, and to each term, so
/// an answer with the later one and without the earlier one is an answer with them
/// exchanged, which is worth the same and comes first in canonical order. So the first
/// answer of some value never has a device without those before it that are like it: of
/// the CPUs of a NUMA node it matters only how many are picked.
///
/// Only devices that are held as a whole are exchanged: what is shared, or uses counters,
/// is like no other. They are compared before anything is picked.
#[derive(Debug)]
pub(in crate::solver) struct Exchanges {
    /// By device: the last one before it that is like it.
    before: Vec<Option<u32>>,
}

impl Exchanges {
    /// Compares the devices of a problem; what else tells them apart is written for each.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(in crate::solver) fn new(
        problem: &Problem<'_>,
        mut describe: impl FnMut(u32, &mut Vec<i128>),
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let count = problem.view.devices.len();
        let mut before = vec![None; count];
        // Access for administration holds nothing, so that picks do not exclude each other.
        let is_admin = |plan: &super::Plan<'_>| plan.alternative.admin_access;
        if problem.plans.iter().any(is_admin) {
            return Ok(Self { before });
        }
        let mut last: BTreeMap<Vec<i128>, u32> = BTreeMap::new();
        let mut key = Vec::new();
        for (device, before) in before.iter_mut().enumerate() {
            meter.look_at(problem.plans.len())?;
            key.clear();
            if problem.is_like_no_other(device) || !problem.describe(device, &mut key) {
                continue;
            }
            let device = number(device);
            describe(device, &mut key);
            match last.get_mut(&key) {
                Some(last) => *before = Some(std::mem::replace(last, device)),
                None => {
                    last.insert(key.clone(), device);
                }
            }
        }
        Ok(Self { before })
    }

    /// Returns whether one like it comes before a device, and is not taken.
    pub(in crate::solver) fn is_behind(&self, device: usize, taken: &Bitmap) -> bool {
        let before = self.before.get(device).copied().flatten();
        before.is_some_and(|before| !taken.contains(before as usize))
    }
}

impl Problem<'_> {
    /// Returns whether a device is like no other: it is shared, another one is the same, or
    /// it uses counters.
    fn is_like_no_other(&self, device: usize) -> bool {
        self.view.shareable.contains(device)
            || self.view.twins.of(device).next().is_some()
            || self.state.counters.is_paid(device)
            || !self.state.counters.uses(device).is_empty()
            || !self.view.devices[device]
                .device()
                .consumes_counters
                .is_empty()
    }

    /// Writes which alternatives can have a device, and what it shows to rules; returns
    /// whether that is all there is to it.
    fn describe(&self, device: usize, key: &mut Vec<i128>) -> bool {
        let mut is_candidate = false;
        for plan in &self.plans {
            if !plan.candidates.contains(device) {
                key.push(-1);
                continue;
            }
            is_candidate = true;
            key.push(i128::from(number(plan.constraints.len())));
            if plan.amounts.contains_key(&device) {
                return false;
            }
            for compared in &plan.constraints {
                let domain = match &self.constraints[compared.constraint].propagator {
                    Propagator::Match(_) | Propagator::Distinct(_) => None,
                    Propagator::Units(units) => units.domain(device),
                    // These know each device by itself.
                    Propagator::Linked(_)
                    | Propagator::AllowedSets(_)
                    | Propagator::Partition(_)
                    | Propagator::Ring(_)
                    | Propagator::Cuts(_) => return false,
                };
                let shown = compared.shown(device).map(SetId::index);
                for number_or_none in [shown, domain] {
                    key.push(number_or_none.map_or(-1, |found| i128::from(number(found))));
                }
            }
        }
        is_candidate
    }
}
