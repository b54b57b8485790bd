//! Pools as they look from a node: generations, completeness, validity, order.

use std::collections::BTreeMap;

use dralloc::Features;
use dralloc::model::{CounterSet, DeviceId, ResourceSlice, Str};

use super::InconsistentCounts;
use super::failure::Failure;
use super::nodes::{Relevance, slice_relevance};
use super::world::{Condition, Offer, Pool};
use crate::case::Case;

/// Returns the pools with something for the node, in canonical order.
pub(super) fn gather(case: &Case, counts: InconsistentCounts) -> Result<Vec<Pool<'_>>, Failure> {
    let mut relevant: BTreeMap<(Str, Str), Vec<&ResourceSlice>> = BTreeMap::new();
    for slice in candidates(case) {
        if is_ignored(slice, case.features) {
            continue;
        }
        if slice_relevance(slice, &case.node)? == Relevance::Relevant {
            let id = (slice.spec.driver.clone(), slice.spec.pool.name.clone());
            relevant.entry(id).or_default().push(slice);
        }
    }
    let mut first = Vec::new();
    let mut last = Vec::new();
    for slices in relevant.into_values() {
        let newest = slices.iter().map(|slice| slice.spec.pool.generation).max();
        let slices: Vec<&ResourceSlice> = slices
            .into_iter()
            .filter(|slice| Some(slice.spec.pool.generation) == newest)
            .collect();
        let Some(pool) = pool(case, slices, counts) else {
            continue;
        };
        // A list of conditions counts even if it is empty or the feature is off.
        if pool
            .offers
            .iter()
            .any(|offer| offer.device.binding_conditions.is_some())
        {
            last.push(pool);
        } else {
            first.push(pool);
        }
    }
    first.append(&mut last);
    Ok(first)
}

/// Slices that may concern the node: those that name it, then those that name none.
fn candidates(case: &Case) -> Vec<&ResourceSlice> {
    let name = |slice: &ResourceSlice| slice.spec.node_name.clone().unwrap_or_default();
    let slices = &case.resource_slices;
    let own = slices
        .iter()
        .filter(|slice| !name(slice).is_empty() && name(slice) == case.node.metadata.name);
    let open = slices.iter().filter(|slice| name(slice).is_empty());
    own.chain(open).collect()
}

/// Slices that use a feature which is off do not count.
fn is_ignored(slice: &ResourceSlice, features: Features) -> bool {
    let is_partitionable =
        slice.spec.per_device_node_selection.is_some() || !slice.spec.shared_counters.is_empty();
    !features.partitionable_devices && is_partitionable
        || !features.compatibility_groups && has_groups(slice)
}

fn has_groups(slice: &ResourceSlice) -> bool {
    slice
        .spec
        .devices
        .iter()
        .flat_map(|device| &device.consumes_counters)
        .any(|consumption| !consumption.compatibility_groups.is_empty())
}

/// Builds the pool of slices of one generation; `None` if it is out of date.
fn pool<'a>(
    case: &'a Case,
    slices: Vec<&'a ResourceSlice>,
    counts: InconsistentCounts,
) -> Option<Pool<'a>> {
    let spec = &slices.first()?.spec;
    let mut pool = Pool {
        driver: spec.driver.clone(),
        name: spec.pool.name.clone(),
        condition: Condition::Usable,
        offers: Vec::new(),
        elsewhere: Vec::new(),
        counter_sets: Vec::new(),
    };
    let same_pool: Vec<&ResourceSlice> = case
        .resource_slices
        .iter()
        .filter(|slice| slice.spec.driver == pool.driver && slice.spec.pool.name == pool.name)
        .collect();
    let is_outdated = same_pool
        .iter()
        .any(|slice| slice.spec.pool.generation > spec.pool.generation);
    // Slices for other nodes do not count here: they change nothing for Kubernetes.
    let disagree = slices
        .iter()
        .any(|slice| slice.spec.pool.resource_slice_count != spec.pool.resource_slice_count);
    if counts == InconsistentCounts::Incomplete && disagree {
        pool.condition = Condition::Incomplete;
        return (!is_outdated).then_some(pool);
    }
    let mut all = slices.clone();
    if !is_count(&slices, spec.pool.resource_slice_count) {
        if is_outdated {
            return None;
        }
        all = same_pool
            .iter()
            .copied()
            .filter(|slice| slice.spec.pool.generation == spec.pool.generation)
            .filter(|slice| case.features.compatibility_groups || !has_groups(slice))
            .collect();
        if !is_count(&all, spec.pool.resource_slice_count) {
            pool.condition = Condition::Incomplete;
            return Some(pool);
        }
    }
    fill(&mut pool, case, slices, &all);
    if case.features.partitionable_devices && !counters_are_valid(&pool) || !names_are_unique(&pool)
    {
        pool.condition = Condition::Invalid;
        pool.offers.clear();
        pool.elsewhere.clear();
        pool.counter_sets.clear();
    }
    Some(pool)
}

fn is_count(slices: &[&ResourceSlice], count: i64) -> bool {
    i64::try_from(slices.len()) == Ok(count)
}

/// Devices in slices with counters do not count. Slices for other nodes are told
/// from those for this one by name, so one of the same name is not looked at.
fn fill<'a>(
    pool: &mut Pool<'a>,
    case: &Case,
    mut slices: Vec<&'a ResourceSlice>,
    all: &[&'a ResourceSlice],
) {
    slices.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    let others = all.iter().copied().filter(|slice| {
        !slices
            .iter()
            .any(|own| own.metadata.name == slice.metadata.name)
    });
    let has_counters = |slice: &ResourceSlice| {
        case.features.partitionable_devices && !slice.spec.shared_counters.is_empty()
    };
    for slice in others {
        if has_counters(slice) {
            pool.counter_sets.extend(&slice.spec.shared_counters);
        } else {
            pool.elsewhere.extend(offers(slice));
        }
    }
    for slice in slices {
        if has_counters(slice) {
            pool.counter_sets.extend(&slice.spec.shared_counters);
        } else {
            pool.offers.extend(offers(slice));
        }
    }
}

fn offers(slice: &ResourceSlice) -> impl Iterator<Item = Offer<'_>> {
    slice.spec.devices.iter().map(move |device| Offer {
        id: DeviceId::new(
            slice.spec.driver.clone(),
            slice.spec.pool.name.clone(),
            device.name.clone(),
        ),
        slice,
        device,
    })
}

fn names_are_unique(pool: &Pool<'_>) -> bool {
    let count = |id: &DeviceId| pool.offers.iter().filter(|offer| offer.id == *id).count();
    pool.offers.iter().all(|offer| count(&offer.id) == 1)
}

/// Names of sets are unique, and what devices consume exists and is not negative.
fn counters_are_valid(pool: &Pool<'_>) -> bool {
    let named = |name: &str| -> Vec<&CounterSet> {
        pool.counter_sets
            .iter()
            .copied()
            .filter(|set| *set.name == *name)
            .collect()
    };
    pool.counter_sets
        .iter()
        .all(|set| named(&set.name).len() == 1)
        && pool
            .devices()
            .flat_map(|offer| &offer.device.consumes_counters)
            .all(|consumption| {
                named(&consumption.counter_set).first().is_some_and(|set| {
                    consumption.counters.iter().all(|(name, counter)| {
                        set.counters.contains_key(name) && !counter.value.amount().is_negative()
                    })
                })
            })
}
