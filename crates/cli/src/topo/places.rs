//! [`Places`]: what is in what, by the names of the document.

use std::collections::BTreeMap;

use dralloc_topology::{Vertex, VertexKind};

use super::machine::Machine;

/// Says what a place is, from the outermost on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PlaceKind {
    /// All of the document.
    Whole,
    Fabric,
    Block,
    Rack,
    Host,
    NumaNode,
    PcieSwitch,
    Device,
    Nic,
}

/// Is one place, or a device or NIC in it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) kind: PlaceKind,
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// Number of the device or NIC that it is; 0 for others.
    pub(super) number: usize,
    /// How many devices are in it.
    pub(super) devices: usize,
    /// How many NICs are in it.
    pub(super) nics: usize,
}

/// Has the places of a document as a tree.
///
/// Places that the document only tells by a number (a rack, a NUMA node) are there as
/// well. No place is deeper than 256 switches and the other kinds.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The first is the root; parents come before children.
    pub(super) places: Vec<Place>,
}

/// Tells a place from others in the place around it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Vertex(String),
    Number(PlaceKind, i64),
}

impl Places {
    pub(super) fn new(machine: &Machine) -> Self {
        let topology = &machine.topology;
        let mut builder = Builder {
            places: vec![place(PlaceKind::Whole, machine.name().to_owned(), None, 0)],
            children: BTreeMap::new(),
        };
        for device in 0..topology.device_count() {
            if let Some(vertex) = topology.device(device) {
                let way = way(vertex, topology.around(device));
                builder.add(PlaceKind::Device, vertex, device, way);
            }
        }
        for nic in 0..topology.nic_count() {
            if let Some(vertex) = topology.nic(nic) {
                let way = way(vertex, topology.around_nic(nic));
                builder.add(PlaceKind::Nic, vertex, nic, way);
            }
        }
        let mut places = builder.places;
        for number in (1..places.len()).rev() {
            let Some(inner) = places.get(number) else {
                continue;
            };
            let (devices, nics) = (inner.devices, inner.nics);
            if let Some(outer) = inner.parent.and_then(|parent| places.get_mut(parent)) {
                outer.devices += devices;
                outer.nics += nics;
            }
        }
        Self { places }
    }

    pub(super) fn get(&self, number: usize) -> Option<&Place> {
        self.places.get(number)
    }

    /// Returns the number of each place with the place, children before parents.
    pub(super) fn leaves_first(&self) -> impl Iterator<Item = (usize, &Place)> {
        self.places.iter().enumerate().rev()
    }

    /// Says whether something is known beside the devices.
    pub(super) fn is_known(&self) -> bool {
        self.places.iter().skip(1).any(|place| !place.is_leaf())
    }
}

impl Place {
    /// Says whether it is a device or a NIC.
    pub(super) fn is_leaf(&self) -> bool {
        matches!(self.kind, PlaceKind::Device | PlaceKind::Nic)
    }
}

impl PlaceKind {
    /// Returns what people call one or several of it.
    pub(super) fn noun(self, count: usize) -> &'static str {
        let (one, several) = match self {
            Self::Whole => ("machine", "machines"),
            Self::Fabric => ("fabric", "fabrics"),
            Self::Block => ("block", "blocks"),
            Self::Rack => ("rack", "racks"),
            Self::Host => ("host", "hosts"),
            Self::NumaNode => ("NUMA node", "NUMA nodes"),
            Self::PcieSwitch => ("PCIe switch", "PCIe switches"),
            Self::Device => ("GPU", "GPUs"),
            Self::Nic => ("NIC", "NICs"),
        };
        if count == 1 { one } else { several }
    }
}

fn place(kind: PlaceKind, name: String, parent: Option<usize>, number: usize) -> Place {
    Place {
        kind,
        name,
        parent,
        children: Vec::new(),
        number,
        devices: usize::from(kind == PlaceKind::Device),
        nics: usize::from(kind == PlaceKind::Nic),
    }
}

/// Returns the way from the outermost place to a vertex.
fn way<'v>(
    vertex: &'v Vertex,
    around: impl Iterator<Item = &'v Vertex>,
) -> Vec<(PlaceKind, Key, String)> {
    let around: Vec<&Vertex> = around.collect();
    let attribute = |of: fn(&Vertex) -> Option<i64>| {
        let mut all = std::iter::once(vertex).chain(around.iter().copied());
        all.find_map(of)
    };
    let mut way: Vec<(PlaceKind, Key, String)> = around
        .iter()
        .filter_map(|vertex| {
            let name = vertex.name.as_ref().unwrap_or(&vertex.id).clone();
            Some((kind(vertex.kind)?, Key::Vertex(vertex.id.clone()), name))
        })
        .collect();
    for (kind, number) in [
        (
            PlaceKind::NumaNode,
            vertex.numa_node.filter(|&node| node >= 0),
        ),
        (PlaceKind::Rack, attribute(|vertex| vertex.rack)),
        (PlaceKind::Block, attribute(|vertex| vertex.block)),
    ] {
        if let Some(number) = number
            && !way.iter().any(|(known, _, _)| *known == kind)
        {
            way.push((kind, Key::Number(kind, number), number.to_string()));
        }
    }
    way.reverse();
    way.sort_by_key(|(kind, _, _)| *kind);
    way
}

/// Returns the kind of place that a vertex is.
fn kind(kind: VertexKind) -> Option<PlaceKind> {
    match kind {
        VertexKind::PcieSwitch => Some(PlaceKind::PcieSwitch),
        VertexKind::NumaNode => Some(PlaceKind::NumaNode),
        VertexKind::Host => Some(PlaceKind::Host),
        VertexKind::NvLinkDomain => Some(PlaceKind::Rack),
        VertexKind::Block => Some(PlaceKind::Block),
        VertexKind::Fabric => Some(PlaceKind::Fabric),
        VertexKind::Gpu | VertexKind::Nic | VertexKind::NvSwitch => None,
    }
}

struct Builder {
    places: Vec<Place>,
    children: BTreeMap<(usize, Key), usize>,
}

impl Builder {
    /// Adds a device or NIC, and the places on the way to it that are new.
    fn add(
        &mut self,
        kind: PlaceKind,
        vertex: &Vertex,
        number: usize,
        way: Vec<(PlaceKind, Key, String)>,
    ) {
        let mut at = 0;
        for (kind, key, name) in way {
            let known = self.children.get(&(at, key.clone())).copied();
            at = known.unwrap_or_else(|| {
                let child = self.push(place(kind, name, Some(at), 0));
                self.children.insert((at, key), child);
                child
            });
        }
        self.push(place(kind, vertex.id.clone(), Some(at), number));
    }

    fn push(&mut self, place: Place) -> usize {
        let number = self.places.len();
        if let Some(parent) = place.parent.and_then(|parent| self.places.get_mut(parent)) {
            parent.children.push(number);
        }
        self.places.push(place);
        number
    }
}
