//! [`Topologies`]: all documents, as a node's devices are looked for in them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dralloc_topology::{LARGEST_TABLE, Shape, Table, USUAL_MIX, Watch};
use imbl::OrdMap;

use super::{Bound, Graph};
use crate::model::Str;
use crate::store::NodeView;

mod index;
mod published;
#[cfg(test)]
mod tests;

pub(super) use index::Key;

use index::Index;

pub(super) use published::card;

/// So many tables are kept; then they are made anew.
const MAX_TABLES: usize = 256;

/// The steps that it takes to find the vertex of a device, and how near two vertices are.
const STEPS_OF_A_DEVICE: u64 = 128;
pub(super) const STEPS_OF_A_PAIR: u64 = 16;

/// Holds the graphs of documents by name, and the tables of what nodes have of them.
///
/// A clone shares everything; nodes that are alike share a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topologies {
    /// Is another for each engine, and stays with it.
    engine: Arc<()>,
    /// Is another for each engine and after each change.
    identity: Arc<()>,
    graphs: OrdMap<Str, Arc<Graph>>,
    index: Index,
    /// How many of them limit which sets may be used.
    limiting: usize,
    tables: Arc<Mutex<BTreeMap<Shape, Arc<Table>>>>,
}

/// Is what a node has of a document.
pub(super) struct Found {
    pub(super) graph: Arc<Graph>,
    /// Which vertex each device is.
    pub(super) bound: Vec<Option<Bound>>,
}

impl Topologies {
    /// Puts a graph in the place of that of a name, or takes it away.
    pub(crate) fn exchange(&mut self, name: &Str, graph: Option<Graph>) {
        self.identity = Arc::default();
        if let Some(before) = self.graphs.remove(name) {
            self.limiting -= usize::from(before.limits_sets());
            self.index.remove(name, &before);
        }
        if let Some(graph) = graph {
            self.limiting += usize::from(graph.limits_sets());
            self.index.add(name, &graph);
            self.graphs.insert(name.clone(), Arc::new(graph));
        }
    }

    /// Returns whether some document limits which sets may be used.
    pub(crate) fn limit_sets(&self) -> bool {
        self.limiting > 0
    }

    /// Returns what no other engine has, whatever it changes.
    pub(super) fn engine(&self) -> &Arc<()> {
        &self.engine
    }

    /// Returns what is another one after each change.
    pub(super) fn identity(&self) -> &Arc<()> {
        &self.identity
    }

    /// Returns the document of a node: the first by name that knows a device of it.
    pub(super) fn document<W: Watch>(
        &self,
        view: &NodeView,
        watch: &mut W,
    ) -> Result<Option<Found>, W::Stop> {
        let steps = STEPS_OF_A_DEVICE * view.devices.len() as u64;
        watch.steps(steps)?;
        for name in self.index.documents(view) {
            let Some(graph) = self.graphs.get(name) else {
                continue;
            };
            watch.steps(steps)?;
            let bound = graph.bind(view);
            if bound.iter().any(Option::is_some) {
                let graph = Arc::clone(graph);
                return Ok(Some(Found { graph, bound }));
            }
        }
        Ok(None)
    }

    /// Returns what devices publish of themselves, in the place of a document.
    pub(super) fn published(view: &NodeView) -> Option<Found> {
        let (spec, bound) = published::document(view);
        let graph = Graph::published(&spec).ok().map(Arc::new);
        graph.map(|graph| Found { graph, bound })
    }

    /// Returns the table of some devices of a graph; none if they are too many.
    pub(super) fn table<W: Watch>(
        &self,
        graph: &Graph,
        devices: &[usize],
        watch: &mut W,
    ) -> Result<Option<Arc<Table>>, W::Stop> {
        if devices.len() > LARGEST_TABLE {
            return Ok(None);
        }
        watch.steps(STEPS_OF_A_PAIR * (devices.len() * devices.len()) as u64)?;
        let Some(shape) = Shape::of(&graph.topology, devices) else {
            return Ok(None);
        };
        let tables = || self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables().get(&shape) {
            return Ok(Some(Arc::clone(known)));
        }
        // A step for each set, and one for its links.
        watch.steps(2 << devices.len())?;
        let table = Arc::new(Table::of_shape(shape.clone(), &USUAL_MIX));
        let mut tables = tables();
        if tables.len() >= MAX_TABLES {
            tables.clear();
        }
        // What another thread has made meanwhile has learnt more.
        let table = tables.entry(shape).or_insert(table);
        Ok(Some(Arc::clone(table)))
    }
}
