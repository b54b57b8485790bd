//! [`HeldDevice`]: all that is held of one device.

use std::sync::Arc;

use dralloc_quantity::Amount;

use super::{HeldAs, ShareId};
use crate::model::{Counter, DeviceCounterConsumption, QualifiedName};

/// Sums up the records of one device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeldDevice {
    /// How many owners hold it whole; more than one only in broken books.
    whole: usize,
    shares: Vec<Option<ShareId>>,
    /// How many records took amounts, also of nothing.
    taking: usize,
    /// By capacity, in order: a device has few, and a tree of few is dear to copy.
    consumed: Vec<(QualifiedName, Amount)>,
    /// What it took of counters when a slice last published it.
    last_consumption: Option<Arc<[DeviceCounterConsumption]>>,
}

/// Is what is held of nearly all held devices: one owner has it whole.
pub(super) static WHOLE: HeldDevice = HeldDevice {
    whole: 1,
    shares: Vec::new(),
    taking: 0,
    consumed: Vec::new(),
    last_consumption: None,
};

impl HeldDevice {
    pub(super) fn add(&mut self, held_as: &HeldAs) {
        match held_as {
            HeldAs::Whole => self.whole += 1,
            HeldAs::Share { id, consumed } => {
                self.shares.push(id.clone());
                if let Some(consumed) = consumed {
                    self.taking += 1;
                    for (name, amount) in consumed {
                        match self.place(name) {
                            Ok(place) => self.consumed[place].1 += amount,
                            Err(place) => {
                                self.consumed.insert(place, (name.clone(), amount.clone()));
                            }
                        }
                    }
                }
            }
        }
    }

    pub(super) fn remove(&mut self, held_as: &HeldAs) {
        match held_as {
            HeldAs::Whole => self.whole = self.whole.saturating_sub(1),
            HeldAs::Share { id, consumed } => {
                if let Some(place) = self.shares.iter().position(|share| share == id) {
                    self.shares.remove(place);
                }
                if let Some(consumed) = consumed {
                    self.taking = self.taking.saturating_sub(1);
                    for (name, amount) in consumed {
                        if let Ok(place) = self.place(name) {
                            self.consumed[place].1 -= amount;
                        }
                    }
                }
                if self.taking == 0 {
                    self.consumed.clear();
                }
            }
        }
    }

    /// Returns whether nothing is held.
    pub(super) fn is_free(&self) -> bool {
        self.whole == 0 && self.shares.is_empty()
    }

    /// Returns whether an owner holds it whole.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole > 0
    }

    /// Returns whether there are shares.
    pub(crate) fn is_shared(&self) -> bool {
        !self.shares.is_empty()
    }

    /// Returns what the shares take of a capacity.
    pub(crate) fn consumed(&self, name: &str) -> Option<&Amount> {
        let place = self.place(name).ok()?;
        Some(&self.consumed[place].1)
    }

    /// Returns the place of a capacity, or that where it belongs.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.consumed
            .binary_search_by(|(other, _)| (**other).cmp(name))
    }

    /// Returns the ids of the shares that have one.
    pub(crate) fn share_ids(&self) -> impl Iterator<Item = &ShareId> {
        self.shares.iter().flatten()
    }

    pub(super) fn set_last_consumption(&mut self, consumption: &[DeviceCounterConsumption]) {
        let amounts = consumption.iter().flat_map(|taken| taken.counters.values());
        let negative = |counter: &Counter| counter.value.amount().is_negative();
        let is_known = !amounts.into_iter().any(negative);
        self.last_consumption = is_known.then(|| consumption.into());
    }

    /// Returns what it took of counters when a slice last published it; nothing if
    /// that would make room, which says nothing of what it takes.
    pub(crate) fn last_consumption(&self) -> Option<&[DeviceCounterConsumption]> {
        self.last_consumption.as_deref()
    }
}
