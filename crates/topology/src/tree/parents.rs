//! Which end of a link is inside the other.

use std::collections::{BTreeMap, VecDeque};

use super::MAX_SWITCHES;
use crate::document::VertexKind;
use crate::error::{Code, Error, Oddity, Warning};
use crate::graph::Graph;
use crate::validate::quoted;

/// Returns the parent of each vertex.
///
/// A vertex is in the lowest kind of place that a link of it leads up to; among equals
/// in the first of the document. Switches hang below the switch that is nearer to a NUMA
/// node; where there is none, below the first of the document.
pub(super) fn parents(
    graph: &Graph,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Option<u32>>, Error> {
    let mut parents = vec![None; graph.len()];
    let hosts = graph
        .vertices()
        .filter(|(_, vertex)| vertex.kind == VertexKind::Host);
    let hosts: BTreeMap<&str, usize> = hosts
        .map(|(number, vertex)| (&*vertex.id, number))
        .collect();
    for (number, vertex) in graph.vertices() {
        let Some(height) = vertex.kind.height() else {
            continue;
        };
        let mut above: Vec<(u8, usize)> = graph
            .links(number)
            .filter(|(_, edge)| edge.link_type.contains())
            .filter_map(|(other, _)| Some((graph.vertex(other).kind.height()?, other)))
            .filter(|&(other, _)| other > height)
            .collect();
        above.sort_unstable();
        above.dedup();
        if let &[first, second, ..] = &*above
            && first.0 == second.0
        {
            let message = format!(
                "{} is in {} and in {}, the first counts",
                quoted(&vertex.id),
                quoted(&graph.vertex(first.1).id),
                quoted(&graph.vertex(second.1).id),
            );
            let path = format!("spec.vertices[{number}]");
            warnings.push(Warning::new(Oddity::TwoParents, path, message));
        }
        let place = above.first().map(|&(_, place)| place);
        let place = place.or_else(|| named_host(graph, &hosts, number));
        if let Some(parent) = parents.get_mut(number) {
            *parent = place.and_then(|place| u32::try_from(place).ok());
        }
    }
    nest_switches(graph, &mut parents)?;
    Ok(parents)
}

/// Returns the host that a vertex names, where it is one.
fn named_host(graph: &Graph, hosts: &BTreeMap<&str, usize>, number: usize) -> Option<usize> {
    let vertex = graph.vertex(number);
    let below = vertex.kind.height()? < VertexKind::Host.height()?;
    let name = vertex.host.as_deref().filter(|_| below)?;
    hosts.get(name).copied()
}

/// Gives switches below switches their parents, from the roots down.
fn nest_switches(graph: &Graph, parents: &mut [Option<u32>]) -> Result<(), Error> {
    let switches: Vec<usize> = graph
        .vertices()
        .filter(|(_, vertex)| vertex.kind == VertexKind::PcieSwitch)
        .map(|(number, _)| number)
        .collect();
    let mut nested = vec![None; parents.len()];
    let mut next = VecDeque::new();
    for &switch in &switches {
        if parents.get(switch).copied().flatten().is_some() {
            set(&mut nested, switch, 1);
            next.push_back(switch);
        }
    }
    let mut others = switches.iter();
    loop {
        while let Some(switch) = next.pop_front() {
            let depth = nested.get(switch).copied().flatten().unwrap_or(1);
            let mut below: Vec<usize> = graph.links(switch).map(|(other, _)| other).collect();
            below.sort_unstable();
            for other in below {
                let is_switch = graph.vertex(other).kind == VertexKind::PcieSwitch;
                if !is_switch || nested.get(other).copied().flatten().is_some() {
                    continue;
                }
                if depth >= MAX_SWITCHES {
                    let message = format!("expected switches at most {MAX_SWITCHES} deep");
                    let path = format!("spec.vertices[{other}]");
                    return Err(Error::new(Code::LimitExceeded, path, message));
                }
                set(&mut nested, other, depth + 1);
                if let (Some(parent), Ok(switch)) = (parents.get_mut(other), u32::try_from(switch))
                {
                    *parent = Some(switch);
                }
                next.push_back(other);
            }
        }
        let left = others.find(|&&switch| nested.get(switch).copied().flatten().is_none());
        let Some(&root) = left else {
            return Ok(());
        };
        set(&mut nested, root, 1);
        next.push_back(root);
    }
}

fn set(nested: &mut [Option<usize>], switch: usize, depth: usize) {
    if let Some(place) = nested.get_mut(switch) {
        *place = Some(depth);
    }
}
