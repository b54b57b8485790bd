//! [`Group`]: devices that are put together, such as those of a node.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::Str;
use dralloc::{Snapshot, Stock, Workspace};

use super::By;
use super::partitions::product;
use super::racks::Racks;
use super::tally::Tally;
use super::usage::Usage;
use crate::style;

/// Is a row: what is known of the devices of a node, class, product or rack.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) tally: Tally,
    pub(super) nodes: BTreeSet<Str>,
    pub(super) products: BTreeSet<Str>,
    /// How many partitions of each profile are left, each profile for itself.
    pub(super) left: BTreeMap<Str, usize>,
    /// How many devices each holder has, by its place.
    pub(super) holders: BTreeMap<usize, usize>,
}

/// Names a group; those without a name are what is in none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    Named(Str),
    None,
}

/// Has the groups by name, and those of each device.
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) by_key: BTreeMap<Key, Group>,
    /// By device: its groups, in order; a device has one, but for classes.
    of: Vec<Vec<Key>>,
    /// How many cards and shared devices have something that is stranded.
    pub(super) stranded: usize,
}

impl Groups {
    /// Puts devices together; what cannot be done is told to the user.
    pub(super) fn new(snapshot: &Snapshot, stock: &Stock, by: By, racks: &Racks) -> Self {
        let devices = stock.devices();
        let of: Vec<Vec<Key>> = match by {
            By::Class => by_class(snapshot, stock),
            By::Node => {
                let node = |device: &dralloc::StockedDevice| device.node().cloned();
                devices
                    .iter()
                    .map(|device| vec![key(node(device))])
                    .collect()
            }
            By::Product => devices
                .iter()
                .map(|device| vec![Key::Named(product(device))])
                .collect(),
            By::Rack => {
                let rack = |device: &dralloc::StockedDevice| racks.of(device.node()?).cloned();
                devices
                    .iter()
                    .map(|device| vec![key(rack(device))])
                    .collect()
            }
        };
        let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
        if by == By::Class {
            let names = snapshot
                .device_classes()
                .map(|class| class.metadata.name.clone());
            groups.extend(names.map(|name| (Key::Named(name), Group::default())));
        }
        for (device, keys) in devices.iter().zip(&of) {
            for key in keys {
                let group = groups.entry(key.clone()).or_default();
                group.tally.count(device.state());
                if let Some(node) = device.node()
                    && group.nodes.last() != Some(node)
                {
                    group.nodes.insert(node.clone());
                }
                let product = product(device);
                if group.products.last() != Some(&product) {
                    group.products.insert(product);
                }
                for holder in device.holders() {
                    *group.holders.entry(*holder).or_default() += 1;
                }
            }
        }
        Self {
            by_key: groups,
            of,
            stranded: 0,
        }
    }

    /// Notes that of what a device is part of, something is stranded.
    pub(super) fn note_stranded(&mut self, device: usize) {
        self.stranded += 1;
        for key in &self.of[device] {
            if let Some(group) = self.by_key.get_mut(key) {
                group.tally.stranded += 1;
            }
        }
    }

    /// Notes how much is used of what some devices are, or are part of: once in each group
    /// that has any of them.
    pub(super) fn note_usage(&mut self, devices: &[usize], usage: Usage) {
        let keys = devices.iter().flat_map(|device| &self.of[*device]);
        let keys: BTreeSet<&Key> = keys.collect();
        for key in keys {
            if let Some(group) = self.by_key.get_mut(key) {
                group.tally.usage += usage;
            }
        }
    }

    /// Notes how many partitions of a profile are left of what a device is part of.
    pub(super) fn note_left(&mut self, device: usize, profile: &Str, count: usize) {
        for key in &self.of[device] {
            if let Some(group) = self.by_key.get_mut(key) {
                *group.left.entry(profile.clone()).or_default() += count;
            }
        }
    }
}

fn key(name: Option<Str>) -> Key {
    name.map_or(Key::None, Key::Named)
}

fn by_class(snapshot: &Snapshot, stock: &Stock) -> Vec<Vec<Key>> {
    let mut of = vec![Vec::new(); stock.devices().len()];
    let mut workspace = Workspace::new();
    let names: BTreeSet<&Str> = snapshot
        .device_classes()
        .map(|class| &class.metadata.name)
        .collect();
    for name in names {
        match stock.selected_by(name, &mut workspace) {
            Ok(devices) => {
                for device in devices {
                    of[device].push(Key::Named(name.clone()));
                }
            }
            Err(error) => style::warn(&format!("DeviceClass `{name}`: {error}")),
        }
    }
    for keys in &mut of {
        if keys.is_empty() {
            keys.push(Key::None);
        }
    }
    of
}
