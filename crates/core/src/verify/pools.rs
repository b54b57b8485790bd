//! The pools that a node sees, gathered anew.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_quantity::Amount;

use super::violation::{Report, ViolationCode};
use crate::error::Error;
use crate::features::Features;
use crate::model::{Device, DeviceId, Node, ResourceSliceSpec};
use crate::rules::{is_relevant, is_understood, uses_compatibility_groups};
use crate::store::{DeviceKey, Inventory, PoolKey, StoredSlice};

/// Is a pool as one node sees it.
pub(super) struct Pool<'a> {
    pub(super) key: PoolKey,
    pub(super) condition: Condition,
    /// Devices in slices for the node.
    pub(super) devices: Vec<Offer<'a>>,
    /// Devices of the same generation in slices for other nodes.
    pub(super) elsewhere: Vec<Offer<'a>>,
    /// What there is of each counter, by set and name.
    pub(super) budgets: Budgets<'a>,
}

/// Amounts by counter set and counter.
pub(super) type Budgets<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Amount>>;

/// Says whether devices of a pool can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Complete,
    Incomplete,
    /// A newer generation exists, so far on other nodes only.
    Replaced,
    Invalid(String),
}

/// Is a device and where it is published.
#[derive(Clone, Copy)]
pub(super) struct Offer<'a> {
    /// Place of the pool in the list.
    pub(super) pool: usize,
    pub(super) key: DeviceKey,
    pub(super) spec: &'a ResourceSliceSpec,
    pub(super) device: &'a Device,
}

impl Offer<'_> {
    pub(super) fn id(&self) -> DeviceId {
        let driver = self.spec.driver.clone();
        DeviceId::new(
            driver,
            self.spec.pool.name.clone(),
            self.device.name.clone(),
        )
    }
}

impl<'a> Pool<'a> {
    /// Returns the names of driver and pool, if the pool has any device.
    pub(super) fn is_named(&self, driver: &str, name: &str) -> bool {
        self.devices
            .first()
            .is_some_and(|offer| *offer.spec.driver == *driver && *offer.spec.pool.name == *name)
    }

    /// Returns all devices of the pool, wherever they are.
    pub(super) fn all_devices(&self) -> impl Iterator<Item = &Offer<'a>> {
        self.devices.iter().chain(&self.elsewhere)
    }
}

/// Returns a node by name and the pools that it sees, if nothing is wrong with them.
pub(super) fn of_node<'a>(
    inventory: &'a Inventory,
    name: &str,
    report: &mut Report,
) -> Option<(&'a Node, Vec<Pool<'a>>)> {
    let Some(node) = inventory.node(name) else {
        let message = format!("no node `{name}`, expected the name of one that exists");
        report.add(ViolationCode::Node, "node", message);
        return None;
    };
    let pools = gather(inventory, node);
    let pools = pools.map_err(|error| report.add(ViolationCode::Node, "node", error.to_string()));
    Some((node, pools.ok()?))
}

/// Gathers the pools that have something for a node.
///
/// Of each pool the newest generation that the node sees counts. It is
/// complete if as many slices are there as all of those for the node say, on
/// the node or everywhere.
///
/// # Errors
///
/// If a slice that may be for the node has a malformed node selector.
fn gather<'a>(inventory: &'a Inventory, node: &Node) -> Result<Vec<Pool<'a>>, Error> {
    let features = inventory.features();
    let mut by_pool: BTreeMap<PoolKey, Vec<&'a StoredSlice>> = BTreeMap::new();
    for stored in inventory.candidates(&node.metadata.name) {
        if is_understood(&stored.slice, features) && is_relevant(&stored.slice, node)? {
            by_pool.entry(stored.pool).or_default().push(stored);
        }
    }
    let pools = by_pool.into_iter().enumerate();
    Ok(pools
        .map(|(place, (key, slices))| pool(place, key, slices, inventory))
        .collect())
}

