//! [`PackingPotential`]: how many devices can be had no more.

use dralloc_quantity::Amount;

use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::constraint::Counters;
use crate::number::number;
use crate::outcome::StopCause;
use crate::state::Draft;
use crate::store::NodeView;

/// Counts the devices, partitions among them, that could be had before the
/// picks and cannot be had after them.
///
/// A device can be had if nobody holds it, it is not picked, whole or in part,
/// and what is left of counters is enough for it alone. Whom it would suit does
/// not matter.
///
/// Bound: a pick adds 1 at least, unless its device is shared. Admissible: a
/// device that is not shared could be had until it was picked, and cannot be had
/// then; none is picked twice. The bound by parts counts what each set of picks
/// loses exactly: counters of one part are no others' concern.
#[derive(Debug)]
pub(crate) struct PackingPotential {
    /// What is left of each counter.
    left: Vec<Amount>,
    uses: Vec<Vec<(u32, Amount)>>,
    /// By counter, who takes of it, the largest first.
    users: Vec<Vec<(Amount, u32)>>,
    /// What can be had.
    there: Bitmap,
    /// Shared devices that somebody has something of: their counters are paid.
    paid: Bitmap,
    shareable: Bitmap,
    lost: Vec<u32>,
    /// What to take back: devices that were paid, counters as they were.
    trail: Vec<Undo>,
}

#[derive(Debug)]
enum Undo {
    Pick(usize),
    Paid(usize),
    Left(usize, Amount),
}

impl PackingPotential {
    pub(super) fn new(
        view: &NodeView,
        held: &Draft,
        counters: &Counters,
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let count = view.devices.len();
        let left = counters.left().to_vec();
        let mut potential = Self {
            users: vec![Vec::new(); left.len()],
            left,
            uses: Vec::with_capacity(count),
            there: Bitmap::new(count),
            paid: Bitmap::new(count),
            shareable: view.shareable.clone(),
            lost: Vec::new(),
            trail: Vec::new(),
        };
        for (device, entry) in view.devices.iter().enumerate() {
            let uses = counters.uses(device).iter();
            meter.effort(1 + uses.len() as u64 / 2)?;
            let uses: Vec<(u32, Amount)> = uses
                .map(|(counter, amount)| (number(*counter), amount.clone()))
                .collect();
            if !held.is_held(entry.key) && !counters.excludes(device) {
                potential.there.insert(device);
                for (counter, amount) in &uses {
                    potential.users[*counter as usize].push((amount.clone(), number(device)));
                }
            }
            potential.uses.push(uses);
            if counters.is_paid(device) {
                potential.paid.insert(device);
            }
        }
        for users in &mut potential.users {
            meter.effort(1 + users.len() as u64 / 2)?;
            users.sort_unstable_by(|one, other| other.cmp(one));
        }
        Ok(potential)
    }

    /// Adds a pick of a device; returns by how much the value grows.
    pub(super) fn add(&mut self, device: usize) -> i64 {
        let before = self.lost.len();
        self.trail.push(Undo::Pick(before));
        self.lose(device);
        if !self.paid.contains(device) {
            if self.shareable.contains(device) {
                self.paid.insert(device);
                self.trail.push(Undo::Paid(device));
            }
            for place in 0..self.uses[device].len() {
                let (counter, amount) = &self.uses[device][place];
                let left = &self.left[*counter as usize] - amount;
                self.leave(*counter as usize, left);
            }
        }
        i64::try_from(self.lost.len() - before).unwrap_or(i64::MAX)
    }

    /// Notes that so much is left of a counter.
    fn leave(&mut self, counter: usize, left: Amount) {
        let before = std::mem::replace(&mut self.left[counter], left);
        self.trail.push(Undo::Left(counter, before));
        for place in 0..self.users[counter].len() {
            let (needed, user) = &self.users[counter][place];
            if *needed <= self.left[counter] {
                break;
            }
            self.lose(*user as usize);
        }
    }

    fn lose(&mut self, device: usize) {
        if self.there.contains(device) {
            self.there.remove(device);
            self.lost.push(number(device));
        }
    }

    /// Takes the latest pick back.
    pub(super) fn take_back(&mut self) {
        while let Some(undo) = self.trail.pop() {
            match undo {
                Undo::Left(counter, left) => self.left[counter] = left,
                Undo::Paid(device) => self.paid.remove(device),
                Undo::Pick(before) => {
                    for device in self.lost.drain(before..) {
                        self.there.insert(device as usize);
                    }
                    return;
                }
            }
        }
    }

    /// Returns what picks add of which all are among some devices, as far as
    /// those devices are lost by it; a bit for each says which are picked.
    ///
    /// What is taken of each counter is written down in between: zero before and
    /// after. Amounts must be plain numbers.
    pub(super) fn of(&self, devices: &[u32], chosen: u64, taken: &mut Vec<i128>) -> i64 {
        taken.resize(self.left.len(), 0);
        let picked = || {
            let devices = devices.iter().enumerate();
            let devices = devices.filter(|(bit, _)| chosen >> bit & 1 == 1);
            devices.map(|(_, device)| *device as usize)
        };
        let pays = |device: &usize| !self.paid.contains(*device);
        for (counter, amount) in picked().filter(pays).flat_map(|device| &self.uses[device]) {
            let taken = &mut taken[*counter as usize];
            *taken = taken.saturating_add(amount.as_nanos().unwrap_or(0));
        }
        let is_short = |(counter, amount): &(u32, Amount)| {
            let left = self.left[*counter as usize].as_nanos();
            let pair = left.zip(amount.as_nanos());
            pair.is_some_and(|(left, amount)| {
                amount > left.saturating_sub(taken[*counter as usize])
            })
        };
        let mut lost = 0;
        for (bit, device) in devices.iter().enumerate() {
            let device = *device as usize;
            let is_lost = chosen >> bit & 1 == 1 || self.uses[device].iter().any(is_short);
            lost += i64::from(is_lost && self.there.contains(device));
        }
        for (counter, _) in picked().flat_map(|device| &self.uses[device]) {
            taken[*counter as usize] = 0;
        }
        lost
    }

    /// Writes what tells apart how picks among some devices count.
    ///
    /// What is left counts here: a scope sees only what its own picks take, so that
    /// cards of which the same is left in all may still differ in it.
    pub(super) fn describe(&self, devices: &[u32], key: &mut Vec<i128>) {
        let nanos = |amount: &Amount| amount.as_nanos().unwrap_or(i128::MAX);
        let mut known: Vec<u32> = Vec::new();
        for device in devices {
            let device = *device as usize;
            let there = i128::from(self.there.contains(device));
            let paid = i128::from(self.paid.contains(device));
            key.push(-1 - (there | paid << 1));
            for (counter, amount) in &self.uses[device] {
                let place = known.iter().position(|other| other == counter);
                key.push(i128::from(number(place.unwrap_or(known.len()))));
                key.push(nanos(amount));
                if place.is_none() {
                    known.push(*counter);
                    key.push(nanos(&self.left[*counter as usize]));
                }
            }
        }
    }

    /// Returns what a pick of a device adds at least.
    pub(super) fn at_least(&self, device: usize) -> i64 {
        i64::from(self.there.contains(device) && !self.shareable.contains(device))
    }
}
