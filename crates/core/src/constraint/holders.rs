//! [`Holders`]: which devices show a value.

use super::{AttributeSets, SetId};
use crate::number::number;

/// Holds, for each value of a constraint, the devices that show it, in order.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    /// By value: where its devices end; they start where those of the one before end.
    ends: Box<[u32]>,
    devices: Box<[u32]>,
}

impl Holders {
    /// Sorts devices by what they show.
    pub(crate) fn new(sets: &AttributeSets, shown: &[Option<SetId>]) -> Self {
        let values = |set: &Option<SetId>| set.map_or(&[][..], |set| sets.values(set));
        let mut ends = vec![0; sets.value_count()];
        for value in shown.iter().flat_map(values) {
            ends[*value as usize] += 1;
        }
        let mut end = 0;
        for one in &mut ends {
            // Where its devices start; each that is written moves it on.
            end += std::mem::replace(one, end);
        }
        let mut devices = vec![0; end as usize];
        for (device, set) in shown.iter().enumerate() {
            for value in values(set) {
                let place = &mut ends[*value as usize];
                devices[*place as usize] = number(device);
                *place += 1;
            }
        }
        Self {
            ends: ends.into(),
            devices: devices.into(),
        }
    }

    /// Returns the number of different values.
    pub(crate) fn values(&self) -> usize {
        self.ends.len()
    }

    /// Returns the devices with a value from a device on.
    pub(crate) fn with(&self, value: u32, start: usize) -> &[u32] {
        let value = value as usize;
        let first = value.checked_sub(1).map_or(0, |before| self.ends[before]);
        let devices = &self.devices[first as usize..self.ends[value] as usize];
        &devices[devices.partition_point(|device| (*device as usize) < start)..]
    }

    /// Returns the memory that it takes, in words of 8 bytes and roughly.
    pub(crate) fn weight(&self) -> usize {
        4 + usize::midpoint(self.ends.len(), self.devices.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{AttributeSet, AttributeValue};

    #[test]
    fn devices_are_found_by_each_of_their_values() {
        let mut sets = AttributeSets::default();
        let mut add = |values: &[i64]| {
            let values = values.iter().map(|value| AttributeValue::Int(*value));
            Some(sets.add(AttributeSet::Values(values.collect())))
        };
        let shown = [add(&[7]), None, add(&[8, 7]), add(&[9]), add(&[8])];
        let holders = Holders::new(&sets, &shown);
        assert_eq!(holders.values(), 3);
        let with = |value, start| holders.with(value, start).to_vec();
        assert_eq!(
            [with(0, 0), with(1, 0), with(2, 0)],
            [vec![0, 2], vec![2, 4], vec![3]]
        );
        assert_eq!(
            [with(0, 1), with(1, 3), with(2, 4)],
            [vec![2], vec![4], vec![]]
        );
    }
}
