//! The engine: changes in, snapshots out, and what is asked of them.

mod allocation;
mod change;
mod policy;
mod result;
mod share_id;
mod snapshot;
mod transaction;
mod workspace;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

pub use allocation::{AllocatedDevice, Allocation};
pub use change::{Applied, Change, Held, Removed};
pub use policy::{AllocateOptions, ErrorMode, Policy};
pub use snapshot::Snapshot;
pub use transaction::{Savepoint, Transaction};
pub use workspace::Workspace;

use crate::claims::owner_of;
use crate::error::Error;
use crate::features::Features;
use crate::model::{ObjectMeta, ResourceClaim, ResourceSlice, Str};
use crate::state::{AllocatedState, HeldAs, Record, records_of};
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
    revision: u64,
    objects: Objects,
    catalog: Arc<Catalog>,
    state: Arc<AllocatedState>,
    /// What is known of claims with a uid, to tell old events.
    claims: BTreeMap<Str, ObjectMeta>,
    /// Made when first asked for after a change of the objects.
    inventory: OnceLock<Arc<Inventory>>,
}

impl Engine {
    /// Returns an engine that knows nothing yet.
    pub fn new(features: Features) -> Self {
        Self {
            features,
            revision: 0,
            objects: Objects::default(),
            catalog: Arc::default(),
            state: Arc::default(),
            claims: BTreeMap::new(),
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
            Change::Node(node) => {
                let name = node.metadata.name.clone();
                let known = self.objects.nodes.get(&name);
                let changed = known.is_none_or(|known| {
                    **known != node && is_update(&node.metadata, &known.metadata)
                });
                if changed {
                    self.objects.nodes.insert(name, Arc::new(node));
                }
                self.objects_changed(changed)
            }
            Change::DeviceClass(class) => {
                let metadata = class.metadata.clone();
                let known = self.objects.classes.get(&metadata);
                let changed = known.is_none_or(|known| newer(&metadata, &known.metadata));
                if changed {
                    self.objects.classes.put(&metadata, Arc::new(class));
                }
                self.objects_changed(changed)
            }
            Change::DeviceTaintRule(rule) => {
                let metadata = rule.metadata.clone();
                let known = self.objects.taint_rules.get(&metadata);
                let changed = known.is_none_or(|known| newer(&metadata, &known.metadata));
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

    fn put_slice(&mut self, slice: ResourceSlice) -> bool {
        let metadata = slice.metadata.clone();
        if let Some(known) = self.objects.slices.get(&metadata)
            && !newer(&metadata, &known.slice.metadata)
        {
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
            if !device.consumes_counters.is_empty() && self.state.device(*key).is_some() {
                let state = Arc::make_mut(&mut self.state);
                state.remember(*key, &device.consumes_counters, &self.catalog);
            }
        }
    }

    fn put_claim(&mut self, claim: &ResourceClaim) -> bool {
        let owner = owner_of(claim);
        if let Some(known) = self.claims.get(&owner)
            && !newer(&claim.metadata, known)
        {
            return false;
        }
        self.claims.insert(owner.clone(), claim.metadata.clone());
        let shares = self.features.consumable_capacity;
        let records = match &claim.status.allocation {
            Some(allocation) => records_of(allocation, shares, Arc::make_mut(&mut self.catalog)),
            None => Vec::new(),
        };
        Arc::make_mut(&mut self.state).set(&owner, records, &self.catalog)
    }

    fn hold(&mut self, held: &Held) -> bool {
        let catalog = Arc::make_mut(&mut self.catalog);
        let mut records = Vec::new();
        for id in &held.devices {
            records.push(Record {
                device: catalog.device_by_id(id),
                held_as: HeldAs::Whole,
            });
        }
        for (id, share) in &held.shares {
            records.push(Record::share(
                catalog.device_by_id(id),
                Some(share.clone()),
                None,
            ));
        }
        for (id, consumed) in &held.consumed_capacity {
            records.push(Record::share(
                catalog.device_by_id(id),
                None,
                Some(consumed),
            ));
        }
        Arc::make_mut(&mut self.state).set(&NOBODY.into(), records, &self.catalog)
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
            Removed::ResourceClaim(owner) => {
                self.claims.remove(owner);
                Arc::make_mut(&mut self.state).set(owner, Vec::new(), &self.catalog)
            }
        }
    }
}

/// A node is known by its name: one that was made anew replaces the old one.
fn is_update(metadata: &ObjectMeta, known: &ObjectMeta) -> bool {
    metadata.uid != known.uid || newer(metadata, known)
}
