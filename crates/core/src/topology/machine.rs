//! [`Machine`]: what is known of the links and places of a node's devices.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dralloc_topology::{Nics, Scope, Table};

use super::{AffinityScope, Bound, Domains, Graph, Topologies};
use crate::bitmap::Bitmap;
use crate::store::NodeView;

/// Says how the devices of one node are linked, by their place on it.
#[derive(Debug)]
pub(crate) struct Machine {
    domains: Domains,
    /// By device, the place of its vertex in the table.
    gpus: Vec<Option<usize>>,
    /// By device, the place of its vertex among the NICs.
    nics: Vec<Option<usize>>,
    graph: Option<Arc<Graph>>,
    /// The vertices of devices and of NICs, each once, in the order of the node.
    vertices: [Vec<usize>; 2],
    table: Option<Arc<Table>>,
    alignment: Option<Nics>,
    /// The sets of vertices, by their places, that may be used together; none where all may.
    allowed: Option<Vec<Bitmap>>,
    /// Devices without links, of drivers that have devices with some.
    outsiders: Bitmap,
}

impl Machine {
    /// Returns what topologies and attributes say of the devices of a node.
    ///
    /// Devices are those of one document: the first by name that knows a device of the
    /// node. Without one, what devices publish of their place is a document of its own.
    pub(crate) fn new(view: &NodeView, topologies: &Topologies) -> Self {
        let (graph, bound) = topologies.find(view);
        let domains = Domains::new(view, graph.as_deref(), &bound);
        let mut vertices = [Vec::new(), Vec::new()];
        let mut places = BTreeMap::new();
        let mut place = |kind: usize, number: usize| {
            let known: &mut Vec<usize> = &mut vertices[kind];
            *places.entry((kind, number)).or_insert_with(|| {
                known.push(number);
                known.len() - 1
            })
        };
        let (mut gpus, mut nics) = (Vec::new(), Vec::new());
        for bound in &bound {
            gpus.push(match bound {
                Some(Bound::Gpu(number)) => Some(place(0, *number)),
                _ => None,
            });
            nics.push(match bound {
                Some(Bound::Nic(number)) => Some(place(1, *number)),
                _ => None,
            });
        }
        let table = graph
            .as_ref()
            .and_then(|graph| topologies.table(graph, &vertices[0]));
        let alignment = graph
            .as_ref()
            .filter(|_| !vertices[1].is_empty())
            .and_then(|graph| Nics::of(&graph.topology, &vertices[0], &vertices[1]));
        let allowed = graph
            .as_ref()
            .and_then(|graph| allowed(graph, &places, vertices[0].len()));
        Self {
            domains,
            outsiders: if places.is_empty() {
                Bitmap::full(view.devices.len())
            } else {
                outsiders(view, &gpus, &nics)
            },
            gpus,
            nics,
            graph,
            vertices,
            table,
            alignment,
            allowed,
        }
    }

    /// Returns the domains of the devices.
    pub(crate) fn domains(&self) -> &Domains {
        &self.domains
    }

    /// Returns what is known of sets of linked devices; none where there are more of them
    /// than a table has.
    pub(crate) fn table(&self) -> Option<&Arc<Table>> {
        self.table.as_ref()
    }

    /// Returns how many linked devices there are, and how many NICs.
    pub(crate) fn counts(&self) -> [usize; 2] {
        [self.vertices[0].len(), self.vertices[1].len()]
    }

    /// Says whether there are more linked devices than a table has.
    pub(crate) fn is_beyond_tables(&self) -> bool {
        self.table.is_none() && !self.vertices[0].is_empty()
    }

    /// Says whether the document has a list of the sets that may be chosen.
    pub(crate) fn has_allowed_sets(&self) -> bool {
        let graph = self.graph.as_ref();
        graph.is_some_and(|graph| !graph.topology.allowed_sets().is_empty())
    }

    /// Returns the document, or what devices publish in its place.
    pub(crate) fn topology(&self) -> Option<&dralloc_topology::Topology> {
        self.graph.as_ref().map(|graph| &graph.topology)
    }

    /// Returns which device of the document a device is.
    pub(crate) fn gpu_number(&self, device: usize) -> Option<usize> {
        self.vertices[0].get(self.gpu(device)?).copied()
    }

