//! [`Interner`]: equal text of many objects kept once.

use std::collections::{BTreeMap, BTreeSet};

use super::Object;
use crate::model::{
    AllocationResult, Counter, Device, DeviceAttribute, DeviceCapacity, Map, Node, NodeSelector,
    Quantity, ResourceClaim, ResourceSlice, Str,
};

/// Replaces equal text by one copy.
#[derive(Debug, Default)]
pub(super) struct Interner {
    /// Names of drivers, pools, nodes, devices, classes and requests.
    names: Shared,
    /// Keys of attributes, capacities, counters and labels.
    keys: Shared,
    /// Values by attribute or label, since the values of some never repeat.
    values: BTreeMap<Str, Shared>,
    quantities: BTreeMap<Str, Quantity>,
}

/// Keeps the text seen so far, and gives up where little of it repeats.
#[derive(Debug, Default)]
struct Shared {
    known: BTreeSet<Str>,
    hits: usize,
    has_given_up: bool,
}

/// So much different text may be seen before it is asked whether keeping it pays.
const TRIAL: usize = 4096;

impl Shared {
    fn share(&mut self, text: &mut Str) {
        if self.has_given_up {
            return;
        }
        if let Some(known) = self.known.get(&**text) {
            self.hits += 1;
            text.clone_from(known);
        } else if self.known.len() >= TRIAL && self.hits < self.known.len() {
            *self = Self {
                has_given_up: true,
                ..Self::default()
            };
        } else {
            self.known.insert(text.clone());
        }
    }

    fn share_all<'a>(&mut self, texts: impl IntoIterator<Item = &'a mut Str>) {
        texts.into_iter().for_each(|text| self.share(text));
    }
}

impl Interner {
    /// Shares what repeats between objects of its kind.
    pub(super) fn share(&mut self, object: &mut Object) {
        match object {
            Object::ResourceSlice(slice) => self.resource_slice(slice),
            Object::ResourceClaim(claim) => self.resource_claim(claim),
            Object::Node(node) => self.node(node),
            _ => {}
        }
    }

    fn resource_slice(&mut self, slice: &mut ResourceSlice) {
        let spec = &mut slice.spec;
        self.names.share(&mut spec.driver);
        self.names.share(&mut spec.pool.name);
        self.names.share_all(&mut spec.node_name);
        self.node_selector(spec.node_selector.as_mut());
        // Lists grow by doubling; most are far from full.
        spec.devices.shrink_to_fit();
        for device in &mut spec.devices {
            self.device(device);
        }
        for set in &mut spec.shared_counters {
            self.names.share(&mut set.name);
            self.counters(&mut set.counters);
        }
    }

    fn device(&mut self, device: &mut Device) {
        self.names.share(&mut device.name);
        self.names.share_all(&mut device.node_name);
        self.node_selector(device.node_selector.as_mut());
        self.keys(&mut device.attributes);
        for (key, attribute) in device.attributes.iter_mut() {
            self.attribute(key, attribute);
        }
        self.keys(&mut device.capacity);
        for DeviceCapacity {
            value,
            request_policy,
        } in device.capacity.values_mut()
        {
            self.quantity(value);
            let Some(policy) = request_policy else {
                continue;
            };
            let range = policy.valid_range.iter_mut();
            range
                .flat_map(|range| [&mut range.min, &mut range.max, &mut range.step])
                .chain([&mut policy.default])
                .flatten()
                .chain(policy.valid_values.iter_mut().flatten())
                .for_each(|quantity| self.quantity(quantity));
        }
        for consumption in &mut device.consumes_counters {
            self.names.share(&mut consumption.counter_set);
            self.counters(&mut consumption.counters);
        }
        for taint in &mut device.taints {
            self.keys.share(&mut taint.key);
            self.names.share_all([&mut taint.value, &mut taint.effect]);
        }
        let conditions = [
            &mut device.binding_conditions,
            &mut device.binding_failure_conditions,
        ];
        self.names
            .share_all(conditions.into_iter().flatten().flatten());
    }

    fn attribute(&mut self, key: &Str, attribute: &mut DeviceAttribute) {
        match attribute {
            DeviceAttribute::String(text) | DeviceAttribute::Version(text) => self.value(key, text),
            DeviceAttribute::Strings(texts) | DeviceAttribute::Versions(texts) => {
                for text in texts {
                    self.value(key, text);
                }
            }
            _ => {}
        }
    }

    fn node_selector(&mut self, selector: Option<&mut NodeSelector>) {
        let terms = selector.map(|selector| &mut selector.node_selector_terms);
        for term in terms.into_iter().flatten() {
            for requirement in term
                .match_expressions
                .iter_mut()
                .chain(&mut term.match_fields)
            {
                self.keys.share(&mut requirement.key);
                self.names.share(&mut requirement.operator);
                self.names.share_all(&mut requirement.values);
            }
        }
    }

    fn counters(&mut self, counters: &mut Map<Str, Counter>) {
        self.keys(counters);
        for counter in counters.values_mut() {
            self.quantity(&mut counter.value);
        }
    }

    fn resource_claim(&mut self, claim: &mut ResourceClaim) {
        self.names.share_all(&mut claim.metadata.namespace);
        for request in &mut claim.spec.devices.requests {
            self.names.share(&mut request.name);
            if let Some(exactly) = &mut request.exactly {
                self.names
                    .share_all([&mut exactly.device_class_name, &mut exactly.allocation_mode]);
            }
            for alternative in &mut request.first_available {
                self.names.share_all([
                    &mut alternative.name,
                    &mut alternative.device_class_name,
                    &mut alternative.allocation_mode,
                ]);
            }
        }
        if let Some(allocation) = &mut claim.status.allocation {
            self.allocation(allocation);
        }
    }

    fn allocation(&mut self, allocation: &mut AllocationResult) {
        for result in &mut allocation.devices.results {
            self.names.share_all([
                &mut result.request,
                &mut result.driver,
                &mut result.pool,
                &mut result.device,
            ]);
            if let Some(consumed) = &mut result.consumed_capacity {
                self.keys(consumed);
                consumed
                    .values_mut()
                    .for_each(|quantity| self.quantity(quantity));
            }
        }
        self.node_selector(allocation.node_selector.as_mut());
    }

    fn node(&mut self, node: &mut Node) {
        self.names.share(&mut node.metadata.name);
        self.keys(&mut node.metadata.labels);
        for (key, value) in node.metadata.labels.iter_mut() {
            self.value(key, value);
        }
        self.keys(&mut node.status.allocatable);
        for quantity in node.status.allocatable.values_mut() {
            self.quantity(quantity);
        }
    }

    fn keys<V>(&mut self, map: &mut Map<Str, V>) {
        *map = std::mem::take(map).map_keys(|mut key| {
            self.keys.share(&mut key);
            key
        });
    }

    fn value(&mut self, key: &Str, value: &mut Str) {
        if let Some(values) = self.values.get_mut(key) {
            values.share(value);
        } else {
            self.values.entry(key.clone()).or_default().share(value);
        }
    }

    /// Amounts are few; those that are not cost what they would cost anyway.
    fn quantity(&mut self, quantity: &mut Quantity) {
        let Some(text) = quantity.text() else { return };
        if let Some(known) = self.quantities.get(text) {
            quantity.clone_from(known);
        } else if self.quantities.len() < TRIAL {
            self.quantities.insert(text.into(), quantity.clone());
        }
    }
}
