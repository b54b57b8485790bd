//! [`Graph`]: a document with the devices that its vertices are.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{LARGEST_TABLE, Scope, Vertex};

use super::topologies::Key;
use crate::error::Error;
use crate::model::{DeviceId, Str};
use crate::rules;
use crate::store::{DeviceEntry, NodeView};

/// Is a document as a graph, and how to find its vertices among devices.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(super) topology: dralloc_topology::Topology,
    /// Whether it is what devices publish of themselves.
    is_published: bool,
    by_device: BTreeMap<DeviceId, Bound>,
    /// By attribute and its value: one vertex for each host.
    by_value: BTreeMap<Str, BTreeMap<Str, Vec<Bound>>>,
}

/// Is what a device of a node is in a graph: the number of a device or of a NIC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Bound {
    Gpu(usize),
    Nic(usize),
}

impl Graph {
    /// Returns the graph of a document.
    ///
    /// # Errors
    ///
    /// Those of [`dralloc_topology::Topology::of`].
    pub(crate) fn new(spec: &dralloc_topology::Spec) -> Result<Self, Error> {
        let topology = dralloc_topology::Topology::of(spec)?;
        let mut graph = Self {
            by_device: BTreeMap::new(),
            by_value: BTreeMap::new(),
            is_published: false,
            topology,
        };
        let gpus = 0..graph.topology.device_count();
        let nics = 0..graph.topology.nic_count();
        for bound in gpus.map(Bound::Gpu).chain(nics.map(Bound::Nic)) {
            let Some(vertex) = graph.vertex(bound) else {
                continue;
            };
            if let Some(id) = vertex.device.as_deref().and_then(DeviceId::parse) {
                graph.by_device.insert(id, bound);
            } else if let Some(matches) = &vertex.matches {
                let (attribute, value) = (&*matches.attribute, &*matches.value);
                let (attribute, value) = (Str::from(attribute), Str::from(value));
                let values = graph.by_value.entry(attribute).or_default();
                values.entry(value).or_default().push(bound);
            }
        }
        Ok(graph)
    }

    /// Returns the graph of what devices publish of themselves.
    ///
    /// # Errors
    ///
    /// Those of [`Graph::new`].
    pub(super) fn published(spec: &dralloc_topology::Spec) -> Result<Self, Error> {
        Ok(Self {
            is_published: true,
            ..Self::new(spec)?
        })
    }

    /// Says whether the document has a list of the sets that may be used.
    pub(super) fn limits_sets(&self) -> bool {
        !self.topology.allowed_sets().is_empty()
    }

    /// Says whether sets of its devices can be looked up. In a document more of them than a
    /// table has are refused where a set has to be; what devices publish has no links, so
    /// that all of them are outside of a machine without any then.
    pub(super) fn has_linked(&self) -> bool {
        !self.is_published || self.topology.device_count() <= LARGEST_TABLE
    }

    /// Says whether it is what devices publish of themselves, and no document.
    pub(super) fn is_published(&self) -> bool {
        self.is_published
    }

    /// Returns what devices are known by, each once.
    pub(super) fn keys(&self) -> BTreeSet<Key> {
        let devices = self.by_device.keys().cloned().map(Key::Device);
        let mut keys: BTreeSet<Key> = devices.collect();
        for (attribute, values) in &self.by_value {
            for (value, bounds) in values {
                keys.extend(bounds.iter().map(|bound| Key::Value {
                    attribute: attribute.clone(),
                    value: value.clone(),
                    node: self.host_name(*bound).map(Str::from),
                }));
            }
        }
        keys
    }

    /// Returns which vertex each device of a node is.
    pub(super) fn bind(&self, view: &NodeView) -> Vec<Option<Bound>> {
        let node = &view.node.metadata.name;
        let devices = view.devices.iter();
        devices.map(|entry| self.find(node, entry)).collect()
    }

    fn vertex(&self, bound: Bound) -> Option<&Vertex> {
        match bound {
            Bound::Gpu(number) => self.topology.device(number),
            Bound::Nic(number) => self.topology.nic(number),
        }
    }

    /// Returns which vertex a device of a node is.
    ///
    /// A vertex that is bound by a value is any device that shows it. Is the vertex in a
    /// host with a name, only devices of the node of that name are meant; of vertices in
    /// several hosts without names none is.
    fn find(&self, node: &str, entry: &DeviceEntry) -> Option<Bound> {
        if let Some(bound) = self.by_device.get(&entry.id()) {
            return Some(*bound);
        }
        self.by_value.iter().find_map(|(attribute, values)| {
            let shown = rules::lookup_text(entry.device(), entry.driver(), attribute)?;
            let mut here = values.get(shown)?.iter().filter(|bound| {
                let name = self.host_name(**bound);
                name.is_none_or(|name| name == node)
            });
            let first = here.next()?;
            here.next().is_none().then_some(*first)
        })
    }

    fn host_name(&self, bound: Bound) -> Option<&str> {
        let host = match bound {
            Bound::Gpu(number) => self.topology.host(number),
            Bound::Nic(number) => self.topology.nic_host(number),
        };
        host?.name.as_deref()
    }

    /// Returns the number of the NUMA node of a vertex, as the kernel counts; none where the
    /// document says none.
    pub(super) fn numa_node(&self, bound: Bound) -> Option<i64> {
        let number = self.vertex(bound)?.numa_node;
        number.filter(|number| *number >= 0)
    }

    /// Returns the domain of a vertex for a scope.
    ///
    /// Devices publish roots, and not the switches below them.
    pub(super) fn domain(&self, bound: Bound, scope: Scope) -> Option<u32> {
        // Devices publish roots, and not the switches below them; of one that publishes none
        // nothing is known.
        let scope = match scope {
            Scope::PcieSwitch if self.is_published => return None,
            Scope::PcieRoot if self.is_published => Scope::PcieSwitch,
            scope => scope,
        };
        match bound {
            Bound::Gpu(number) => self.topology.domain(number, scope),
            Bound::Nic(number) => self.topology.nic_domain(number, scope),
        }
    }
}
