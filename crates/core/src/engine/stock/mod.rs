//! [`Stock`]: all devices that are published, and what is left of them.

mod class;
mod device;
mod left;
mod pool;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use device::{DeviceState, StockedCapacity, StockedDevice};
pub use pool::{StockedCounter, StockedPool};

use left::Left;

use dralloc_quantity::Amount;

use super::Snapshot;
use crate::budget::{Budget, Meter};
use crate::constraint::{Capacity, CompatibilityGroups, Counters};
use crate::explain::Holder;
use crate::features::Features;
use crate::model::{DeviceId, Str};
use crate::outcome::StopCause;
use crate::rules;
use crate::solver::{PartScratch, PartTable};
use crate::state::Draft;
use crate::store::{DeviceKey, Inventory, PoolKey, Seen};

/// Lists all devices that are published, each once, and says what is left of them.
///
/// Devices of old generations are not there: a newer one takes their place. A device
/// that no node sees is there all the same.
///
/// # Examples
///
/// ```
/// use dralloc::model::ResourceSlice;
/// use dralloc::{Change, DeviceState, Engine, Features};
///
/// let slice: ResourceSlice = serde_json::from_str(
///     r#"{"metadata": {"name": "s"},
///         "spec": {"driver": "gpu.example.com", "nodeName": "node-1",
///                  "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
///                  "devices": [{"name": "gpu-0"}, {"name": "gpu-1"}]}}"#,
/// )?;
/// let mut engine = Engine::new(Features::all());
/// engine.apply(Change::ResourceSlice(slice))?;
/// let stock = engine.snapshot().stock();
/// let states: Vec<DeviceState> = stock.devices().iter().map(|device| device.state()).collect();
/// assert_eq!(states, [DeviceState::Free, DeviceState::Free]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stock {
    snapshot: Snapshot,
    devices: Vec<StockedDevice>,
    pools: Vec<StockedPool>,
    holders: Vec<Holder>,
    unpublished: Vec<(DeviceId, Vec<usize>)>,
    left: Left,
}

impl Snapshot {
    /// Lists all devices that are published, and says what is left of them.
    pub fn stock(&self) -> Stock {
        let mut meter = Budget::new().meter();
        // Nothing ends a budget without limits.
        Stock::new(self, &mut meter).unwrap_or_else(|_| Stock::empty(self))
    }
}

impl Stock {
    /// Returns the devices, by driver, pool, slice and place in the slice.
    pub fn devices(&self) -> &[StockedDevice] {
        &self.devices
    }

    /// Returns the pools, by driver and name.
    pub fn pools(&self) -> &[StockedPool] {
        &self.pools
    }

    /// Returns who holds devices, by name.
    pub fn holders(&self) -> &[Holder] {
        &self.holders
    }

    /// Returns the devices that are held and not published, with their holders, which are
    /// places in [`Stock::holders`].
    pub fn unpublished(&self) -> &[(DeviceId, Vec<usize>)] {
        &self.unpublished
    }

    /// Returns how many of some devices can still be had together, if nothing else is
    /// asked for, in pieces: each is a number with the first of the devices that it
    /// counts, as a place in [`Stock::devices`].
    ///
    /// Devices of one card exclude each other, as its counters say, so that a piece is
    /// what one card can give; other devices are pieces of their own. Of a card that can
    /// be divided in too many ways to try them, it is what it can give at most.
    pub fn most(&self, is_wanted: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
        let is_wanted =
            |device: usize| self.devices[device].state == DeviceState::Free && is_wanted(device);
        let mut most = self.left.most(is_wanted, &mut Budget::new().meter());
        let alone =
            (0..self.devices.len()).filter(|device| !self.left.has(*device) && is_wanted(*device));
        most.extend(alone.map(|device| (device, 1)));
        most.sort_unstable();
        most
    }

    fn empty(snapshot: &Snapshot) -> Self {
        Self {
            snapshot: snapshot.clone(),
            devices: Vec::new(),
            pools: Vec::new(),
            holders: Vec::new(),
            unpublished: Vec::new(),
            left: Left::default(),
        }
    }

    fn new(snapshot: &Snapshot, meter: &mut Meter<'_>) -> Result<Self, StopCause> {
        let inventory = &*snapshot.inventory;
        let seen = inventory.all_seen();
        let held = Draft::new(Arc::clone(&snapshot.state));
        let books = Books {
            counters: Counters::new(&seen, &held, meter)?,
            capacity: Capacity::new(&seen, &held, meter)?,
            groups: if inventory.features().compatibility_groups {
                CompatibilityGroups::new(&seen, &held, meter)?
            } else {
                CompatibilityGroups::default()
            },
            with_held_twins: with_held_twins(inventory, &held),
            features: *inventory.features(),
        };
        let mut stock = Self::empty(snapshot);
        let mut held_by = stock.note_holders();
        for (place, pool) in seen.pools.iter().enumerate() {
            let first = stock.devices.len();
            if pool.is_complete() {
                for device in seen.of_pool(place) {
                    let holders = held_by.remove(&seen.devices[device].key);
                    let holders = holders.map(|(_, holders)| holders).unwrap_or_default();
                    stock
                        .devices
                        .push(books.device(&seen, device, &held, holders));
                }
            } else {
                for stored in inventory.newest_of_pool(pool.key) {
                    for (index, key) in stored.devices.iter().enumerate() {
                        let holders = held_by.remove(key).map(|(_, holders)| holders);
                        let holders = holders.unwrap_or_default();
                        let stored = Arc::clone(stored);
                        stock
                            .devices
                            .push(StockedDevice::unusable(stored, index, holders));
                    }
                }
            }
            stock.pools.push(StockedPool {
                driver: pool.driver.clone(),
                name: pool.name.clone(),
                slices: inventory.newest_of_pool(pool.key).count(),
                fault: pool.status.fault(),
                devices: first..stock.devices.len(),
                counters: Vec::new(),
            });
        }
        stock.note_unpublished(&held_by);
        stock.left = Left::new(&stock, &seen, &books.counters, meter)?;
        stock.count_stranded(&seen, &books.counters);
        Ok(stock)
    }

