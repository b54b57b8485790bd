//! The engine: changes in, snapshots out, and what is asked of them.

mod allocation;
mod change;
mod outcome;
mod place;
mod policy;
mod result;
mod share_id;
mod snapshot;
mod transaction;
mod workspace;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

pub use allocation::{AllocatedDevice, Allocation};
pub use change::{Applied, Change, Held, Removed};
pub use outcome::Outcome;
pub use place::{Find, NodeCause, NodeReason, NodeScore, PlaceOptions, PlacedNode, Placement};
pub use policy::{AllocateOptions, ErrorMode, Policy};
pub use snapshot::Snapshot;
pub use transaction::{Savepoint, Transaction};
pub use workspace::Workspace;

use crate::claims::owner_of;
use crate::error::Error;
use crate::features::Features;
use crate::model::{Node, ObjectMeta, ResourceClaim, ResourceSlice, Str};
use crate::state::{AllocatedState, Record, records_of};
use crate::store::{Catalog, Inventory, Objects, StoredSlice, newer};

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
///         "spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}]}}"#,
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
    catalog: Arc<Catalog>,
    state: Arc<AllocatedState>,
    /// What is known of claims, by namespace and name.
    claims: BTreeMap<Str, KnownClaim>,
    /// Owners that a transaction gave devices which no event has shown yet: an
    /// event without an allocation was under way then, and frees nothing.
    assumed: BTreeSet<Str>,
    /// Made when first asked for after a change of the objects.
    inventory: OnceLock<Arc<Inventory>>,
}

impl Engine {
    /// Returns an engine that knows nothing yet.
    pub fn new(features: Features) -> Self {
        Self {
            features,
            identity: Arc::default(),
            revision: 0,
            objects: Objects::default(),
            catalog: Arc::default(),
            state: Arc::default(),
            claims: BTreeMap::new(),
            assumed: BTreeSet::new(),
            inventory: OnceLock::new(),
        }
    }

    /// Applies a change.
    ///
    /// Whatever decodes is accepted: faults in an object show where a search
    /// meets them.
    ///
    /// # Errors
    ///
    /// None yet; a change that is refused will be refused whole.
    pub fn apply(&mut self, change: Change) -> Result<Applied, Error> {
        let changed = match change {
            Change::ResourceSlice(slice) => self.put_slice(slice),
            Change::Node(node) => self.put_node(node),
            Change::DeviceClass(class) => {
                let metadata = class.metadata.clone();
                let changed = self.objects.classes.is_news(&metadata);
                if changed {
                    self.objects.classes.put(&metadata, Arc::new(class));
                }
                self.objects_changed(changed)
            }
            Change::DeviceTaintRule(rule) => {
                let metadata = rule.metadata.clone();
                let changed = self.objects.taint_rules.is_news(&metadata);
                if changed {
                    self.objects.taint_rules.put(&metadata, Arc::new(rule));
                }
                self.objects_changed(changed)
            }
            Change::ResourceClaim(claim) => self.put_claim(&claim),
            Change::Removed(removed) => self.remove(&removed),
            Change::Held(held) => self.hold(&held),
        };
        if changed {
            self.revision += 1;
        }
        Ok(if changed {
            Applied::Changed
        } else {
            Applied::Unchanged
        })
    }

    /// Returns an immutable view of all that is known now.
    pub fn snapshot(&self) -> Snapshot {
        let inventory = self
            .inventory
            .get_or_init(|| Arc::new(Inventory::new(&self.objects, self.features)));
        Snapshot {
            identity: Arc::clone(&self.identity),
            revision: self.revision,
            inventory: Arc::clone(inventory),
            catalog: Arc::clone(&self.catalog),
            state: Arc::clone(&self.state),
        }
    }

    fn objects_changed(&mut self, changed: bool) -> bool {
        if changed {
            self.inventory = OnceLock::new();
        }
        changed
    }

    fn put_node(&mut self, node: Node) -> bool {
        let name = node.metadata.name.clone();
        if let Some(known) = self.objects.nodes.get(&name) {
            // Kubelets update the status of their node all the time: only what
            // decides about devices is a change.
            let same = node.metadata.labels == known.metadata.labels
                && node.spec == known.spec
                && node.status == known.status;
            // A node that was made anew replaces the old one.
            let made_anew = node.metadata.uid != known.metadata.uid;
            if same || !(made_anew || newer(&node.metadata, &known.metadata)) {
                return false;
            }
        }
        self.objects.nodes.insert(name, Arc::new(node));
        self.objects_changed(true)
    }

