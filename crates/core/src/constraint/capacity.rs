//! [`Capacity`]: the shares of a device sum up to what it has.

use dralloc_quantity::Amount;

use super::{Trail, Undo};
use crate::budget::Meter;
use crate::model::Quantity;
use crate::outcome::StopCause;
use crate::state::Draft;
use crate::store::Seen;

/// Keeps what is left of the capacities of shared devices.
#[derive(Debug)]
pub(crate) struct Capacity {
    /// Place of the first capacity of each device; the same as the next for most.
    first: Vec<usize>,
    left: Vec<Amount>,
}

impl Capacity {
    /// Writes down what is left.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn new(view: &Seen, held: &Draft, meter: &mut Meter<'_>) -> Result<Self, StopCause> {
        let mut capacity = Self {
            first: Vec::with_capacity(view.devices.len()),
            left: Vec::new(),
        };
        for (device, entry) in view.devices.iter().enumerate() {
            capacity.first.push(capacity.left.len());
            if !view.shareable.contains(device) {
                continue;
            }
            meter.effort(1)?;
            let held = held.device(entry.key);
            for (name, declared) in &entry.device().capacity {
                let all = declared.value.amount();
                let consumed = held.and_then(|held| held.consumed(name));
                capacity
                    .left
                    .push(consumed.map_or_else(|| all.clone(), |some| all - some));
            }
        }
        Ok(capacity)
    }

    /// Returns whether amounts, in the order of the device's capacities, are left.
    pub(crate) fn has_room(&self, device: usize, amounts: &[Quantity]) -> bool {
        let left = &self.left[self.first[device]..];
        amounts
            .iter()
            .zip(left)
            .all(|(amount, left)| amount.amount() <= left)
    }

    /// Returns the place of the first capacity of which less is left than an amount.
    pub(crate) fn short(&self, device: usize, amounts: &[Quantity]) -> Option<usize> {
        let left = &self.left[self.first[device]..];
        let mut pairs = amounts.iter().zip(left);
        pairs.position(|(amount, left)| amount.amount() > left)
    }

    /// Returns what is left of each capacity of a device; nothing if it is not shared.
    pub(crate) fn left_of(&self, device: usize) -> &[Amount] {
        let end = self.first.get(device + 1).copied();
        let range = self.first[device]..end.unwrap_or(self.left.len());
        self.left.get(range).unwrap_or_default()
    }

    /// Returns whether twice an amount of one capacity is left.
    pub(crate) fn has_twice(&self, device: usize, place: usize, amount: &Amount) -> bool {
        self.left
            .get(self.first[device] + place)
            .is_some_and(|left| amount + amount <= *left)
    }

    /// Returns how many times amounts are left, up to a number.
    pub(crate) fn times(&self, device: usize, amounts: &[i128], most: usize) -> usize {
        let left = self.left.iter().skip(self.first[device]);
        let times = left.zip(amounts).filter(|(_, amount)| **amount > 0);
        let times = times.map(|(left, amount)| {
            let left = left.as_nanos();
            left.map_or(most, |left| {
                usize::try_from((left / amount).max(0)).unwrap_or(most)
            })
        });
        times.fold(most, usize::min)
    }

    /// Takes amounts, which must be left.
    pub(crate) fn add(&mut self, device: usize, amounts: &[Quantity], trail: &mut Trail) {
        let first = self.first[device];
        for (place, amount) in (first..).zip(amounts) {
            if let Some(left) = self.left.get_mut(place) {
                trail.push(Undo::Capacity(place, left.clone()));
                *left -= amount.amount();
            }
        }
    }

    pub(crate) fn undo(&mut self, place: usize, left: Amount) {
        self.left[place] = left;
    }
}
