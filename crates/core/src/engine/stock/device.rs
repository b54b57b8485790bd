//! [`StockedDevice`]: one device, and what is left of it.

use std::sync::Arc;

use dralloc_quantity::Amount;

use crate::model::{Device, DeviceTaint, QualifiedName, Quantity, ResourceSlice, Str};
use crate::rules::{self, blocking_taint, node_of};
use crate::store::StoredSlice;

/// Says what can be had of a device.
///
/// A device is in one state; of several that are true, the one counts that is listed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceState {
    /// Somebody has all of it.
    Held,
    /// Claims share it; perhaps there is room for more of them.
    Shared,
    /// Its pool lacks slices, or they contradict each other, or it needs a feature that is
    /// off.
    Unusable,
    /// A taint keeps away all claims that do not tolerate it.
    Tainted,
    /// It cannot be had beside what is held: of shared counters too little is left, or it is
    /// another name of a device that is held.
    Blocked,
    /// It can be had.
    Free,
}

/// Is one device that is published.
#[derive(Clone, Debug)]
pub struct StockedDevice {
    pub(super) stored: Arc<StoredSlice>,
    pub(super) index: usize,
    pub(super) state: DeviceState,
    pub(super) taints: Vec<DeviceTaint>,
    pub(super) holders: Vec<usize>,
    /// By capacity; empty if it is never shared.
    pub(super) left: Vec<Amount>,
    /// Whether it cannot be had beside what is held.
    pub(super) is_barred: bool,
    pub(super) is_exhausted: bool,
    pub(super) missing_gate: Option<&'static str>,
}

/// Is what is left of a capacity of a device that claims can share.
#[derive(Clone, Debug)]
pub struct StockedCapacity<'s> {
    /// Name of the capacity.
    pub name: &'s QualifiedName,
    /// What the device has of it.
    pub total: &'s Quantity,
    /// What is left of it.
    pub left: Quantity,
}

impl StockedDevice {
    /// Returns a device of a pool that is not complete.
    pub(super) fn unusable(stored: Arc<StoredSlice>, index: usize, holders: Vec<usize>) -> Self {
        let mut device = Self {
            stored,
            index,
            state: DeviceState::Unusable,
            taints: Vec::new(),
            holders,
            left: Vec::new(),
            is_barred: true,
            is_exhausted: false,
            missing_gate: None,
        };
        if !device.holders.is_empty() {
            device.state = DeviceState::Held;
        }
        device.taints = device.device().taints.to_vec();
        device
    }

    /// Returns the device as overlays left it.
    pub fn device(&self) -> &Device {
        &self.slice().spec.devices[self.index]
    }

    /// Returns its slice, as overlays left it.
    pub fn slice(&self) -> &ResourceSlice {
        &self.stored.slice
    }

    /// Returns the name of the node that it is on; none for a device that several nodes
    /// can have.
    pub fn node(&self) -> Option<&Str> {
        let (node, _) = node_of(&self.slice().spec, self.device());
        node.filter(|name| !name.is_empty())
    }

    /// Returns what can be had of it.
    pub fn state(&self) -> DeviceState {
        self.state
    }

    /// Returns the feature gate that is off and without which nobody can have it, such as
    /// `DRAPartitionableDevices`.
    pub fn missing_gate(&self) -> Option<&'static str> {
        self.missing_gate
    }

    /// Returns its taints: those of its driver, then those of rules.
    pub fn taints(&self) -> &[DeviceTaint] {
        &self.taints
    }

    /// Returns whether one of its taints keeps claims away that tolerate none.
    pub fn is_kept_away(&self) -> bool {
        blocking_taint(&self.taints, &[]).is_some()
    }

    /// Returns who holds it, as places in [`Stock::holders`](super::Stock::holders).
    pub fn holders(&self) -> &[usize] {
        &self.holders
    }

    /// Returns the text of an attribute by its name: in full, or without the domain, which
    /// is that of the driver then.
    pub fn text(&self, attribute: &str) -> Option<&Str> {
        let driver = &self.slice().spec.driver;
        if attribute.contains('/') {
            rules::lookup_text(self.device(), driver, attribute)
        } else {
            rules::own_text(self.device(), driver, attribute)
        }
    }

    /// Returns what is left of its capacities; nothing if claims cannot share it.
    pub fn capacity(&self) -> impl Iterator<Item = StockedCapacity<'_>> {
        let pairs = self.device().capacity.iter().zip(&self.left);
        pairs.map(|((name, capacity), left)| StockedCapacity {
            name,
            total: &capacity.value,
            left: Quantity::new(left.clone(), capacity.value.format()),
        })
    }

    /// Returns whether claims can share it and no other can join them: of one of its
    /// capacities less is left than the least that any claim takes of it, or nothing is
    /// left of all of them.
    pub fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Finds out whether another claim can join, if claims can share it.
    pub(super) fn note_exhausted(&mut self, fractional: bool) {
        let pairs = || self.device().capacity.values().zip(&self.left);
        let is_short = pairs().any(|(capacity, left)| {
            let least = rules::least(capacity, fractional);
            least.is_ok_and(|least| least.amount() > left)
        });
        let is_empty = self.left.iter().all(|left| left.sign() <= 0);
        self.is_exhausted = !self.left.is_empty() && (is_short || is_empty);
    }
}