fn pool<'a>(
    place: usize,
    key: PoolKey,
    mut here: Vec<&'a StoredSlice>,
    inventory: &'a Inventory,
) -> Pool<'a> {
    let features = inventory.features();
    let of = |stored: &StoredSlice| stored.slice.spec.pool.generation;
    let generation = here
        .iter()
        .map(|stored| of(stored))
        .max()
        .unwrap_or_default();
    here.retain(|stored| of(stored) == generation);
    let everywhere: Vec<&StoredSlice> = inventory
        .of_pool(key)
        .iter()
        .map(|stored| &**stored)
        .collect();
    let current: Vec<&StoredSlice> = everywhere
        .iter()
        .copied()
        .filter(|stored| of(stored) == generation)
        .filter(|stored| features.compatibility_groups || !uses_compatibility_groups(&stored.slice))
        .collect();
    // Whoever says another number makes the pool incomplete for all who look.
    let has = |count: usize| {
        here.iter()
            .all(|stored| usize::try_from(stored.slice.spec.pool.resource_slice_count) == Ok(count))
    };
    let mut elsewhere = Vec::new();
    let mut condition = Condition::Complete;
    if !has(here.len()) {
        if everywhere.iter().any(|stored| of(stored) > generation) {
            condition = Condition::Replaced;
        } else if has(current.len()) {
            let is_here =
                |stored: &StoredSlice| here.iter().any(|other| std::ptr::eq(*other, stored));
            elsewhere = current
                .into_iter()
                .filter(|stored| !is_here(stored))
                .collect();
        } else {
            condition = Condition::Incomplete;
        }
    }
    let mut budgets = BTreeMap::new();
    let mut fault = None;
    if features.partitionable_devices {
        fault = add_budgets(here.iter().chain(&elsewhere), &mut budgets);
    }
    let offers = |slices: &[&'a StoredSlice]| offers(place, slices, features);
    let (devices, elsewhere) = (offers(&here), offers(&elsewhere));
    let mut pool = Pool {
        key,
        condition,
        devices,
        elsewhere,
        budgets,
    };
    if pool.condition == Condition::Complete {
        let fault = fault
            .or_else(|| repeated_name(&pool))
            .or_else(|| wrong_amount(&pool).filter(|_| features.partitionable_devices));
        if let Some(fault) = fault {
            pool.condition = Condition::Invalid(fault);
        }
    }
    pool
}

/// The devices of a slice with counters do not count.
fn offers<'a>(place: usize, slices: &[&'a StoredSlice], features: &Features) -> Vec<Offer<'a>> {
    let mut offers = Vec::new();
    for stored in slices {
        let spec = &stored.slice.spec;
        if features.partitionable_devices && !spec.shared_counters.is_empty() {
            continue;
        }
        for (key, device) in stored.devices.iter().zip(&spec.devices) {
            offers.push(Offer {
                pool: place,
                key: *key,
                spec,
                device,
            });
        }
    }
    offers
}

fn add_budgets<'a, 's>(
    slices: impl Iterator<Item = &'s &'a StoredSlice>,
    budgets: &mut Budgets<'a>,
) -> Option<String>
where
    'a: 's,
{
    for set in slices.flat_map(|stored| &stored.slice.spec.shared_counters) {
        let counters = set.counters.iter();
        let counters = counters
            .map(|(name, counter)| (&**name, counter.value.amount().clone()))
            .collect();
        if budgets.insert(&*set.name, counters).is_some() {
            return Some(format!("two counter sets are named `{}`", set.name));
        }
    }
    None
}

fn repeated_name(pool: &Pool<'_>) -> Option<String> {
    let mut names = BTreeSet::new();
    let repeated = pool
        .devices
        .iter()
        .find(|offer| !names.insert(&*offer.device.name));
    repeated.map(|offer| format!("two devices are named `{}`", offer.device.name))
}

fn wrong_amount(pool: &Pool<'_>) -> Option<String> {
    for taken in pool
        .all_devices()
        .flat_map(|offer| &offer.device.consumes_counters)
    {
        let set = &*taken.counter_set;
        let Some(counters) = pool.budgets.get(set) else {
            return Some(format!("there is no counter set `{set}`"));
        };
        for (name, counter) in &taken.counters {
            if !counters.contains_key(&**name) {
                return Some(format!("counter set `{set}` has no counter `{name}`"));
            }
            if counter.value.amount().is_negative() {
                return Some(format!("a device gives counter `{name}` of `{set}` back"));
            }
        }
    }
    None
}
