//! [`Touched`]: which nodes a change concerns.

use std::sync::Arc;

use super::{Inventory, PoolKey, StoredSlice};
use crate::model::{DeviceTaintRule, Str};
use crate::rules::{NodeSelection, is_relevant};

/// Lists the nodes that see something else after a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Touched {
    nodes: Vec<Str>,
    /// Whether nobody has looked yet, so that the others were not sought.
    any: bool,
}

impl Touched {
    /// Returns the nodes that slices are for.
    pub(super) fn by_slices<'a>(
        inventory: &'a Inventory,
        slices: impl Iterator<Item = &'a Arc<StoredSlice>>,
        looked_at: bool,
    ) -> Self {
        let mut nodes: Vec<Str> = Vec::new();
        let mut shared: Vec<&StoredSlice> = Vec::new();
        for stored in slices {
            match stored.node() {
                Some(name) if nodes.last() == Some(name) => {}
                Some(name) => nodes.push(name.clone()),
                None if shared.iter().any(|other| is_for_the_same(other, stored)) => {}
                None => shared.push(stored),
            }
        }
        let any = !looked_at && !shared.is_empty();
        if !shared.is_empty() && looked_at {
            for (name, node, _) in inventory.entries() {
                let Some(node) = node else { continue };
                // A malformed selector concerns all that come to it.
                let concerns =
                    |stored: &&StoredSlice| is_relevant(&stored.slice, node).unwrap_or(true);
                if shared.iter().any(concerns) {
                    nodes.push(name.clone());
                }
            }
        }
        if nodes.len() > 1 {
            nodes.sort_unstable();
            nodes.dedup();
        }
        Self { nodes, any }
    }

    /// Adds all nodes that are there, with slices or without.
    pub(super) fn add_all(&mut self, inventory: &Inventory) {
        let all = inventory.entries().map(|(name, ..)| name.clone());
        self.nodes.extend(all);
        self.nodes.sort_unstable();
        self.nodes.dedup();
    }

    /// Returns the nodes that slices of pools are for.
    pub(crate) fn by_pools(inventory: &Inventory, pools: &[PoolKey], looked_at: bool) -> Self {
        let slices = pools.iter().flat_map(|pool| inventory.of_pool(*pool));
        Self::by_slices(inventory, slices, looked_at)
    }

    /// Returns the nodes that have devices which rules select.
    pub(super) fn by_rules<'a>(
        inventory: &'a Inventory,
        rules: &(impl Iterator<Item = &'a Arc<DeviceTaintRule>> + Clone),
        looked_at: bool,
    ) -> Self {
        if !looked_at {
            return Self {
                nodes: Vec::new(),
                any: true,
            };
        }
        let is_selected = |stored: &&Arc<StoredSlice>| {
            let spec = &stored.slice.spec;
            rules.clone().any(|rule| {
                let mut devices = spec.devices.iter();
                devices.any(|device| rule.selects(&spec.driver, &spec.pool.name, &device.name))
            })
        };
        let local = inventory.entries().flat_map(|(_, _, local)| local);
        let selected = local.chain(inventory.shared()).filter(is_selected);
        Self::by_slices(inventory, selected, true)
    }

    /// Returns the nodes that were found.
    pub(crate) fn nodes(&self) -> &[Str] {
        &self.nodes
    }

    /// Returns the nodes that were found, for good.
    pub(crate) fn into_nodes(self) -> Vec<Str> {
        self.nodes
    }

    /// Returns whether others may be concerned.
    pub(crate) fn any(&self) -> bool {
        self.any
    }
}

/// Returns whether two slices select nodes in the same way, all devices together.
fn is_for_the_same(one: &StoredSlice, other: &StoredSlice) -> bool {
    let (one, other) = (&one.slice, &other.slice);
    let own =
        |slice: &crate::model::ResourceSlice| slice.spec.per_device_node_selection == Some(true);
    !own(one)
        && !own(other)
        && match (NodeSelection::of_slice(one), NodeSelection::of_slice(other)) {
            (NodeSelection::All, NodeSelection::All)
            | (NodeSelection::None, NodeSelection::None) => true,
            (NodeSelection::Selector(one), NodeSelection::Selector(other)) => one == other,
            _ => false,
        }
}
