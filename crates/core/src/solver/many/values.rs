//! [`Values`]: what devices show to a match constraint.

use crate::budget::Meter;
use crate::constraint::{AttributeSets, Holders, SetId};
use crate::outcome::StopCause;

/// Holds what each device shows, and which devices show a value.
#[derive(Debug)]
pub(super) struct Values {
    sets: AttributeSets,
    is_shown: bool,
    /// By device.
    shown: Box<[Option<SetId>]>,
    holders: Holders,
}

impl Values {
    /// Writes down which devices show each value.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn new(
        sets: AttributeSets,
        shown: Vec<Option<SetId>>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        for device in 0..shown.len() {
            meter.come_to(device)?;
        }
        Ok(Self {
            holders: Holders::new(&sets, &shown),
            is_shown: shown.iter().any(Option::is_some),
            sets,
            shown: shown.into(),
        })
    }

    /// Returns whether any device shows anything.
    pub(super) fn is_shown(&self) -> bool {
        self.is_shown
    }

    /// Returns the values that a device shows.
    pub(super) fn shown(&self, device: usize) -> &[u32] {
        self.shown[device].map_or(&[], |set| self.sets.values(set))
    }

    /// Returns the number of different values.
    pub(super) fn count(&self) -> usize {
        self.holders.values()
    }

    /// Returns the devices with a value from a device on.
    pub(super) fn with(&self, value: u32, start: usize) -> &[u32] {
        self.holders.with(value, start)
    }

    pub(super) fn weight(&self) -> usize {
        // The sets are as many as the values, or a few more.
        let sets = 4 * self.holders.values() + self.holders.weight();
        8 + self.shown.len() + sets + self.holders.weight()
    }
}