    /// Returns which NIC of the document a device is.
    pub(crate) fn nic_number(&self, device: usize) -> Option<usize> {
        self.vertices[1].get(self.nic(device)?).copied()
    }

    /// Says whether there are more linked devices or NICs than alignments have.
    pub(crate) fn is_beyond_alignments(&self) -> bool {
        self.alignment.is_none() && !self.vertices[1].is_empty()
    }

    /// Returns how near devices and NICs are; none where there are none, or too many.
    pub(crate) fn alignment(&self) -> Option<&Nics> {
        self.alignment.as_ref()
    }

    /// Returns the place of a device in the table; several may have one, such as the
    /// partitions of a card.
    pub(crate) fn gpu(&self, device: usize) -> Option<usize> {
        self.gpus.get(device).copied().flatten()
    }

    /// Returns the place of a device among the NICs.
    pub(crate) fn nic(&self, device: usize) -> Option<usize> {
        self.nics.get(device).copied().flatten()
    }

    /// Returns the only sets of vertices, by their places in the table, that one answer
    /// may use; none where it may use any.
    pub(crate) fn allowed_sets(&self) -> Option<&[Bitmap]> {
        self.allowed.as_deref()
    }

    /// Says whether a device that is no NIC has no links while others of its driver on the
    /// node have.
    pub(crate) fn is_outsider(&self, device: usize) -> bool {
        self.outsiders.contains(device)
    }

    /// Says whether two devices have something in common.
    pub(crate) fn share(&self, scope: AffinityScope, one: usize, other: usize) -> bool {
        match scope {
            AffinityScope::NvLink => self.are_linked(one, other),
            AffinityScope::Domain(scope) => {
                let others = self.domains.of(scope, other);
                let mine = self.domains.of(scope, one);
                mine.iter().any(|number| others.contains(number))
            }
        }
    }

    /// Says whether nothing of links and places tells two devices apart.
    pub(crate) fn are_alike(&self, one: usize, other: usize) -> bool {
        self.gpu(one) == self.gpu(other)
            && self.nic(one) == self.nic(other)
            && self.is_outsider(one) == self.is_outsider(other)
            && self.domains.of_all(one).eq(self.domains.of_all(other))
    }

    /// Says whether two devices are one, or have a link that is no `PCIe`.
    fn are_linked(&self, one: usize, other: usize) -> bool {
        let (Some(graph), Some(a), Some(b)) = (&self.graph, self.gpu(one), self.gpu(other)) else {
            return one == other;
        };
        let vertex = |place: usize| self.vertices[0].get(place).copied();
        match (vertex(a), vertex(b)) {
            (Some(a), Some(b)) => a == b || graph.topology.wire(a, b).is_some(),
            _ => false,
        }
    }

    /// Returns the nearest scope that some devices have in common.
    pub(crate) fn span(&self, devices: impl Iterator<Item = usize> + Clone) -> Scope {
        self.domains.span(devices)
    }
}

/// Returns the sets that a document allows of those vertices that a node has, by their
/// places there; a set of which the node has a part only cannot be used.
fn allowed(
    graph: &Graph,
    places: &BTreeMap<(usize, usize), usize>,
    count: usize,
) -> Option<Vec<Bitmap>> {
    let sets = graph.topology.allowed_sets();
    let on_node = |set: &Vec<usize>| {
        let mut members = Bitmap::new(count);
        for number in set {
            members.insert(*places.get(&(0, *number))?);
        }
        Some(members)
    };
    (!sets.is_empty()).then(|| sets.iter().filter_map(on_node).collect())
}

fn outsiders(view: &NodeView, gpus: &[Option<usize>], nics: &[Option<usize>]) -> Bitmap {
    let devices = || view.devices.iter().zip(gpus).enumerate();
    let linked = devices().filter(|(_, (_, gpu))| gpu.is_some());
    let drivers: BTreeSet<&str> = linked.map(|(_, (entry, _))| entry.driver()).collect();
    let mut outsiders = Bitmap::new(view.devices.len());
    for (place, (entry, gpu)) in devices() {
        if gpu.is_none() && nics[place].is_none() && drivers.contains(entry.driver()) {
            outsiders.insert(place);
        }
    }
    outsiders
}
