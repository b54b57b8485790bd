//! [`NodeView`]: the devices that one node sees, in canonical order.

use std::sync::Arc;

use super::pool::{self, Pool};
use super::{DeviceKey, Inventory, StoredSlice, Twins};
use crate::bitmap::Bitmap;
use crate::error::Error;
use crate::features::Features;
use crate::model::{Device, DeviceId, DeviceTaint, Node};
use crate::rules::rule_selects;

/// Is what a node sees, in an order that every answer keeps.
///
/// Only devices of complete pools are there, also those that select other
/// nodes by themselves: selectors are evaluated on them all the same.
#[derive(Debug)]
pub(crate) struct NodeView {
    /// Is another whenever anything else is, for caches: no two views of one
    /// engine, its snapshots and their transactions have the same.
    pub(crate) revision: u64,
    pub(crate) node: Arc<Node>,
    pub(crate) pools: Vec<Pool>,
    pub(crate) devices: Vec<DeviceEntry>,
    /// Devices with taints of their own or of rules.
    pub(crate) tainted: Bitmap,
    /// Devices that several claims may share.
    pub(crate) shareable: Bitmap,
    /// Devices that are physically the same as others.
    pub(crate) twins: Twins,
    /// Taints from rules, by the place of the device.
    rule_taints: Vec<(usize, DeviceTaint)>,
}

/// Is one device of a [`NodeView`].
#[derive(Clone, Debug)]
pub(crate) struct DeviceEntry {
    pub(crate) key: DeviceKey,
    /// Place of its pool in the view.
    pub(crate) pool: usize,
    pub(crate) stored: Arc<StoredSlice>,
    /// Place in its slice.
    pub(crate) index: usize,
}

impl DeviceEntry {
    pub(crate) fn device(&self) -> &Device {
        &self.stored.slice.spec.devices[self.index]
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

impl NodeView {
    pub(crate) fn new(
        inventory: &Inventory,
        node: Arc<Node>,
        revision: u64,
    ) -> Result<Self, Error> {
        let features = inventory.features();
        let candidates = inventory.candidates(&node.metadata.name);
        let pools = pool::gather(candidates, |key| inventory.of_pool(key), &node, features)?;
        let mut devices = Vec::new();
        for (place, pool) in pools
            .iter()
            .enumerate()
            .filter(|(_, pool)| pool.is_complete())
        {
            for stored in &pool.slices {
                devices.extend(
                    stored
                        .devices
                        .iter()
                        .enumerate()
                        .map(|(index, key)| DeviceEntry {
                            key: *key,
                            pool: place,
                            stored: Arc::clone(stored),
                            index,
                        }),
                );
            }
        }
        let twins = Twins::new(inventory, &node.metadata.name, &devices);
        let mut view = Self {
            revision,
            node,
            pools,
            tainted: Bitmap::new(devices.len()),
            shareable: Bitmap::new(devices.len()),
            devices,
            twins,
            rule_taints: Vec::new(),
        };
        view.index(inventory, features);
        Ok(view)
    }

    fn index(&mut self, inventory: &Inventory, features: &Features) {
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
                if rule_selects(rule, &spec.driver, &spec.pool.name, &device.name) {
                    self.rule_taints.push((place, rule.spec.taint.clone()));
                    self.tainted.insert(place);
                }
            }
            if !device.taints.is_empty() {
                self.tainted.insert(place);
            }
        }
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
