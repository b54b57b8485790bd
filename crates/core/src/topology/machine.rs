//! [`Machine`]: what is known of the links and places of a node's devices.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dralloc_topology::{Nics, Scope, Table, Watch};

use super::partitions::partitions;
use super::topologies::{Found, STEPS_OF_A_PAIR};
use super::{AffinityScope, Bound, Domains, Graph, Limits, Topologies};
use crate::bitmap::Bitmap;
use crate::number::number;
use crate::store::NodeView;

/// The steps that it takes to find out where a device is.
const STEPS_OF_A_DEVICE: u64 = 512;

/// Says how the devices of one node are linked, by their place on it.
#[derive(Debug)]
pub(crate) struct Machine {
    domains: Domains,
    /// Linked devices, by their places in the table.
    gpus: Vertices,
    nics: Vertices,
    /// By place of a linked device, the places of those that it has links with, and its own.
    links: Vec<Bitmap>,
    graph: Option<Arc<Graph>>,
    table: Option<Arc<Table>>,
    alignment: Option<Nics>,
    /// The sets of vertices, by their places, that may be used together; none where all may.
    allowed: Option<Arc<Limits>>,
    /// The fabric partitions that devices publish, if they publish some.
    partitions: Option<Arc<Limits>>,
    /// Devices without links, of drivers that have devices with some.
    outsiders: Bitmap,
}

impl Machine {
    /// Returns what topologies and attributes say of the devices of a node.
    ///
    /// Devices are those of one document: the first by name that knows a device of the
    /// node. Without one, what devices publish of their place is a document of its own.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn new<W: Watch>(
        view: &NodeView,
        topologies: &Topologies,
        watch: &mut W,
    ) -> Result<Self, W::Stop> {
        let document = topologies.document(view, watch)?;
        Self::of(view, document, topologies, watch)
    }

    /// Returns the same with the document that a node has something of.
    pub(super) fn of<W: Watch>(
        view: &NodeView,
        document: Option<Found>,
        topologies: &Topologies,
        watch: &mut W,
    ) -> Result<Self, W::Stop> {
        // A device is looked at for each scope, and to find its vertex.
        watch.steps(STEPS_OF_A_DEVICE * view.devices.len() as u64)?;
        let found = document.or_else(|| Topologies::published(view));
        let (graph, bound) = match found {
            Some(found) => (Some(found.graph), found.bound),
            None => (None, vec![None; view.devices.len()]),
        };
        let domains = Domains::new(view, graph.as_deref(), &bound);
        let gpus = Vertices::new(bound.iter().map(|bound| match bound {
            Some(Bound::Gpu(number)) => Some(*number),
            _ => None,
        }));
        let nics = Vertices::new(bound.iter().map(|bound| match bound {
            Some(Bound::Nic(number)) => Some(*number),
            _ => None,
        }));
        let known = graph.as_ref();
        let table = match known {
            Some(graph) => topologies.table(graph, &gpus.numbers, watch)?,
            None => None,
        };
        let pairs = gpus.numbers.len() * (gpus.numbers.len() + nics.numbers.len());
        watch.steps(STEPS_OF_A_PAIR * pairs as u64)?;
        let alignment = known
            .filter(|_| !nics.is_empty())
            .and_then(|graph| Nics::of(&graph.topology, &gpus.numbers, &nics.numbers));
        Ok(Self {
            domains,
            outsiders: outsiders(view, &gpus, &nics),
            allowed: known.and_then(|graph| allowed(graph, &gpus)).map(Arc::new),
            partitions: partitions(view).map(Arc::new),
            links: known.map_or_else(Vec::new, |graph| links(graph, &gpus)),
            gpus,
            nics,
            graph,
            table,
            alignment,
        })
    }

    /// Returns the document that it is of, if it is of one.
    pub(super) fn document(&self) -> Option<&Arc<Graph>> {
        self.graph.as_ref().filter(|graph| !graph.is_published())
    }

    /// Writes what tells a device apart from others at some levels.
    pub(crate) fn describe(&self, levels: &[AffinityScope], device: usize, key: &mut Vec<i128>) {
        for level in levels {
            match *level {
                AffinityScope::NvLink => {
                    let place = self.gpu(device);
                    key.push(place.map_or(-1, |place| i128::from(number(place))));
                }
                AffinityScope::Domain(scope) => {
                    let domains = self.domains.of(scope, device);
                    key.push(i128::from(number(domains.len())));
                    key.extend(domains.iter().map(|domain| i128::from(*domain)));
                }
            }
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
        [self.gpus.numbers.len(), self.nics.numbers.len()]
    }

    /// Says whether there are more linked devices than a table has.
    pub(crate) fn is_beyond_tables(&self) -> bool {
        self.table.is_none() && !self.gpus.is_empty()
    }

    /// Says whether the document has a list of the sets that may be chosen.
    pub(crate) fn has_allowed_sets(&self) -> bool {
        self.graph.as_ref().is_some_and(|graph| graph.limits_sets())
    }

    /// Returns the document, or what devices publish in its place.
    pub(crate) fn topology(&self) -> Option<&dralloc_topology::Topology> {
        self.graph.as_ref().map(|graph| &graph.topology)
    }

    /// Returns which device of the document a device is.
    pub(crate) fn gpu_number(&self, device: usize) -> Option<usize> {
        self.gpus.number(device)
    }

    /// Returns which NIC of the document a device is.
    pub(crate) fn nic_number(&self, device: usize) -> Option<usize> {
        self.nics.number(device)
    }

    /// Says whether there are more linked devices or NICs than alignments have.
    pub(crate) fn is_beyond_alignments(&self) -> bool {
        self.alignment.is_none() && !self.nics.is_empty()
    }

    /// Returns how near devices and NICs are; none where there are none, or too many.
    pub(crate) fn alignment(&self) -> Option<&Nics> {
        self.alignment.as_ref()
    }

    /// Returns the place of a device in the table; several may have one, such as the
    /// partitions of a card.
    pub(crate) fn gpu(&self, device: usize) -> Option<usize> {
        self.gpus.place(device)
    }

    /// Returns the place of a device among the NICs.
    pub(crate) fn nic(&self, device: usize) -> Option<usize> {
        self.nics.place(device)
    }

    /// Returns the only sets of vertices, by their places in the table, that one answer
    /// may use; none where it may use any.
    pub(crate) fn allowed_sets(&self) -> Option<&Arc<Limits>> {
        self.allowed.as_ref()
    }

    /// Returns the fabric partitions that devices publish; none where no device does.
    pub(crate) fn partitions(&self) -> Option<&Arc<Limits>> {
        self.partitions.as_ref()
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
            && self.are_alike_in_partitions(one, other)
            && self.domains.of_all(one).eq(self.domains.of_all(other))
    }

    fn are_alike_in_partitions(&self, one: usize, other: usize) -> bool {
        let thing = |device: usize| self.partitions.as_ref()?.thing(device);
        thing(one) == thing(other)
    }

    /// Says whether two devices are one, or have a link that is no `PCIe`.
    fn are_linked(&self, one: usize, other: usize) -> bool {
        match (self.gpu(one), self.gpu(other)) {
            (Some(one), Some(other)) => self.linked(one).is_some_and(|it| it.contains(other)),
            _ => one == other,
        }
    }

    /// Returns the places of the linked devices that one has links with, and its own place.
    pub(super) fn linked(&self, place: usize) -> Option<&Bitmap> {
        self.links.get(place)
    }

    /// Returns the nearest scope that some devices have in common.
    pub(crate) fn span(&self, devices: impl Iterator<Item = usize> + Clone) -> Scope {
        self.domains.span(devices)
    }
}

