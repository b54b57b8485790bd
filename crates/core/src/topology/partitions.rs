//! [`partitions`]: the fabric partitions that devices publish.

use std::collections::{BTreeMap, BTreeSet};

use super::Limits;
use super::topologies::card;
use crate::bitmap::Bitmap;
use crate::model::DeviceAttribute;
use crate::store::{DeviceEntry, NodeView};

/// Returns the fabric partitions of a node; none where no device publishes one.
///
/// NVIDIA's driver publishes the partitions of its Fabric Manager on full devices and those
/// that are passed through: `partition4: 2` says that the device is in partition 2, which
/// has four devices. Of devices of one driver with the same value those are a partition
/// that are as many as its name says, each card once. All devices of the driver count:
/// one that shows no partition is in none.
pub(super) fn partitions(view: &NodeView) -> Option<Limits> {
    let mut cards: BTreeMap<String, usize> = BTreeMap::new();
    let mut things = Vec::with_capacity(view.devices.len());
    let mut members: BTreeMap<(&str, usize, i64), BTreeSet<usize>> = BTreeMap::new();
    let mut drivers: BTreeSet<&str> = BTreeSet::new();
    for (device, entry) in view.devices.iter().enumerate() {
        let name = card(entry).unwrap_or_else(|| device.to_string());
        let next = cards.len();
        let thing = *cards.entry(name).or_insert(next);
        things.push(Some(thing));
        for (size, id) in shown(entry) {
            drivers.insert(entry.driver());
            let partition = members.entry((entry.driver(), size, id));
            partition.or_default().insert(thing);
        }
    }
    if members.is_empty() {
        return None;
    }
    for (thing, entry) in things.iter_mut().zip(&view.devices) {
        if !drivers.contains(entry.driver()) {
            *thing = None;
        }
    }
    let whole = members.into_iter();
    let whole = whole.filter(|((_, size, _), members)| members.len() == *size);
    let sets = whole.map(|(_, members)| {
        let mut set = Bitmap::new(cards.len());
        for thing in &members {
            set.insert(*thing);
        }
        set
    });
    let sets = sets.collect();
    Some(Limits { things, sets })
}

/// Returns the partitions that a device says it is in, by size and number.
fn shown(entry: &DeviceEntry) -> impl Iterator<Item = (usize, i64)> {
    let attributes = entry.device().attributes.iter();
    attributes.filter_map(|(name, value)| {
        let id = match name.split_once('/') {
            Some((domain, id)) if *domain == *entry.driver() => id,
            Some(_) => return None,
            None => name,
        };
        let size = id.strip_prefix("partition")?;
        let is_plain = !size.starts_with(['0', '+']);
        match value {
            DeviceAttribute::Int(number) if is_plain => Some((size.parse().ok()?, *number)),
            _ => None,
        }
    })
}