    /// Writes down who holds devices, and returns the holders of each device.
    fn note_holders(&mut self) -> BTreeMap<DeviceKey, (PoolKey, Vec<usize>)> {
        let named = |owner: &Str| Holder {
            name: self.snapshot.owners.get(owner).cloned().flatten(),
            owner: owner.clone(),
        };
        let owners = self.snapshot.state.owners().into_iter();
        let owners = owners.filter(|(_, holding)| !holding.records.is_empty());
        let mut owners: Vec<_> = owners
            .map(|(owner, holding)| (named(owner), holding))
            .collect();
        owners.sort_by_cached_key(|(holder, _)| {
            let name = holder.name.as_ref().unwrap_or(&holder.owner);
            (name.clone(), holder.clone())
        });
        let mut held_by: BTreeMap<DeviceKey, (PoolKey, Vec<usize>)> = BTreeMap::new();
        for (place, (holder, holding)) in owners.into_iter().enumerate() {
            self.holders.push(holder);
            for record in &holding.records {
                let (_, holders) = held_by
                    .entry(record.device)
                    .or_insert_with(|| (record.pool, Vec::new()));
                if holders.last() != Some(&place) {
                    holders.push(place);
                }
            }
        }
        held_by
    }

    /// Writes down the devices that are left when those that are published are gone.
    fn note_unpublished(&mut self, held_by: &BTreeMap<DeviceKey, (PoolKey, Vec<usize>)>) {
        let catalog = self.snapshot.catalog.lock();
        let pools: BTreeSet<PoolKey> = held_by.values().map(|(pool, _)| *pool).collect();
        let names = pools.into_iter().flat_map(|pool| {
            let (driver, name) = catalog.name(pool);
            let devices = catalog.devices(pool);
            devices.map(move |(key, device)| {
                (
                    key,
                    DeviceId::new(driver.clone(), name.clone(), device.clone()),
                )
            })
        });
        let unpublished = names.filter_map(|(key, id)| Some((id, held_by.get(&key)?.1.clone())));
        self.unpublished = unpublished.collect();
        self.unpublished.sort_unstable();
    }

    /// Writes down what is left of the counters of each pool, and what of it nobody can use.
    fn count_stranded(&mut self, seen: &Seen, counters: &Counters) {
        let usable = self.left.usable(counters.len());
        let mut next = 0;
        for (stocked, pool) in self.pools.iter_mut().zip(&seen.pools) {
            if !pool.is_complete() {
                continue;
            }
            for (set, of_set) in &pool.counters {
                for (name, total) in of_set {
                    let left = &counters.left()[next];
                    stocked.counters.push(StockedCounter::new(
                        (set.clone(), name.clone()),
                        total,
                        left,
                        usable[next],
                    ));
                    next += 1;
                }
            }
        }
    }
}

/// Holds what is known of the devices of all pools.
struct Books {
    counters: Counters,
    capacity: Capacity,
    groups: CompatibilityGroups,
    with_held_twins: BTreeSet<DeviceKey>,
    features: Features,
}

impl Books {
    fn device(
        &self,
        seen: &Seen,
        place: usize,
        held: &Draft,
        holders: Vec<usize>,
    ) -> StockedDevice {
        let entry = &seen.devices[place];
        let is_shareable = seen.shareable.contains(place);
        let is_barred = self.counters.excludes(place)
            || !self.groups.admits(place)
            || self.with_held_twins.contains(&entry.key);
        let spec = &entry.stored.slice.spec;
        let missing_gate = rules::missing_gate(spec, entry.device(), &self.features);
        let mut device = StockedDevice {
            stored: Arc::clone(&entry.stored),
            index: entry.index(),
            state: DeviceState::Free,
            taints: Vec::new(),
            holders,
            left: Vec::new(),
            is_barred,
            is_exhausted: false,
            missing_gate,
        };
        if seen.tainted.contains(place) {
            device.taints = seen.taints(place).cloned().collect();
        }
        device.state = match held.device(entry.key) {
            Some(held) if is_shareable && !held.is_whole() => DeviceState::Shared,
            Some(_) => DeviceState::Held,
            None if missing_gate.is_some() => DeviceState::Unusable,
            None if device.is_kept_away() => DeviceState::Tainted,
            None if is_barred => DeviceState::Blocked,
            None => DeviceState::Free,
        };
        if is_shareable {
            device.left = self.capacity.left_of(place).to_vec();
            if device.state == DeviceState::Held {
                device.left.fill(Amount::default());
            }
            device.note_exhausted(self.features.fractional_capacity_range);
        }
        device
    }
}

/// Returns the devices that are physically the same as one that is held.
fn with_held_twins(inventory: &Inventory, held: &Draft) -> BTreeSet<DeviceKey> {
    let mut devices = BTreeSet::new();
    for node in inventory.nodes() {
        let Ok(view) = inventory.view(&node.metadata.name) else {
            continue;
        };
        for place in view.twins.places() {
            if view.twins.of(place).any(|twin| held.is_held(twin.key)) {
                devices.insert(view.entry(place).key);
            }
        }
    }
    devices
}
