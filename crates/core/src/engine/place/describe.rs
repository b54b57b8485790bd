//! [`describe`]: what claims see of a node, apart from what is held.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::kind::place_of;
use crate::claims::PreparedClaims;
use crate::eligible::Verdicts;
use crate::model::Device;
use crate::number::number;
use crate::rules::{self, AttributeSet, NodeSelection};
use crate::store::{NodeView, PoolStatus};

/// Is what claims see of a node, as numbers.
pub(super) struct Description {
    /// Equal for nodes that differ by what is held alone.
    pub(super) words: Vec<u32>,
    /// Whether devices are held in parts, or draw on budgets.
    pub(super) is_detailed: bool,
}

/// Numbers texts.
///
/// Nodes may be described on several threads. Which number a text gets depends
/// on who comes first then; only whether two are the same is ever asked.
#[derive(Debug, Default)]
pub(super) struct Texts(Mutex<BTreeMap<String, u32>>);

impl Texts {
    /// Returns the number of a text, from 1.
    pub(super) fn number(&self, text: String) -> u32 {
        let mut numbers = self.numbers();
        let next = number(numbers.len() + 1);
        *numbers.entry(text).or_insert(next)
    }

    pub(super) fn len(&self) -> usize {
        self.numbers().len()
    }

    fn numbers(&self) -> MutexGuard<'_, BTreeMap<String, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Describes what claims see of a node; nothing if no other node is like it.
pub(super) fn describe(
    view: &NodeView,
    blocks: &[u32],
    claims: &PreparedClaims,
    verdicts: &mut Verdicts,
    texts: &Texts,
) -> Option<Description> {
    let mut words = Vec::new();
    let mut is_detailed = view.shareable.next(0).is_some();
    for pool in &view.pools {
        words.push(match pool.status {
            PoolStatus::Complete => 0,
            PoolStatus::Incomplete => 1,
            PoolStatus::Invalid(_) => 2,
        });
        if !pool.is_complete() || pool.counters.is_empty() {
            continue;
        }
        is_detailed = true;
        words.push(texts.number(format!("{:?}", pool.counters)));
        for stored in &pool.elsewhere {
            for device in &stored.slice.spec.devices {
                words.push(texts.number(format!("{:?}", device.consumes_counters)));
            }
        }
        words.push(u32::MAX);
    }
    if !view.twins.is_empty() {
        is_detailed = true;
        add_twins(view, &mut words);
    }
    words.push(number(view.devices.len()));
    let asks_capacity = claims.alternatives().any(|one| one.capacity.is_some());
    for place in 0..view.devices.len() {
        let entry = &view.devices[place];
        words.extend([number(entry.pool()), traits(view, place, claims)?]);
        // Where it is told whether the device is held.
        words.push(number(place_of(blocks, entry.key.block())));
        words.push(entry.key.bit().trailing_zeros());
        words.push(shape(view, place, asks_capacity, texts));
    }
    for alternative in claims.alternatives() {
        let selected = verdicts.select(claims, &alternative.selectors, view, &mut |_| Ok(()));
        let selected = selected.ok()?;
        for set in [&selected.matches, &selected.failing] {
            words.push(number(set.len()));
            words.extend(set.iter().map(number));
        }
    }
    add_values(view, claims, &mut words);
    Some(Description { words, is_detailed })
}

/// Returns the number of what rules read of a device beside its attributes;
/// 0 for nothing.
fn shape(view: &NodeView, place: usize, asks_capacity: bool, texts: &Texts) -> u32 {
    let device = view.devices[place].device();
    let shareable = view.shareable.contains(place);
    let reads_capacity = asks_capacity
        || shareable
        || device.capacity.values().any(|capacity| {
            capacity.request_policy.is_some() || capacity.value.amount().is_negative()
        });
    let tainted = view.tainted.contains(place);
    if !reads_capacity && !tainted && device.consumes_counters.is_empty() {
        return 0;
    }
    let taints: Vec<_> = view.taints(place).collect();
    let capacity = reads_capacity.then_some(&device.capacity);
    let uses = &device.consumes_counters;
    texts.number(format!("{shareable} {taints:?} {capacity:?} {uses:?}"))
}

/// Returns what rules say of a device and the node, as bits; nothing if the
/// place of the answer's node is not all that can differ.
fn traits(view: &NodeView, place: usize, claims: &PreparedClaims) -> Option<u32> {
    let entry = &view.devices[place];
    let (device, spec) = (entry.device(), &entry.stored.slice.spec);
    // An allocation with such a selector may be an error.
    if rules::has_several_terms(spec, device) {
        return None;
    }
    let on_node = if spec.per_device_node_selection == Some(true) {
        match NodeSelection::of_device(device).on_node(&view.node) {
            Ok(true) => 0,
            Ok(false) => 1,
            Err(_) => return None,
        }
    } else {
        0
    };
    let skips = rules::lacks_node_operations(spec, &view.node, claims.features());
    let waits = has_conditions(device);
    Some(on_node | u32::from(skips) << 1 | u32::from(waits) << 2)
}

fn has_conditions(device: &Device) -> bool {
    device
        .binding_conditions
        .as_ref()
        .is_some_and(|list| !list.is_empty())
}

/// Adds which devices are physically the same, and which are so with one that
/// the node does not see.
fn add_twins(view: &NodeView, words: &mut Vec<u32>) {
    words.push(u32::MAX - 2);
    for place in view.twins.places() {
        words.push(number(place));
        let twins = view.twins.of(place);
        words.extend(twins.map(|twin| twin.place.map_or(u32::MAX - 1, number)));
        words.push(u32::MAX);
    }
    words.push(u32::MAX);
}

/// Adds which devices show the same values to each constraint; the values
/// themselves do not matter, only which are the same.
fn add_values(view: &NodeView, claims: &PreparedClaims, words: &mut Vec<u32>) {
    let lists = claims.features().list_type_attributes;
    let constraints = claims.claims().iter().flat_map(|claim| &claim.constraints);
    for constraint in constraints {
        let mut numbers = BTreeMap::new();
        for entry in &view.devices {
            let attribute = rules::lookup(entry.device(), entry.driver(), &constraint.attribute);
            match attribute.and_then(|attribute| AttributeSet::of(attribute, lists)) {
                None => words.push(0),
                Some(AttributeSet::Incomparable) => words.push(1),
                Some(AttributeSet::Values(values)) => {
                    words.push(number(values.len() + 1));
                    for value in values {
                        let next = number(numbers.len());
                        words.push(*numbers.entry(value).or_insert(next));
                    }
                }
            }
        }
    }
}
