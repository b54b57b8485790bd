//! The level of a pair.

use super::{Convention, Level};
use crate::document::VertexKind;
use crate::fabric::{Make, Wire};
use crate::graph::Graph;
use crate::tree::Tree;

/// Returns the level of two devices that a wire links, or none.
pub(crate) fn between(wire: Option<Wire>, pcie: impl FnOnce() -> Level) -> Level {
    match wire {
        Some(Wire {
            make: Make::NvLink,
            count,
            ..
        }) => Level::NvLink(count),
        Some(Wire {
            make: Make::Xgmi,
            count,
            ..
        }) => Level::Xgmi(count),
        None => pcie(),
    }
}

/// Returns the level of two vertices as if there were no `NVLink` and no xGMI.
pub(crate) fn pcie(
    graph: &Graph,
    tree: &Tree,
    a: usize,
    b: usize,
    convention: Convention,
) -> Level {
    if a == b {
        return Level::Same;
    }
    let node = match convention {
        Convention::NvidiaSmi => Level::Node,
        Convention::Nccl => Level::Phb,
    };
    let meet = tree.meet(a, b);
    match meet.map(|place| graph.vertex(place).kind) {
        Some(VertexKind::PcieSwitch) => {
            let is_switch = |&place: &usize| graph.vertex(place).kind == VertexKind::PcieSwitch;
            let below = |number: usize| {
                let below = tree.up(number).take_while(|&place| Some(place) != meet);
                below.filter(is_switch).count()
            };
            if below(a) + below(b) == 0 {
                Level::Pix
            } else {
                Level::Pxb
            }
        }
        Some(VertexKind::NumaNode) => node,
        _ => apart(graph, tree, a, b, node),
    }
}

/// Returns the level of two vertices that no switch and no NUMA node joins.
fn apart(graph: &Graph, tree: &Tree, a: usize, b: usize, node: Level) -> Level {
    let host = |number| tree.nearest(graph, number, VertexKind::Host);
    match (host(a), host(b)) {
        (Some(a), Some(b)) if a != b => return Level::Net,
        (None, None) | (Some(_), Some(_)) => {}
        // One of them is nobody knows where.
        _ => return Level::Sys,
    }
    // Without vertices for NUMA nodes their numbers tell.
    let has_node = |number| tree.nearest(graph, number, VertexKind::NumaNode).is_some();
    let number = |number: usize| graph.vertex(number).numa_node.filter(|&node| node >= 0);
    if !has_node(a) && !has_node(b) && number(a).is_some() && number(a) == number(b) {
        node
    } else {
        Level::Sys
    }
}
