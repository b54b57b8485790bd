//! [`Graph`]: vertices and merged links, by number.

mod edge;
mod islands;
mod merge;

pub(crate) use edge::Edge;

use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef as _;

use crate::document::{Spec, Vertex};
use crate::error::Warning;
use crate::validate::Ids;

/// Is the graph of a document, with one edge for each pair and type of link.
///
/// The number of a vertex is its place in the document.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    graph: UnGraph<Vertex, Edge, u32>,
}

impl Graph {
    /// Returns the graph of a document that is right.
    pub(crate) fn new(spec: &Spec, ids: &Ids<'_>, warnings: &mut Vec<Warning>) -> Self {
        let edges = merge::links(&spec.links, ids, warnings);
        let mut graph = UnGraph::with_capacity(spec.vertices.len(), edges.len());
        for vertex in &spec.vertices {
            graph.add_node(vertex.clone());
        }
        for ((a, b, _), edge) in edges {
            graph.add_edge(NodeIndex::new(a), NodeIndex::new(b), edge);
        }
        let graph = Self { graph };
        islands::warn(&graph, warnings);
        graph
    }

    /// Returns how many vertices there are.
    pub(crate) fn len(&self) -> usize {
        self.graph.node_count()
    }

    /// Returns a vertex by its number.
    pub(crate) fn vertex(&self, number: usize) -> &Vertex {
        &self.graph[NodeIndex::new(number)]
    }

    /// Returns the vertices with their numbers.
    pub(crate) fn vertices(&self) -> impl Iterator<Item = (usize, &Vertex)> {
        (0..self.len()).map(|number| (number, self.vertex(number)))
    }

    /// Returns the links of a vertex: the other end, and the link.
    ///
    /// The order is that of the numbers of neighbours for each type of link, backwards;
    /// whoever cares sorts.
    pub(crate) fn links(&self, number: usize) -> impl Iterator<Item = (usize, &Edge)> {
        let number = NodeIndex::new(number);
        let edges = self.graph.edges(number);
        edges.map(move |edge| (edge.target().index(), edge.weight()))
    }

    /// Returns all links with their ends.
    pub(crate) fn edges(&self) -> impl Iterator<Item = (usize, usize, &Edge)> {
        let edges = self.graph.edge_references();
        edges.map(|edge| (edge.source().index(), edge.target().index(), edge.weight()))
    }
}
