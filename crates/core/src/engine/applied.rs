//! [`Applied`]: what a change made different.

use crate::model::Str;
use crate::store::Touched;

/// Says what a change made different, so that a host asks again only there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    pub(super) changed: bool,
    pub(super) nodes: Vec<Str>,
    pub(super) any_node: bool,
    pub(super) pools: Vec<(Str, Str)>,
    pub(super) claims: Vec<Str>,
}

impl Applied {
    /// Returns whether the state is different now; if not, the change was known
    /// already, or older than what is known.
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Returns the nodes that see other devices or taints now, or of whose devices
    /// something else is said or held by a `DeviceHold`, by name.
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
    /// devices that were taken or given back.
    pub fn pools(&self) -> &[(Str, Str)] {
        &self.pools
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

    pub(super) fn add_pool(&mut self, pool: (&Str, &Str)) {
        if !self
            .pools
            .iter()
            .any(|(driver, name)| (driver, name) == pool)
        {
            self.pools.push((pool.0.clone(), pool.1.clone()));
        }
    }

    /// Adds what another change made different.
    pub(super) fn join(&mut self, other: Self) {
        self.changed |= other.changed;
        self.any_node |= other.any_node;
        self.nodes.extend(other.nodes);
        self.claims.extend(other.claims);
        for (driver, name) in &other.pools {
            self.add_pool((driver, name));
        }
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
