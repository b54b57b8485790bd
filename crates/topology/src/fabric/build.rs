//! The fabric of a graph.

use petgraph::unionfind::UnionFind;

use super::{Fabric, Make, Port, Wire, assumed};
use crate::document::{LinkType, VertexKind};
use crate::graph::{Edge, Graph};
use crate::rate::Rate;

impl Fabric {
    /// Returns the fabric of the devices, which are vertices of the graph.
    pub(crate) fn new(graph: &Graph, devices: &[usize]) -> Self {
        let mut numbers = vec![None; graph.len()];
        for (place, &device) in devices.iter().enumerate() {
            if let (Some(entry), Ok(place)) = (numbers.get_mut(device), u32::try_from(place)) {
                *entry = Some(place);
            }
        }
        let (planes, domains) = (planes(graph), domains(graph));
        let peers = devices
            .iter()
            .map(|&device| direct(graph, device, &numbers))
            .collect();
        let ports = devices
            .iter()
            .map(|&device| port(graph, device, &planes, &domains))
            .collect();
        Self { peers, ports }
    }
}

/// Returns the plane of each switch and domain: trunks join switches to one.
fn planes(graph: &Graph) -> Vec<usize> {
    let mut planes: UnionFind<usize> = UnionFind::new(graph.len());
    for (a, b, edge) in graph.edges() {
        if edge.link_type == LinkType::NVSwitchTrunk {
            planes.union(a, b);
        }
    }
    planes.into_labeling()
}

/// Returns the `NVLink` domain of each host.
fn domains(graph: &Graph) -> Vec<Option<usize>> {
    let mut domains: Vec<Option<usize>> = vec![None; graph.len()];
    for (a, b, edge) in graph.edges() {
        if edge.link_type != LinkType::NVLinkTray {
            continue;
        }
        for (host, domain) in [(a, b), (b, a)] {
            if let Some(entry) = domains.get_mut(host)
                && graph.vertex(domain).kind == VertexKind::NvLinkDomain
            {
                *entry = Some(entry.map_or(domain, |before| before.min(domain)));
            }
        }
    }
    domains
}

fn direct(graph: &Graph, device: usize, numbers: &[Option<u32>]) -> Vec<(u32, Wire)> {
    let mut peers: Vec<(u32, Wire)> = graph
        .links(device)
        .filter_map(|(other, edge)| {
            let make = match edge.link_type {
                LinkType::NVLink | LinkType::NVSwitch => Make::NvLink,
                LinkType::XGMI => Make::Xgmi,
                _ => return None,
            };
            let other = numbers.get(other).copied().flatten()?;
            let wire = Wire {
                make,
                count: edge.count,
                rate: edge.rate,
            };
            Some((other, wire))
        })
        .collect();
    // Two makes between one pair: the one with more links counts.
    peers.sort_unstable_by_key(|&(other, wire)| (other, std::cmp::Reverse(wire.count), wire.make));
    peers.dedup_by_key(|&mut (other, _)| other);
    peers
}

fn port(graph: &Graph, device: usize, planes: &[usize], domains: &[Option<usize>]) -> Port {
    let mut port = Port::default();
    let (mut sum, mut is_known) = (Rate::default(), false);
    let mut add = |switch: usize, edge: &Edge| {
        let plane = planes.get(switch).copied().unwrap_or(switch);
        port.planes.extend(u32::try_from(plane).ok());
        port.count = port.count.saturating_add(edge.count);
        sum = sum.plus(assumed(edge.count, edge.rate));
        is_known |= edge.rate.is_some();
    };
    for (other, edge) in graph.links(device) {
        let switch = matches!(
            graph.vertex(other).kind,
            VertexKind::NvSwitch | VertexKind::NvLinkDomain
        );
        match edge.link_type {
            LinkType::NVLink | LinkType::NVSwitch | LinkType::XGMI if switch => add(other, edge),
            LinkType::Tray => {
                // The host's way into its domain is that of the device.
                if let Some(domain) = domains.get(other).copied().flatten() {
                    add(domain, edge);
                }
            }
            _ => {}
        }
    }
    port.rate = is_known.then_some(sum);
    port.planes.sort_unstable();
    port.planes.dedup();
    port
}
