//! The document of a matrix.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_topology::{LinkType, Vertex, VertexKind};

use super::fabric::Fabric;
use super::header::numbered;
use super::matrix::Device;
use super::places::Places;
use crate::builder::{Builder, bonded, link, vertex};
use crate::error::Error;
use crate::text::Position;

/// The machine; the matrix is of one.
const HOST: &str = "host";

/// Builds the document: devices, then `NVLink` switches, `PCIe` switches, NUMA nodes and
/// the host.
pub(super) fn build(
    devices: &[Device<'_>],

    places: &Places,
    fabric: &Fabric,
) -> Result<Builder, Error> {
    let mut builder = Builder::default();
    let mut tree = Tree::default();
    for device in devices {
        let kind = if device.is_gpu {
            VertexKind::Gpu
        } else {
            VertexKind::Nic
        };
        // `NIC0` is no name but a number.
        let is_name = !device.is_gpu && !numbered(device.name, "NIC");
        let named = is_name.then_some(device.name);
        let vertex = Vertex {
            numa_node: device.numa_node,
            name: device.title.or(named).map(str::to_owned),
            ..vertex(device.id(), kind)
        };
        builder.vertex(device.position, vertex)?;
    }
    let at = devices
        .first()
        .map_or(Position::START, |device| device.position);
    let id = |device: usize| devices.get(device).map_or_else(String::new, Device::id);
    for (number, ports) in fabric.switches.iter().enumerate() {
        let switch = format!("nvswitch{number}");
        builder.vertex(at, vertex(&switch, VertexKind::NvSwitch))?;
        for &(device, count) in ports {
            let link = bonded(&id(device), &switch, LinkType::NVSwitch, count, None);
            builder.link(at, link)?;
        }
    }
    for &(a, b, count) in &fabric.links {
        builder.link(at, bonded(&id(a), &id(b), LinkType::NVLink, count, None))?;
    }
    for (number, device) in devices.iter().enumerate() {
        tree.hang(number, device, devices, places);
    }
    for vertex in tree.switches.into_iter().chain(tree.nodes) {
        builder.vertex(at, vertex)?;
    }
    builder.vertex(at, vertex(HOST, VertexKind::Host))?;
    for (a, b, link_type) in tree.links {
        builder.link(at, link(&a, &b, link_type))?;
    }
    Ok(builder)
}

/// Grows from the devices up.
#[derive(Default)]
struct Tree {
    switches: Vec<Vertex>,
    nodes: Vec<Vertex>,
    links: Vec<(String, String, LinkType)>,
    /// The switch of a group of devices, and that of a root.
    of_group: BTreeMap<usize, String>,
    of_root: BTreeMap<usize, String>,
    of_node: BTreeMap<usize, String>,
    /// Numbers of NUMA nodes that are taken.
    numbers: BTreeSet<i64>,
}

impl Tree {
    /// Hangs a device below its places, which are made where they are not there.
    fn hang(
        &mut self,
        number: usize,
        device: &Device<'_>,
        devices: &[Device<'_>],

        places: &Places,
    ) {
        let of = |groups: &[usize]| groups.get(number).copied().unwrap_or(number);
        let (group, root) = (of(&places.switches), of(&places.roots));
        let size = |groups: &[usize], group| groups.iter().filter(|&&of| of == group).count();
        let in_group = size(&places.switches, group);
        let in_root = size(&places.roots, root);
        if in_root == 1 {
            let parent = self.node(number, devices, places);
            self.links.push((device.id(), parent, LinkType::PCIe));
            return;
        }
        if let Some(switch) = self.of_group.get(&group) {
            self.links
                .push((device.id(), switch.clone(), LinkType::PCIe));
            return;
        }
        let switch = self.switch();
        self.links
            .push((device.id(), switch.clone(), LinkType::PCIe));
        self.of_group.insert(group, switch.clone());
        let parent = if in_group == in_root {
            self.node(number, devices, places)
        } else if let Some(above) = self.of_root.get(&root) {
            above.clone()
        } else {
            let above = self.switch();
            self.of_root.insert(root, above.clone());
            let node = self.node(number, devices, places);
            self.links.push((above.clone(), node, LinkType::PCIe));
            above
        };
        self.links.push((switch, parent, LinkType::PCIe));
    }

    fn switch(&mut self) -> String {
        let id = format!("pcieswitch{}", self.switches.len());
        self.switches.push(vertex(&id, VertexKind::PcieSwitch));
        id
    }

    /// Returns the NUMA node of a device, or the host where nothing tells of one.
    fn node(&mut self, number: usize, devices: &[Device<'_>], places: &Places) -> String {
        let group = places.nodes.get(number).copied().unwrap_or(number);
        if let Some(node) = self.of_node.get(&group) {
            return node.clone();
        }
        let members = || (0..devices.len()).filter(|&of| places.nodes.get(of) == Some(&group));
        let numa_node = members().find_map(|of| devices.get(of)?.numa_node);
        let root = places.roots.get(number);
        let is_more = members().any(|of| places.roots.get(of) != root);
        let node = match numa_node {
            None if !is_more => HOST.to_owned(),
            _ => {
                let id = self.free_id(numa_node, devices.get(group));
                self.nodes.push(Vertex {
                    numa_node,
                    ..vertex(&id, VertexKind::NumaNode)
                });
                self.links
                    .push((id.clone(), HOST.to_owned(), LinkType::Host));
                id
            }
        };
        self.of_node.insert(group, node.clone());
        node
    }

    /// Returns `numa0`, or another id where that is taken or the number is not known.
    fn free_id(&mut self, numa_node: Option<i64>, first: Option<&Device<'_>>) -> String {
        let of = first.map_or_else(String::new, Device::id);
        match numa_node {
            Some(number) if self.numbers.insert(number) => format!("numa{number}"),
            Some(number) => format!("numa{number}-of-{of}"),
            None => format!("numa-of-{of}"),
        }
    }
}
