//! [`Applied`]: what a change made different.

use std::fmt;

use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::model::Str;
use crate::store::{PoolKey, SharedCatalog, Touched};

/// Says what a change made different, so that a host asks again only there.
///
/// Its form in JSON is `changed`, `nodes`, `anyNode`, `pools` (driver and name each)
/// and `claims`.
#[derive(Clone, Default)]
pub struct Applied {
    pub(super) changed: bool,
    pub(super) nodes: Vec<Str>,
    pub(super) any_node: bool,
    pub(super) pools: Vec<PoolKey>,
    pub(super) claims: Vec<Str>,
    /// Names the pools; none if there are none.
    pub(super) catalog: Option<SharedCatalog>,
}

impl Applied {
    /// Returns whether the state is different now; if not, the change was known
    /// already, or older than what is known.
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Returns the nodes that see other devices or taints now, of whose devices
    /// something else is said or held by a `DeviceHold`, or of which other
    /// amounts are used, by name.
    pub fn nodes(&self) -> &[Str] {
        &self.nodes
    }

    /// Returns whether any node may see other devices, not only those listed.
    ///
    /// It is so for slices of several nodes and for taint rules as long as no
    /// snapshot was taken: which nodes they concern is found out only after that.
    /// So it is for what names devices by an attribute that any node may have.
    pub fn is_any_node(&self) -> bool {
        self.any_node
    }

    /// Returns the driver and name of each pool with other slices, or with
    /// devices that were taken or given back, in order.
    pub fn pools(&self) -> Vec<(Str, Str)> {
        let Some(catalog) = &self.catalog else {
            return Vec::new();
        };
        let catalog = catalog.lock();
        let mut pools: Vec<_> = self.pools.iter().map(|pool| catalog.name(*pool)).collect();
        pools.sort_unstable();
        pools.dedup();
        pools
    }

    /// Returns the claims that have something else now, by uid, or else by
    /// `namespace/name`; the empty name is that of what is held without an owner,
    /// `DeviceHold/name` that of a hold.
    pub fn claims(&self) -> &[Str] {
        &self.claims
    }

    pub(super) fn changed() -> Self {
        Self {
            changed: true,
            ..Self::default()
        }
    }

    pub(super) fn touch(&mut self, touched: Touched) {
        self.any_node |= touched.any();
        self.nodes.extend(touched.into_nodes());
    }

    pub(super) fn add_pool(&mut self, pool: PoolKey, catalog: &SharedCatalog) {
        if self.pools.last() != Some(&pool) {
            self.pools.push(pool);
        }
        if self.catalog.is_none() {
            self.catalog = Some(catalog.clone());
        }
    }

    /// Returns what this and a later change of the same engine made different.
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        self.join(later);
        self.sorted()
    }

    /// Adds what another change made different.
    pub(super) fn join(&mut self, other: Self) {
        self.changed |= other.changed;
        self.any_node |= other.any_node;
        self.nodes.extend(other.nodes);
        self.claims.extend(other.claims);
        self.pools.extend(other.pools);
        self.catalog = self.catalog.take().or(other.catalog);
    }

    /// Puts the lists in order, each entry once.
    pub(super) fn sorted(mut self) -> Self {
        for list in [&mut self.nodes, &mut self.claims] {
            list.sort_unstable();
            list.dedup();
        }
        self.pools.sort_unstable();
        self.pools.dedup();
        self
    }
}

impl Serialize for Applied {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut form = serializer.serialize_struct("Applied", 5)?;
        form.serialize_field("changed", &self.changed)?;
        form.serialize_field("nodes", &self.nodes)?;
        form.serialize_field("anyNode", &self.any_node)?;
        form.serialize_field("pools", &self.pools())?;
        form.serialize_field("claims", &self.claims)?;
        form.end()
    }
}

impl fmt::Debug for Applied {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Applied")
            .field("changed", &self.changed)
            .field("nodes", &self.nodes)
            .field("any_node", &self.any_node)
            .field("pools", &self.pools())
            .field("claims", &self.claims)
            .finish_non_exhaustive()
    }
}

/// The same differences are equal, of whichever engine.
impl PartialEq for Applied {
    fn eq(&self, other: &Self) -> bool {
        let plain = |one: &Self| (one.changed, one.any_node);
        plain(self) == plain(other)
            && self.nodes == other.nodes
            && self.claims == other.claims
            && self.pools() == other.pools()
    }
}

impl Eq for Applied {}
