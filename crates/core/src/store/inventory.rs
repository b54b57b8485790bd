//! [`Inventory`]: the objects with the indexes that questions need.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::{NodeView, Objects, PoolKey, StoredSlice};
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{DeviceClass, DeviceTaintRule, Node, Str};

/// Indexes objects; it never changes, and makes what nodes see when first asked.
#[derive(Debug)]
pub(crate) struct Inventory {
    features: Features,
    nodes: BTreeMap<Str, NodeSlot>,
    classes: BTreeMap<Str, Arc<DeviceClass>>,
    taint_rules: Vec<Arc<DeviceTaintRule>>,
    /// Slices by the node that they name.
    local: BTreeMap<Str, Vec<Arc<StoredSlice>>>,
    /// Slices that name no node.
    shared: Vec<Arc<StoredSlice>>,
    pools: BTreeMap<PoolKey, Vec<Arc<StoredSlice>>>,
}

#[derive(Debug)]
struct NodeSlot {
    node: Arc<Node>,
    view: OnceLock<Result<Arc<NodeView>, Error>>,
}

impl Inventory {
    pub(crate) fn new(objects: &Objects, features: Features) -> Self {
        let mut inventory = Self {
            features,
            nodes: BTreeMap::new(),
            classes: BTreeMap::new(),
            taint_rules: objects.taint_rules.iter().cloned().collect(),
            local: BTreeMap::new(),
            shared: Vec::new(),
            pools: BTreeMap::new(),
        };
        for (name, node) in &objects.nodes {
            let slot = NodeSlot {
                node: Arc::clone(node),
                view: OnceLock::new(),
            };
            inventory.nodes.insert(name.clone(), slot);
        }
        for class in objects.classes.iter() {
            let name = class.metadata.name.clone();
            inventory
                .classes
                .entry(name)
                .or_insert_with(|| Arc::clone(class));
        }
        for stored in objects.slices.iter() {
            inventory
                .pools
                .entry(stored.pool)
                .or_default()
                .push(Arc::clone(stored));
            let list = match &stored.slice.spec.node_name {
                Some(name) if !name.is_empty() => inventory.local.entry(name.clone()).or_default(),
                _ => &mut inventory.shared,
            };
            list.push(Arc::clone(stored));
        }
        inventory
    }

    pub(crate) fn features(&self) -> &Features {
        &self.features
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Arc<Node>> {
        self.nodes.values().map(|slot| &slot.node)
    }

    pub(crate) fn node(&self, name: &str) -> Option<&Arc<Node>> {
        self.nodes.get(name).map(|slot| &slot.node)
    }

    pub(crate) fn class(&self, name: &str) -> Option<&Arc<DeviceClass>> {
        self.classes.get(name)
    }

    pub(crate) fn taint_rules(&self) -> &[Arc<DeviceTaintRule>] {
        &self.taint_rules
    }

    /// Returns the slices that may be for a node.
    pub(crate) fn candidates(&self, node: &str) -> impl Iterator<Item = &Arc<StoredSlice>> {
        self.local
            .get(node)
            .into_iter()
            .flatten()
            .chain(&self.shared)
    }

    /// Returns all slices of a pool.
    pub(crate) fn of_pool(&self, pool: PoolKey) -> &[Arc<StoredSlice>] {
        self.pools.get(&pool).map_or(&[], Vec::as_slice)
    }

    /// Returns what a node sees.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if there is no such node, [`Code::NodeSelector`] if
    /// a slice that may be for the node has a malformed selector.
    pub(crate) fn view(&self, node: &str) -> Result<&Arc<NodeView>, Error> {
        let slot = self.nodes.get(node).ok_or_else(|| {
            let message = format!("no node `{node}`, expected the name of one that exists");
            Error::new(Code::NotFound, message).at("node").on_node()
        })?;
        let view = slot.view.get_or_init(|| {
            NodeView::new(self, Arc::clone(&slot.node), &self.features).map(Arc::new)
        });
        view.as_ref().map_err(Clone::clone)
    }
}
