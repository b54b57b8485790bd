//! [`ClassKey`]: nodes with equal keys give the same answer.

use super::kind::{Kind, Kinds};
use crate::claims::PreparedClaims;
use crate::engine::Allocation;
use crate::state::{Draft, HeldDevice};
use crate::store::NodeView;

/// Is everything that an answer depends on: what the claims see of a node, and
/// what is held of it.
pub(super) type ClassKey = (u32, Vec<u64>);

/// Says which devices of a node somebody holds.
pub(super) struct Held {
    words: Vec<u64>,
    devices: usize,
}

impl Held {
    fn contains(&self, device: usize) -> bool {
        self.words
            .get(device / 64)
            .is_some_and(|word| word >> (device % 64) & 1 == 1)
    }

    /// Returns how many devices nobody holds after an allocation.
    pub(super) fn free(&self, allocation: &Allocation) -> usize {
        let held: u32 = self.words.iter().map(|word| word.count_ones()).sum();
        let mut taken: Vec<usize> = allocation
            .taken()
            .filter(|device| !self.contains(*device))
            .collect();
        taken.sort_unstable();
        taken.dedup();
        self.devices - held as usize - taken.len()
    }
}

/// Returns whether no two nodes can be in one class, whatever they look like.
///
/// Expressions may read all of a device, and claims that hold something
/// depend on where that is.
pub(super) fn is_apart(claims: &PreparedClaims, held: &Draft) -> bool {
    claims
        .alternatives()
        .any(|alternative| !alternative.derived_attributes.is_empty())
        || claims
            .claims()
            .iter()
            .any(|claim| !held.records(&claim.owner).is_empty())
}

/// Returns the key of a node, unless it is a class of its own, and what is held of it.
pub(super) fn key(
    kind: Kind,
    view: &NodeView,
    held: &Draft,
    kinds: &mut Kinds,
) -> (Option<ClassKey>, Held) {
    let mut words = vec![0; view.devices.len().div_ceil(64)];
    for (place, entry) in view.devices.iter().enumerate() {
        if held.is_held(entry.key) {
            words[place / 64] |= 1 << (place % 64);
        }
    }
    let of_node = Held {
        words: words.clone(),
        devices: view.devices.len(),
    };
    let key = match kind {
        Kind::Own => None,
        Kind::Plain(number) => Some((number, words)),
        Kind::Detailed(number) => details(view, held, kinds, &mut words).map(|()| (number, words)),
    };
    (key, of_node)
}

/// Adds what is held in parts, and what is held of shared budgets; nothing is
/// returned if that is known of the node alone.
fn details(view: &NodeView, held: &Draft, kinds: &mut Kinds, words: &mut Vec<u64>) -> Option<()> {
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
