//! [`Nodes`]: the nodes of an inventory by number and by name.

use std::sync::{Arc, OnceLock};

use super::journal::Journal;
use super::paged::Cursor;
use super::stored_slice::SliceList;
use super::{Catalog, NodeKey, NodeView, Paged};
use crate::error::Error;
use crate::hash::PersistentMap;
use crate::model::{Node, Str};

/// Holds nodes, and names of nodes that slices name.
///
/// A clone shares everything; what is written after that is copied on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    entries: Paged<Option<Arc<NodeEntry>>>,
    /// All entries lie below this number.
    bound: usize,
    keys: PersistentMap<Str, NodeKey>,
    /// The nodes by name. Made when first asked for by one of the clones with
    /// the same nodes, whatever else of them is different.
    order: Arc<OnceLock<Vec<NodeKey>>>,
    journal: Journal,
}

/// Is a node with the slices that name it; these may be there before it.
#[derive(Clone, Debug)]
pub(crate) struct NodeEntry {
    pub(crate) key: NodeKey,
    pub(crate) name: Str,
    pub(crate) node: Option<Arc<Node>>,
    pub(super) local: SliceList,
    /// Is another whenever what the node sees is.
    pub(crate) revision: u64,
    pub(super) view: OnceLock<Result<Arc<NodeView>, Box<Error>>>,
}

impl Nodes {
    /// Returns the number of a name that has an entry.
    pub(crate) fn key(&self, name: &str) -> Option<NodeKey> {
        self.keys.get(name).copied()
    }

    pub(super) fn named(&self, name: &str) -> Option<&NodeEntry> {
        self.get(self.key(name)?)
    }

    /// Returns the entry with a number.
    pub(crate) fn get(&self, key: NodeKey) -> Option<&NodeEntry> {
        self.entries.get(key.index())?.as_deref()
    }

    /// Returns a number that is greater than those of all entries.
    pub(crate) fn bound(&self) -> usize {
        self.bound
    }

