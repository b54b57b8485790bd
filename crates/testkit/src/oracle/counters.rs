//! Counters that the devices of a pool share.

use dralloc_quantity::Amount;

use super::requests::Alternative;
use super::world::{Offer, Pick, Place, Pool, World};

/// Returns whether the counters of a pool have what a device consumes.
///
/// Only the counters that the device consumes count: one that is overdrawn
/// blocks its own users alone. A share of a device that has shares already is
/// paid for, and access for administration consumes nothing.
pub(super) fn allow(
    world: &World<'_>,
    picks: &[Pick<'_, '_>],
    alternative: &Alternative<'_>,
    place: Place,
) -> bool {
    let offer = world.offer(place);
    offer.device.consumes_counters.is_empty()
        || alternative.is_admin
        || is_paid(world, picks, place)
        || are_left(world, picks, place)
}

/// Returns whether all that a device consumes is left beside what is held and picked.
pub(super) fn are_left(world: &World<'_>, picks: &[Pick<'_, '_>], place: Place) -> bool {
    let offer = world.offer(place);
    if offer.device.consumes_counters.is_empty() {
        return true;
    }
    let pool = &world.pools[place.pool];
    if has_lost_device(world, pool) {
        return false;
    }
    let names = offer
        .device
        .consumes_counters
        .iter()
        .flat_map(|consumption| {
            consumption
                .counters
                .keys()
                .map(|counter| (&*consumption.counter_set, &**counter))
        });
    names.into_iter().all(|(set, counter)| {
        let used = used(world, picks, place.pool, set, counter);
        &used + &consumed(offer, set, counter) <= budget(pool, set, counter)
    })
}

/// Returns whether a device is paid for by an earlier share.
pub(super) fn is_paid(world: &World<'_>, picks: &[Pick<'_, '_>], place: Place) -> bool {
    let offer = world.offer(place);
    let is_picked = || {
        picks
            .iter()
            .any(|pick| pick.place == place && pick.is_share && !pick.alternative.is_admin)
    };
    world.is_shareable(offer.device) && (world.has_held_shares(&offer.id) || is_picked())
}

/// Returns the devices of a pool that draw on counter sets: those that are held,
/// and those picked so far that were not paid for.
pub(super) fn consumers<'w, 'a>(
    world: &'w World<'a>,
    picks: &[Pick<'_, '_>],
    pool: usize,
) -> Vec<&'w Offer<'a>> {
    let held = world.pools[pool]
        .devices()
        .filter(|offer| world.is_held_whole(&offer.id) || world.has_held_shares(&offer.id));
    let picked = picks
        .iter()
        .enumerate()
        .filter(|(index, pick)| {
            pick.place.pool == pool && !is_paid(world, &picks[..*index], pick.place)
        })
        .map(|(_, pick)| world.offer(pick.place));
    held.chain(picked).collect()
}

/// A held device that its pool no longer publishes has consumed nobody knows what.
fn has_lost_device(world: &World<'_>, pool: &Pool<'_>) -> bool {
    let allocated = &world.case.allocated;
    let mut held = allocated
        .devices
        .iter()
        .chain(
            allocated
                .shared_device_ids
                .iter()
                .map(|share| &share.device),
        )
        .chain(
            allocated
                .consumed_capacity
                .iter()
                .map(|consumed| &consumed.device),
        );
    held.any(|id| {
        id.driver == pool.driver
            && id.pool == pool.name
            && !pool.devices().any(|offer| offer.id == *id)
    })
}

fn used(
    world: &World<'_>,
    picks: &[Pick<'_, '_>],
    pool: usize,
    set: &str,
    counter: &str,
) -> Amount {
    let picks: Vec<Pick<'_, '_>> = picks
        .iter()
        .filter(|pick| !pick.alternative.is_admin)
        .cloned()
        .collect();
    let consumers = consumers(world, &picks, pool);
    let amounts: Vec<Amount> = consumers
        .into_iter()
        .map(|offer| consumed(offer, set, counter))
        .collect();
    amounts.iter().sum()
}

pub(super) fn consumed(offer: &Offer<'_>, set: &str, counter: &str) -> Amount {
    let consumptions = offer.device.consumes_counters.iter();
    consumptions
        .filter(|consumption| *consumption.counter_set == *set)
        .filter_map(|consumption| consumption.counters.get(counter))
        .map(|counter| counter.value.amount())
        .sum()
}

fn budget(pool: &Pool<'_>, set: &str, counter: &str) -> Amount {
    let mut sets = pool
        .counter_sets
        .iter()
        .filter(|candidate| *candidate.name == *set);
    let counter = sets.next().and_then(|set| set.counters.get(counter));
    counter
        .map(|counter| counter.value.amount().clone())
        .unwrap_or_default()
}
