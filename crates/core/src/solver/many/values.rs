//! [`Values`]: what devices show to a match constraint.

use crate::budget::Meter;
use crate::constraint::{AttributeSets, SetId};
use crate::number::number;
use crate::outcome::StopCause;

/// Holds what each device shows, and which devices show a value.
#[derive(Debug)]
pub(super) struct Values {
    sets: AttributeSets,
    is_shown: bool,
    /// By device.
    shown: Box<[Option<SetId>]>,
    /// By value: the devices that have it, in order.
    devices: Box<[Vec<u32>]>,
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
        let mut devices = vec![Vec::new(); sets.value_count()];
        for (device, set) in shown.iter().enumerate() {
            meter.come_to(device)?;
            for value in set.map_or(&[][..], |set| sets.values(set)) {
                devices[*value as usize].push(number(device));
            }
        }
        Ok(Self {
            is_shown: shown.iter().any(Option::is_some),
            sets,
            shown: shown.into(),
            devices: devices.into(),
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
        self.devices.len()
    }

    /// Returns the devices with a value from a device on.
    pub(super) fn with(&self, value: u32, start: usize) -> &[u32] {
        let devices = &self.devices[value as usize];
        &devices[devices.partition_point(|device| (*device as usize) < start)..]
    }

    pub(super) fn weight(&self) -> usize {
        let devices: usize = self.devices.iter().map(|list| 4 + list.len() / 2).sum();
        // The sets are as many as the values, or a few more.
        8 + self.shown.len() + 2 * devices
    }
}
