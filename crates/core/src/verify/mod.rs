//! Checks a finished answer against the state that it was made for.
//!
//! The check shares the rules for single devices with the search, and nothing
//! else: it gathers pools, compiles and evaluates selectors, and recomputes
//! what is in use, every sum and every constraint from scratch, by what they
//! mean. So a fault of the search cannot hide here.
//!
//! INVARIANT: nothing of `constraint`, `solver`, `claims` or the caches of
//! `eligible` is used.

mod capacity;
mod compatibility_groups;
mod configuration;
mod constraints;
mod copies;
mod counters;
mod devices;
mod node_selector;
mod pools;
mod requests;
mod selectors;
mod violation;

use crate::claims::owner_of;
use crate::engine::{Snapshot, Transaction};
use crate::features::Features;
use crate::model::{
    AllocationResult, Device, DeviceRequestAllocationResult, Node, Quantity, ResourceClaim,
};
use crate::state::Draft;
use crate::store::Inventory;
use pools::{Offer, Pool};
use requests::{Alternative, Given, Needed, Request};
use selectors::Expressions;
use violation::Report;

pub use violation::{Violation, ViolationCode};

/// Largest number of devices of a claim (`resource/v1 AllocationResultsMaxSize`).
const MAX_DEVICES: usize = 32;

