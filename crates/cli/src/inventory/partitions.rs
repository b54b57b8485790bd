//! [`Partitions`]: how many parts of cards can still be had.

use std::collections::BTreeMap;

use dralloc::model::Str;
use dralloc::{DeviceState, Stock, StockedDevice};
use serde::Serialize;

use super::group::Groups;

/// Attributes that say what a device is, the most telling first.
const PRODUCTS: [&str; 2] = ["productName", "model"];
/// Attributes that say what part of a card a device is, after the one that its slice names.
const PROFILES: [&str; 2] = ["profile", "type"];

/// Is what is known of the partitions of one profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Partition {
    pub(super) product: Str,
    pub(super) profile: Str,
    pub(super) devices: usize,
    pub(super) held: usize,
    /// How many could be had together, if no other profile were asked for.
    pub(super) left: usize,
}

/// Returns what a device is: its product, or else its driver.
pub(super) fn product(device: &StockedDevice) -> Str {
    let mut names = PRODUCTS.iter().filter_map(|name| device.text(name));
    names.next().unwrap_or(&device.slice().spec.driver).clone()
}

/// Returns what part of a card a device is; nothing if it shares no counters.
fn profile(device: &StockedDevice) -> Option<Str> {
    if device.device().consumes_counters.is_empty() {
        return None;
    }
    let told = device.slice().spec.partition_type_attribute.as_deref();
    let mut names = told.into_iter().chain(PROFILES);
    let name = names.find_map(|name| device.text(name));
    Some(name.cloned().unwrap_or_else(|| "partition".into()))
}

/// Returns the partitions by product and profile, and notes in the groups what is left.
pub(super) fn partitions(stock: &Stock, groups: &mut Groups) -> Vec<Partition> {
    let mut numbers: BTreeMap<(Str, Str), usize> = BTreeMap::new();
    let mut number = |device: &StockedDevice| {
        let profile = profile(device)?;
        let next = numbers.len();
        Some(*numbers.entry((product(device), profile)).or_insert(next))
    };
    let of: Vec<Option<usize>> = stock.devices().iter().map(&mut number).collect();
    // By number: how many devices there are, and how many are held.
    let mut counts = vec![(0, 0); numbers.len()];
    for (device, number) in stock.devices().iter().zip(&of) {
        if let Some((devices, held)) = number.and_then(|number| counts.get_mut(number)) {
            *devices += 1;
            let is_held = matches!(device.state(), DeviceState::Held | DeviceState::Shared);
            *held += usize::from(is_held);
        }
    }
    let partitions = numbers.into_iter().map(|((product, profile), number)| {
        let (devices, held) = counts[number];
        let mut partition = Partition {
            product,
            profile,
            devices,
            held,
            left: 0,
        };
        for (device, count) in stock.most(|device| of[device] == Some(number)) {
            partition.left += count;
            groups.note_left(device, &partition.profile, count);
        }
        partition
    });
    partitions.collect()
}
