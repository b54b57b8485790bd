//! [`CostOfParts`]: what picks in each part add to the values of a scope.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::number::number;
use crate::objective::{Buffers, Tally};
use crate::solver::parts::{PartCost, PartTable};

/// So many terms of a scope are looked at; what follows adds nothing.
const TERMS: usize = 6;

/// Is a list of values, the most important first.
pub(super) type Cost = [i64; TERMS];

pub(super) const NOTHING: Cost = [0; TERMS];

/// Returns a sum, value by value.
pub(super) fn plus(one: &Cost, other: &Cost) -> Cost {
    let mut sum = *one;
    for (sum, more) in sum.iter_mut().zip(other) {
        *sum = sum.saturating_add(*more);
    }
    sum
}

/// Returns a sum of equal lists.
pub(super) fn times(cost: &Cost, count: usize) -> Cost {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    cost.map(|value| value.saturating_mul(count))
}

/// Says what picks in each part add to the values of a scope.
pub(super) struct CostOfParts<'c> {
    pub(super) tally: &'c Tally,
    pub(super) scope: usize,
    pub(super) table: &'c PartTable,
    pub(super) classes: &'c [u64],
    pub(super) picked: &'c [Option<u64>],
    pub(super) states: &'c RefCell<BTreeMap<(u64, u64), u64>>,
    pub(super) buffers: &'c RefCell<Buffers>,
}

impl CostOfParts<'_> {
    fn cost(&self, devices: &[u32], chosen: u64) -> Cost {
        let mut cost = NOTHING;
        let mut buffers = self.buffers.borrow_mut();
        self.tally
            .of_set(self.scope, devices, chosen, &mut buffers, &mut cost);
        cost
    }
}

impl PartCost for CostOfParts<'_> {
    type Cost = Cost;

    fn zero(&self) -> Cost {
        NOTHING
    }

    fn add(&self, one: &Cost, other: &Cost) -> Cost {
        plus(one, other)
    }

    fn of(&self, part: usize, chosen: u64) -> Cost {
        self.cost(self.table.devices_of(part), chosen)
    }

    fn of_plain(&self, device: usize) -> Cost {
        self.cost(&[number(device)], 1)
    }

    fn of_crowd(&self, group: usize, count: usize) -> Cost {
        let mut cost = NOTHING;
        self.tally.of_crowd(self.scope, group, count, &mut cost);
        cost
    }

    fn class(&self, part: usize) -> Option<u64> {
        if self.table.is_relaxed() {
            // What is picked elsewhere may matter.
            return None;
        }
        let class = *self.classes.get(part)?;
        let picked = (*self.picked.get(part)?)?;
        if picked == 0 {
            return Some(class);
        }
        let mut states = self.states.borrow_mut();
        let next = (self.classes.len() + states.len()) as u64;
        Some(*states.entry((class, picked)).or_insert(next))
    }
}
