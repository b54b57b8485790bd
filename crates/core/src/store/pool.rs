//! [`Pool`]: the slices of a pool as nodes see them.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::fmt;
use std::sync::{Arc, OnceLock};

use dralloc_quantity::Amount;

use super::{PoolCounters, PoolKey, StoredSlice};
use crate::features::Features;
use crate::model::Str;
use crate::rules::uses_compatibility_groups;

/// Is a pool as one node sees it, or several.
#[derive(Debug)]
pub(crate) struct Pool {
    pub(crate) key: PoolKey,
    pub(crate) driver: Str,
    pub(crate) name: Str,
    pub(crate) status: PoolStatus,
    /// Slices whose devices the node may have, in canonical order.
    pub(crate) slices: Vec<Arc<StoredSlice>>,
    /// Other slices with devices of the same generation: what is held of
    /// them counts, but the node cannot have them.
    pub(crate) elsewhere: Vec<Arc<StoredSlice>>,
    /// Shared budgets by set and counter.
    pub(crate) counters: BTreeMap<Str, BTreeMap<Str, Amount>>,
    goes_last: bool,
    /// Made when first asked for.
    plain: OnceLock<Option<Box<PoolCounters>>>,
}

/// Says whether devices of a pool can be allocated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PoolStatus {
    /// All slices are there, and agree.
    Complete,
    /// Slices are missing: the driver is about to publish them.
    Incomplete,
    /// The slices contradict each other.
    Invalid(String),
}

/// Is why no device of a pool can be allocated; prints as `incomplete`, or as `invalid: `
/// and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoolFault {
    /// Slices are missing: the driver is about to publish them.
    Incomplete,
    /// The slices contradict each other; says how.
    Invalid(String),
}

impl fmt::Display for PoolFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Incomplete => formatter.write_str("incomplete"),
            Self::Invalid(reason) => write!(formatter, "invalid: {reason}"),
        }
    }
}

impl PoolStatus {
    /// Returns what is wrong with the pool.
    pub(crate) fn fault(&self) -> Option<PoolFault> {
        match self {
            Self::Complete => None,
            Self::Incomplete => Some(PoolFault::Incomplete),
            Self::Invalid(reason) => Some(PoolFault::Invalid(reason.clone())),
        }
    }
}

/// Gathers the pools that nodes see.
///
/// `chosen` are the slices that the nodes may have devices of, `all` returns
/// every slice of a pool.
pub(super) fn gather<'a>(
    chosen: impl Iterator<Item = &'a Arc<StoredSlice>>,
    all: impl Fn(PoolKey) -> &'a [Arc<StoredSlice>],
    features: &Features,
) -> Vec<Arc<Pool>> {
    let mut pools: BTreeMap<(&Str, &Str), Vec<&Arc<StoredSlice>>> = BTreeMap::new();
    for stored in chosen {
        let spec = &stored.slice.spec;
        let slices = pools.entry((&spec.driver, &spec.pool.name)).or_default();
        match slices.first().map(|first| first.slice.spec.pool.generation) {
            Some(newest) if spec.pool.generation < newest => continue,
            Some(newest) if spec.pool.generation > newest => slices.clear(),
            _ => {}
        }
        slices.push(stored);
    }
    let built = pools.into_iter().filter_map(|((driver, name), slices)| {
        let key = slices.first()?.pool;
        let pool = Pool::new(driver, name, slices, all(key), features)?;
        Some(Arc::new(pool))
    });
    built.collect()
}

/// Returns pools in canonical order: those that offer a device with binding
/// conditions go last (KEP-5007), whatever the gate says.
pub(super) fn in_order(mut pools: Vec<Arc<Pool>>) -> Vec<Arc<Pool>> {
    pools.sort_by(|one, other| order(one).cmp(&order(other)));
    pools
}

/// Returns by what pools are in canonical order.
pub(super) fn order(pool: &Pool) -> (bool, &Str, &Str) {
    (pool.goes_last, &pool.driver, &pool.name)
}

