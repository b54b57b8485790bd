//! The engine: changes in, snapshots out, and what is asked of them.

mod allocation;
mod applied;
mod books;
mod call;
mod certificate;
mod change;
mod commit;
mod documents;
mod dump;
mod explain;
mod extended_resources;
mod form;
mod gang;
mod holds;
mod hypothetical;
mod node_amounts;
mod objects;
mod options;
mod outcome;
mod overlays;
mod own;
mod place;
mod published;
mod relist;
mod runner_up;
mod satisfiable;
mod snapshot;
mod stock;
mod trace;
mod transaction;
mod uses;
mod workspace;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use allocation::{AllocatedDevice, Allocation, NumberedDevice, Together, UnitTogether};
pub use applied::Applied;
pub use change::{Change, Held, Relist, Removed, Twins};
pub use extended_resources::{ExtendedResource, ExtendedResources, ExtendedResourcesOnNode};
pub use gang::{Gang, GangLevel, GangNode, GangOptions, GangOutcome, GangShortage};
pub use options::{AllocateOptions, CarriedPolicies, ErrorMode, Releasing};
pub use outcome::Outcome;
pub use place::{
    Find, NodeCause, NodeList, NodeReason, NodeScore, PlaceOptions, PlacedNode, PlacedNodes,
    PlacedNodesIter, Placement,
};
pub use published::{PublishedDevice, PublishedPool};
pub use runner_up::RunnerUp;
pub use snapshot::Snapshot;
pub use stock::{DeviceState, Stock, StockedCapacity, StockedCounter, StockedDevice, StockedPool};
pub use trace::{
    Difference, RecordedClaims, RecordedSavepoint, RecordedSnapshot, RecordedTransaction, Recorder,
    Replay, Replayed, replay,
};
pub use transaction::{Savepoint, Transaction};
pub use workspace::Workspace;

use imbl::OrdMap;

use books::{Assumed, KnownClaim};
use documents::{Documents, KnownDocuments};
use objects::Objects;
use uses::Uses;

use crate::claims::SharedCompiled;
use crate::error::Error;
use crate::features::Features;
use crate::hash::HashMap;
use crate::model::{AttributeOverlay, DeviceHealth, DeviceHold, Str, Topology};
use crate::state::AllocatedState;
use crate::store::{Identities, Inventory, SharedCatalog};

/// Owner of what is held without one.
const NOBODY: &str = "";

/// Keeps what devices there are and what is held of them; the single writer.
///
/// Questions are asked of a [`Snapshot`], by any number of threads.
///
/// # Examples
///
/// ```
/// use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
/// use dralloc::{AllocateOptions, Change, Engine, Features, Outcome, Workspace};
///
/// let slice: ResourceSlice = serde_json::from_str(
///     r#"{"metadata": {"name": "node-1-gpus"},
///         "spec": {"driver": "gpu.example.com", "nodeName": "node-1",
///                  "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
///                  "devices": [{"name": "gpu-0"}, {"name": "gpu-1"}]}}"#,
/// )?;
/// let class: DeviceClass = serde_json::from_str(
///     r#"{"metadata": {"name": "gpu"},
///         "spec": {"selectors": [{"cel": {
///             "expression": "device.driver == 'gpu.example.com'"}}]}}"#,
/// )?;
/// let claim: ResourceClaim = serde_json::from_str(
///     r#"{"metadata": {"namespace": "default", "name": "training"},
///         "spec": {"devices": {"requests": [{"name": "gpu", "exactly":
///             {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}]}}}"#,
/// )?;
///
/// let mut engine = Engine::new(Features::all());
/// engine.apply(Change::Node(Node::new("node-1", [])))?;
/// engine.apply(Change::DeviceClass(class))?;
/// engine.apply(Change::ResourceSlice(slice))?;
///
/// let snapshot = engine.snapshot();
/// let claims = snapshot.prepare(&[claim])?;
/// let mut transaction = snapshot.transaction();
/// let outcome = transaction.allocate(
///     "node-1", &claims, &AllocateOptions::new(), &mut Workspace::new())?;
/// let Outcome::Optimal(allocation) = outcome else { panic!("there are two free devices") };
/// assert_eq!(&*allocation.results()[0].devices.results[0].device, "gpu-0");
/// transaction.commit(&mut engine)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Engine {
    features: Features,
    /// Tells the engine from others: a transaction belongs to one.
    identity: Arc<()>,
    revision: u64,
    objects: Objects,
    catalog: SharedCatalog,
    /// Specs of claims that were prepared before.
    compiled: SharedCompiled,
    inventory: Arc<Inventory>,
    /// Whether a snapshot was ever taken, so that somebody may know what nodes see.
    looked_at: AtomicBool,
    state: Arc<AllocatedState>,
    /// What is known of claims, by namespace and name.
    claims: Identities<KnownClaim>,
    /// The owners that these are, with namespace and name if these are known, for
    /// snapshots: what claims have is told by the books then, and not by the
    /// claims that a host gives.
    owners: OrdMap<Str, Option<Str>>,
    known_documents: KnownDocuments,
    documents: Arc<Documents>,
    /// What transactions gave that no event has shown yet, by owner: an event
    /// without it was under way then, and frees nothing.
    assumed: HashMap<Str, Assumed>,
    uses: Uses,
}

