//! The devices of a pool take no more of its counters than there is.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_quantity::Amount;

use super::pools::{Budgets, Pool};
use super::violation::{Report, ViolationCode};
use super::{Pick, World};
use crate::model::DeviceCounterConsumption;

/// Sums up, for each pool, what is held and what is given.
///
/// A device pays once, however many shares of it there are, and access for
/// administration pays nothing. A counter that was overdrawn before blocks
/// those who use it, and nobody else.
pub(super) fn check(world: &World<'_>, picks: &[Pick<'_, '_>], report: &mut Report) {
    for (place, pool) in world.pools.iter().enumerate() {
        let users: Vec<&Pick<'_, '_>> = picks
            .iter()
            .filter(|pick| pick.offer.pool == place && !pick.alternative.admin_access)
            .filter(|pick| !pick.offer.device.consumes_counters.is_empty())
            .filter(|pick| !world.has_paid(pick.offer))
            .collect();
        if users.is_empty() || pool.budgets.is_empty() {
            continue;
        }
        let Some(left) = left(world, pool) else {
            for pick in users {
                let message = "a device that is held and not published any more may take counters \
                     of the pool, expected a device that uses none";
                report.add(
                    ViolationCode::CountersExceeded,
                    format!("{}.device", pick.path),
                    message,
                );
            }
            continue;
        };
        check_pool(left, &users, report);
    }
}

/// Returns what held devices leave of the counters; nothing if that cannot be known.
pub(super) fn left<'a>(world: &World<'a>, pool: &Pool<'a>) -> Option<Budgets<'a>> {
    let mut left = pool.budgets.clone();
    let mut published = BTreeSet::new();
    for offer in pool.all_devices() {
        published.insert(offer.key);
        if world.held.is_held(offer.key) {
            take(&mut left, &offer.device.consumes_counters)?;
        }
    }
    for key in world.held.in_pool(pool.key) {
        if let Some(device) = world.held.device(key)
            && !published.contains(&key)
        {
            take(&mut left, device.last_consumption()?)?;
        }
    }
    Some(left)
}

fn take(left: &mut Budgets<'_>, consumption: &[DeviceCounterConsumption]) -> Option<()> {
    for taken in consumption {
        for (name, counter) in &taken.counters {
            let counters = left.get_mut(&*taken.counter_set);
            let left: &mut Amount = counters.and_then(|counters| counters.get_mut(&**name))?;
            *left -= counter.value.amount();
        }
    }
    Some(())
}

fn check_pool(mut left: Budgets<'_>, users: &[&Pick<'_, '_>], report: &mut Report) {
    let mut paid = BTreeSet::new();
    // Who used a counter last, to have a place to report.
    let mut used: BTreeMap<(&str, &str), &Pick<'_, '_>> = BTreeMap::new();
    for pick in users {
        if !paid.insert(pick.offer.key) {
            continue;
        }
        // Every counter is known, or the pool would be invalid.
        let _ = take(&mut left, &pick.offer.device.consumes_counters);
        for taken in &pick.offer.device.consumes_counters {
            for name in taken.counters.keys() {
                used.insert((&taken.counter_set, name), pick);
            }
        }
    }
    for ((set, name), pick) in used {
        let left = left.get(set).and_then(|counters| counters.get(name));
        if left.is_some_and(Amount::is_negative) {
            let message = format!(
                "counter `{name}` of `{set}` is overdrawn with it, expected a device for which \
                 enough is left"
            );
            report.add(
                ViolationCode::CountersExceeded,
                format!("{}.device", pick.path),
                message,
            );
        }
    }
}
