//! Devices that use one counter set agree on a compatibility group, or have none.

use std::collections::{BTreeMap, BTreeSet};

use super::violation::{Report, ViolationCode};
use super::{Pick, World};
use crate::model::Str;

/// Checks every counter set that a given device uses (KEP-5963).
///
/// All devices that use it, held ones included, must have one group in common,
/// or all must have none. Pairs that agree are not enough. Access for
/// administration must get on with the others too.
pub(super) fn check(world: &World<'_>, picks: &[Pick<'_, '_>], report: &mut Report) {
    if !world.features.compatibility_groups {
        return;
    }
    for (place, pool) in world.pools.iter().enumerate() {
        let mut users: BTreeMap<&str, Vec<&[Str]>> = BTreeMap::new();
        for offer in pool.all_devices() {
            if world.held.is_held(offer.key) {
                for taken in &offer.device.consumes_counters {
                    users
                        .entry(&taken.counter_set)
                        .or_default()
                        .push(&taken.compatibility_groups);
                }
            }
        }
        let mut joined = BTreeSet::new();
        let mut last: BTreeMap<&str, &Pick<'_, '_>> = BTreeMap::new();
        for pick in picks.iter().filter(|pick| pick.offer.pool == place) {
            if world.has_paid(pick.offer) || !joined.insert(pick.offer.key) {
                continue;
            }
            for taken in &pick.offer.device.consumes_counters {
                users
                    .entry(&taken.counter_set)
                    .or_default()
                    .push(&taken.compatibility_groups);
                last.insert(&taken.counter_set, pick);
            }
        }
        for (set, pick) in last {
            if !agree(&users[set]) {
                let message = format!(
                    "the devices that use counter set `{set}` have no compatibility group in \
                     common, expected one, or none with any"
                );
                let path = format!("{}.device", pick.path);
                report.add(ViolationCode::CompatibilityGroups, path, message);
            }
        }
    }
}

pub(super) fn agree(users: &[&[Str]]) -> bool {
    let Some((first, others)) = users.split_first() else {
        return true;
    };
    users.iter().all(|groups| groups.is_empty())
        || first
            .iter()
            .any(|group| others.iter().all(|groups| groups.contains(group)))
}
