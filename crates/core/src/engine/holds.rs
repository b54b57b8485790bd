//! Devices that a classic device plugin gave away, as an [`Engine`] holds them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Applied, Engine};
use crate::model::{
    Device, DeviceHold, DeviceHoldSelector, DeviceHoldSpec, DeviceId, ResourceSliceSpec, Str,
};
use crate::rules::{DevicePattern, NodeSelection, is_relevant};
use crate::state::{Holding, Record};
use crate::store::StoredSlice;

/// What the owners begin with that holds are in the books.
const OWNER: &str = "DeviceHold/";

/// Returns the name under which a hold holds devices.
fn owner_of(name: &str) -> Str {
    format!("{OWNER}{name}").into()
}

/// Returns whether an owner is a hold.
///
/// No claim of an API server has such a uid or namespace.
pub(super) fn is_hold(owner: &str) -> bool {
    owner.starts_with(OWNER)
}

impl Engine {
    pub(super) fn exchange_hold(
        &mut self,
        old: Option<&DeviceHold>,
        new: Option<&DeviceHold>,
        applied: &mut Applied,
    ) {
        let Some(any) = new.or(old) else { return };
        let name = &any.metadata.name;
        let counting = &mut self.known_documents.counting;
        if let Some(old) = old {
            applied.nodes.push(old.spec.node_name.clone());
            if let Some(names) = counting.get_mut(&old.spec.node_name) {
                names.remove(name);
                if names.is_empty() {
                    counting.remove(&old.spec.node_name);
                }
            }
        }
        let Some(new) = new else {
            return self.set(&owner_of(name), &Arc::default(), applied);
        };
        applied.nodes.push(new.spec.node_name.clone());
        self.note_count(new);
        self.settle(new, applied);
    }

    /// Has the devices of a hold found anew with every change of what its node
    /// sees, if it counts them.
    pub(super) fn note_count(&mut self, hold: &DeviceHold) {
        if hold.spec.count.is_some_and(|count| count > 0) {
            let node = hold.spec.node_name.clone();
            let names = self.known_documents.counting.entry(node).or_default();
            names.insert(hold.metadata.name.clone());
            // Somebody has to know from now on what nodes see.
            *self.looked_at.get_mut() = true;
        }
    }

    /// Finds the devices of holds that count them anew, on the nodes that see
    /// something else after a change.
    pub(super) fn settle_holds(&mut self, applied: &mut Applied) {
        if self.known_documents.counting.is_empty() || !applied.changed {
            return;
        }
        let counting = &self.known_documents.counting;
        let names = applied.nodes.iter().filter_map(|node| counting.get(node));
        let names: BTreeSet<Str> = names.flatten().cloned().collect();
        if names.is_empty() {
            return;
        }
        for name in names {
            if let Some(hold) = self.documents.device_holds.get(&name).cloned() {
                self.settle(&hold, applied);
            }
        }
    }

    /// Makes a hold have its devices.
    fn settle(&mut self, hold: &DeviceHold, applied: &mut Applied) {
        let records = match hold.spec.count {
            Some(1..) => self.counted(hold),
            _ => self.named(hold),
        };
        let holding = Holding {
            records,
            ..Holding::default()
        };
        let owner = owner_of(&hold.metadata.name);
        self.set(&owner, &Arc::new(holding), applied);
    }

    /// Returns the devices that a hold names, published or not.
    fn named(&self, hold: &DeviceHold) -> Vec<Record> {
        let mut catalog = self.catalog.lock();
        let devices = hold.spec.devices.iter();
        devices.map(|id| Record::whole(catalog.keys(id))).collect()
    }

    /// Returns all devices of the node that may be among those counted.
    ///
    /// Slices count whatever their pool is like, and where it cannot be said
    /// whether the node has a device, it has it: what may be given away is.
    fn counted(&self, hold: &DeviceHold) -> Vec<Record> {
        // By name: in what order devices came to be known must not show.
        let (spec, mut devices) = (&hold.spec, BTreeMap::new());
        let mut add = |stored: &StoredSlice, is_here: &dyn Fn(&Device) -> bool| {
            let of = &stored.slice.spec;
            for (key, device) in stored.devices.iter().zip(&of.devices) {
                if is_counted(spec, of, device) && is_here(device) {
                    let (driver, pool) = (of.driver.clone(), of.pool.name.clone());
                    let id = DeviceId::new(driver, pool, device.name.clone());
                    devices.insert(id, (stored.pool, *key));
                }
            }
        };
        for stored in self.inventory.local(&spec.node_name) {
            add(stored, &|_| true);
        }
        if let Some(node) = self.inventory.node(&spec.node_name) {
            for stored in self.inventory.shared() {
                let slice = &stored.slice;
                if !may_count(spec, &slice.spec) || !is_relevant(slice, node).unwrap_or(true) {
                    continue;
                }
                let by_device = slice.spec.per_device_node_selection == Some(true)
                    && matches!(NodeSelection::of_slice(slice), NodeSelection::None);
                add(stored, &|device| {
                    let selection = NodeSelection::of_device(device);
                    !by_device || selection.on_node(node).unwrap_or(true)
                });
            }
        }
        devices.into_values().map(Record::whole).collect()
    }
}

/// Returns whether a hold may count devices of a slice.
fn may_count(spec: &DeviceHoldSpec, of: &ResourceSliceSpec) -> bool {
    let may = |selector| pattern(selector).may_select(&of.driver, &of.pool.name);
    spec.selector.as_ref().is_none_or(may)
}

/// Returns whether a hold counts a device of its node.
fn is_counted(spec: &DeviceHoldSpec, of: &ResourceSliceSpec, device: &Device) -> bool {
    let selects = |selector| pattern(selector).selects(&of.driver, &of.pool.name, device);
    spec.selector.as_ref().is_none_or(selects) && !spec.disjoint_from.iter().any(selects)
}

fn pattern(selector: &DeviceHoldSelector) -> DevicePattern<'_> {
    DevicePattern {
        driver: selector.driver.as_deref(),
        pool: selector.pool.as_deref(),
        device: selector.device.as_deref(),
        attributes: &selector.attributes,
    }
}
