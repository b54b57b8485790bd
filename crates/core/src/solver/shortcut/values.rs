//! [`Values`]: what devices show to match constraints.

use super::set::Set;
use crate::solver::usual::Column;

/// Is what devices show to the match constraints of one attribute.
#[derive(Debug)]
pub(super) struct Values {
    /// By device: its values as bits.
    pub(super) shown: Box<[u64]>,
    /// By value: the devices that have it.
    pub(super) devices: Box<[Set]>,
}

/// What a device shows is bits of a word.
const MAX_VALUES: usize = 64;

impl Values {
    /// Returns what was written down as bits, if there are few enough values.
    pub(super) fn of(column: &Column<'_>) -> Option<Self> {
        let count = column.sets.value_count();
        if count > MAX_VALUES {
            return None;
        }
        let mut devices = vec![Set::default(); count];
        let mut shown = vec![0; column.shown.len()];
        for (device, set) in column.shown.iter().enumerate() {
            for value in set.map_or(&[][..], |set| column.sets.values(set)) {
                let value = *value as usize;
                shown[device] |= 1 << value;
                devices[value].insert(device);
            }
        }
        Some(Self {
            shown: shown.into(),
            devices: devices.into(),
        })
    }

    /// Makes them from bits by device.
    #[cfg(test)]
    pub(super) fn of_bits(shown: Vec<u64>) -> Self {
        let count = (0..64)
            .rev()
            .find(|value| shown.iter().any(|bits| bits >> value & 1 == 1));
        let mut devices = vec![Set::default(); count.map_or(0, |last| last + 1)];
        for (device, bits) in shown.iter().enumerate() {
            for_each_bit(*bits, |value| devices[value].insert(device));
        }
        Self {
            shown: shown.into(),
            devices: devices.into(),
        }
    }

    /// Returns whether so many of some devices have the same value.
    pub(super) fn serve(&self, devices: &Set, count: usize) -> bool {
        let mut values = self.devices.iter();
        values.any(|having| {
            let mut having = *having;
            having.intersect(devices);
            having.has(count)
        })
    }

    /// Returns all values.
    pub(super) fn all(&self) -> u64 {
        (0..self.devices.len()).fold(0, |all, value| all | 1 << value)
    }

    /// Returns the devices that have one of some values.
    pub(super) fn with(&self, values: u64) -> Set {
        let mut with = Set::default();
        for_each_bit(values, |value| with.unite(&self.devices[value]));
        with
    }

    /// Returns the values that any of some devices has.
    pub(super) fn shown_by(&self, devices: &Set) -> u64 {
        devices
            .iter()
            .fold(0, |values, device| values | self.shown[device])
    }

    pub(super) fn weight(&self) -> usize {
        8 + self.shown.len() + 4 * self.devices.len()
    }
}

/// Does something with the place of each bit of a word, in order.
pub(super) fn for_each_bit(mut bits: u64, mut act: impl FnMut(usize)) {
    while bits != 0 {
        act(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
