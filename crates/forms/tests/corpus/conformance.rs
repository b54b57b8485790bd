//! The conformance cases, as digests.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dralloc::wire::Decoder;
use dralloc::{AllocateOptions, Engine, Error, Outcome, Workspace};
use dralloc_forms as forms;
use serde::Deserialize;
use serde_json::value::RawValue;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    name: String,
    features: BTreeMap<String, bool>,
    node: Box<RawValue>,
    device_classes: Vec<Box<RawValue>>,
    resource_slices: Vec<Box<RawValue>>,
    claims: Box<RawValue>,
    allocated: Box<RawValue>,
}

/// Names of features in cases, with the gates that they stand for.
const GATES: [(&str, &str); 11] = [
    ("adminAccess", "DRAAdminAccess"),
    ("compatibilityGroups", "DRADeviceCompatibilityGroups"),
    ("consumableCapacity", "DRAConsumableCapacity"),
    ("derivedAttributes", "DRADerivedAttributes"),
    ("deviceBindingAndStatus", "DRADeviceBindingConditions"),
    ("deviceTaints", "DRADeviceTaints"),
    ("fractionalCapacityRange", "DRAFractionalCapacityRange"),
    ("listTypeAttributes", "DRAListTypeAttributes"),
    ("optionalNodeOperations", "DRAOptionalNodeOperations"),
    ("partitionableDevices", "DRAPartitionableDevices"),
    ("prioritizedList", "DRAPrioritizedList"),
];

#[derive(Deserialize)]
struct NodeName {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
}

pub(super) fn digests(cases: &str) -> String {
    let mut text = String::new();
    let mut workspace = Workspace::new();
    for line in cases.lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        let (kind, json) = match answer(&case, &mut workspace) {
            Ok(outcome) => {
                let json = forms::outcome(&outcome).unwrap();
                (forms::Kind::of(&outcome).as_str(), json)
            }
            Err(error) => ("error", forms::error(error.code().as_str(), &error)),
        };
        let digest = fnv(json.as_bytes());
        writeln!(text, "{}\t{kind}\t{digest:016x}", case.name).unwrap();
    }
    text
}

fn answer(case: &Case, workspace: &mut Workspace) -> Result<Outcome, Error> {
    let gates = GATES.map(|(feature, gate)| {
        let on = case.features.get(feature).copied().unwrap_or_default();
        format!(r#""{gate}":{on}"#)
    });
    let features = forms::features(&format!(r#"{{"gates":{{{}}}}}"#, gates.join(",")))?;
    let (mut engine, mut decoder) = (Engine::new(features), Decoder::new());
    let node = std::iter::once(&case.node);
    for object in node
        .chain(&case.device_classes)
        .chain(&case.resource_slices)
    {
        forms::apply(&mut engine, &mut decoder, object.get())?;
    }
    let held = format!(r#"{{"allocated":{}}}"#, case.allocated.get());
    engine.apply(forms::change(&mut decoder, &held)?)?;
    let snapshot = engine.snapshot();
    let claims = forms::claims(&mut Decoder::new(), case.claims.get())?;
    let claims = snapshot.prepare(&claims)?;
    let node: NodeName = serde_json::from_str(case.node.get()).unwrap();
    let (node, options) = (node.metadata.name, AllocateOptions::new());
    snapshot
        .transaction()
        .allocate(&node, &claims, &options, workspace)
}

/// Returns the 64-bit FNV-1a hash of bytes.
fn fnv(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325;
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(start, step)
}
