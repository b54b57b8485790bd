//! [`Machines`]: what was found out of nodes, for calls to come.

use std::collections::BTreeMap;
use std::sync::Arc;

use dralloc_topology::Watch;

use super::{Machine, Topologies};
use crate::store::NodeView;

/// So many nodes are remembered.
const MOST: usize = 1 << 14;

/// Keeps the machines of nodes, each as long as its document says what it is.
#[derive(Debug, Default)]
pub(crate) struct Machines {
    /// Whose nodes they are. Revisions of views are numbers of one engine: in another the
    /// same number is another view.
    engine: Arc<()>,
    /// The topologies that were asked last, and how many others there were before.
    identity: Arc<()>,
    changes: u64,
    /// By revision of the view.
    known: BTreeMap<u64, Known>,
}

#[derive(Debug)]
struct Known {
    machine: Arc<Machine>,
    /// After so many changes it was right still.
    seen: u64,
}

impl Machines {
    /// Returns the machine of a node.
    ///
    /// After a change of topologies it is asked once which document the node has something
    /// of now; is that the same, and not replaced, the machine stays. Another engine begins
    /// anew.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn get<W: Watch>(
        &mut self,
        view: &NodeView,
        topologies: &Topologies,
        watch: &mut W,
    ) -> Result<Arc<Machine>, W::Stop> {
        if !Arc::ptr_eq(&self.engine, topologies.engine()) {
            self.engine = Arc::clone(topologies.engine());
            self.known.clear();
        }
        if !Arc::ptr_eq(&self.identity, topologies.identity()) {
            self.identity = Arc::clone(topologies.identity());
            self.changes += 1;
        }
        let seen = self.changes;
        let mut known = self.known.get_mut(&view.revision);
        if let Some(known) = known.as_ref().filter(|known| known.seen == seen) {
            return Ok(Arc::clone(&known.machine));
        }
        let document = topologies.document(view, watch)?;
        if let Some(known) = &mut known {
            let graph = document
                .as_ref()
                .map(|document| Arc::as_ptr(&document.graph));
            if graph == known.machine.document().map(Arc::as_ptr) {
                known.seen = seen;
                return Ok(Arc::clone(&known.machine));
            }
        }
        let machine = Arc::new(Machine::of(view, document, topologies, watch)?);
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let known = Known {
            machine: Arc::clone(&machine),
            seen,
        };
        self.known.insert(view.revision, known);
        Ok(machine)
    }
}
