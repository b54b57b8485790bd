//! [`Values`]: what devices show to match constraints.

use super::set::Set;
use crate::solver::usual::Column;

/// Is values as bits. With two devices at least for each value they are enough
/// wherever devices have one value each.
pub(super) type Bits = u128;

/// Is what devices show to the match constraints of one attribute.
///
/// A value of one device only is left out, as if the device had none: it can
/// be picked alone, and nothing goes with it.
#[derive(Debug)]
pub(super) struct Values {
    /// By device: its values.
    pub(super) shown: Box<[Bits]>,
    /// By value: the devices that have it.
    pub(super) devices: Box<[Set]>,
    /// Devices with several values.
    pub(super) several: Set,
}

impl Values {
    /// Returns what was written down as bits, if there are few enough values.
    pub(super) fn of(column: &Column<'_>) -> Option<Self> {
        let mut having = vec![Set::default(); column.sets.value_count()];
        for (device, set) in column.shown.iter().enumerate() {
            for value in set.map_or(&[][..], |set| column.sets.values(set)) {
                having[*value as usize].insert(device);
            }
        }
        having.retain(|devices| devices.has(2));
        (having.len() <= Bits::BITS as usize).then(|| Self::having(column.shown.len(), having))
    }

    fn having(devices: usize, having: Vec<Set>) -> Self {
        let mut shown: Vec<Bits> = vec![0; devices];
        for (value, devices) in having.iter().enumerate() {
            for device in devices.iter() {
                shown[device] |= 1 << value;
            }
        }
        let mut several = Set::default();
        let each = shown.iter().enumerate();
        each.filter(|(_, values)| values.count_ones() > 1)
            .for_each(|(device, _)| several.insert(device));
        Self {
            shown: shown.into(),
            devices: having.into(),
            several,
        }
    }

    /// Makes them from bits by device.
    #[cfg(test)]
    pub(super) fn of_bits(shown: &[Bits]) -> Self {
        let mut having = vec![Set::default(); Bits::BITS as usize];
        for (device, values) in shown.iter().enumerate() {
            for_each_value(*values, |value| having[value].insert(device));
        }
        having.retain(|devices| devices.has(2));
        Self::having(shown.len(), having)
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
    pub(super) fn all(&self) -> Bits {
        (0..self.devices.len()).fold(0, |all, value| all | 1 << value)
    }

    /// Returns the devices that have one of some values.
    pub(super) fn with(&self, values: Bits) -> Set {
        let mut with = Set::default();
        for_each_value(values, |value| with.unite(&self.devices[value]));
        with
    }

    /// Returns the values that any of some devices has.
    pub(super) fn shown_by(&self, devices: &Set) -> Bits {
        devices
            .iter()
            .fold(0, |values, device| values | self.shown[device])
    }

    pub(super) fn weight(&self) -> usize {
        12 + self.shown.len() + 4 * self.devices.len()
    }
}

/// Does something with the place of each bit of a word, in order.
pub(super) fn for_each_bit(mut bits: u64, mut act: impl FnMut(usize)) {
    while bits != 0 {
        act(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Does something with each of some values, in order.
pub(super) fn for_each_value(mut values: Bits, mut act: impl FnMut(usize)) {
    while values != 0 {
        act(values.trailing_zeros() as usize);
        values &= values - 1;
    }
}
