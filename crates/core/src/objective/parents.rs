//! [`Parents`]: what devices are parts of.

use std::collections::BTreeMap;

use crate::budget::Meter;
use crate::number::number;
use crate::outcome::StopCause;
use crate::rules::{self, AttributeSet, AttributeValue};
use crate::state::Draft;
use crate::store::{DeviceEntry, NodeView};

/// Attribute with the uuid of the card that a partition is of.
const PARENT_UUID: &str = "parentUUID";

/// Numbers the parents of the devices of a view.
///
/// The parents of a device are the counter sets from which it consumes; if there
/// are none, its attribute `parentUUID`; if there is none, the device itself. Or
/// else they are the values of another attribute, and of a device without it
/// the device itself.
#[derive(Debug)]
pub(crate) struct Parents {
    /// Where the parents of each device begin in `of`, and the end of the last.
    first: Vec<u32>,
    of: Vec<u32>,
    /// By parent: of how many of its devices something is held.
    held: Vec<u32>,
    /// By parent: how many devices it has.
    devices: Vec<u32>,
    /// By parent: whether its devices are looked at in several parts.
    split: Vec<bool>,
}

/// Is what tells parents apart.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Name<'a> {
    /// A counter set of a pool, by the place of the pool.
    Counters(usize, &'a str),
    /// A card of a driver.
    Card(&'a str, &'a str),
    Value(AttributeValue),
    Device(usize),
}

impl Parents {
    /// Numbers the cards of a view, or the values of an attribute.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn new(
        view: &NodeView,
        held: &Draft,
        attribute: Option<&str>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let mut numbers: BTreeMap<Name<'_>, u32> = BTreeMap::new();
        let mut parents = Self {
            first: Vec::with_capacity(view.devices.len() + 1),
            of: Vec::with_capacity(view.devices.len()),
            held: Vec::new(),
            devices: Vec::new(),
            split: Vec::new(),
        };
        for (device, entry) in view.devices.iter().enumerate() {
            meter.effort(2)?;
            let first = parents.of.len();
            parents.first.push(number(first));
            for name in names(device, entry, attribute) {
                let next = number(numbers.len());
                let parent = *numbers.entry(name).or_insert(next);
                if parent == next {
                    parents.held.push(0);
                    parents.devices.push(0);
                }
                if !parents.of[first..].contains(&parent) {
                    parents.of.push(parent);
                    parents.devices[parent as usize] += 1;
                }
            }
            if held.is_held(entry.key) {
                for parent in &parents.of[first..] {
                    parents.held[*parent as usize] += 1;
                }
            }
        }
        parents.first.push(number(parents.of.len()));
        parents.split = vec![false; parents.len()];
        Ok(parents)
    }

    /// Returns how many parents there are.
    pub(crate) fn len(&self) -> usize {
        self.held.len()
    }

    /// Returns the parents of a device.
    pub(crate) fn of(&self, device: usize) -> &[u32] {
        match self.first.get(device..device + 2) {
            Some(&[first, end]) => &self.of[first as usize..end as usize],
            _ => &[],
        }
    }

    /// Returns whether a parent has several devices.
    pub(super) fn is_common(&self, parent: u32) -> bool {
        let devices = self.devices.get(parent as usize);
        devices.is_some_and(|devices| *devices > 1)
    }

    /// Returns the devices of each parent.
    pub(super) fn groups(&self) -> Vec<Vec<u32>> {
        let mut groups = vec![Vec::new(); self.len()];
        for device in 0..self.first.len().saturating_sub(1) {
            for parent in self.of(device) {
                groups[*parent as usize].push(number(device));
            }
        }
        groups
    }

    /// Writes which of some devices have which parents in common, and what is
    /// held of those.
    pub(super) fn describe(&self, devices: &[u32], key: &mut Vec<i128>) {
        let mut known: Vec<u32> = Vec::new();
        for device in devices {
            key.push(-1);
            for parent in self.of(*device as usize) {
                let place = known.iter().position(|other| other == parent);
                key.push(i128::from(number(place.unwrap_or(known.len()))));
                if place.is_none() {
                    known.push(*parent);
                    let split = i128::from(self.is_split(*parent));
                    key.push(i128::from(self.held(*parent)) << 1 | split);
                }
            }
        }
    }

    /// Returns whether the devices of a parent are looked at in several parts.
    pub(super) fn is_split(&self, parent: u32) -> bool {
        self.split.get(parent as usize) == Some(&true)
    }

    /// Notes that the devices of a parent are looked at in several parts.
    pub(super) fn split(&mut self, parent: usize) {
        if let Some(split) = self.split.get_mut(parent) {
            *split = true;
        }
    }

    /// Returns of how many devices of a parent something is held.
    pub(crate) fn held(&self, parent: u32) -> u32 {
        self.held.get(parent as usize).copied().unwrap_or(0)
    }
}

/// Returns the names of the parents of a device.
fn names<'a>(device: usize, entry: &'a DeviceEntry, attribute: Option<&str>) -> Vec<Name<'a>> {
    let (model, driver) = (entry.device(), entry.driver());
    if let Some(attribute) = attribute {
        let found = rules::lookup(model, driver, attribute);
        // A list is of parents, whether constraints may compare lists or not.
        return match found.and_then(|found| AttributeSet::of(found, true)) {
            Some(AttributeSet::Values(values)) => values.into_iter().map(Name::Value).collect(),
            _ => vec![Name::Device(device)],
        };
    }
    if !model.consumes_counters.is_empty() {
        let sets = model.consumes_counters.iter();
        let set = |of_set: &'a crate::model::DeviceCounterConsumption| {
            Name::Counters(entry.pool(), &of_set.counter_set)
        };
        return sets.map(set).collect();
    }
    vec![match rules::own_text(model, driver, PARENT_UUID) {
        Some(card) => Name::Card(driver, card),
        None => Name::Device(device),
    }]
}
