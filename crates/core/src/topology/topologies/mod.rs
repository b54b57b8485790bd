//! [`Topologies`]: all documents, as a node's devices are looked for in them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dralloc_topology::{LARGEST_TABLE, Shape, Spec, Table, USUAL_MIX};
use imbl::OrdMap;

use super::{Bound, Graph};
use crate::model::Str;
use crate::store::NodeView;

mod published;

pub(super) use published::card;

/// So many tables are kept; then they are made anew.
const MAX_TABLES: usize = 256;

/// Holds the graphs of documents by name, and the tables of what nodes have of them.
///
/// A clone shares everything; nodes that are alike share a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topologies {
    /// Is another for each engine and after each change.
    identity: Arc<()>,
    graphs: OrdMap<Str, Arc<Graph>>,
    /// How many of them limit which sets may be used.
    limiting: usize,
    tables: Arc<Mutex<BTreeMap<Shape, Arc<Table>>>>,
}

impl Topologies {
    /// Puts a graph in the place of that of a name, or takes it away.
    pub(crate) fn exchange(&mut self, name: &Str, graph: Option<Graph>) {
        self.identity = Arc::default();
        self.limiting += usize::from(graph.as_ref().is_some_and(Graph::limits_sets));
        let before = match graph {
            Some(graph) => self.graphs.insert(name.clone(), Arc::new(graph)),
            None => self.graphs.remove(name),
        };
        self.limiting -= usize::from(before.is_some_and(|graph| graph.limits_sets()));
    }

    /// Returns whether some document limits which sets may be used.
    pub(crate) fn limit_sets(&self) -> bool {
        self.limiting > 0
    }

    /// Returns whether two say the same, since one is a clone of the other.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.identity, &other.identity)
    }

    /// Returns the graph of a node, and which vertices its devices are.
    pub(super) fn find(&self, view: &NodeView) -> (Option<Arc<Graph>>, Vec<Option<Bound>>) {
        let node = &view.node.metadata.name;
        for graph in self.graphs.values() {
            let found = view.devices.iter().map(|entry| graph.find(node, entry));
            let bound: Vec<Option<Bound>> = found.collect();
            if bound.iter().any(Option::is_some) {
                return (Some(Arc::clone(graph)), bound);
            }
        }
        let (spec, bound) = published::document(view);
        let graph = Graph::published(&spec).ok();
        let graph = graph.filter(|graph| graph.topology.device_count() <= LARGEST_TABLE);
        if let Some(graph) = graph {
            return (Some(Arc::new(graph)), bound);
        }
        // In a document more devices than a table has are an error. What devices publish
        // has no links: all of them are outside of a machine without any.
        let empty = Graph::published(&Spec::default()).ok();
        (empty.map(Arc::new), vec![None; view.devices.len()])
    }

    /// Returns the table of some devices of a graph; none if they are too many.
    pub(super) fn table(&self, graph: &Graph, devices: &[usize]) -> Option<Arc<Table>> {
        let shape = Shape::of(&graph.topology, devices)?;
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables.get(&shape) {
            return Some(Arc::clone(known));
        }
        if tables.len() >= MAX_TABLES {
            tables.clear();
        }
        let table = Arc::new(Table::of_shape(shape.clone(), &USUAL_MIX));
        tables.insert(shape, Arc::clone(&table));
        Some(table)
    }
}
