//! [`Snapshot`]: all that was known at one moment.

use std::sync::Arc;

use imbl::OrdMap;

use super::documents::Documents;
use super::{Transaction, Workspace};
use crate::amounts::AmountsInUse;
use crate::claims::{PreparedClaims, SharedCompiled};
use crate::error::Error;
use crate::features::Features;
use crate::model::{
    AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceTaintRule, Node, ResourceClaim,
    ResourceSlice, Str, Topology,
};
use crate::state::AllocatedState;
use crate::store::{Inventory, SharedCatalog};
use crate::topology::Topologies;

/// Shows what an [`Engine`](super::Engine) knew when it was taken.
///
/// It never changes, costs nothing to clone, and can be used by any number of
/// threads.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) identity: Arc<()>,
    pub(super) revision: u64,
    pub(crate) inventory: Arc<Inventory>,
    pub(super) catalog: SharedCatalog,
    pub(super) compiled: SharedCompiled,
    pub(crate) state: Arc<AllocatedState>,
    /// Claims of which events told, with namespace and name if these are known.
    pub(super) owners: OrdMap<Str, Option<Str>>,
    pub(super) amounts: Arc<AmountsInUse>,
    pub(super) documents: Arc<Documents>,
}

impl Snapshot {
    /// Returns the revision of the engine; larger is later.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns which features are on.
    pub fn features(&self) -> &Features {
        self.inventory.features()
    }

    /// Returns the nodes, by name.
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.inventory.nodes().map(|node| &**node)
    }

    /// Returns the node with a name.
    pub fn node(&self, name: &str) -> Option<&Node> {
        self.inventory.node(name).map(|node| &**node)
    }

    /// Returns the slices as they were published, by name.
    pub fn resource_slices(&self) -> impl Iterator<Item = &ResourceSlice> {
        let slices = self.inventory.slices_by_name().into_iter();
        slices.map(|stored| stored.published())
    }

    /// Returns the taint rules, in no order that means anything.
    pub fn device_taint_rules(&self) -> impl Iterator<Item = &DeviceTaintRule> {
        self.inventory.taint_rules().iter().map(|rule| &**rule)
    }

    /// Returns the classes, by name.
    pub fn device_classes(&self) -> impl Iterator<Item = &DeviceClass> {
        self.inventory.classes().map(|class| &**class)
    }

    /// Returns the class with a name.
    pub fn device_class(&self, name: &str) -> Option<&DeviceClass> {
        self.inventory.class(name).map(|class| &**class)
    }

    /// Returns the topologies, by name.
    pub fn topologies(&self) -> impl Iterator<Item = &Topology> {
        self.documents.topologies.values().map(|one| &**one)
    }

    /// Returns the same as graphs.
    pub(crate) fn graphs(&self) -> &Topologies {
        &self.documents.graphs
    }

    /// Returns the attribute overlays, by name, which is how they are applied.
    pub fn attribute_overlays(&self) -> impl Iterator<Item = &AttributeOverlay> {
        self.documents.attribute_overlays.values().map(|one| &**one)
    }

    /// Returns what is known of failures, by name.
    pub fn device_healths(&self) -> impl Iterator<Item = &DeviceHealth> {
        self.documents.device_healths.values().map(|one| &**one)
    }

    /// Returns the device holds, by name.
    pub fn device_holds(&self) -> impl Iterator<Item = &DeviceHold> {
        self.documents.device_holds.values().map(|one| &**one)
    }

    /// Compiles claims with the classes and features of the snapshot.
    ///
    /// Specs that are known from other claims, such as those of one template, are
    /// not compiled again, and what a [`Workspace`] keeps for one of the claims
    /// serves all of them.
    ///
    /// Claims are taken as an API server stores them. One that was written by
    /// hand needs [`validate::defaults`](crate::validate::defaults) first, and
    /// [`validate::resource_claim`](crate::validate::resource_claim) says what is
    /// wrong with it. Two claims without a uid must differ in namespace or name.
    ///
    /// # Errors
    ///
    /// Those of [`PreparedClaims::new`].
    pub fn prepare(&self, claims: &[ResourceClaim]) -> Result<PreparedClaims, Error> {
        let class = |name: &str| self.inventory.class(name);
        self.compiled.prepare(claims, class, self.features())
    }

    /// Returns a private what-if that starts here.
    pub fn transaction(&self) -> Transaction {
        Transaction::new(self.clone())
    }

    /// Returns how many devices of a node the selectors of the first request match.
    ///
    /// It is there for measurements of the match cache.
    ///
    /// # Errors
    ///
    /// As for [`Transaction::allocate`], where there is no view of the node.
    #[doc(hidden)]
    pub fn count_matches(
        &self,
        node: &str,
        claims: &PreparedClaims,
        workspace: &mut Workspace,
    ) -> Result<usize, Error> {
        let view = self.inventory.view(node)?;
        let selectors = claims
            .alternatives()
            .next()
            .map_or(&[][..], |first| &first.selectors);
        let verdicts = &mut workspace.verdicts;
        let selected = verdicts.select(claims, selectors, view, &mut |_| Ok(()));
        Ok(selected.map_or(0, |selected| selected.matches.len()))
    }
}