impl Engine {
    /// Returns an engine that knows nothing yet.
    pub fn new(features: Features) -> Self {
        Self {
            features,
            identity: Arc::default(),
            revision: 0,
            objects: Objects::default(),
            catalog: SharedCatalog::default(),
            compiled: SharedCompiled::default(),
            inventory: Arc::new(Inventory::new(features)),
            looked_at: AtomicBool::new(false),
            state: Arc::default(),
            claims: Identities::default(),
            assumed: HashMap::default(),
            owners: OrdMap::new(),
            uses: Uses::default(),
            known_documents: KnownDocuments::default(),
            documents: Arc::default(),
        }
    }

    /// Applies a change, and says what it made different.
    ///
    /// Whatever decodes is accepted but for what cannot be true: faults in an
    /// object show where a search meets them. Objects of `dralloc.dev` have no
    /// API server before them; they are checked as [`validate`](crate::validate) does.
    ///
    /// # Errors
    ///
    /// [`Code::Invalid`](crate::Code::Invalid) if the uid of an object is that of
    /// one with another name, if an amount that is used is negative, or if a claim
    /// has the name of a hold (a uid or namespace that begins with `DeviceHold/`)
    /// or a uid with a `/`, as only names have,
    /// [`Code::LimitExceeded`](crate::Code::LimitExceeded) if a claim is reserved
    /// for more than 256 users, and for an object of `dralloc.dev` the first fault
    /// that [`validate`](crate::validate) finds. Nothing is changed then.
    pub fn apply(&mut self, change: Change) -> Result<Applied, Error> {
        let mut applied = match change {
            Change::ResourceSlice(slice) => self.put_slice(slice),
            Change::Node(node) => self.put_node(node),
            Change::DeviceClass(class) => self.put_class(class),
            Change::DeviceTaintRule(rule) => self.put_taint_rule(rule),
            Change::ResourceClaim(claim) => self.put_claim(claim),
            Change::Topology(topology) => self.put_document(topology),
            Change::AttributeOverlay(overlay) => self.put_document(overlay),
            Change::DeviceHealth(health) => self.put_document(health),
            Change::DeviceHold(hold) => self.put_document(hold),
            Change::Removed(removed) => Ok(self.remove(&removed)),
            Change::Held(held) => Ok(self.hold(&held)),
            Change::NodeUse(used) => self.put_use(used),
            Change::Twins(twins) => Ok(self.declare_twins(twins)),
        }?;
        self.settle_holds(&mut applied);
        Ok(self.applied(applied))
    }

    /// Counts a change, and puts in order what it made different.
    fn applied(&mut self, applied: Applied) -> Applied {
        self.revision += u64::from(applied.changed);
        applied.sorted()
    }

    /// Returns an immutable view of all that is known now, in constant time.
    pub fn snapshot(&self) -> Snapshot {
        if !self.looked_at.load(Ordering::Relaxed) {
            self.looked_at.store(true, Ordering::Relaxed);
        }
        Snapshot {
            identity: Arc::clone(&self.identity),
            revision: self.revision,
            inventory: Arc::clone(&self.inventory),
            catalog: self.catalog.clone(),
            compiled: self.compiled.clone(),
            state: Arc::clone(&self.state),
            owners: self.owners.clone(),
            amounts: Arc::clone(&self.uses.now),
            documents: Arc::clone(&self.documents),
        }
    }

    fn remove(&mut self, removed: &Removed) -> Applied {
        match removed {
            Removed::ResourceSlice(uid) => {
                let old = self.objects.slices.known.remove_uid(uid);
                self.exchange_slice(old.as_ref(), None)
            }
            Removed::Node(name) => {
                let old = self.objects.nodes.remove_name(name);
                self.exchange_node(old, None)
            }
            Removed::NodeUid(uid) => {
                let old = self.objects.nodes.remove_uid(uid);
                self.exchange_node(old, None)
            }
            Removed::DeviceClass(name) => self.remove_classes(name),
            Removed::DeviceClassUid(uid) => {
                let old = self.objects.classes.known.remove_uid(uid);
                self.exchange_class(old.as_ref(), None)
            }
            Removed::DeviceTaintRule(uid) => {
                let old = self.objects.taint_rules.known.remove_uid(uid);
                self.exchange_taint_rule(old.as_ref(), None)
            }
            Removed::ResourceClaim(owner) => self.remove_claim(owner),
            Removed::NodeUse(owner) => self.remove_use(owner),
            Removed::Topology(which) => self.remove_document::<Topology>(which),
            Removed::AttributeOverlay(which) => self.remove_document::<AttributeOverlay>(which),
            Removed::DeviceHealth(which) => self.remove_document::<DeviceHealth>(which),
            Removed::DeviceHold(which) => self.remove_document::<DeviceHold>(which),
        }
    }
}
