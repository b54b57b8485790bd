//! The document of the matrices.

use std::collections::BTreeMap;

use dralloc_topology::{LinkType, Vertex, VertexKind};

use super::blocks::Blocks;
use super::links::Xgmi;
use super::nodes::Nodes;
use crate::builder::{Builder, bonded, by_bus_id, link, vertex};
use crate::error::Error;
use crate::pci::bus_id;
use crate::text::Position;

/// The machine; the matrices are of one.
const HOST: &str = "host";

/// Builds the document: devices, NUMA nodes, the host.
pub(super) fn build(blocks: &Blocks<'_>, links: &[Xgmi], nodes: &Nodes) -> Result<Builder, Error> {
    let mut builder = Builder::default();
    let at = blocks
        .devices
        .first()
        .map_or(Position::START, |device| device.position);
    // `amd-smi` calls devices by their addresses.
    let by_address = |name: &str| name.contains('.').then(|| bus_id(name)).flatten();
    let id = |place: usize| {
        let name = blocks.devices.get(place).map_or("", |device| device.text);
        match by_address(name) {
            Some(_) => format!("gpu{place}"),
            None => name.to_lowercase(),
        }
    };
    let number = |place: usize| nodes.numbers.get(place).copied().flatten();
    for (place, device) in blocks.devices.iter().enumerate() {
        let bus_id = by_address(device.text);
        let vertex = Vertex {
            numa_node: number(place),
            matches: bus_id.as_deref().map(by_bus_id),
            pci_bus_id: bus_id,
            ..vertex(id(place), VertexKind::Gpu)
        };
        builder.vertex(device.position, vertex)?;
    }
    let mut made: BTreeMap<String, Option<i64>> = BTreeMap::new();
    let mut order = Vec::new();
    for place in 0..blocks.devices.len() {
        let group = nodes.groups.get(place).copied().flatten();
        let parent = match (number(place), group) {
            (Some(number), _) => format!("numa{number}"),
            (None, Some(group)) => format!("numa-of-{}", id(group)),
            (None, None) => HOST.to_owned(),
        };
        if parent != HOST && made.insert(parent.clone(), number(place)).is_none() {
            order.push(parent.clone());
        }
        builder.link(at, link(&id(place), &parent, LinkType::PCIe))?;
    }
    for node in &order {
        let vertex = Vertex {
            numa_node: made.get(node).copied().flatten(),
            ..vertex(node, VertexKind::NumaNode)
        };
        builder.vertex(at, vertex)?;
        builder.link(at, link(node, HOST, LinkType::Host))?;
    }
    builder.vertex(at, vertex(HOST, VertexKind::Host))?;
    for xgmi in links {
        let (a, b) = (id(xgmi.a), id(xgmi.b));
        builder.link(at, bonded(&a, &b, LinkType::XGMI, xgmi.count, xgmi.rate))?;
    }
    Ok(builder)
}
