//! Checks a finished answer against the state that it was made for.
//!
//! The check shares the rules for single devices with the search, and nothing
//! else: it gathers pools, compiles and evaluates selectors, and recomputes
//! what is in use, every sum and every constraint from scratch, by what they
//! mean. So a fault of the search cannot hide here.
//!
//! INVARIANT: nothing of `constraint` and `solver`, no prepared claim and no
//! cached verdict is used.

mod capacity;
mod certificate;
mod check;
mod compatibility_groups;
mod configuration;
mod constraints;
mod copies;
mod counters;
mod devices;
mod linked;
mod node_selector;
mod placement;
mod pools;
mod requests;
mod selectors;
mod twins;
mod violation;

use std::sync::Arc;

use crate::claims::owner_of;
use crate::engine::{Snapshot, Transaction};
use crate::features::Features;
use crate::model::{
    AllocationResult, Device, DeviceRequestAllocationResult, Node, Quantity, ResourceClaim,
};
use crate::state::{Draft, HeldDevice};
use crate::store::Inventory;
use check::Check;
use pools::{Offer, Pool};
use requests::Alternative;
use violation::Report;

pub use violation::{Violation, ViolationCode};

impl Snapshot {
    /// Checks that an answer is right: that the results give the claims, in
    /// the same order, what they ask for on a node, of what others leave free.
    ///
    /// What the claims themselves hold does not count as held, so an answer can
    /// be checked before and after it takes effect. Every part of the results
    /// is checked, but for two: the order of the devices, and
    /// `allocationTimestamp`.
    ///
    /// Where a claim was allocated before, as [`Transaction::allocate`] means
    /// it, and the result says the same word for word, only its node selector
    /// is checked: devices and classes may have changed since then. A
    /// transaction checks what it allocated itself whole.
    ///
    /// What placement policies and machines require is checked, too: an answer for which
    /// the caller ignored that need not be right.
    ///
    /// That there is no better answer is not checked: an answer that is not
    /// the first in canonical order, or has an alternative where a better one
    /// is possible, can be right. Where evaluation fails on a device, it is one
    /// that must not be given.
    ///
    /// # Errors
    ///
    /// All violations that were found. One fault can lead to several.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::{AllocationResult, DeviceClass, Node, ResourceClaim, ResourceSlice};
    /// use dralloc::{Change, Engine, Features, ViolationCode};
    ///
    /// let slice: ResourceSlice = serde_json::from_str(
    ///     r#"{"metadata": {"name": "node-1-gpus"},
    ///         "spec": {"driver": "gpu.example.com", "nodeName": "node-1",
    ///                  "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
    ///                  "devices": [{"name": "gpu-0"}, {"name": "gpu-1"}]}}"#,
    /// )?;
    /// let class: DeviceClass = serde_json::from_str(r#"{"metadata": {"name": "gpu"}}"#)?;
    /// let claim: ResourceClaim = serde_json::from_str(
    ///     r#"{"metadata": {"namespace": "default", "name": "training"},
    ///         "spec": {"devices": {"requests": [{"name": "gpu", "exactly":
    ///             {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}]}}}"#,
    /// )?;
    /// let mut result: AllocationResult = serde_json::from_str(
    ///     r#"{"devices": {"results": [{"request": "gpu", "driver": "gpu.example.com",
    ///                                  "pool": "node-1", "device": "gpu-1"}]},
    ///         "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [
    ///             {"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}]}}"#,
    /// )?;
    ///
    /// let mut engine = Engine::new(Features::all());
    /// engine.apply(Change::Node(Node::new("node-1", [])))?;
    /// engine.apply(Change::DeviceClass(class))?;
    /// engine.apply(Change::ResourceSlice(slice))?;
    /// let snapshot = engine.snapshot();
    /// let claims = [claim];
    /// assert_eq!(snapshot.verify("node-1", &claims, &[result.clone()]), Ok(()));
    ///
    /// result.devices.results[0].device = "gpu-2".into();
    /// let violations = snapshot.verify("node-1", &claims, &[result]).unwrap_err();
    /// assert_eq!(violations[0].code(), ViolationCode::UnknownDevice);
    /// assert_eq!(violations[0].path(), "results[0].devices.results[0].device");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verify(
        &self,
        node: &str,
        claims: &[ResourceClaim],
        results: &[AllocationResult],
    ) -> Result<(), Vec<Violation>> {
        self.check((node, claims), results, true)
    }

    /// Checks an answer; says whether what is required of places and links counts.
    fn check(
        &self,
        question: (&str, &[ResourceClaim]),
        results: &[AllocationResult],
        requires: bool,
    ) -> Result<(), Vec<Violation>> {
        let books = Books {
            held: Draft::new(Arc::clone(&self.state)),
            snapshot: self,
            requires,
        };
        verify(&self.inventory, books, question, results)
    }
}

