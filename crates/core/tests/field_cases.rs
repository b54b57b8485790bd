//! The cases from the field: every `must` holds.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use dralloc::model::{
    AllocationResult, DeviceClass, DeviceTaintRule, DeviceToleration, Node, Quantity,
    ResourceClaim, ResourceSlice,
};
use dralloc::{
    AllocateOptions, Budget, Change, Engine, Error, Features, Outcome, StopCause, Transaction,
    Workspace, validate,
};
use serde::Deserialize;

/// Cases that wait for another part: proofs that are fast for any impossible claim.
const WAITING: [&str; 1] = ["B15"];

/// No case needs a tenth of these branches.
const BRANCHES: u64 = 100_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FieldCase {
    id: String,
    node: String,
    device_classes: Vec<DeviceClass>,
    resource_slices: Vec<ResourceSlice>,
    #[serde(default)]
    device_taint_rules: Vec<DeviceTaintRule>,
    resource_claims: Vec<ResourceClaim>,
    expect: Expect,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expect {
    solve: String,
    strength: String,
    claims: Vec<ExpectedClaim>,
    #[serde(default)]
    no_device_twice: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExpectedClaim {
    claim: String,
    outcome: String,
    #[serde(default)]
    must_allocate: Vec<String>,
    #[serde(default)]
    must_not_allocate: Vec<String>,
    acceptable_sets: Option<Vec<BTreeSet<String>>>,
    device_count: Option<usize>,
    #[serde(default)]
    chosen: BTreeMap<String, String>,
    #[serde(default)]
    consumed_capacity: BTreeMap<String, BTreeMap<String, Quantity>>,
    result_tolerations: Option<Vec<DeviceToleration>>,
}

fn cases() -> Vec<FieldCase> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| {
        file.extension()
            .is_some_and(|extension| extension == "json")
    });
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    };
    files.iter().map(read).collect()
}

impl FieldCase {
    fn engine(&self) -> Engine {
        let mut engine = Engine::new(Features::all());
        let rules = self.device_taint_rules.iter().cloned();
        let held = self
            .resource_claims
            .iter()
            .filter(|claim| claim.status.allocation.is_some());
        let changes = [Change::Node(Node::new(&self.node, []))]
            .into_iter()
            .chain(self.device_classes.iter().cloned().map(Change::DeviceClass))
            .chain(
                self.resource_slices
                    .iter()
                    .cloned()
                    .map(Change::ResourceSlice),
            )
            .chain(rules.map(Change::DeviceTaintRule))
            .chain(held.cloned().map(Change::ResourceClaim));
        for change in changes {
            engine.apply(change).unwrap();
        }
        engine
    }

    /// Returns the claims that are to be solved, in the order of what is expected.
    fn pending(&self) -> Vec<ResourceClaim> {
        let pending = |expected: &ExpectedClaim| {
            let named = |claim: &&ResourceClaim| *claim.metadata.name == *expected.claim;
            let mut claim = self.resource_claims.iter().find(named).unwrap().clone();
            validate::defaults::resource_claim(&mut claim);
            claim
        };
        self.expect.claims.iter().map(pending).collect()
    }

    fn allocate(
        &self,
        transaction: &mut Transaction,
        claims: &[ResourceClaim],
    ) -> Result<Outcome, Error> {
        let prepared = transaction.snapshot().prepare(claims)?;
        let options = AllocateOptions::new().budget(Budget::new().branches(BRANCHES));
        transaction.allocate(&self.node, &prepared, &options, &mut Workspace::new())
    }

    fn check(&self) {
        let claims = self.pending();
        let mut transaction = self.engine().snapshot().transaction();
        if self.expect.solve == "joint" {
            return self.check_joint(&mut transaction, &claims);
        }
        let start = transaction.savepoint();
        for (expected, claim) in self.expect.claims.iter().zip(&claims) {
            let outcome = self.allocate(&mut transaction, std::slice::from_ref(claim));
            let outcome = match &outcome {
                Ok(Outcome::Optimal(allocation)) => Ok(allocation.results().remove(0)),
                Ok(Outcome::Infeasible(_)) => Err("unsatisfiable"),
                Ok(Outcome::Unknown(StopCause::Branches)) => Err("unknown"),
                Ok(_) => Err("unexpected"),
                Err(_) => Err("error"),
            };
            expected.check(&self.id, outcome.as_ref().map_err(|name| *name));
            if self.expect.solve == "independent" {
                transaction.rollback(&start).unwrap();
            }
        }
    }

    fn check_joint(&self, transaction: &mut Transaction, claims: &[ResourceClaim]) {
        let outcome = self.allocate(transaction, claims);
        let Ok(Outcome::Optimal(allocation)) = outcome else {
            panic!("{}: {outcome:?}", self.id);
        };
        let results = allocation.results();
        for (expected, result) in self.expect.claims.iter().zip(&results) {
            expected.check(&self.id, Ok(result));
        }
        if self.expect.no_device_twice {
            let all: Vec<String> = results.iter().flat_map(devices).collect();
            let different: BTreeSet<&String> = all.iter().collect();
            assert_eq!(different.len(), all.len(), "{}", self.id);
        }
    }
}

impl ExpectedClaim {
    fn check(&self, id: &str, result: Result<&AllocationResult, &str>) {
        let at = format!("{id}, claim {}", self.claim);
        let outcome = result.map_or_else(|outcome| outcome, |_| "allocated");
        assert_eq!(outcome, self.outcome, "{at}");
        let Ok(result) = result else { return };
        let got: BTreeSet<String> = devices(result).into_iter().collect();
        if let Some(sets) = &self.acceptable_sets {
            assert!(sets.contains(&got), "{at}: {got:?} is not among {sets:?}");
        }
        for device in &self.must_allocate {
            assert!(got.contains(device), "{at}: {device} is missing in {got:?}");
        }
        for device in &self.must_not_allocate {
            assert!(!got.contains(device), "{at}: {device} is in {got:?}");
        }
        let results = &result.devices.results;
        if let Some(count) = self.device_count {
            assert_eq!(results.len(), count, "{at}");
        }
        for (request, subrequest) in &self.chosen {
            let name = format!("{request}/{subrequest}");
            assert!(results.iter().any(|one| *one.request == *name), "{at}");
        }
        for (device, consumed) in &self.consumed_capacity {
            let one = results.iter().find(|one| *one.device == **device).unwrap();
            let got = one.consumed_capacity.as_ref().unwrap();
            for (name, amount) in consumed {
                assert_eq!(got.get(&**name), Some(amount), "{at}");
            }
        }
        if let Some(tolerations) = &self.result_tolerations {
            assert_eq!(&results[0].tolerations, tolerations, "{at}");
        }
    }
}

fn devices(result: &AllocationResult) -> Vec<String> {
    let name = |one: &dralloc::model::DeviceRequestAllocationResult| {
        format!("{}/{}/{}", one.driver, one.pool, one.device)
    };
    result.devices.results.iter().map(name).collect()
}

#[test]
fn every_must_case_holds() {
    let mut checked = 0;
    for case in cases() {
        if case.expect.strength == "must" && !WAITING.contains(&&*case.id) {
            case.check();
            checked += 1;
        }
    }
    assert_eq!(checked, 28);
}
