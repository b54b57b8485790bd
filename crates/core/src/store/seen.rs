//! [`Seen`]: pools with their devices, in canonical order.

use std::ops::Range;
use std::sync::Arc;

use super::{DeviceKey, Inventory, Pool, Segment, StoredSlice};
use crate::bitmap::Bitmap;
use crate::model::{Device, DeviceId, DeviceTaint};
use crate::number::number;

/// Is what nodes see, in an order that every answer keeps; nodes that see the
/// same may share it.
///
/// Only devices of complete pools are there, also those that select other
/// nodes by themselves: selectors are evaluated on them all the same.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) pools: Vec<Arc<Pool>>,
    pub(crate) devices: Vec<DeviceEntry>,
    /// Devices with taints of their own or of rules.
    pub(crate) tainted: Bitmap,
    /// Devices that several claims may share.
    pub(crate) shareable: Bitmap,
    /// Whether it also depends on the node what can be had of it.
    pub(crate) differs_by_node: bool,
    /// The first device of each pool.
    first: Vec<usize>,
    /// Taints from rules, by the place of the device.
    rule_taints: Vec<(usize, DeviceTaint)>,
}

/// Is one device that nodes see.
#[derive(Clone, Debug)]
pub(crate) struct DeviceEntry {
    pub(crate) key: DeviceKey,
    /// Half a word for each place: there is an entry for each device of each node.
    pool: u32,
    pub(crate) stored: Arc<StoredSlice>,
    index: u32,
}

impl DeviceEntry {
    /// Returns the place of its pool.
    pub(crate) fn pool(&self) -> usize {
        self.pool as usize
    }

    /// Returns its place in its slice.
    pub(crate) fn index(&self) -> usize {
        self.index as usize
    }

    pub(crate) fn device(&self) -> &Device {
        &self.stored.slice.spec.devices[self.index()]
    }

    pub(crate) fn driver(&self) -> &str {
        &self.stored.slice.spec.driver
    }

    pub(crate) fn id(&self) -> DeviceId {
        let spec = &self.stored.slice.spec;
        DeviceId::new(
            spec.driver.clone(),
            spec.pool.name.clone(),
            self.device().name.clone(),
        )
    }
}

impl Seen {
    /// Makes it of pools in canonical order.
    pub(super) fn new(mut pools: Vec<Arc<Pool>>, inventory: &Inventory) -> Self {
        pools.shrink_to_fit();
        let mut devices = Vec::new();
        let mut differs_by_node = false;
        let mut first = Vec::with_capacity(pools.len());
        for (place, pool) in pools.iter().enumerate() {
            first.push(devices.len());
            let slices = if pool.is_complete() {
                pool.slices.as_slice()
            } else {
                &[]
            };
            for stored in slices {
                let spec = &stored.slice.spec;
                differs_by_node |= spec.per_device_node_selection == Some(true)
                    || !spec.skip_node_operations.is_empty();
                let keys = stored.devices.iter().enumerate();
                devices.extend(keys.map(|(index, key)| DeviceEntry {
                    key: *key,
                    pool: number(place),
                    stored: Arc::clone(stored),
                    index: number(index),
                }));
            }
        }
        let mut seen = Self {
            pools,
            tainted: Bitmap::new(devices.len()),
            shareable: Bitmap::new(devices.len()),
            devices,
            differs_by_node,
            first,
            rule_taints: Vec::new(),
        };
        seen.index(inventory);
        seen
    }

    /// Puts pieces of parts together.
    pub(super) fn join(parts: &[Arc<Self>], segments: &[Segment]) -> Self {
        let count = segments.iter().map(|segment| segment.devices.len()).sum();
        let mut seen = Self {
            pools: Vec::new(),
            devices: Vec::with_capacity(count),
            tainted: Bitmap::new(count),
            shareable: Bitmap::new(count),
            differs_by_node: parts.iter().any(|part| part.differs_by_node),
            first: Vec::new(),
            rule_taints: Vec::new(),
        };
        for Segment {
            part,
            pools,
            devices,
            first,
        } in segments
        {
            let part = &parts[*part];
            let pool = seen.pools.len();
            seen.pools.extend_from_slice(&part.pools[pools.clone()]);
            let firsts = part.first[pools.clone()].iter();
            seen.first
                .extend(firsts.map(|place| place - devices.start + first));
            let entries = part.devices[devices.clone()].iter();
            seen.devices.extend(entries.map(|entry| DeviceEntry {
                pool: number(entry.pool() - pools.start + pool),
                ..entry.clone()
            }));
            let within = |place: &usize| devices.contains(place);
            for (set, of_part) in [
                (&mut seen.tainted, &part.tainted),
                (&mut seen.shareable, &part.shareable),
            ] {
                let mut next = of_part.next(devices.start);
                while let Some(place) = next.filter(within) {
                    set.insert(place - devices.start + first);
                    next = of_part.next(place + 1);
                }
            }
            let taints = part.rule_taints.iter();
            let taints = taints.filter(|(place, _)| within(place));
            seen.rule_taints.extend(
                taints.map(|(place, taint)| (place - devices.start + first, taint.clone())),
            );
        }
        seen
    }

    fn index(&mut self, inventory: &Inventory) {
        let features = inventory.features();
        for (place, entry) in self.devices.iter().enumerate() {
            let device = entry.device();
            if features.consumable_capacity && device.allow_multiple_allocations == Some(true) {
                self.shareable.insert(place);
            }
            if !features.device_taints {
                continue;
            }
            let spec = &entry.stored.slice.spec;
            for rule in inventory.taint_rules() {
                if rule.selects(&spec.driver, &spec.pool.name, &device.name) {
                    self.rule_taints.push((place, rule.spec.taint.clone()));
                    self.tainted.insert(place);
                }
            }
            if !device.taints.is_empty() {
                self.tainted.insert(place);
            }
        }
    }

    /// Returns the places of the devices of a pool; none if it is not complete.
    pub(crate) fn of_pool(&self, pool: usize) -> Range<usize> {
        let place = |pool: usize| self.first.get(pool).copied();
        let end = place(pool + 1).unwrap_or(self.devices.len());
        place(pool).unwrap_or(end)..end
    }

    /// Returns the taints of a device: those of its driver, then those of rules.
    pub(crate) fn taints(&self, place: usize) -> impl Iterator<Item = &DeviceTaint> {
        let from = self
            .rule_taints
            .partition_point(|(other, _)| *other < place);
        let of_rules = self.rule_taints[from..]
            .iter()
            .take_while(move |(other, _)| *other == place);
        self.devices[place]
            .device()
            .taints
            .iter()
            .chain(of_rules.map(|(_, taint)| taint))
    }
}