    /// Returns what reads entries that are near each other.
    pub(crate) fn cursor(&self) -> Cursor<'_, Option<Arc<NodeEntry>>> {
        self.entries.cursor()
    }

    /// Returns all entries, in the order in which their names came to be known.
    pub(super) fn entries(&self) -> impl Iterator<Item = &NodeEntry> {
        let mut cursor = self.entries.cursor();
        (0..self.bound).filter_map(move |index| cursor.get(index)?.as_deref())
    }

    /// Returns the nodes by name.
    pub(crate) fn order(&self) -> &[NodeKey] {
        self.order.get_or_init(|| {
            let nodes = self.entries().filter(|entry| entry.node.is_some());
            let mut nodes: Vec<(&Str, NodeKey)> =
                nodes.map(|entry| (&entry.name, entry.key)).collect();
            nodes.sort_unstable();
            nodes.into_iter().map(|(_, key)| key).collect()
        })
    }

    /// Returns which nodes were written last.
    pub(crate) fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Puts a node, or takes it away.
    pub(super) fn set_node(&mut self, name: &Str, node: Option<Arc<Node>>, catalog: &mut Catalog) {
        let is_there = node.is_some();
        let (key, entry) = self.write(name, catalog);
        let was_there = std::mem::replace(&mut entry.node, node).is_some();
        if was_there != is_there {
            self.reorder(name, key, is_there);
        }
    }

    /// Returns the slices of a name to write; what its node saw is forgotten.
    pub(super) fn write_local(&mut self, name: &Str, catalog: &mut Catalog) -> &mut SliceList {
        &mut self.write(name, catalog).1.local
    }

    /// Forgets what a node saw.
    pub(super) fn touch(&mut self, name: &Str, catalog: &mut Catalog) {
        self.write(name, catalog);
    }

    fn write(&mut self, name: &Str, catalog: &mut Catalog) -> (NodeKey, &mut NodeEntry) {
        let key = if let Some(key) = self.key(name) {
            key
        } else {
            let key = catalog.node(name);
            self.keys.insert(name.clone(), key);
            self.bound = self.bound.max(key.index() + 1);
            key
        };
        let revision = catalog.next_revision();
        self.journal.note(revision, key);
        let slot = self.entries.get_mut(key.index());
        let entry = slot.get_or_insert_with(|| {
            Arc::new(NodeEntry {
                key,
                name: name.clone(),
                node: None,
                local: SliceList::new(),
                revision,
                view: OnceLock::new(),
            })
        });
        let entry = Arc::make_mut(entry);
        entry.view = OnceLock::new();
        entry.revision = revision;
        (key, entry)
    }

    /// Drops an entry without a node and without slices.
    pub(super) fn drop_if_empty(&mut self, name: &Str) {
        let is_empty = |entry: &NodeEntry| entry.node.is_none() && entry.local.is_empty();
        if self.named(name).is_some_and(is_empty)
            && let Some(key) = self.keys.remove(name)
        {
            *self.entries.get_mut(key.index()) = None;
        }
    }

    /// Puts a node into the order, or takes it out, if there is one yet.
    fn reorder(&mut self, name: &Str, key: NodeKey, is_there: bool) {
        let mut next = match Arc::get_mut(&mut self.order) {
            Some(own) => own.take(),
            None => self.order.get().cloned(),
        };
        if let Some(order) = &mut next {
            let entries = &self.entries;
            let place = order.partition_point(|other| {
                let other = entries.get(other.index()).and_then(Option::as_ref);
                other.is_some_and(|other| other.name < *name)
            });
            if is_there {
                order.insert(place, key);
            } else if order.get(place) == Some(&key) {
                order.remove(place);
            }
        }
        self.order = Arc::new(next.map_or_else(OnceLock::new, OnceLock::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(nodes: &mut Nodes, catalog: &mut Catalog, name: &str, is_there: bool) {
        let name: Str = name.into();
        let node = is_there.then(|| Arc::new(Node::new(&name, [])));
        nodes.set_node(&name, node, catalog);
        nodes.drop_if_empty(&name);
    }

    fn names(nodes: &Nodes) -> Vec<&str> {
        let entries = nodes.order().iter().filter_map(|key| nodes.get(*key));
        entries.map(|entry| &*entry.name).collect()
    }

    #[test]
    fn the_order_is_by_name_whatever_came_first() {
        let (mut nodes, mut catalog) = (Nodes::default(), Catalog::default());
        for name in ["d", "b", "c"] {
            set(&mut nodes, &mut catalog, name, true);
        }
        nodes.write_local(&"a".into(), &mut catalog);
        assert_eq!(names(&nodes), ["b", "c", "d"]);
        let before = nodes.clone();
        for (name, is_there) in [("e", true), ("c", false), ("a", true), ("x", false)] {
            set(&mut nodes, &mut catalog, name, is_there);
        }
        assert_eq!(names(&nodes), ["a", "b", "d", "e"]);
        assert_eq!(names(&before), ["b", "c", "d"]);
        // A name keeps its number, and has none while nothing is known of it.
        let key = before.key("c");
        assert_eq!((key.is_some(), nodes.key("c")), (true, None));
        set(&mut nodes, &mut catalog, "c", true);
        assert_eq!((nodes.key("c"), nodes.entries().count()), (key, 5));
    }

    #[test]
    fn clones_with_the_same_nodes_share_their_order() {
        let (mut nodes, mut catalog) = (Nodes::default(), Catalog::default());
        set(&mut nodes, &mut catalog, "a", true);
        let old = nodes.clone();
        nodes.touch(&"a".into(), &mut catalog);
        assert_eq!(names(&old), ["a"]);
        assert!(nodes.order.get().is_some());
        set(&mut nodes, &mut catalog, "b", true);
        assert!(nodes.order.get().is_some());
        assert_eq!((names(&nodes), names(&old)), (vec!["a", "b"], vec!["a"]));
    }
}
