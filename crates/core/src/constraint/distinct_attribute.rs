//! [`DistinctAttribute`]: no two devices have a value in common.

use super::{AttributeSets, SetId};
use crate::bitmap::Bitmap;

/// Keeps the values that devices have so far.
#[derive(Debug, Default)]
pub(crate) struct DistinctAttribute {
    used: Bitmap,
    devices: usize,
}

impl DistinctAttribute {
    pub(crate) fn new(sets: &AttributeSets) -> Self {
        Self {
            used: Bitmap::new(sets.value_count()),
            devices: 0,
        }
    }

    /// Returns whether a device may join: nobody has any of its values, and if
    /// its value cannot be compared, nobody came before.
    pub(crate) fn admits(&self, sets: &AttributeSets, device: SetId) -> bool {
        if sets.is_incomparable(device) {
            return self.devices == 0;
        }
        !sets
            .values(device)
            .iter()
            .any(|value| self.used.contains(*value as usize))
    }

    /// Lets a device join, which must be admitted.
    pub(crate) fn add(&mut self, sets: &AttributeSets, device: SetId) {
        sets.values(device)
            .iter()
            .for_each(|value| self.used.insert(*value as usize));
        self.devices += 1;
    }

    /// Takes the last device back.
    pub(crate) fn undo(&mut self, sets: &AttributeSets, device: SetId) {
        sets.values(device)
            .iter()
            .for_each(|value| self.used.remove(*value as usize));
        self.devices -= 1;
    }
}