    fn put_slice(&mut self, slice: ResourceSlice) -> bool {
        let metadata = slice.metadata.clone();
        if !self.objects.slices.is_news(&metadata) {
            return false;
        }
        let catalog = Arc::make_mut(&mut self.catalog);
        let stored = StoredSlice::new(slice, self.revision, catalog);
        let old = self.objects.slices.put(&metadata, Arc::new(stored));
        self.remember(old.as_deref());
        self.objects_changed(true)
    }

    /// Keeps in mind what held devices of a slice took of counters, in case
    /// that they are not published any more.
    fn remember(&mut self, old: Option<&StoredSlice>) {
        let Some(old) = old else { return };
        for (key, device) in old.devices.iter().zip(&old.slice.spec.devices) {
            if self.state.device(*key).is_some() {
                let state = Arc::make_mut(&mut self.state);
                state.remember(old.pool, *key, &device.consumes_counters);
            }
        }
    }

    fn put_claim(&mut self, claim: &ResourceClaim) -> bool {
        let (owner, metadata) = (owner_of(claim), &claim.metadata);
        let name: Str = format!("{}/{}", metadata.namespace(), metadata.name).into();
        let mut changed = false;
        if let Some(known) = self.claims.get(&name) {
            if !newer(metadata, &known.metadata) {
                return false;
            }
            if known.owner != owner {
                // It was made anew: what the old one had is free.
                let old = known.owner.clone();
                self.assumed.remove(&old);
                changed = Arc::make_mut(&mut self.state).set(&old, Vec::new());
            }
        }
        let known = KnownClaim {
            owner: owner.clone(),
            metadata: ObjectMeta {
                resource_version: metadata.resource_version.clone(),
                ..ObjectMeta::default()
            },
        };
        self.claims.insert(name, known);
        let allocation = claim.status.allocation.as_ref();
        if allocation.is_none() && self.assumed.contains(&owner) {
            return changed;
        }
        self.assumed.remove(&owner);
        let shares = self.features.consumable_capacity;
        let records = match allocation {
            Some(allocation) => records_of(allocation, shares, Arc::make_mut(&mut self.catalog)),
            None => Vec::new(),
        };
        Arc::make_mut(&mut self.state).set(&owner, records) || changed
    }

    fn hold(&mut self, held: &Held) -> bool {
        let catalog = Arc::make_mut(&mut self.catalog);
        let mut records = Vec::new();
        for id in &held.devices {
            records.push(Record::whole(catalog.keys(id)));
        }
        for (id, share) in &held.shares {
            records.push(Record::share(catalog.keys(id), Some(share.clone()), None));
        }
        for (id, consumed) in &held.consumed_capacity {
            records.push(Record::share(catalog.keys(id), None, Some(consumed)));
        }
        Arc::make_mut(&mut self.state).set(&NOBODY.into(), records)
    }

    fn remove(&mut self, removed: &Removed) -> bool {
        match removed {
            Removed::ResourceSlice(uid) => {
                let old = self.objects.slices.remove(uid);
                self.remember(old.as_deref());
                self.objects_changed(old.is_some())
            }
            Removed::Node(name) => {
                let changed = self.objects.nodes.remove(name).is_some();
                self.objects_changed(changed)
            }
            Removed::DeviceClass(name) => {
                let changed = self
                    .objects
                    .classes
                    .retain(|class| class.metadata.name != *name);
                self.objects_changed(changed)
            }
            Removed::DeviceTaintRule(uid) => {
                let changed = self.objects.taint_rules.remove(uid).is_some();
                self.objects_changed(changed)
            }
            // Without a name it is nobody's: what hosts hold is theirs to change.
            Removed::ResourceClaim(owner) if owner.is_empty() => false,
            Removed::ResourceClaim(owner) => {
                self.claims.retain(|_, known| known.owner != *owner);
                self.assumed.remove(owner);
                Arc::make_mut(&mut self.state).set(owner, Vec::new())
            }
        }
    }
}

/// Is what is known of a claim.
#[derive(Clone, Debug)]
struct KnownClaim {
    owner: Str,
    /// The version, to tell old events.
    metadata: ObjectMeta,
}
