//! [`NodeList`]: nodes in an order of the caller's.

use std::sync::Arc;

use crate::engine::Snapshot;
use crate::model::Str;
use crate::store::{NodeKey, Nodes};

/// Lists nodes in an order of the caller's, found by name once.
///
/// It stays right for all snapshots of the engine, whatever nodes come and go.
#[derive(Clone, Debug)]
pub struct NodeList {
    engine: Arc<()>,
    names: Vec<Str>,
    /// [`NodeKey::NONE`] for names that no node had by then.
    keys: Vec<NodeKey>,
}

impl NodeList {
    /// Returns how many nodes it names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether it names no node.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Returns the name at a place.
    pub fn name(&self, place: usize) -> Option<&str> {
        self.names.get(place).map(|name| &**name)
    }
}

impl Snapshot {
    /// Looks nodes up by name, once for all calls with
    /// [`PlaceOptions::node_list`](super::PlaceOptions::node_list).
    ///
    /// A name that no node has is an error of that node, when it is asked.
    pub fn node_list<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> NodeList {
        let nodes = self.inventory.numbered();
        let names: Vec<Str> = names.into_iter().map(Str::from).collect();
        let key = |name: &Str| {
            let known = nodes.key(name);
            known.or_else(|| self.catalog.lock().known_node(name))
        };
        let keys = names.iter().map(|name| key(name).unwrap_or(NodeKey::NONE));
        NodeList {
            engine: Arc::clone(&self.identity),
            keys: keys.collect(),
            names,
        }
    }
}

/// Says which nodes are asked in which order.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::engine) enum Order<'a> {
    /// All by name.
    #[default]
    ByName,
    Names(&'a [&'a str]),
    List(&'a NodeList),
}

impl Order<'_> {
    /// Returns the names, unless it is the order by name.
    pub(in crate::engine) fn names(self) -> Option<Vec<Str>> {
        match self {
            Self::ByName => None,
            Self::Names(names) => Some(names.iter().map(|name| (*name).into()).collect()),
            Self::List(list) => Some(list.names.clone()),
        }
    }
}

/// Is an [`Order`] for the nodes of a snapshot.
#[derive(Clone, Copy)]
pub(super) struct Ordered<'a> {
    nodes: &'a Nodes,
    order: Order<'a>,
    /// By place; empty if names have to be looked up.
    keys: &'a [NodeKey],
    length: usize,
}

impl<'a> Ordered<'a> {
    pub(super) fn new(order: Order<'a>, engine: &Arc<()>, nodes: &'a Nodes) -> Self {
        let (keys, length) = match order {
            Order::ByName => (nodes.order(), nodes.order().len()),
            Order::List(list) if Arc::ptr_eq(&list.engine, engine) => (&*list.keys, list.len()),
            Order::List(list) => (&[][..], list.len()),
            Order::Names(names) => (&[][..], names.len()),
        };
        Self {
            nodes,
            order,
            keys,
            length,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Returns the numbers by place, or nothing if names have to be looked up;
    /// [`NodeKey::NONE`] for those of which that is so.
    pub(super) fn keys(&self) -> &'a [NodeKey] {
        self.keys
    }

    /// Returns the number of the node at a place.
    pub(super) fn key(&self, place: usize) -> NodeKey {
        match self.keys.get(place) {
            Some(key) if *key != NodeKey::NONE => *key,
            _ => self.seek(place),
        }
    }

    fn seek(&self, place: usize) -> NodeKey {
        let key = self.name(place).and_then(|name| self.nodes.key(name));
        key.unwrap_or(NodeKey::NONE)
    }

    /// Returns the name at a place.
    pub(super) fn name(&self, place: usize) -> Option<&'a str> {
        match self.order {
            Order::ByName => self
                .nodes
                .get(*self.keys.get(place)?)
                .map(|entry| &*entry.name),
            Order::Names(names) => names.get(place).copied(),
            Order::List(list) => list.names.get(place).map(|name| &**name),
        }
    }
}
