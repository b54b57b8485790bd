//! Compatibility groups: which devices may draw on one counter set together.

use std::collections::BTreeSet;

use dralloc::model::DeviceCounterConsumption;

use super::counters;
use super::world::{Pick, Place, World};

/// Returns whether a device may draw on its counter sets beside those that do.
///
/// All devices of a set declare no groups, or all have a group in common.
/// Nothing can join a set where some declare groups and some do not. Access for
/// administration is treated like any other.
pub(super) fn allow(world: &World<'_>, picks: &[Pick<'_, '_>], place: Place) -> bool {
    if !world.case.features.compatibility_groups || counters::is_paid(world, picks, place) {
        return true;
    }
    let consumers = counters::consumers(world, picks, place.pool);
    let own = &world.offer(place).device.consumes_counters;
    own.iter().enumerate().all(|(index, consumption)| {
        let others = consumers
            .iter()
            .flat_map(|offer| &offer.device.consumes_counters);
        let all: Vec<&DeviceCounterConsumption> = others
            .chain(&own[..=index])
            .filter(|other| other.counter_set == consumption.counter_set)
            .collect();
        are_compatible(&all)
    })
}

fn are_compatible(consumptions: &[&DeviceCounterConsumption]) -> bool {
    let groups: Vec<BTreeSet<&str>> = consumptions
        .iter()
        .map(|consumption| {
            consumption
                .compatibility_groups
                .iter()
                .map(|group| &**group)
                .collect()
        })
        .collect();
    let has_common = || {
        groups.first().is_some_and(|first| {
            first
                .iter()
                .any(|group| groups.iter().all(|other| other.contains(group)))
        })
    };
    groups.iter().all(BTreeSet::is_empty) || has_common()
}