impl Transaction {
    /// Checks an answer as [`Snapshot::verify`] does, against what is held in
    /// the transaction.
    ///
    /// # Errors
    ///
    /// All violations that were found.
    pub fn verify(
        &self,
        node: &str,
        claims: &[ResourceClaim],
        results: &[AllocationResult],
    ) -> Result<(), Vec<Violation>> {
        self.check((node, claims), results, true)
    }

    /// Checks an answer as [`Snapshot::check`] does.
    fn check(
        &self,
        question: (&str, &[ResourceClaim]),
        results: &[AllocationResult],
        requires: bool,
    ) -> Result<(), Vec<Violation>> {
        let books = Books {
            held: self.draft.clone(),
            snapshot: self.snapshot(),
            requires,
        };
        verify(self.inventory(), books, question, results)
    }
}

/// Is all that answers are checked against.
struct World<'a> {
    features: &'a Features,
    inventory: &'a Inventory,
    node: &'a Node,
    pools: Vec<Pool<'a>>,
    /// What others hold.
    held: &'a Draft,
}

impl World<'_> {
    /// Returns whether several claims may share a device.
    fn is_shared(&self, device: &Device) -> bool {
        self.features.consumable_capacity && device.allow_multiple_allocations == Some(true)
    }

    /// Returns whether a device has paid for its counters: another share of it
    /// takes no more. One that is held whole has not.
    fn has_paid(&self, offer: &Offer<'_>) -> bool {
        let held = self.held.device(offer.key);
        self.is_shared(offer.device) && held.is_some_and(HeldDevice::is_shared)
    }
}

/// Is one device that is given, with what it is given for.
struct Pick<'p, 'a> {
    claim: usize,
    /// Place of the request in the claim.
    request: usize,
    alternative: &'p Alternative<'a>,
    offer: &'p Offer<'a>,
    result: &'p DeviceRequestAllocationResult,
    path: String,
    /// What is taken of the capacities of the device, in their order.
    amounts: Vec<Quantity>,
}

/// Is what claims and others have.
struct Books<'a> {
    held: Draft,
    snapshot: &'a Snapshot,
    /// Whether what is required of places and links counts.
    requires: bool,
}

impl Books<'_> {
    /// Returns whether a result is what a claim had already, which counts as
    /// held then; otherwise what it has does not.
    fn settle(&mut self, claim: &ResourceClaim, result: Option<&AllocationResult>) -> bool {
        let owner = owner_of(claim);
        let known = self.held.holding(&owner);
        let chosen_here = self.held.owners().get(&owner);
        let chosen_here = chosen_here.is_some_and(|drafted| drafted.chosen_by().is_some());
        let grant = known.and_then(|holding| holding.grant.as_ref());
        if let (false, Some(grant)) = (chosen_here, grant)
            && result.is_some_and(|result| *grant.result() == *result)
        {
            return true;
        }
        let is_known = known.is_some_and(|holding| !holding.is_empty());
        let news = self.snapshot.news_of(&self.held, claim);
        let news = news.filter(|_| claim.status.allocation.as_ref() == result);
        let is_news = news.is_some();
        if is_known || is_news {
            self.held.set(&owner, news.unwrap_or_default(), None);
        }
        is_news
    }
}

fn verify(
    inventory: &Inventory,
    mut books: Books<'_>,
    (node, claims): (&str, &[ResourceClaim]),
    results: &[AllocationResult],
) -> Result<(), Vec<Violation>> {
    let mut report = Report::default();
    let mut had = vec![false; claims.len()];
    for (place, claim) in claims.iter().enumerate() {
        had[place] = books.settle(claim, results.get(place));
    }
    let topologies = books.requires.then(|| books.snapshot.graphs());
    let held = books.held;
    let Some((node_object, pools)) = pools::of_node(inventory, node, &mut report) else {
        return report.into_result();
    };
    if claims.len() != results.len() {
        let message = format!("{} results, expected {}", results.len(), claims.len());
        report.add(ViolationCode::ResultCount, "results", message);
    }
    let features = inventory.features();
    let world = World {
        features,
        inventory,
        node: node_object,
        pools,
        held: &held,
    };
    let mut requests = Vec::with_capacity(claims.len());
    for (index, claim) in claims.iter().enumerate() {
        let path = format!("claims[{index}].spec.devices");
        let read = (!had[index]).then(|| requests::read(claim, inventory, &path, &mut report));
        requests.push(read.flatten().unwrap_or_default());
    }
    let linked = topologies.and_then(|topologies| linked::Linked::new(&world, topologies));
    let mut check = Check::new(&world, linked.as_ref(), report);
    let mut picks = Vec::new();
    for (index, (claim, result)) in claims.iter().zip(results).enumerate() {
        if had[index] {
            check.reach(index, result);
        } else if requests[index].len() == claim.spec.devices.requests.len() {
            check.claim(index, claim, &requests[index], result, &mut picks);
        }
    }
    check.together(&picks);
    check.into_result()
}
