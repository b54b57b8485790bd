//! [`Topology`]: a document that is understood.

use crate::bandwidth;
use crate::document::{Document, LinkType, Spec, Vertex, VertexKind};
use crate::domain::{DomainTree, Labels, Scope};
use crate::error::{Error, Warning};
use crate::fabric::{Fabric, Make, Wire};
use crate::graph::Graph;
use crate::level::{self, Convention, Level};
use crate::rate::Rate;
use crate::tree::Tree;
use crate::unit::Unit;
use crate::validate;

/// Is a document as a graph: its devices, and how any two of them are linked.
///
/// Devices are the `gpu` vertices; the number of a device is its place among them, in
/// the order of the document. NICs are numbered likewise.
///
/// # Examples
///
/// ```
/// use dralloc_topology::{Document, Level, Topology};
///
/// let document = Document::read(r#"{
///     "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
///     "metadata": {"name": "bridged"},
///     "spec": {
///         "vertices": [
///             {"id": "gpu0", "kind": "gpu"}, {"id": "gpu1", "kind": "gpu"},
///             {"id": "gpu2", "kind": "gpu"}, {"id": "numa0", "kind": "numaNode"}],
///         "links": [
///             {"a": "gpu0", "b": "gpu2", "type": "NVLink", "count": 4, "bandwidthGBps": 100},
///             {"a": "gpu0", "b": "numa0", "type": "PCIe"},
///             {"a": "gpu1", "b": "numa0", "type": "PCIe"},
///             {"a": "gpu2", "b": "numa0", "type": "PCIe"}]}}"#)?;
/// let topology = Topology::new(&document)?;
/// assert_eq!(topology.level(0, 2), Level::NvLink(4));
/// assert_eq!(topology.level(0, 1).to_string(), "NODE");
/// # Ok::<(), dralloc_topology::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Topology {
    pub(crate) graph: Graph,
    pub(crate) tree: Tree,
    pub(crate) fabric: Fabric,
    pub(crate) labels: Labels,
    domains: DomainTree,
    unit: Unit,
    devices: Vec<usize>,
    nics: Vec<usize>,
    allowed: Vec<Vec<usize>>,
    convention: Convention,
    warnings: Vec<Warning>,
}

impl Topology {
    /// Returns the topology that a document describes.
    ///
    /// Takes time and memory in proportion to the document, whatever it says; nothing
    /// is computed for pairs before somebody asks.
    ///
    /// # Errors
    ///
    /// What is wrong with the document first, with its path: a link to a vertex that
    /// there is not (`not-found`), an id twice (`duplicate`), a link that cannot be
    /// (`invalid`), or too much of anything (`limit-exceeded`).
    pub fn new(document: &Document) -> Result<Self, Error> {
        Self::of(&document.spec)
    }

    /// Returns the same for whoever has only that part of a document.
    ///
    /// # Errors
    ///
    /// Those of [`Topology::new`].
    pub fn of(spec: &Spec) -> Result<Self, Error> {
        let ids = validate::spec(spec)?;
        let mut warnings = Vec::new();
        let graph = Graph::new(spec, &ids, &mut warnings);
        let tree = Tree::new(&graph, &mut warnings)?;
        validate::bindings(&spec.vertices, |number| {
            tree.nearest(&graph, number, VertexKind::Host)
        })?;
        let of_kind = |kind: VertexKind| -> Vec<usize> {
            let vertices = graph.vertices();
            let found = vertices.filter(|(_, vertex)| vertex.kind == kind);
            found.map(|(number, _)| number).collect()
        };
        let (devices, nics) = (of_kind(VertexKind::Gpu), of_kind(VertexKind::Nic));
        let fabric = Fabric::new(&graph, &devices);
        let xgmi = graph
            .edges()
            .any(|(_, _, edge)| edge.link_type == LinkType::XGMI);
        let place = |id: &String| devices.binary_search(ids.get(&**id)?).ok();
        let allowed = spec.allowed_sets.iter().map(|set| {
            let mut set: Vec<usize> = set.vertices.iter().filter_map(place).collect();
            set.sort_unstable();
            set
        });
        let allowed = allowed.collect();
        let both: Vec<usize> = devices.iter().chain(&nics).copied().collect();
        let labels = Labels::new(&graph, &tree, &fabric, &both, devices.len());
        Ok(Self {
            domains: DomainTree::new(&labels, devices.len()),
            unit: Unit::of(&fabric, devices.len()),
            labels,
            allowed,
            tree,
            fabric,
            devices,
            nics,
            convention: if xgmi {
                Convention::Nccl
            } else {
                Convention::NvidiaSmi
            },
            warnings,
            graph,
        })
    }

    /// Returns the topology with levels in the words of a tool.
    ///
    /// Without this they are RCCL's where there is xGMI, else those of `nvidia-smi`.
    #[must_use]
    pub fn with_convention(mut self, convention: Convention) -> Self {
        self.convention = convention;
        self
    }

    /// Returns what is odd in the document, in its order.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns how many devices there are.
    pub fn device_count(&self) -> usize {
        self.devices.len()
    }

    /// Returns how many NICs there are.
    pub fn nic_count(&self) -> usize {
        self.nics.len()
    }

    /// Returns the vertex of a device, with its id and what binds it.
    pub fn device(&self, device: usize) -> Option<&Vertex> {
        self.devices
            .get(device)
            .map(|&number| self.graph.vertex(number))
    }

