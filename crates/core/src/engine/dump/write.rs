//! From what is known to the fields of a dump.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use imbl::OrdMap;

use super::document::{
    AssumedState, ClaimState, DraftedOwner, FeatureSet, HeldRecord, HoldingState, KIND,
    LastConsumption, Newest, ObjectIdentity, OwnerState, TransactionState,
};
use super::layout::Layout;
use crate::engine::Transaction;
use crate::engine::books::{Assumed, KnownClaim};
use crate::engine::form::{API_VERSION, object, text};
use crate::engine::objects::{Objects, identity_of};
use crate::features::Features;
use crate::model::{
    AllocationResult, DeviceCounterConsumption, DeviceId, ObjectMeta, Quantity, Str,
};
use crate::state::{AllocatedState, Grant, HeldAs, Holding, Record};
use crate::store::{DeviceKey, Identities, Identity, Inventory, PoolKey, SharedCatalog};

/// Names the devices that are held.
pub(super) struct Names {
    pools: BTreeMap<PoolKey, (Str, Str)>,
    devices: BTreeMap<DeviceKey, Str>,
}

impl Names {
    pub(super) fn of<'a>(
        holdings: impl Iterator<Item = &'a Holding>,
        catalog: &SharedCatalog,
    ) -> Self {
        let records = holdings.flat_map(|holding| &holding.records);
        let (mut pools, mut held) = (BTreeSet::new(), BTreeSet::new());
        for record in records {
            pools.insert(record.pool);
            held.insert(record.device);
        }
        let catalog = catalog.lock();
        let devices = pools.iter().flat_map(|pool| catalog.devices(*pool));
        let devices = devices.filter(|(key, _)| held.contains(key));
        Self {
            devices: devices.map(|(key, name)| (key, name.clone())).collect(),
            pools: pools
                .iter()
                .map(|pool| (*pool, catalog.name(*pool)))
                .collect(),
        }
    }

    fn id(&self, record: &Record) -> DeviceId {
        let (driver, pool) = self.pools.get(&record.pool).cloned().unwrap_or_default();
        let device = self.devices.get(&record.device).cloned();
        DeviceId::new(driver, pool, device.unwrap_or_default())
    }
}

pub(super) fn start(revision: u64, looked_at: bool, features: &Features) -> Layout {
    let mut layout = Layout::new(API_VERSION, KIND);
    layout.field("revision", &revision);
    if looked_at {
        layout.field("lookedAt", &looked_at);
    }
    layout.field("features", &FeatureSet::from(features));
    layout
}

pub(super) fn inventory(layout: &mut Layout, inventory: &Inventory) {
    layout.list("nodes", inventory.nodes().map(|node| object(&**node)));
    layout.list(
        "deviceClasses",
        inventory.classes().map(|class| object(&**class)),
    );
    let slices = inventory.slices_by_name().into_iter();
    layout.list(
        "resourceSlices",
        slices.map(|stored| object(stored.published())),
    );
    let rules = inventory.taint_rules().iter();
    layout.list("deviceTaintRules", rules.map(|rule| object(&**rule)));
}

/// Writes what owners have, and what is known of what held devices took of counters.
pub(super) fn holdings<'a>(
    layout: &mut Layout,
    owners: &BTreeMap<&Str, &Arc<Holding>>,
    assumed: impl Fn(&str) -> Option<&'a Assumed>,
    last: impl Fn(DeviceKey) -> Option<&'a [DeviceCounterConsumption]>,
    names: &Names,
) {
    let mut consumption: BTreeMap<DeviceId, LastConsumption> = BTreeMap::new();
    let mut lines = Vec::new();
    for (&owner, &holding) in owners {
        for record in &holding.records {
            if let Some(last) = last(record.device) {
                let id = names.id(record);
                let entry = LastConsumption {
                    driver: id.driver.clone(),
                    pool: id.pool.clone(),
                    device: id.device.clone(),
                    consumes_counters: last.to_vec(),
                };
                consumption.insert(id, entry);
            }
        }
        let assumed = assumed(owner).map(|assumed| AssumedState {
            devices: assumed.devices,
            reserved_for: assumed.users.iter().cloned().collect(),
        });
        lines.push(text(&OwnerState {
            owner: owner.clone(),
            has: has(holding, names),
            assumed,
        }));
    }
    layout.list("holdings", lines);
    layout.list("lastConsumption", consumption.values().map(text));
}

