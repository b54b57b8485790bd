//! [`Machines`]: what was found out of nodes, for calls to come.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Machine, Topologies};
use crate::store::NodeView;

/// So many nodes are remembered.
const MOST: usize = 1 << 14;

/// Keeps the machines of nodes until topologies change.
#[derive(Debug, Default)]
pub(crate) struct Machines {
    topologies: Topologies,
    /// By revision of the view.
    known: BTreeMap<u64, Arc<Machine>>,
}

impl Machines {
    /// Returns the machine of a node.
    pub(crate) fn get(&mut self, view: &NodeView, topologies: &Topologies) -> Arc<Machine> {
        if !self.topologies.is_same(topologies) {
            self.topologies = topologies.clone();
            self.known.clear();
        }
        if let Some(known) = self.known.get(&view.revision) {
            return Arc::clone(known);
        }
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let machine = Arc::new(Machine::new(view, topologies));
        self.known.insert(view.revision, Arc::clone(&machine));
        machine
    }
}
