//! [`RingRate`]: the rings through the `GPU`s carry enough.

use std::collections::BTreeMap;
use std::sync::Arc;

use dralloc_topology::{Ratio, Table, Term};

use super::vertices::Vertices;
use crate::model::Quantity;
use crate::topology::Machine;

/// A thousandth has so many billionths.
const NANOS_OF_A_THOUSANDTH: u128 = 1_000_000;

/// Keeps the `GPU`s of some requests, whose rings are to carry a rate at least.
///
/// A device may join if some set with all of them, of devices that the requests can
/// have and no larger than all they can pick, has the rate. That is found exactly, by
/// the best set of each size; so what is refused is part of no answer. Devices without
/// links are in no ring.
#[derive(Debug)]
pub(crate) struct RingRate {
    machine: Arc<Machine>,
    table: Arc<Table>,
    /// In billionths of GB/s.
    least: u128,
    /// The vertices that can be picked.
    open: u16,
    /// So many picks there are at most.
    most: usize,
    picked: Vertices,
    /// By pick, whether it has no links.
    outsiders: Vec<bool>,
    known: BTreeMap<u16, bool>,
}

impl RingRate {
    pub(crate) fn new(machine: Arc<Machine>, table: Arc<Table>, least: &Quantity) -> Self {
        let nanos = least.amount().as_nanos();
        Self {
            machine,
            table,
            least: nanos.map_or(u128::MAX, |nanos| u128::try_from(nanos).unwrap_or(0)),
            open: 0,
            most: 0,
            picked: Vertices::default(),
            outsiders: Vec::new(),
            known: BTreeMap::new(),
        }
    }

    /// Notes that a request can have some devices, and picks so many at most.
    pub(crate) fn open(&mut self, devices: impl Iterator<Item = usize>, count: usize) {
        for device in devices {
            self.open |= self.bit(device);
        }
        self.most = self.most.saturating_add(count);
    }

    /// Returns whether a device may join.
    pub(crate) fn admits(&mut self, device: usize) -> bool {
        let outsiders = self.outsiders() + usize::from(self.machine.is_outsider(device));
        let set = self.set() | self.bit(device);
        if outsiders > 0 {
            return outsiders == 1 && set == 0;
        }
        if let Some(known) = self.known.get(&set) {
            return *known;
        }
        let first = set.count_ones() as usize;
        let last = self.most.min(self.open.count_ones() as usize);
        let can = first < 2
            || (first..=last).rev().any(|count| {
                self.best(set, count)
                    .is_some_and(|rate| self.is_enough(rate))
            });
        self.known.insert(set, can);
        can
    }

    /// Returns the best rate of a set of some size with some vertices.
    fn best(&self, set: u16, count: usize) -> Option<Ratio> {
        let terms = [Term::Ring];
        let best = self
            .table
            .best_within(self.open, self.open, set, count, &terms)?;
        self.table.ring_rate(best)
    }

    /// Lets a device join.
    pub(crate) fn add(&mut self, device: usize) {
        self.picked.add(self.machine.gpu(device));
        self.outsiders.push(self.machine.is_outsider(device));
    }

    /// Takes the last device back.
    pub(crate) fn undo(&mut self) {
        self.picked.undo();
        self.outsiders.pop();
    }

    /// Returns whether what is picked has the rate.
    pub(crate) fn is_whole(&self) -> bool {
        let outsiders = self.outsiders();
        if self.picked.len() + outsiders < 2 {
            return true;
        }
        let rate = self.table.ring_rate(self.set());
        outsiders == 0 && rate.is_none_or(|rate| self.is_enough(rate))
    }

    fn is_enough(&self, rate: Ratio) -> bool {
        let above = u128::from(rate.numerator()).saturating_mul(NANOS_OF_A_THOUSANDTH);
        above >= self.least.saturating_mul(u128::from(rate.denominator()))
    }

    fn outsiders(&self) -> usize {
        self.outsiders.iter().filter(|is_one| **is_one).count()
    }

    fn set(&self) -> u16 {
        self.picked.iter().fold(0, |set, vertex| set | bit(vertex))
    }

    fn bit(&self, device: usize) -> u16 {
        self.machine.gpu(device).map_or(0, bit)
    }
}

/// Returns the bit of a vertex; tables have 16 at most.
fn bit(vertex: usize) -> u16 {
    let place = u32::try_from(vertex).unwrap_or(u32::MAX);
    1_u16.checked_shl(place).unwrap_or(0)
}
