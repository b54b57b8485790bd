//! [`Domains`]: the switch, root, NUMA node, host and so on of each device of a node.

use std::collections::BTreeMap;

use dralloc_topology::Scope;

use super::{Bound, Graph};
use crate::disjoint_sets::DisjointSets;
use crate::rules::{self, AttributeSet, AttributeValue};
use crate::store::{DeviceEntry, NodeView};

/// Has the domains that each device of a node is in, for each scope.
///
/// Documents tell some and attributes others, of one device often both. What a device
/// shows joins them: a `GPU` whose vertex hangs on a switch and which publishes the root
/// `pci0000:15` says that this switch is that root, and a NIC without a vertex that shows
/// the same root hangs there, too. Does no device of the document show its NUMA node, the
/// numbers there are those of the kernel, which other devices publish. A list of values is
/// several domains at once, which a device has in common with others if one of them is the
/// same.
#[derive(Debug)]
pub(crate) struct Domains {
    /// By scope, then by place of the device: numbers, ascending.
    of: BTreeMap<Scope, Vec<Box<[u32]>>>,
}

/// Is what tells a domain of a scope from others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    /// By its number in the document.
    Document(u32),
    /// By a value that devices publish.
    Value(AttributeValue),
    /// The node itself, which is one host.
    Node,
}

/// Attributes that name domains (`resource.kubernetes.io`, KEP-6072 for the second).
const ATTRIBUTES: [(Scope, &str); 2] = [
    (Scope::PcieRoot, "resource.kubernetes.io/pcieRoot"),
    (Scope::NumaNode, "resource.kubernetes.io/numaNode"),
];

/// Scopes that policies name, the nearest first.
pub(crate) const SCOPES: [Scope; 7] = [
    Scope::PcieSwitch,
    Scope::PcieRoot,
    Scope::NumaNode,
    Scope::Host,
    Scope::NvLinkDomain,
    Scope::Rack,
    Scope::Block,
];

impl Domains {
    /// Returns the domains of the devices of a node, with the vertices that they are.
    pub(super) fn new(view: &NodeView, graph: Option<&Graph>, bound: &[Option<Bound>]) -> Self {
        let of_scope = |scope: Scope| {
            let devices = || view.devices.iter().zip(bound);
            let counts = scope == Scope::NumaNode
                && !devices()
                    .any(|(entry, bound)| bound.is_some() && !published(entry, scope).is_empty());
            let keys = devices().map(|(entry, bound)| {
                let number = graph
                    .zip(*bound)
                    .and_then(|(graph, bound)| graph.domain(bound, scope));
                let mut keys: Vec<Key> = number.map(Key::Document).into_iter().collect();
                keys.extend(published(entry, scope));
                let counted = graph.zip(*bound).filter(|_| counts);
                let counted = counted.and_then(|(graph, bound)| graph.numa_node(bound));
                keys.extend(counted.map(|node| Key::Value(AttributeValue::Int(node))));
                keys
            });
            (scope, numbered(&keys.collect::<Vec<_>>()))
        };
        Self {
            of: SCOPES.into_iter().map(of_scope).collect(),
        }
    }

    /// Returns the domains of a device for a scope; none where nothing is known.
    pub(crate) fn of(&self, scope: Scope, device: usize) -> &[u32] {
        let devices = self.of.get(&scope);
        devices
            .and_then(|devices| devices.get(device))
            .map_or(&[], |numbers| numbers)
    }

    /// Returns the domains of a device for each scope that there is, the nearest first.
    pub(crate) fn of_all(&self, device: usize) -> impl Iterator<Item = &[u32]> {
        SCOPES.into_iter().map(move |scope| self.of(scope, device))
    }

    /// Returns the nearest scope of which some devices have a domain in common.
    pub(crate) fn span(&self, mut devices: impl Iterator<Item = usize> + Clone) -> Scope {
        let Some(first) = devices.next() else {
            return Scope::Device;
        };
        if devices.clone().all(|device| device == first) {
            return Scope::Device;
        }
        let shares = |scope: &Scope| {
            let mut shared = self.of(*scope, first).to_vec();
            for device in devices.clone() {
                let other = self.of(*scope, device);
                shared.retain(|number| other.contains(number));
            }
            !shared.is_empty()
        };
        SCOPES.into_iter().find(shares).unwrap_or(Scope::Fabric)
    }
}

/// Returns what a device says itself of its domain.
fn published(entry: &DeviceEntry, scope: Scope) -> Vec<Key> {
    let is_local = entry.stored.slice.spec.node_name.is_some();
    match scope {
        // A host is in one of each of these, with all that is in it.
        Scope::Host | Scope::Rack | Scope::Block if is_local => vec![Key::Node],
        _ => {
            let name = ATTRIBUTES.iter().find(|(of, _)| *of == scope);
            let shown = name.and_then(|(_, name)| {
                rules::lookup(entry.device(), entry.driver(), name)
                    .and_then(|attribute| AttributeSet::of(attribute, true))
            });
            match shown {
                Some(AttributeSet::Values(values)) => values
                    .into_iter()
                    // A kernel that knows no NUMA node says -1.
                    .filter(|value| !matches!(value, AttributeValue::Int(number) if *number < 0))
                    .map(Key::Value)
                    .collect(),
                _ => Vec::new(),
            }
        }
    }
}

/// Numbers keys in the order of devices; two keys of one device are one domain, unless
/// they are values of a list.
fn numbered(keys: &[Vec<Key>]) -> Vec<Box<[u32]>> {
    let mut places: BTreeMap<&Key, usize> = BTreeMap::new();
    for key in keys.iter().flatten() {
        let next = places.len();
        places.entry(key).or_insert(next);
    }
    let mut sets = DisjointSets::new(places.len());
    for keys in keys {
        let values = keys.iter().filter(|key| matches!(key, Key::Value(_)));
        if let [one, other] = &**keys
            && values.count() < 2
        {
            sets.join(places[one], places[other]);
        }
    }
    let number = |key: &Key| u32::try_from(sets.first(places[key])).unwrap_or(u32::MAX);
    let mut number = number;
    let numbers = keys.iter().map(|keys| {
        let mut numbers: Vec<u32> = keys.iter().map(&mut number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_boxed_slice()
    });
    numbers.collect()
}
