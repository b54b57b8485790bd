//! What is held in parts, or of shared budgets, as words of a class.

use super::kinds::KindsOfClaims;
use crate::state::{Draft, HeldDevice};
use crate::store::NodeView;

/// Adds all that is held of a node whose devices are held in parts or draw on
/// budgets; nothing is returned if it is like no other.
pub(super) fn details(
    view: &NodeView,
    held: &Draft,
    kinds: &mut KindsOfClaims,
    words: &mut Vec<u64>,
) -> Option<()> {
    let first = words.len();
    words.resize(first + view.devices.len().div_ceil(64), 0);
    for (place, entry) in view.devices.iter().enumerate() {
        if held.is_held(entry.key) {
            words[first + place / 64] |= 1 << (place % 64);
        }
    }
    for place in view.shareable.iter() {
        let entry = &view.devices[place];
        let word = held.device(entry.key).map_or(0, |device| {
            let consumed = |name: &str| device.consumed(name).map(ToString::to_string);
            let consumed: Vec<Option<String>> = entry
                .device()
                .capacity
                .keys()
                .map(|name| consumed(name))
                .collect();
            let (whole, shared) = (device.is_whole(), device.is_shared());
            u64::from(kinds.text(format!("{whole} {shared} {consumed:?}")))
        });
        words.push(word);
    }
    for place in view.twins.places() {
        let mut hidden = view.twins.of(place).filter(|twin| twin.place.is_none());
        words.push(u64::from(hidden.any(|twin| held.is_held(twin.key))));
    }
    for pool in &view.pools {
        if !pool.is_complete() || pool.counters.is_empty() {
            continue;
        }
        let mut published = Vec::new();
        for stored in pool.slices.iter().chain(&pool.elsewhere) {
            published.extend_from_slice(&stored.devices);
        }
        for stored in &pool.elsewhere {
            words.extend(stored.devices.iter().map(|key| state(held.device(*key))));
        }
        published.sort_unstable();
        if held
            .in_pool(pool.key)
            .any(|key| published.binary_search(&key).is_err())
        {
            return None;
        }
    }
    // A device that is held whole and may be shared now is in the first part.
    for entry in &view.devices {
        words.push(state(held.device(entry.key)));
    }
    Some(())
}

fn state(device: Option<&HeldDevice>) -> u64 {
    device.map_or(0, |device| {
        1 + u64::from(device.is_whole()) + 2 * u64::from(device.is_shared())
    })
}
