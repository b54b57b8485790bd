//! [`CompatibilityGroups`]: devices that use one counter set must agree on a group.

use std::collections::BTreeMap;

use super::{Trail, Undo};
use crate::budget::Meter;
use crate::model::{DeviceCounterConsumption, Str};
use crate::outcome::StopCause;
use crate::state::Draft;
use crate::store::Seen;

/// Is what the devices that use a counter set allow another device to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Groups {
    /// No device uses the set.
    Free,
    /// Only devices without groups may join.
    Without,
    /// Only devices with one of these groups may join; none if there is none left.
    OneOf(Vec<Str>),
}

impl Groups {
    fn of(consumption: &DeviceCounterConsumption) -> Self {
        match consumption.compatibility_groups.as_slice() {
            [] => Self::Without,
            groups => Self::OneOf(groups.to_vec()),
        }
    }

    /// Returns what remains when a device joins.
    fn join(&self, device: &Self) -> Self {
        match (self, device) {
            (Self::Free, other) | (other, Self::Free) => other.clone(),
            (Self::Without, Self::Without) => Self::Without,
            (Self::OneOf(groups), Self::OneOf(others)) => Self::OneOf(
                groups
                    .iter()
                    .filter(|group| others.contains(group))
                    .cloned()
                    .collect(),
            ),
            (Self::Without, Self::OneOf(_)) | (Self::OneOf(_), Self::Without) => {
                Self::OneOf(Vec::new())
            }
        }
    }

    fn is_possible(&self) -> bool {
        !matches!(self, Self::OneOf(groups) if groups.is_empty())
    }
}

/// Keeps the groups of every counter set (KEP-5963): all devices that use a
/// set must have one group in common, or all have none.
#[derive(Debug, Default)]
pub(crate) struct CompatibilityGroups {
    sets: Vec<Groups>,
    /// What each device joins; empty without counters.
    joins: Vec<Vec<(usize, Groups)>>,
}

impl CompatibilityGroups {
    /// Writes down what devices that are held join.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn new(view: &Seen, held: &Draft, meter: &mut Meter<'_>) -> Result<Self, StopCause> {
        let mut groups = Self {
            sets: Vec::new(),
            joins: vec![Vec::new(); view.devices.len()],
        };
        let mut index: BTreeMap<(usize, &Str), usize> = BTreeMap::new();
        for (place, pool) in view
            .pools
            .iter()
            .enumerate()
            .filter(|(_, pool)| pool.is_complete())
        {
            meter.effort(1 + pool.counters.len() as u64)?;
            for set in pool.counters.keys() {
                index.insert((place, set), groups.sets.len());
                groups.sets.push(Groups::Free);
            }
            for stored in pool.slices.iter().chain(&pool.elsewhere) {
                meter.look_at(stored.devices.len())?;
                for (key, device) in stored.devices.iter().zip(&stored.slice.spec.devices) {
                    if !held.is_held(*key) {
                        continue;
                    }
                    meter.effort(1)?;
                    for consumption in &device.consumes_counters {
                        if let Some(set) = index.get(&(place, &consumption.counter_set)) {
                            let joined = groups.sets[*set].join(&Groups::of(consumption));
                            groups.sets[*set] = joined;
                        }
                    }
                }
            }
        }
        for (device, entry) in view.devices.iter().enumerate() {
            meter.effort(1)?;
            for consumption in &entry.device().consumes_counters {
                if let Some(set) = index.get(&(entry.pool(), &consumption.counter_set)) {
                    groups.joins[device].push((*set, Groups::of(consumption)));
                }
            }
        }
        Ok(groups)
    }

    /// Returns whether a device may join all its sets.
    pub(crate) fn admits(&self, device: usize) -> bool {
        self.joins.get(device).is_none_or(|joins| {
            joins
                .iter()
                .all(|(set, groups)| self.sets[*set].join(groups).is_possible())
        })
    }

    /// Lets a device join, which must be admitted.
    pub(crate) fn add(&mut self, device: usize, trail: &mut Trail) {
        for (set, groups) in self.joins.get(device).into_iter().flatten() {
            let joined = self.sets[*set].join(groups);
            if joined != self.sets[*set] {
                let before = std::mem::replace(&mut self.sets[*set], joined);
                trail.push(Undo::Groups(*set, before));
            }
        }
    }

    pub(crate) fn undo(&mut self, set: usize, groups: Groups) {
        self.sets[set] = groups;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_agree_on_a_group_or_all_have_none() {
        let groups = |names: &[&str]| match names {
            [] => Groups::Without,
            names => Groups::OneOf(names.iter().map(|&name| name.into()).collect()),
        };
        let joined = |devices: &[&[&str]]| {
            devices
                .iter()
                .fold(Groups::Free, |all, device| all.join(&groups(device)))
        };
        assert_eq!(joined(&[&[], &[]]), Groups::Without);
        assert_eq!(joined(&[&["a", "b"], &["b", "c"]]), groups(&["b"]));
        // Pairwise is not enough: a-b, b-c and c-a have no group in common.
        assert!(!joined(&[&["a", "b"], &["b", "c"], &["c", "a"]]).is_possible());
        // Devices that are held already may disagree; nobody joins them.
        let broken = joined(&[&["a"], &[]]);
        assert!(!broken.join(&groups(&["a"])).is_possible());
        assert!(!broken.join(&groups(&[])).is_possible());
    }
}
