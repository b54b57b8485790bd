//! What is said about the cases from the field that have no answer.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use dralloc::model::{DeviceClass, DeviceTaintRule, Node, ResourceClaim, ResourceSlice};
use dralloc::{AllocateOptions, Change, Engine, Explanation, Features, Workspace, validate};
use serde::Deserialize;

use crate::{class, conflict};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FieldCase {
    node: String,
    device_classes: Vec<DeviceClass>,
    resource_slices: Vec<ResourceSlice>,
    #[serde(default)]
    device_taint_rules: Vec<DeviceTaintRule>,
    resource_claims: Vec<ResourceClaim>,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    solve: String,
    claims: Vec<ExpectedClaim>,
}

#[derive(Deserialize)]
struct ExpectedClaim {
    claim: String,
    outcome: String,
}

impl FieldCase {
    fn read(file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    }

    fn engine(&self) -> Engine {
        let mut engine = Engine::new(Features::all());
        let mut changes = vec![Change::Node(Node::new(&self.node, []))];
        changes.extend(self.device_classes.iter().cloned().map(Change::DeviceClass));
        let slices = self.resource_slices.iter().cloned();
        changes.extend(slices.map(Change::ResourceSlice));
        let rules = self.device_taint_rules.iter().cloned();
        changes.extend(rules.map(Change::DeviceTaintRule));
        let claims = self.resource_claims.iter().cloned();
        let held = claims.filter(|claim| claim.status.allocation.is_some());
        changes.extend(held.map(Change::ResourceClaim));
        for change in changes {
            engine.apply(change).unwrap();
        }
        engine
    }

    /// Returns what is said of each claim that does not fit.
    fn explanations(&self) -> Vec<(&str, Explanation)> {
        let engine = self.engine();
        let mut transaction = engine.snapshot().transaction();
        let start = transaction.savepoint();
        let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
        let mut explanations = Vec::new();
        for expected in &self.expect.claims {
            let named = |claim: &&ResourceClaim| *claim.metadata.name == *expected.claim;
            let mut claim = self.resource_claims.iter().find(named).unwrap().clone();
            validate::defaults::resource_claim(&mut claim);
            let prepared = transaction.snapshot().prepare(&[claim]).unwrap();
            if expected.outcome != "allocated" {
                let explanation =
                    transaction.explain(&self.node, &prepared, &options, &mut workspace);
                explanations.push((&*expected.claim, explanation.unwrap()));
                continue;
            }
            let _ = transaction.allocate(&self.node, &prepared, &options, &mut workspace);
            if self.expect.solve == "independent" {
                transaction.rollback(&start).unwrap();
            }
        }
        explanations
    }
}

#[test]
fn what_does_not_fit_in_the_field_is_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cases");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    let mut lines = String::new();
    for file in files {
        let case = FieldCase::read(&file);
        let id = file.file_stem().unwrap().to_string_lossy().into_owned();
        for (claim, explanation) in case.explanations() {
            let (class, conflict) = (class(&explanation), conflict(&explanation));
            writeln!(
                lines,
                "{id} {claim}: {explanation}\n    {class} | {conflict}"
            )
            .unwrap();
        }
    }
    assert_eq!(lines, include_str!("field.txt"));
}
