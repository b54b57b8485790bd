//! [`Counters`]: devices of a pool share budgets.

use std::collections::BTreeMap;

use dralloc_quantity::Amount;

use super::{Trail, Undo};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::model::{DeviceCounterConsumption, Str};
use crate::number::number;
use crate::outcome::StopCause;
use crate::state::{Draft, HeldDevice};
use crate::store::{Pool, Seen};

/// Keeps what is left of every counter that a node's devices use.
#[derive(Debug)]
pub(crate) struct Counters {
    available: Vec<Amount>,
    /// What each device takes, by counter; empty for most.
    uses: Vec<Vec<(usize, Amount)>>,
    /// Shared devices whose counters are paid, so that another share takes none.
    charged: Bitmap,
    /// Devices of pools whose counters cannot be known.
    blocked: Bitmap,
}

type Index = BTreeMap<(Str, Str), usize>;

impl Counters {
    /// Writes down what is left.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn new(view: &Seen, held: &Draft, meter: &mut Meter<'_>) -> Result<Self, StopCause> {
        let count = view.devices.len();
        let mut counters = Self {
            available: Vec::new(),
            uses: vec![Vec::new(); count],
            charged: Bitmap::new(count),
            blocked: Bitmap::new(count),
        };
        for (place, pool) in view.pools.iter().enumerate() {
            if !pool.counters.is_empty() && pool.is_complete() {
                counters.add_pool(view, place, pool, held, meter)?;
            }
        }
        Ok(counters)
    }

    fn add_pool(
        &mut self,
        view: &Seen,
        place: usize,
        pool: &Pool,
        held: &Draft,
        meter: &mut Meter<'_>,
    ) -> Result<(), StopCause> {
        let mut index = Index::new();
        for (set, counters) in &pool.counters {
            meter.effort(1 + counters.len() as u64)?;
            for (name, value) in counters {
                index.insert((set.clone(), name.clone()), self.available.len());
                self.available.push(value.clone());
            }
        }
        let known = self.charge_held(pool, &index, held, meter)?;
        for device in view.of_pool(place) {
            let entry = &view.devices[device];
            meter.effort(cost(&entry.device().consumes_counters))?;
            for (counter, amount) in amounts(&entry.device().consumes_counters, &index).flatten() {
                match self.uses[device]
                    .iter_mut()
                    .find(|(other, _)| *other == counter)
                {
                    Some((_, sum)) => *sum += amount,
                    None => self.uses[device].push((counter, amount.clone())),
                }
            }
            if !known && !entry.device().consumes_counters.is_empty() {
                self.blocked.insert(device);
            }
            let shared = held.device(entry.key).is_some_and(HeldDevice::is_shared);
            if shared && view.shareable.contains(device) {
                self.charged.insert(device);
            }
        }
        Ok(())
    }

    /// Charges what held devices of a pool take, wherever they are published.
    ///
    /// A held device that the pool no longer publishes takes what it took last.
    /// Returns whether all is known: if not, nothing of the pool's counters
    /// can be trusted to be left.
    fn charge_held(
        &mut self,
        pool: &Pool,
        index: &Index,
        held: &Draft,
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        let mut published = Vec::new();
        for stored in pool.slices.iter().chain(&pool.elsewhere) {
            meter.look_at(stored.devices.len())?;
            for (key, device) in stored.devices.iter().zip(&stored.slice.spec.devices) {
                published.push(*key);
                if held.is_held(*key) {
                    meter.effort(cost(&device.consumes_counters))?;
                    self.charge(&device.consumes_counters, index);
                }
            }
        }
        published.sort_unstable();
        let mut known = true;
        for key in held.in_pool(pool.key) {
            meter.effort(1)?;
            if published.binary_search(&key).is_ok() {
                continue;
            }
            if let Some(device) = held.device(key) {
                known &= device
                    .last_consumption()
                    .is_some_and(|consumption| self.charge(consumption, index));
            }
        }
        Ok(known)
    }

    /// Returns whether every counter was known.
    fn charge(&mut self, consumption: &[DeviceCounterConsumption], index: &Index) -> bool {
        let mut known = true;
        for amount in amounts(consumption, index) {
            match amount {
                Some((counter, amount)) => self.available[counter] -= amount,
                None => known = false,
            }
        }
        known
    }

    /// Returns whether a device takes counters that cannot be known, or more
    /// than there can be for it.
    pub(crate) fn excludes(&self, device: usize) -> bool {
        !self.is_paid(device) && (self.blocked.contains(device) || !self.has_room(device))
    }

    /// Returns whether the counters of a device are paid already.
    pub(crate) fn is_paid(&self, device: usize) -> bool {
        self.charged.contains(device)
    }

    /// Returns what is left of every counter: those of complete pools, in order.
    pub(crate) fn left(&self) -> &[Amount] {
        &self.available
    }

    /// Returns what a device takes, by counter.
    pub(crate) fn uses(&self, device: usize) -> &[(usize, Amount)] {
        self.uses.get(device).map_or(&[], |uses| uses)
    }

    /// Returns whether enough is left for a device.
    ///
    /// A counter that was overdrawn before blocks its users only.
    pub(crate) fn has_room(&self, device: usize) -> bool {
        self.uses[device]
            .iter()
            .all(|(counter, amount)| self.available[*counter] >= *amount)
    }

    /// Returns how many counters there are.
    pub(crate) fn len(&self) -> usize {
        self.available.len()
    }

    /// Returns what a device takes as plain numbers; without those that cannot
    /// be written so, and nothing if its counters are paid.
    pub(crate) fn plain_uses(&self, device: usize) -> Vec<(u32, i128)> {
        if self.is_paid(device) {
            return Vec::new();
        }
        let uses = self.uses[device].iter();
        let plain =
            uses.filter_map(|(counter, amount)| Some((number(*counter), amount.as_nanos()?)));
        plain.collect()
    }

    /// Writes down what is left as plain numbers, the largest where it cannot be
    /// written so.
    pub(crate) fn plain_left(&self, left: &mut Vec<i128>) {
        left.clear();
        let available = self.available.iter();
        left.extend(available.map(|amount| amount.as_nanos().unwrap_or(i128::MAX)));
    }

    /// Returns the set and the name of the first counter of which too little is
    /// left for a device.
    pub(crate) fn short<'a>(&self, device: usize, view: &'a Seen) -> Option<(&'a Str, &'a Str)> {
        let mut uses = self.uses[device].iter();
        let (counter, _) = uses.find(|(counter, amount)| self.available[*counter] < *amount)?;
        self.names(view).get(*counter).copied()
    }

    /// Returns what a device takes of that counter, and what is left of it.
    pub(crate) fn short_amounts(&self, device: usize) -> Option<(&Amount, &Amount)> {
        let uses = self.uses[device].iter();
        let mut uses = uses.map(|(counter, amount)| (amount, &self.available[*counter]));
        uses.find(|(amount, left)| left < amount)
    }

    /// Returns the set and the name of every counter.
    pub(crate) fn names<'a>(&self, view: &'a Seen) -> Vec<(&'a Str, &'a Str)> {
        let pools = view.pools.iter().filter(|pool| pool.is_complete());
        let sets = pools.flat_map(|pool| &pool.counters);
        let names = sets.flat_map(|(set, counters)| counters.keys().map(move |name| (set, name)));
        names.take(self.available.len()).collect()
    }

    /// Takes the counters of a device, which must have room.
    pub(crate) fn add(&mut self, device: usize, shared: bool, trail: &mut Trail) {
        for (counter, amount) in &self.uses[device] {
            let available = &mut self.available[*counter];
            trail.push(Undo::Counter(*counter, available.clone()));
            *available -= amount;
        }
        if shared {
            self.charged.insert(device);
            trail.push(Undo::Charged(device));
        }
    }

    pub(crate) fn undo_counter(&mut self, counter: usize, available: Amount) {
        self.available[counter] = available;
    }

    pub(crate) fn undo_charged(&mut self, device: usize) {
        self.charged.remove(device);
    }
}

/// Returns how many branches it takes as long as to look up what a device takes.
fn cost(consumption: &[DeviceCounterConsumption]) -> u64 {
    let counters = consumption
        .iter()
        .map(|of_set| of_set.counters.len() as u64);
    1 + counters.sum::<u64>()
}

/// Returns the amounts by counter; none for a counter that the pool lacks.
fn amounts<'a>(
    consumption: &'a [DeviceCounterConsumption],
    index: &'a Index,
) -> impl Iterator<Item = Option<(usize, &'a Amount)>> {
    consumption.iter().flat_map(move |of_set| {
        of_set.counters.iter().map(move |(name, counter)| {
            let place = index.get(&(of_set.counter_set.clone(), name.clone()));
            place.map(|place| (*place, counter.value.amount()))
        })
    })
}