fn has(holding: &Holding, names: &Names) -> HoldingState {
    let records = holding.records.iter().map(|record| {
        let DeviceId {
            driver,
            pool,
            device,
        } = names.id(record);
        let (share_id, consumed) = match &record.held_as {
            HeldAs::Whole => (None, None),
            HeldAs::Share { id, consumed } => {
                (id.as_ref().map(|id| id.text().clone()), consumed.as_ref())
            }
        };
        let quantities = consumed.map(|consumed| {
            let quantity = |amount: &dralloc_quantity::Amount| Quantity::from(amount.clone());
            let entries = consumed.iter();
            entries
                .map(|(name, amount)| (name.clone(), quantity(amount)))
                .collect()
        });
        HeldRecord {
            driver,
            pool,
            device,
            share_id,
            consumed_capacity: quantities,
        }
    });
    HoldingState {
        devices: records.collect(),
        reserved_for: holding.users.iter().cloned().collect(),
        releasing: holding.releasing,
        allocation: holding
            .grant
            .as_ref()
            .map(|grant| AllocationResult::clone(&grant.result())),
    }
}

/// Writes of which owners events told.
pub(super) fn known_owners(layout: &mut Layout, owners: &OrdMap<Str, Option<Str>>) {
    layout.list("knownOwners", owners.keys().map(text));
}

pub(super) fn claims(
    layout: &mut Layout,
    claims: &Identities<KnownClaim>,
    state: &AllocatedState,
    names: &Names,
) {
    let lines = claims.entries().map(|(identity, known)| {
        let now = state.holding(&known.owner).cloned().unwrap_or_default();
        let ObjectIdentity {
            name,
            uid,
            resource_version,
        } = (&identity).into();
        text(&ClaimState {
            name,
            uid,
            resource_version,
            last_event: (!says_the_same(&now, &known.holding)).then(|| has(&known.holding, names)),
        })
    });
    layout.list("claims", lines);
}

/// Returns whether two holdings are written in the same words.
fn says_the_same(one: &Holding, other: &Holding) -> bool {
    let text = |holding: &Holding| holding.grant.as_ref().map(Grant::result);
    one == other && text(one) == text(other)
}

impl From<&Identity> for ObjectIdentity {
    fn from(identity: &Identity) -> Self {
        let version = identity.version();
        Self {
            name: identity.name.clone(),
            uid: identity.uid.clone(),
            resource_version: version.map(|version| version.to_string().into()),
        }
    }
}

/// Writes which states of objects are known that are newer than these.
pub(super) fn newest_states(layout: &mut Layout, objects: &Objects) {
    let newest = Newest {
        nodes: newest(&objects.nodes, |node| &node.metadata),
        resource_slices: newest(&objects.slices.known, |stored| &stored.published().metadata),
    };
    if !(newest.nodes.is_empty() && newest.resource_slices.is_empty()) {
        layout.field("newest", &newest);
    }
}

/// Returns the identities that are others than those of the objects.
fn newest<T>(
    objects: &Identities<Arc<T>>,
    metadata: impl Fn(&T) -> &ObjectMeta,
) -> Vec<ObjectIdentity> {
    let entries = objects.entries();
    entries
        .filter(|(identity, object)| *identity != identity_of(metadata(object)))
        .map(|(identity, _)| (&identity).into())
        .collect()
}

pub(super) fn transaction(layout: &mut Layout, transaction: &Transaction) {
    let names = |inventory: &Inventory| -> BTreeSet<Str> {
        let nodes = inventory.nodes();
        nodes.map(|node| node.metadata.name.clone()).collect()
    };
    let (mut added_nodes, mut removed_nodes) = (Vec::new(), Vec::new());
    if let Some(inventory) = transaction.draft.inventory() {
        let (before, after) = (names(&transaction.snapshot.inventory), names(inventory));
        added_nodes = after.difference(&before).cloned().collect();
        removed_nodes = before.difference(&after).cloned().collect();
    }
    let owners = transaction.draft.owners().iter();
    let owners = owners.map(|(owner, drafted)| DraftedOwner {
        owner: owner.clone(),
        node: drafted.chosen_by().map(|sight| sight.node.clone()),
    });
    let uses = transaction.draft.amounts().owners();
    let state = TransactionState {
        owners: owners.collect(),
        node_uses: uses.keys().cloned().collect(),
        added_nodes,
        removed_nodes,
    };
    let is_empty = state.owners.is_empty() && state.node_uses.is_empty();
    if !(is_empty && state.added_nodes.is_empty() && state.removed_nodes.is_empty()) {
        layout.field("transaction", &state);
    }
}
