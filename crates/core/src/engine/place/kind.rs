//! [`Kinds`]: what claims see of a node, apart from what is held.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use crate::claims::PreparedClaims;
use crate::eligible::Verdicts;
use crate::model::Device;
use crate::number::number;
use crate::rules::{self, AttributeSet, NodeSelection};
use crate::store::{NodeView, PoolStatus};

/// With more kinds or texts than this, all are forgotten before the next call.
const MAX_KINDS: usize = 1 << 16;

/// Numbers what claims see of a node.
///
/// INVARIANT: the answers of two nodes with equal numbers can differ by what is
/// held alone, and in the names of node and devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No other node is like it.
    Own,
    /// Devices are held or not.
    Plain(u32),
    /// Devices are held in parts, or draw on budgets.
    Detailed(u32),
}

/// Keeps the kinds of nodes for the claims that were asked about last.
#[derive(Debug, Default)]
pub(in crate::engine) struct Kinds {
    claims: Option<PreparedClaims>,
    texts: BTreeMap<String, u32>,
    numbers: BTreeMap<Vec<u32>, u32>,
    /// By the place of the node in the question.
    known: Vec<(Weak<NodeView>, Kind)>,
}

impl Kinds {
    /// Makes ready for a call.
    pub(super) fn start(&mut self, claims: &PreparedClaims) {
        let same = self
            .claims
            .as_ref()
            .is_some_and(|last| last.is_same(claims));
        if !same || self.numbers.len().max(self.texts.len()) > MAX_KINDS {
            *self = Self {
                claims: Some(claims.clone()),
                ..Self::default()
            };
        }
    }

    /// Returns the number of a text, from 1.
    pub(super) fn text(&mut self, text: String) -> u32 {
        let next = number(self.texts.len() + 1);
        *self.texts.entry(text).or_insert(next)
    }

    /// Returns the kind of the node at a place of the question.
    pub(super) fn of(
        &mut self,
        place: usize,
        view: &Arc<NodeView>,
        claims: &PreparedClaims,
        verdicts: &mut Verdicts,
    ) -> Kind {
        if let Some((known, kind)) = self.known.get(place)
            && std::ptr::eq(known.as_ptr(), Arc::as_ptr(view))
        {
            return *kind;
        }
        let kind = self.find(view, claims, verdicts);
        let entry = (Arc::downgrade(view), kind);
        if let Some(known) = self.known.get_mut(place) {
            *known = entry;
        } else if self.known.len() == place {
            self.known.push(entry);
        }
        kind
    }

    fn find(&mut self, view: &NodeView, claims: &PreparedClaims, verdicts: &mut Verdicts) -> Kind {
        let mut words = Vec::new();
        let mut detailed = view.shareable.next(0).is_some();
        for pool in &view.pools {
            words.push(match pool.status {
                PoolStatus::Complete => 0,
                PoolStatus::Incomplete => 1,
                PoolStatus::Invalid(_) => 2,
            });
            if !pool.is_complete() || pool.counters.is_empty() {
                continue;
            }
            detailed = true;
            words.push(self.text(format!("{:?}", pool.counters)));
            for stored in &pool.elsewhere {
                for device in &stored.slice.spec.devices {
                    words.push(self.text(format!("{:?}", device.consumes_counters)));
                }
            }
            words.push(u32::MAX);
        }
        if !view.twins.is_empty() {
            detailed = true;
            add_twins(view, &mut words);
        }
        words.push(number(view.devices.len()));
        let asks_capacity = claims.alternatives().any(|one| one.capacity.is_some());
        for place in 0..view.devices.len() {
            let Some(traits) = traits(view, place, claims) else {
                return Kind::Own;
            };
            words.extend([number(view.devices[place].pool), traits]);
            words.push(self.shape(view, place, asks_capacity));
        }
        for alternative in claims.alternatives() {
            let selected = verdicts.select(claims, &alternative.selectors, view, &mut |_| Ok(()));
            let Ok(selected) = selected else {
                return Kind::Own;
            };
            for set in [&selected.matches, &selected.failing] {
                words.push(number(set.len()));
                words.extend(set.iter().map(number));
            }
        }
        add_values(view, claims, &mut words);
        let next = number(self.numbers.len());
        let number = *self.numbers.entry(words).or_insert(next);
        if detailed {
            Kind::Detailed(number)
        } else {
            Kind::Plain(number)
        }
    }

    /// Returns the number of what rules read of a device beside its attributes;
    /// 0 for nothing.
    fn shape(&mut self, view: &NodeView, place: usize, asks_capacity: bool) -> u32 {
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
        self.text(format!("{shareable} {taints:?} {capacity:?} {uses:?}"))
    }
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
