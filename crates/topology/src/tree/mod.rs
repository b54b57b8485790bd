//! [`Tree`]: which place each vertex is in.

mod parents;

use crate::document::VertexKind;
use crate::error::{Error, Warning};
use crate::graph::Graph;

/// How deep switches may be nested; PCI Express numbers 256 buses.
pub(crate) const MAX_SWITCHES: usize = 256;

/// Has the parent of each vertex: device, switches, NUMA node, host, `NVLink` domain,
/// block, fabric.
///
/// No walk to the root is longer than `MAX_SWITCHES` and the seven kinds.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    parents: Vec<Option<u32>>,
    depths: Vec<u32>,
}

impl Tree {
    /// Returns the tree of a graph.
    ///
    /// # Errors
    ///
    /// Switches that are nested too deep.
    pub(crate) fn new(graph: &Graph, warnings: &mut Vec<Warning>) -> Result<Self, Error> {
        let parents = parents::parents(graph, warnings)?;
        let depths = (0..parents.len())
            .map(|number| depth(&parents, number))
            .collect();
        Ok(Self { parents, depths })
    }

    /// Returns the place that a vertex is in.
    pub(crate) fn parent(&self, number: usize) -> Option<usize> {
        self.parents
            .get(number)
            .copied()
            .flatten()
            .map(|parent| parent as usize)
    }

    /// Returns the vertex and the places around it, from the nearest on.
    pub(crate) fn up(&self, number: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(number), |&number| self.parent(number))
    }

    /// Returns the nearest place that two vertices are both in.
    pub(crate) fn meet(&self, a: usize, b: usize) -> Option<usize> {
        let depth = |number: usize| self.depths.get(number).copied().unwrap_or(0);
        let (mut a, mut b) = (a, b);
        while a != b {
            if depth(a) < depth(b) {
                std::mem::swap(&mut a, &mut b);
            }
            a = self.parent(a)?;
        }
        Some(a)
    }

    /// Returns the nearest place of a kind that a vertex is in, or itself.
    pub(crate) fn nearest(&self, graph: &Graph, number: usize, kind: VertexKind) -> Option<usize> {
        self.up(number)
            .find(|&place| graph.vertex(place).kind == kind)
    }
}

fn depth(parents: &[Option<u32>], number: usize) -> u32 {
    let parent = |number: &usize| {
        let parent = parents.get(*number).copied().flatten();
        parent.map(|parent| parent as usize)
    };
    let ups = std::iter::successors(Some(number), parent).count();
    u32::try_from(ups).unwrap_or(u32::MAX)
}
