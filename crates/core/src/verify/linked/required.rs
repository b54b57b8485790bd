//! What placement policies and machines require of sets of devices.

use std::borrow::Cow;
use std::collections::BTreeSet;

use dralloc_quantity::Amount;

use super::Linked;
use crate::store::DeviceKey;
use crate::topology::AffinityScope;

impl Linked {
    /// Returns whether devices have something in common; none always do.
    pub(in crate::verify) fn share(
        &self,
        scope: AffinityScope,
        devices: impl Iterator<Item = DeviceKey>,
    ) -> bool {
        let places: Option<Vec<usize>> = devices
            .map(|device| self.places.get(&device).copied())
            .collect();
        let Some(places) = places else {
            return false;
        };
        match scope {
            AffinityScope::NvLink => places.iter().enumerate().all(|(end, one)| {
                let mut others = places.iter().take(end);
                others.all(|other| self.machine.share(scope, *one, *other))
            }),
            AffinityScope::Domain(_) => {
                places.is_empty() || !self.common(scope, places.into_iter()).is_empty()
            }
        }
    }

    /// Returns the domains that all of some devices are in, by their places.
    pub(in crate::verify) fn common(
        &self,
        scope: AffinityScope,
        mut places: impl Iterator<Item = usize>,
    ) -> Vec<u32> {
        let (AffinityScope::Domain(scope), Some(first)) = (scope, places.next()) else {
            return Vec::new();
        };
        let mut common = self.machine.domains().of(scope, first).to_vec();
        for place in places {
            let own = self.machine.domains().of(scope, place);
            common.retain(|domain| own.contains(domain));
        }
        common
    }

    /// Returns the place of a device, and the domains that it is in; of links the first
    /// of the devices that have one with it, which stands for all of them if both have
    /// links with the same devices. Is that so for each device, all that stand for one
    /// have links with each other.
    pub(in crate::verify) fn domains(
        &self,
        scope: AffinityScope,
        device: DeviceKey,
        others: impl Iterator<Item = DeviceKey>,
    ) -> Option<(usize, Cow<'_, [u32]>)> {
        let place = *self.places.get(&device)?;
        let domains = match scope {
            AffinityScope::Domain(scope) => Cow::Borrowed(self.machine.domains().of(scope, place)),
            AffinityScope::NvLink => {
                let others = others.filter_map(|other| self.places.get(&other).copied());
                let others: Vec<usize> = others.collect();
                let are_linked = |one: usize, other: usize| self.machine.share(scope, one, other);
                let linked = others.iter().filter(|other| are_linked(place, **other));
                let first = linked
                    .copied()
                    .min()
                    .map_or(place, |first| first.min(place));
                let has_the_same =
                    |other: &usize| are_linked(place, *other) == are_linked(first, *other);
                if !others.iter().all(has_the_same) {
                    return None;
                }
                Cow::Owned(vec![u32::try_from(first).ok()?])
            }
        };
        Some((place, domains))
    }

    /// Returns whether rings of so many GB/s run through devices, where there are two or
    /// more of the linked ones.
    pub(in crate::verify) fn has_rings(
        &self,
        least: &Amount,
        devices: impl Iterator<Item = DeviceKey>,
    ) -> bool {
        let picked = self.picked(devices);
        if picked.gpus.len() + picked.outsiders < 2 {
            return true;
        }
        let Some(topology) = self.machine.topology().filter(|_| picked.outsiders == 0) else {
            return false;
        };
        let set: Vec<usize> = picked.gpus.iter().copied().collect();
        let (above, below) = self.rate(topology, &set);
        // What is asked for is in billionths, the rate in thousandths.
        let least = least
            .as_nanos()
            .map(|nanos| u128::try_from(nanos).unwrap_or(0));
        least.is_some_and(|least| {
            let needed = least.checked_mul(below);
            needed.is_some_and(|needed| above.saturating_mul(1_000_000) >= needed)
        })
    }

    /// Returns whether there are devices that rings might run through, with links or not.
    pub(in crate::verify) fn has_links(&self) -> bool {
        !(self.gpus.is_empty() && self.outsiders.is_empty())
    }

    /// Returns whether some sets of linked devices may be used only.
    pub(in crate::verify) fn limits_sets(&self) -> bool {
        let topology = self.machine.topology();
        topology.is_some_and(|topology| !topology.allowed_sets().is_empty())
    }

    /// Returns whether devices may be part of a set that may be used on the node.
    pub(in crate::verify) fn may_be_allowed(
        &self,
        devices: impl Iterator<Item = DeviceKey>,
    ) -> bool {
        let Some(topology) = self.machine.topology() else {
            return true;
        };
        let sets = topology.allowed_sets();
        let gpus = self.picked(devices).gpus;
        let has_all = |set: &Vec<usize>| {
            gpus.iter().all(|gpu| set.contains(gpu))
                && set.iter().all(|gpu| self.gpus.contains(gpu))
        };
        gpus.is_empty() || sets.is_empty() || sets.iter().any(has_all)
    }

    /// Returns whether the devices among some of which it is known are a fabric partition.
    pub(in crate::verify) fn is_partition(&self, devices: impl Iterator<Item = DeviceKey>) -> bool {
        let Some(partitions) = self.machine.partitions() else {
            return true;
        };
        let places = devices.filter_map(|device| self.places.get(&device));
        let things: BTreeSet<usize> = places
            .filter_map(|place| partitions.thing(*place))
            .collect();
        partitions.is_one(&things.iter().copied())
    }

    /// Returns whether the linked devices among some are a set that may be used.
    pub(in crate::verify) fn is_allowed(&self, devices: impl Iterator<Item = DeviceKey>) -> bool {
        let Some(topology) = self.machine.topology() else {
            return true;
        };
        let sets = topology.allowed_sets();
        let gpus: Vec<usize> = self.picked(devices).gpus.into_iter().collect();
        gpus.is_empty() || sets.is_empty() || sets.contains(&gpus)
    }
}