impl Snapshot {
    /// Checks that an answer is right: that the results give the claims, in
    /// the same order, what they ask for on a node, of what others leave free.
    ///
    /// What the claims themselves hold does not count as held, so an answer can
    /// be checked before and after it takes effect. Every part of the results
    /// is checked, but for two: the order of the devices, and
    /// `allocationTimestamp`.
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
        let held = Draft::new(std::sync::Arc::clone(&self.state));
        verify(&self.inventory, held, node, claims, results)
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
        verify(&self.snapshot().inventory, self.draft.clone(), node, claims, results)
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

fn verify(
    inventory: &Inventory,
    mut held: Draft,
    node: &str,
    claims: &[ResourceClaim],
    results: &[AllocationResult],
) -> Result<(), Vec<Violation>> {
    let mut report = Report::default();
    for claim in claims {
        let owner = owner_of(claim);
        if !held.records(&owner).is_empty() {
            held.set(&owner, Vec::new());
        }
    }
    let Some(node_object) = inventory.node(node) else {
        let message = format!("no node `{node}`, expected the name of one that exists");
        report.add(ViolationCode::Node, "node", message);
        return report.into_result();
    };
    let pools = match pools::gather(inventory, node_object) {
        Ok(pools) => pools,
        Err(error) => {
            report.add(ViolationCode::Node, "node", error.to_string());
            return report.into_result();
        }
    };
    if claims.len() != results.len() {
        let message = format!("{} results, expected {}", results.len(), claims.len());
        report.add(ViolationCode::ResultCount, "results", message);
    }
    let features = inventory.features();
    let world = World { features, inventory, node: node_object, pools, held: &held };
    let mut requests = Vec::with_capacity(claims.len());
    for (index, claim) in claims.iter().enumerate() {
        let path = format!("claims[{index}].spec.devices");
        let read = requests::read(claim, inventory, &path, &mut report);
        requests.push(read.unwrap_or_default());
    }
    let mut check = Check { world: &world, expressions: Expressions::default(), report };
    let mut picks = Vec::new();
    for (index, (claim, result)) in claims.iter().zip(results).enumerate() {
        if requests[index].len() == claim.spec.devices.requests.len() {
            check.claim(index, claim, &requests[index], result, &mut picks);
        }
    }
    check.together(&picks);
    check.report.into_result()
}

/// Is a check that is under way.
struct Check<'w, 'a> {
    world: &'w World<'a>,
    expressions: Expressions,
    report: Report,
}

impl<'w, 'a> Check<'w, 'a> {
    /// Checks what concerns one claim alone, and adds its devices to all that are given.
    fn claim(
        &mut self,
        index: usize,
        claim: &ResourceClaim,
        requests: &'w [Request<'a>],
        result: &'w AllocationResult,
        picks: &mut Vec<Pick<'w, 'a>>,
    ) {
        let first = picks.len();
        let path = format!("results[{index}].devices.results");
        let results = &result.devices.results;
        if results.len() > MAX_DEVICES {
            let message = format!("{} devices, expected at most {MAX_DEVICES}", results.len());
            self.report.add(ViolationCode::LimitExceeded, &*path, message);
        }
        let (world, expressions) = (self.world, &mut self.expressions);
        let needed = |alternative: &Alternative<'_>| match alternative.needed {
            Needed::Count(count) => count,
            Needed::All => all(world, expressions, alternative).len(),
        };
        let given = requests::assign(requests, results, &path, &mut self.report, needed);
        let mut chosen = Vec::new();
        for (place, (request, given)) in requests.iter().zip(&given).enumerate() {
            let Some(given) = given else { continue };
            let alternative = &request.alternatives[given.alternative];
            chosen.push(alternative);
            self.check_count(alternative, given, results, &path);
            for result in &given.results {
                let path = format!("{path}[{result}]");
                let place = (index, place);
                picks.extend(self.pick(place, alternative, &results[*result], path));
            }
        }
        let of_claim: Vec<&Pick<'_, '_>> = picks[first..].iter().collect();
        let devices = &claim.spec.devices;
        let (expressions, report) = (&mut self.expressions, &mut self.report);
        constraints::check(world, expressions, &devices.constraints, &of_claim, report);
        if given.iter().all(Option::is_some) {
            let path = format!("results[{index}].devices.config");
            configuration::check(&devices.config, &chosen, &result.devices.config, &path, report);
        }
        // With a device missing it is not known what to expect.
        if of_claim.len() == results.len() {
            let path = format!("results[{index}].nodeSelector");
            node_selector::check(world, &of_claim, result.node_selector.as_ref(), &path, report);
        }
    }

    fn check_count(
        &mut self,
        alternative: &Alternative<'_>,
        given: &Given,
        results: &[DeviceRequestAllocationResult],
        path: &str,
    ) {
        let name = &alternative.name;
        let found = given.results.len();
        match alternative.needed {
            Needed::Count(count) if count != found => {
                let message = format!("{found} devices for `{name}`, expected {count}");
                self.report.add(ViolationCode::DeviceCount, path, message);
            }
            Needed::Count(_) => {}
            Needed::All => {
                for pool in &self.world.pools {
                    if matches!(
                        pool.condition,
                        pools::Condition::Incomplete | pools::Condition::Invalid(_)
                    ) {
                        let message = format!(
                            "`{name}` is for all devices, but not all pools are complete; \
                             expected complete ones"
                        );
                        self.report.add(ViolationCode::Pool, path, message);
                        break;
                    }
                }
                for offer in all(self.world, &mut self.expressions, alternative) {
                    let id = offer.id();
                    let is_given = given.results.iter().map(|place| &results[*place]).any(|one| {
                        one.driver == id.driver && one.pool == id.pool && one.device == id.device
                    });
                    if !is_given {
                        let message = format!("no `{id}` for `{name}`, expected all devices");
                        self.report.add(ViolationCode::NotAll, path, message);
                    }
                }
            }
        }
    }

    /// Checks a device by itself; nothing is returned if there is no such device.
    fn pick(
        &mut self,
        (claim, request): (usize, usize),
        alternative: &'w Alternative<'a>,
        result: &'w DeviceRequestAllocationResult,
        path: String,
    ) -> Option<Pick<'w, 'a>> {
        let offer = match devices::find(self.world, result) {
            Ok(offer) => offer,
            Err((code, message)) => {
                self.report.add(code, format!("{path}.device"), message);
                return None;
            }
        };
        let amounts = devices::qualify(self.world, &mut self.expressions, alternative, offer);
        let is_qualified = amounts.is_ok();
        let amounts = amounts.unwrap_or_else(|(code, message)| {
            self.report.add(code, format!("{path}.device"), message);
            Vec::new()
        });
        let pick = Pick { claim, request, alternative, offer, result, path, amounts };
        if is_qualified {
            devices::check(self.world, &pick, &mut self.report);
        }
        copies::check(self.world, &pick, &mut self.report);
        Some(pick)
    }

    /// Checks what concerns all devices that are given.
    fn together(&mut self, picks: &[Pick<'_, '_>]) {
        let report = &mut self.report;
        devices::check_repetition(self.world, picks, report);
        counters::check(self.world, picks, report);
        compatibility_groups::check(self.world, picks, report);
        capacity::check(self.world, picks, report);
    }
}

/// Returns all devices that an alternative asks for, as far as the device itself decides.
fn all<'w, 'a>(
    world: &'w World<'a>,
    expressions: &mut Expressions,
    alternative: &Alternative<'_>,
) -> Vec<&'w Offer<'a>> {
    let pools = world.pools.iter().filter(|pool| pool.condition == pools::Condition::Complete);
    let offers = pools.flat_map(|pool| &pool.devices);
    offers
        .filter(|offer| devices::qualify(world, expressions, alternative, offer).is_ok())
        .collect()
}
