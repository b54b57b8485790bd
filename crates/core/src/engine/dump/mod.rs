//! Dumps: all that is known as one document, and an engine made of it.
//!
//! A dump is JSON of kind `Dump`, for people and for [`Engine::load`]. Each
//! object of Kubernetes is one line in the form that its API has. The same state
//! gives the same bytes; what is empty is left out.
//!
//! - `revision`, `lookedAt`: changes so far; whether a snapshot was ever taken,
//!   since [`Applied`](super::Applied) lists nodes only then
//! - `features`: gates, the version of CEL, the dialect of selectors
//! - `nodes`, `deviceClasses`, `resourceSlices`, `deviceTaintRules`: objects by
//!   name; those of one name in the order in which they count
//! - `topologies`, `attributeOverlays`, `deviceHealths`, `deviceHolds`: the same
//!   of `dralloc.dev`; slices are as they were published
//! - `twins`, `departed`: devices that the host says are the same; what tells held
//!   devices that nobody publishes any more
//! - `holdings`: by owner: devices, users, whether it is about to give them back,
//!   and what of it is assumed; the owner of bare records is empty
//! - `lastConsumption`: counters that held devices took when a slice last
//!   published them
//! - `nodeUses`: by owner: amounts of a node, and which of them are assumed
//! - `knownOwners`: owners of claims that events told of, where `claims` does not
//!   name them
//! - `claims`: which states of claims events told of, and what the last one said
//!   where the claim has something else
//! - `newest`: states of nodes and slices that are newer than the object, and say
//!   the same
//! - `gone`: uids of removed objects, oldest first
//! - `transaction`: what a [`Transaction`] made different
//!
//! `claims`, `newest`, `gone` and what is assumed are known to the engine alone:
//! dumps of snapshots and transactions are without them.

mod document;
mod documents;
mod features;
mod gone;
mod layout;
mod read;
mod recorded;
mod twins;
mod uses;
mod write;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use self::layout::Layout;
use self::write::Names;
use super::{Engine, Snapshot, Transaction};
use crate::amounts::NodeUse;
use crate::model::{DeviceCounterConsumption, Str};
use crate::state::Holding;
use crate::store::{DeviceKey, Inventory};

impl Engine {
    /// Returns all that is known as one JSON document: the same bytes for the
    /// same state, which [`Engine::load`] reads.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::Node;
    /// use dralloc::{Change, Engine, Features};
    ///
    /// let mut engine = Engine::new(Features::all());
    /// engine.apply(Change::Node(Node::new("node-1", [])))?;
    /// let dump = engine.dump();
    /// assert_eq!(Engine::load(&dump)?.dump(), dump);
    /// # Ok::<(), dralloc::Error>(())
    /// ```
    pub fn dump(&self) -> String {
        let looked_at = self.looked_at.load(Ordering::Relaxed);
        let mut layout = write::start(self.revision, looked_at, &self.features);
        write::inventory(&mut layout, &self.inventory);
        documents::write(&mut layout, &self.documents);
        twins::write(&mut layout, &self.inventory, &self.catalog);
        let owners = self.state.owners();
        let said = self.claims.entries().map(|(_, known)| &known.holding);
        let has = said.chain(owners.values().copied());
        let names = Names::of(has.map(|holding| &**holding), &self.catalog);
        let last = |key| self.state.device(key)?.last_consumption();
        let assumed = |owner: &str| self.assumed.get(owner);
        write::holdings(&mut layout, &owners, assumed, last, &names);
        uses::write_known(&mut layout, &self.uses);
        // Those of claims are told by these.
        let mut others = self.owners.clone();
        for (_, known) in self.claims.entries() {
            others.remove(&known.owner);
        }
        write::known_owners(&mut layout, &others);
        write::claims(&mut layout, &self.claims, &self.state, &names);
        write::newest_states(&mut layout, &self.objects);
        gone::write(&mut layout, self);
        layout.end()
    }
}

impl Snapshot {
    /// Returns what was known as one JSON document, as [`Engine::dump`] does,
    /// but for what only the engine knows: which versions events told of, what is
    /// assumed, and which objects are gone.
    pub fn dump(&self) -> String {
        let owners = self.state.owners();
        let last = |key| self.state.device(key)?.last_consumption();
        let uses = self.amounts.owners().collect();
        self.layout(&self.inventory, &owners, last, &uses).end()
    }

    /// Writes nodes, slices and holdings of the snapshot or of a transaction on it.
    fn layout<'a>(
        &self,
        inventory: &Inventory,
        owners: &BTreeMap<&Str, &Arc<Holding>>,
        last: impl Fn(DeviceKey) -> Option<&'a [DeviceCounterConsumption]>,
        uses: &BTreeMap<&Str, &Arc<NodeUse>>,
    ) -> Layout {
        let mut layout = write::start(self.revision, true, self.features());
        write::inventory(&mut layout, inventory);
        documents::write(&mut layout, &self.documents);
        twins::write(&mut layout, inventory, &self.catalog);
        let has = owners.values().map(|holding| &***holding);
        let names = Names::of(has, &self.catalog);
        write::holdings(&mut layout, owners, |_| None, last, &names);
        uses::write(&mut layout, uses);
        write::known_owners(&mut layout, &self.owners);
        layout
    }
}

impl Transaction {
    /// Returns the state as the transaction sees it, as [`Snapshot::dump`] does,
    /// and what it made different.
    ///
    /// After [`Transaction::rollback`] it has the bytes that it had at the
    /// savepoint. An engine that is loaded from it has what the transaction
    /// decided, hypothetical nodes included.
    pub fn dump(&self) -> String {
        let mut owners = self.snapshot.state.owners();
        for (owner, drafted) in self.draft.owners() {
            owners.insert(owner, &drafted.holding);
        }
        owners.retain(|_, holding| !holding.is_empty());
        let last = |key| self.draft.device(key)?.last_consumption();
        let mut in_use: BTreeMap<_, _> = self.snapshot.amounts.owners().collect();
        for (owner, drafted) in self.draft.amounts().owners() {
            match &drafted.used {
                Some(used) => in_use.insert(owner, used),
                None => in_use.remove(owner),
            };
        }
        let mut layout = self
            .snapshot
            .layout(self.inventory(), &owners, last, &in_use);
        write::transaction(&mut layout, self);
        layout.end()
    }
}
