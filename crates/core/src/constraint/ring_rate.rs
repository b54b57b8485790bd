//! [`RingRate`]: the rings through the `GPU`s carry enough.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dralloc_topology::{LARGEST_TABLE, Ratio, Table, Term};

use super::vertices::Vertices;
use crate::budget::Meter;
use crate::model::Quantity;
use crate::outcome::StopCause;
use crate::topology::Machine;

/// A thousandth has so many billionths.
const NANOS_OF_A_THOUSANDTH: u128 = 1_000_000;

const TERMS: [Term; 1] = [Term::Ring];

/// Keeps the `GPU`s of some requests, whose rings are to carry a rate at least.
///
/// A device may join if some set with all of them, of devices that the requests can
/// have and no larger than all they can pick, has the rate. That is found exactly, by
/// the best set of each size; so what is refused is part of no answer. Where a machine
/// limits sets the rate is looked at in the end only. Devices without links are in no
/// ring.
#[derive(Debug)]
pub(crate) struct RingRate {
    machine: Arc<Machine>,
    table: Arc<Table>,
    least: Quantity,
    /// In billionths of GB/s.
    nanos: u128,
    /// The devices that can be picked, and their vertices.
    devices: BTreeSet<usize>,
    open: u16,
    /// So many picks there are at most, and so many of them have vertices for certain.
    most: usize,
    linked: usize,
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
            least: least.clone(),
            nanos: nanos.map_or(u128::MAX, |nanos| u128::try_from(nanos).unwrap_or(0)),
            devices: BTreeSet::new(),
            open: 0,
            most: 0,
            linked: 0,
            picked: Vertices::default(),
            outsiders: Vec::new(),
            known: BTreeMap::new(),
        }
    }

    /// Notes that a request can have some devices, and picks so many at most.
    pub(crate) fn open(&mut self, devices: impl Iterator<Item = usize>, count: usize) {
        let mut is_linked = true;
        for device in devices {
            let bit = self.bit(device);
            self.open |= bit;
            is_linked &= bit != 0;
            self.devices.insert(device);
        }
        self.most = self.most.saturating_add(count);
        if is_linked {
            self.linked = self.linked.saturating_add(count);
        }
    }

    /// Finds out the best rates of any devices, of which those of picks are made mostly.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn look_ahead(&self, meter: &mut Meter<'_>) -> Result<(), StopCause> {
        let sets = (self.open, self.open, 0);
        for count in 2..=self.most.min(self.open.count_ones() as usize) {
            self.table.best_until(sets, count, &TERMS, meter)?;
        }
        Ok(())
    }

    /// Returns the rate that is asked for, in GB/s.
    pub(crate) fn least(&self) -> &Quantity {
        &self.least
    }

    /// Returns how many devices rings must run through, and the best rate of so many that
    /// can be picked, in thousandths of GB/s, rounded down; none where none must.
    pub(crate) fn best(&self) -> Option<(usize, u64)> {
        let on_vertex = |vertex: usize| {
            let devices = self.devices.iter();
            let devices = devices.filter(|device| self.machine.gpu(**device) == Some(vertex));
            devices.count()
        };
        // Several devices may be one vertex.
        let most_on_one = (0..LARGEST_TABLE).map(on_vertex).max().unwrap_or(0);
        let fewest = self.linked.div_ceil(most_on_one.max(1));
        let last = self.most.min(self.open.count_ones() as usize);
        if fewest < 2 {
            return None;
        }
        let rates = (fewest..=last).filter_map(|count| self.best_with(0, count));
        let best = rates.max().map_or(0, |rate| rate.times(1));
        Some((self.linked, best))
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
        // Where sets are limited the best is one of those, and what other requests get
        // belongs to it, too.
        let can = first < 2
            || self.machine.has_allowed_sets()
            || (first..=last).rev().any(|count| {
                self.best_with(set, count)
                    .is_some_and(|rate| self.is_enough(rate))
            });
        self.known.insert(set, can);
        can
    }

    /// Returns the best rate of a set of some size with some vertices.
    fn best_with(&self, set: u16, count: usize) -> Option<Ratio> {
        let best = self
            .table
            .best_within(self.open, self.open, set, count, &TERMS)?;
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
        above >= self.nanos.saturating_mul(u128::from(rate.denominator()))
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