/// Has the vertices of one kind that devices of a node are, each once.
#[derive(Debug)]
struct Vertices {
    /// By device, the place of its vertex.
    places: Vec<Option<usize>>,
    /// By place, the number in the document; in the order of the node.
    numbers: Vec<usize>,
}

impl Vertices {
    /// Takes the number of each device, if it is a vertex of the kind.
    fn new(devices: impl Iterator<Item = Option<usize>>) -> Self {
        let mut known = BTreeMap::new();
        let mut numbers = Vec::new();
        let mut place = |number: usize| {
            *known.entry(number).or_insert_with(|| {
                numbers.push(number);
                numbers.len() - 1
            })
        };
        let places = devices.map(|number| number.map(&mut place)).collect();
        Self { places, numbers }
    }

    fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    fn place(&self, device: usize) -> Option<usize> {
        self.places.get(device).copied().flatten()
    }

    fn number(&self, device: usize) -> Option<usize> {
        self.numbers.get(self.place(device)?).copied()
    }
}

/// Returns which linked devices have links that are no `PCIe` with which.
fn links(graph: &Graph, gpus: &Vertices) -> Vec<Bitmap> {
    let numbers = || gpus.numbers.iter().copied();
    let of_one = |one: usize| {
        let mut linked = Bitmap::new(gpus.numbers.len());
        let are_linked = |other: usize| one == other || graph.topology.wire(one, other).is_some();
        for (place, _) in numbers().enumerate().filter(|(_, it)| are_linked(*it)) {
            linked.insert(place);
        }
        linked
    };
    numbers().map(of_one).collect()
}

/// Returns the sets that a document allows of those vertices that a node has, by their
/// places there; a set of which the node has a part only cannot be used.
fn allowed(graph: &Graph, gpus: &Vertices) -> Option<Limits> {
    if !graph.limits_sets() {
        return None;
    }
    let places: BTreeMap<usize, usize> = gpus.numbers.iter().copied().zip(0..).collect();
    let on_node = |set: &Vec<usize>| {
        let mut members = Bitmap::new(places.len());
        for number in set {
            members.insert(*places.get(number)?);
        }
        Some(members)
    };
    let sets = graph.topology.allowed_sets().iter();
    Some(Limits {
        things: gpus.places.clone(),
        sets: sets.filter_map(on_node).collect(),
    })
}

/// Returns the devices without links; where none is a vertex, all of them.
fn outsiders(view: &NodeView, gpus: &Vertices, nics: &Vertices) -> Bitmap {
    if gpus.is_empty() && nics.is_empty() {
        return Bitmap::full(view.devices.len());
    }
    let devices = || view.devices.iter().enumerate();
    let linked = devices().filter(|(device, _)| gpus.place(*device).is_some());
    let drivers: BTreeSet<&str> = linked.map(|(_, entry)| entry.driver()).collect();
    let mut outsiders = Bitmap::new(view.devices.len());
    for (device, entry) in devices() {
        let is_vertex = gpus.place(device).is_some() || nics.place(device).is_some();
        if !is_vertex && drivers.contains(entry.driver()) {
            outsiders.insert(device);
        }
    }
    outsiders
}