impl Pool {
    /// Returns nothing for a pool that is being replaced by a newer generation elsewhere.
    fn new(
        driver: &Str,
        name: &Str,
        mut slices: Vec<&Arc<StoredSlice>>,
        all: &[Arc<StoredSlice>],
        features: &Features,
    ) -> Option<Self> {
        let pool = slices.first()?.pool;
        let mut result = Self {
            key: pool,
            driver: driver.clone(),
            name: name.clone(),
            status: PoolStatus::Incomplete,
            slices: Vec::new(),
            elsewhere: Vec::new(),
            counters: BTreeMap::new(),
            goes_last: false,
            plain: OnceLock::new(),
        };
        let generation = slices.first()?.slice.spec.pool.generation;
        let mut elsewhere: Vec<&Arc<StoredSlice>> = Vec::new();
        let count = agreed_count(&slices);
        if count != Some(slices.len()) {
            // The rest may be for other nodes.
            let of_pool = |stored: &&Arc<StoredSlice>| stored.slice.spec.pool.generation;
            if all.iter().any(|stored| of_pool(&stored) > generation) {
                return None;
            }
            let current = all.iter().filter(|stored| {
                of_pool(stored) == generation
                    && (features.compatibility_groups || !uses_compatibility_groups(&stored.slice))
            });
            if count != Some(current.clone().count()) {
                return Some(result);
            }
            // Slices are told apart by name, which is unique in a cluster.
            let name = |stored: &Arc<StoredSlice>| stored.slice.metadata.name.clone();
            elsewhere = current
                .filter(|stored| !slices.iter().any(|known| name(known) == name(stored)))
                .collect();
        }
        slices.sort_by(|a, b| a.slice.metadata.name.cmp(&b.slice.metadata.name));
        let is_counters = |stored: &&Arc<StoredSlice>| {
            features.partitionable_devices && !stored.slice.spec.shared_counters.is_empty()
        };
        let both = slices.iter().copied().chain(elsewhere.iter().copied());
        let counters = if features.partitionable_devices {
            counter_sets(both.filter(is_counters))
        } else {
            Ok(BTreeMap::new())
        };
        let devices = |list: Vec<&Arc<StoredSlice>>| -> Vec<Arc<StoredSlice>> {
            let list = list.into_iter().filter(|stored| !is_counters(stored));
            let mut list: Vec<_> = list.cloned().collect();
            // Most pools have one slice, and every node has pools.
            list.shrink_to_fit();
            list
        };
        result.slices = devices(slices);
        result.elsewhere = devices(elsewhere);
        result.status = match check_devices(&result.slices).and(counters) {
            Err(reason) => PoolStatus::Invalid(reason),
            Ok(counters) => {
                result.counters = counters;
                let unknown = if features.partitionable_devices {
                    check_consumption(&result)
                } else {
                    Ok(())
                };
                unknown.map_or_else(PoolStatus::Invalid, |()| PoolStatus::Complete)
            }
        };
        result.goes_last = result.has_binding_conditions();
        Some(result)
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.status == PoolStatus::Complete
    }

    /// Returns the counters as plain numbers, if they can be written so.
    pub(crate) fn plain_counters(&self) -> Option<&PoolCounters> {
        match self.plain_counters_within(|_| Ok::<_, Infallible>(())) {
            Ok(counters) => counters,
            Err(never) => match never {},
        }
    }

    /// Does the same, if it is not stopped before they are written down.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn plain_counters_within<E>(
        &self,
        effort: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<&PoolCounters>, E> {
        if let Some(known) = self.plain.get() {
            return Ok(known.as_deref());
        }
        let counters = PoolCounters::new(self, effort)?;
        Ok(self.plain.get_or_init(|| counters.map(Box::new)).as_deref())
    }

    /// An empty list counts: KEP-5007 asks whether the field is set.
    fn has_binding_conditions(&self) -> bool {
        self.is_complete()
            && self.slices.iter().any(|stored| {
                stored
                    .slice
                    .spec
                    .devices
                    .iter()
                    .any(|device| device.binding_conditions.is_some())
            })
    }
}

/// Returns how many slices the pool has, as all that the node sees say; none
/// if they disagree: what the first says would depend on their order.
fn agreed_count(slices: &[&Arc<StoredSlice>]) -> Option<usize> {
    let mut counts = slices
        .iter()
        .map(|stored| stored.slice.spec.pool.resource_slice_count);
    let first = counts.next()?;
    if counts.all(|count| count == first) {
        usize::try_from(first).ok()
    } else {
        None
    }
}

fn counter_sets<'a>(
    slices: impl Iterator<Item = &'a Arc<StoredSlice>>,
) -> Result<BTreeMap<Str, BTreeMap<Str, Amount>>, String> {
    let mut sets = BTreeMap::new();
    for set in slices.flat_map(|stored| &stored.slice.spec.shared_counters) {
        let counters = set.counters.iter();
        let counters =
            counters.map(|(name, counter)| (name.clone(), counter.value.amount().clone()));
        if sets.insert(set.name.clone(), counters.collect()).is_some() {
            return Err(format!("two counter sets are named `{}`", set.name));
        }
    }
    Ok(sets)
}

fn check_devices(slices: &[Arc<StoredSlice>]) -> Result<(), String> {
    let mut names = BTreeSet::new();
    for device in slices.iter().flat_map(|stored| &stored.slice.spec.devices) {
        if !names.insert(&device.name) {
            return Err(format!("two devices are named `{}`", device.name));
        }
    }
    Ok(())
}

fn check_consumption(pool: &Pool) -> Result<(), String> {
    let slices = pool.slices.iter().chain(&pool.elsewhere);
    for device in slices.flat_map(|stored| &stored.slice.spec.devices) {
        for consumption in &device.consumes_counters {
            let set = &consumption.counter_set;
            let Some(counters) = pool.counters.get(set) else {
                return Err(format!(
                    "device `{}` uses counter set `{set}`, which the pool lacks",
                    device.name
                ));
            };
            for (name, counter) in &consumption.counters {
                if !counters.contains_key(name) {
                    return Err(format!("counter set `{set}` has no counter `{name}`"));
                }
                // It would make room that is not there.
                if counter.value.amount().is_negative() {
                    return Err(format!(
                        "device `{}` takes `{}` of counter `{name}` of `{set}`, expected no \
                         negative amount",
                        device.name, counter.value
                    ));
                }
            }
        }
    }
    Ok(())
}
