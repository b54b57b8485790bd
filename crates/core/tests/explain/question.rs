//! A question that can be asked with parts left out.

use std::collections::BTreeSet;

use dralloc::model::{AllocationResult, DeviceRequestAllocationResult, ResourceClaim, Str};
use dralloc::{
    AllocateOptions, Budget, Change, Conflict, Engine, Error, ErrorMode, Held, Outcome, Snapshot,
    Workspace,
};
use dralloc_testkit::case::Case;

/// So many claims share what is held in a case.
const HOLDERS: usize = 4;

/// Is a case of which claims hold what is held, by turns; shares are nobody's.
pub(crate) struct Question<'a> {
    pub(crate) case: &'a Case,
}

/// Names what is left in of a question.
#[derive(Clone)]
pub(crate) struct Kept {
    /// Claim and name of the request.
    pub(crate) requests: BTreeSet<(usize, Str)>,
    pub(crate) constraints: BTreeSet<(usize, usize)>,
    pub(crate) owners: BTreeSet<Str>,
}

impl Kept {
    pub(crate) fn of(conflict: &Conflict) -> Self {
        let requests = conflict.requests.iter();
        let constraints = conflict.constraints.iter();
        Self {
            requests: requests
                .map(|one| (one.claim, one.request.clone()))
                .collect(),
            constraints: constraints.map(|one| (one.claim, one.constraint)).collect(),
            owners: conflict
                .holders
                .iter()
                .map(|one| one.owner.clone())
                .collect(),
        }
    }

    /// Returns the same without one member, for each of them.
    pub(crate) fn without_one(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for member in &self.requests {
            let mut less = self.clone();
            less.requests.remove(member);
            all.push(less);
        }
        for member in &self.constraints {
            let mut less = self.clone();
            less.constraints.remove(member);
            all.push(less);
        }
        for member in &self.owners {
            let mut less = self.clone();
            less.owners.remove(member);
            all.push(less);
        }
        all
    }
}

impl Question<'_> {
    /// Returns all owners that hold something.
    pub(crate) fn owners(&self) -> BTreeSet<Str> {
        let claims = self.holders().into_iter();
        let mut owners: BTreeSet<Str> = claims.filter_map(|claim| claim.metadata.uid).collect();
        let shares = &self.case.allocated;
        if !shares.shared_device_ids.is_empty() || !shares.consumed_capacity.is_empty() {
            owners.insert("".into());
        }
        owners
    }

    fn holders(&self) -> Vec<ResourceClaim> {
        let devices = &self.case.allocated.devices;
        let count = HOLDERS.min(devices.len());
        let claim = |holder: usize| {
            let mut claim = ResourceClaim::default();
            claim.metadata.name = format!("holder-{holder}").into();
            claim.metadata.uid = Some(format!("holder-{holder}").into());
            let own = devices.iter().skip(holder).step_by(HOLDERS);
            let results = own.map(|id| DeviceRequestAllocationResult {
                request: "r".into(),
                driver: id.driver.clone(),
                pool: id.pool.clone(),
                device: id.device.clone(),
                ..DeviceRequestAllocationResult::default()
            });
            let mut allocation = AllocationResult::default();
            allocation.devices.results = results.collect();
            claim.status.allocation = Some(allocation);
            claim
        };
        (0..count).map(claim).collect()
    }

    /// Returns what is known if only some hold what they do.
    pub(crate) fn snapshot(&self, is_holding: impl Fn(&str) -> bool) -> Snapshot {
        let mut engine = Engine::new(self.case.features);
        let mut changes = vec![Change::Node(self.case.node.clone())];
        let classes = self.case.device_classes.iter().cloned();
        changes.extend(classes.map(Change::DeviceClass));
        let slices = self.case.resource_slices.iter().cloned();
        changes.extend(slices.map(Change::ResourceSlice));
        if is_holding("") {
            let shares = self.case.allocated.shared_device_ids.iter();
            let consumed = self.case.allocated.consumed_capacity.iter();
            changes.push(Change::Held(Held {
                devices: Vec::new(),
                shares: shares
                    .map(|share| (share.device.clone(), share.share_id.clone()))
                    .collect(),
                consumed_capacity: consumed
                    .map(|one| (one.device.clone(), one.capacity.clone()))
                    .collect(),
            }));
        }
        for holder in self.holders() {
            if is_holding(holder.metadata.uid.as_deref().unwrap_or_default()) {
                changes.push(Change::ResourceClaim(holder));
            }
        }
        for change in changes {
            engine.apply(change).unwrap();
        }
        engine.snapshot()
    }

    /// Asks with some of the parts; returns whether that fits.
    pub(crate) fn fits(&self, kept: &Kept) -> Result<bool, Error> {
        let mut claims = self.case.claims.clone();
        for (place, claim) in claims.iter_mut().enumerate() {
            let requests = claim.spec.devices.requests.iter();
            let requests =
                requests.filter(|request| kept.requests.contains(&(place, request.name.clone())));
            claim.spec.devices.requests = requests.cloned().collect();
            let constraints = claim.spec.devices.constraints.iter().enumerate();
            let constraints =
                constraints.filter(|(one, _)| kept.constraints.contains(&(place, *one)));
            claim.spec.devices.constraints = constraints.map(|(_, one)| one.clone()).collect();
        }
        let snapshot = self.snapshot(|owner| kept.owners.contains(owner));
        ask(&snapshot, &self.case.node.metadata.name, &claims)
    }

    /// Asks all of it where only some hold what they do.
    pub(crate) fn fits_where(&self, is_holding: impl Fn(&str) -> bool) -> Result<bool, Error> {
        let snapshot = self.snapshot(is_holding);
        ask(&snapshot, &self.case.node.metadata.name, &self.case.claims)
    }
}

pub(crate) fn options() -> AllocateOptions<'static> {
    let budget = Budget::new().branches(1_000_000);
    AllocateOptions::new()
        .errors(ErrorMode::Skip)
        .budget(budget)
}

fn ask(snapshot: &Snapshot, node: &str, claims: &[ResourceClaim]) -> Result<bool, Error> {
    let prepared = snapshot.prepare(claims)?;
    let mut transaction = snapshot.transaction();
    let outcome = transaction.allocate(node, &prepared, &options(), &mut Workspace::new())?;
    match outcome {
        Outcome::Optimal(_) => Ok(true),
        Outcome::Infeasible(_) => Ok(false),
        other => panic!("{other:?}"),
    }
}