    /// Returns the vertex of a NIC.
    pub fn nic(&self, nic: usize) -> Option<&Vertex> {
        self.nics.get(nic).map(|&number| self.graph.vertex(number))
    }

    /// Returns the places that a device is in, from the nearest on: switches, NUMA node,
    /// host and what is around it, as far as the document has vertices for them.
    pub fn around(&self, device: usize) -> impl Iterator<Item = &Vertex> {
        self.up(self.devices.get(device))
    }

    /// Returns the places that a NIC is in, from the nearest on.
    pub fn around_nic(&self, nic: usize) -> impl Iterator<Item = &Vertex> {
        self.up(self.nics.get(nic))
    }

    /// Returns the host that a device is in.
    pub fn host(&self, device: usize) -> Option<&Vertex> {
        self.host_of(*self.devices.get(device)?)
    }

    /// Returns the host that a NIC is in.
    pub fn nic_host(&self, nic: usize) -> Option<&Vertex> {
        self.host_of(*self.nics.get(nic)?)
    }

    fn host_of(&self, number: usize) -> Option<&Vertex> {
        let host = self.tree.nearest(&self.graph, number, VertexKind::Host)?;
        Some(self.graph.vertex(host))
    }

    /// Returns the number of the device with an id.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.devices
            .iter()
            .position(|&number| self.graph.vertex(number).id == id)
    }

    /// Returns what links two devices beside `PCIe`: the direct link, or over switches as
    /// many links as the device with fewer of them has.
    ///
    /// That is the count of `nvidia-smi topo -m`. Over switches it is no bandwidth to be
    /// summed over pairs: all pairs of a device share its ports.
    pub fn wire(&self, a: usize, b: usize) -> Option<Wire> {
        if a == b { None } else { self.fabric.wire(a, b) }
    }

    /// Returns what a device has into switches: the limit of all that it sends or
    /// receives over them, whatever the number of partners.
    pub fn port(&self, device: usize) -> Option<Wire> {
        let port = self.fabric.port(device)?;
        Some(Wire {
            make: Make::NvLink,
            count: port.count,
            rate: port.rate,
        })
    }

    /// Returns the level of two devices; [`Level::Net`] for a number beyond the last.
    ///
    /// `NVLink` and xGMI count before `PCIe`. Source: the legend of `nvidia-smi topo -m`;
    /// for the way through a NUMA node see [`Convention`].
    pub fn level(&self, a: usize, b: usize) -> Level {
        level::between(self.wire(a, b), || self.pcie_level(a, b))
    }

    /// Returns the level of two devices as if there were no `NVLink` and no xGMI.
    pub fn pcie_level(&self, a: usize, b: usize) -> Level {
        self.path(self.devices.get(a), self.devices.get(b))
    }

    /// Returns the level of a device and a NIC, by number.
    pub fn nic_level(&self, device: usize, nic: usize) -> Level {
        self.path(self.devices.get(device), self.nics.get(nic))
    }

    /// Returns the level of two NICs, by number.
    pub fn nic_pair_level(&self, a: usize, b: usize) -> Level {
        self.path(self.nics.get(a), self.nics.get(b))
    }

    /// Returns the tree of domains of the devices.
    pub fn domains(&self) -> &DomainTree {
        &self.domains
    }

    /// Returns the number of the domain of a device for a scope, equal for devices in
    /// one domain; none where the document does not tell.
    pub fn domain(&self, device: usize, scope: Scope) -> Option<u32> {
        self.labels
            .get(device, scope)
            .filter(|_| device < self.devices.len())
    }

    /// Returns the number of the domain of a NIC; the numbers are those of devices.
    pub fn nic_domain(&self, nic: usize, scope: Scope) -> Option<u32> {
        self.labels.get(self.devices.len() + nic, scope)
    }

    /// Returns the only sets of devices that may be used together, in the order of the
    /// document, each ascending; empty where the document does not limit sets.
    pub fn allowed_sets(&self) -> &[Vec<usize>] {
        &self.allowed
    }

    /// Returns what capacities and rings are counted in.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Returns the least rate that is known on the way over `PCIe` between a device and a
    /// NIC, the NIC's own rate included.
    pub fn nic_bandwidth(&self, device: usize, nic: usize) -> Option<Rate> {
        let (&device, &nic) = (self.devices.get(device)?, self.nics.get(nic)?);
        bandwidth::pcie(&self.graph, &self.tree, device, nic)
    }

    pub(crate) fn pcie_bandwidth(&self, a: usize, b: usize) -> Option<Rate> {
        let (&a, &b) = (self.devices.get(a)?, self.devices.get(b)?);
        bandwidth::pcie(&self.graph, &self.tree, a, b)
    }

    /// Returns the vertices around a vertex.
    fn up(&self, number: Option<&usize>) -> impl Iterator<Item = &Vertex> {
        let up = number.map(|&number| self.tree.up(number).skip(1));
        up.into_iter()
            .flatten()
            .map(|place| self.graph.vertex(place))
    }

    fn path(&self, a: Option<&usize>, b: Option<&usize>) -> Level {
        match (a, b) {
            (Some(&a), Some(&b)) => level::pcie(&self.graph, &self.tree, a, b, self.convention),
            _ => Level::Net,
        }
    }
}
