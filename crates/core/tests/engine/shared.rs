//! Slices of several nodes: whatever changes, nodes see what they would see if
//! all of it had been there from the start.

use std::collections::BTreeMap;

use dralloc::model::{DeviceTaintRule, Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Budget, Change, Engine, Features, Outcome, Snapshot, Transaction, Workspace,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{claim, class};

const NODES: u8 = 4;
const SLICES: u8 = 12;

/// Returns how a slice or a device selects nodes.
fn selection(kind: u8) -> Value {
    let term = |key: &str, operator: &str, value: &str| json!({"key": key, "operator": operator, "values": [value]});
    let selector =
        |list: &str, term: Value| json!({"nodeSelector": {"nodeSelectorTerms": [{list: [term]}]}});
    match kind {
        0 => json!({"nodeName": "n0"}),
        1 => json!({"nodeName": "n1"}),
        2 | 3 => json!({"allNodes": true}),
        4 | 5 => selector(
            "matchExpressions",
            term("zone", "In", &(kind % 2).to_string()),
        ),
        6 => selector("matchExpressions", term("zone", "NotIn", "0")),
        7 => selector("matchFields", term("metadata.name", "In", "n2")),
        8 => selector("matchExpressions", term("zone", "Is", "0")),
        _ => json!({}),
    }
}

fn slice(number: u8, version: usize, kind: u8, rest: u8) -> Change {
    // Pools with local slices alone come between others.
    let driver = ["a", "m", "z"][usize::from(number % 3)];
    let mut devices = json!([{"name": format!("d{number}-0")}, {"name": format!("d{number}-1")}]);
    if rest & 1 != 0 {
        devices[0]["bindingConditions"] = json!(["ready"]);
        devices[0]["bindingFailureConditions"] = json!(["failed"]);
    }
    if rest & 2 != 0 {
        devices[1]["taints"] = json!([{"key": "k", "effect": "NoSchedule"}]);
    }
    if rest & 4 != 0 {
        devices[0]["allowMultipleAllocations"] = json!(true);
    }
    for device in 0..2 {
        if rest & (32 << device) == 0 {
            devices[device]["attributes"] = json!({"d/root": {"int": number % 3}});
        }
    }
    let mut spec = json!({"driver": driver, "pool": {"name": format!("p{}", number % 4),
        "generation": 1 + rest / 64, "resourceSliceCount": 1 + (rest >> 3) % 2}});
    for (name, value) in selection(kind).as_object().unwrap() {
        spec[name] = value.clone();
    }
    if kind > 8 {
        spec["perDeviceNodeSelection"] = json!(true);
        for (device, kind) in [(0, rest % 8), (1, (rest >> 4) % 8)] {
            for (name, value) in selection(kind).as_object().unwrap() {
                devices[device][name] = value.clone();
            }
        }
    }
    spec["devices"] = devices;
    let slice = json!({"spec": spec, "metadata": {"name": format!("s{number}"),
        "uid": format!("s{number}"), "resourceVersion": version.to_string()}});
    Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
}

fn node(number: u8, version: usize, zone: u8) -> Change {
    let node = json!({"metadata": {"name": format!("n{number}"), "uid": format!("n{number}"),
        "resourceVersion": version.to_string(), "labels": {"zone": zone.to_string()}}});
    Change::Node(serde_json::from_value::<Node>(node).unwrap())
}

fn rule(version: usize, driver: &str) -> Change {
    let rule = json!({"metadata": {"name": "r", "uid": "r", "resourceVersion": version.to_string()},
        "spec": {"deviceSelector": {"driver": driver},
                 "taint": {"key": "of-rule", "effect": "NoSchedule"}}});
    Change::DeviceTaintRule(serde_json::from_value::<DeviceTaintRule>(rule).unwrap())
}

/// Returns claims for some devices, for all, and for some that have something in common.
fn asked() -> [ResourceClaim; 5] {
    let mut all = claim("all", 1, 1);
    let request = all.spec.devices.requests[0].exactly.as_mut().unwrap();
    (request.allocation_mode, request.count) = ("All".into(), 0);
    let mut alike = claim("alike", 1, 3);
    let root = json!([{"matchAttribute": "d/root"}]);
    alike.spec.devices.constraints = serde_json::from_value(root).unwrap();
    let mut two = claim("two", 1, 2);
    let mut other = two.spec.devices.requests[0].clone();
    other.name = "other".into();
    two.spec.devices.requests.push(other);
    [claim("three", 1, 3), claim("eight", 1, 8), all, alike, two]
}

/// Returns what every node answers, by name.
fn answers(transaction: &Transaction, workspace: &mut Workspace, many: bool) -> Vec<String> {
    let snapshot = transaction.snapshot();
    let mut answers = Vec::new();
    for number in 0..NODES {
        let node = format!("n{number}");
        for claim in asked() {
            let claims = snapshot.prepare(std::slice::from_ref(&claim)).unwrap();
            for branches in [5, 1000] {
                let budget = Budget::new().branches(branches);
                let options = AllocateOptions::new().many(many).budget(budget);
                answers.push(
                    match transaction.consider(&node, &claims, &options, workspace) {
                        Ok(Outcome::Optimal(allocation)) => {
                            format!("{node}: {:?}", allocation.results())
                        }
                        other => format!("{node}: {other:?}"),
                    },
                );
            }
            let explained = transaction.explain(&node, &claims, &AllocateOptions::new(), workspace);
            answers.push(format!("{explained:?}"));
        }
    }
    answers
}

fn fresh(there: &BTreeMap<String, Change>) -> Vec<String> {
    let mut engine = Engine::new(Features::all());
    engine.apply(class()).unwrap();
    for change in there.values() {
        engine.apply(change.clone()).unwrap();
    }
    let transaction = engine.snapshot().transaction();
    answers(&transaction, &mut Workspace::new(), false)
}

/// Is what comes next: which object, its kind and the rest.
type Step = (u8, u8, u8, bool);

fn apply(engine: &mut Engine, there: &mut BTreeMap<String, Change>, step: Step, version: usize) {
    let (object, kind, rest, _) = step;
    let (name, change) = match object {
        // Malformed selectors are rare: nodes see nothing then.
        0..SLICES if kind == 8 && rest % 4 != 0 => return,
        0..SLICES => (format!("s{object}"), slice(object, version, kind, rest)),
        SLICES..16 => {
            let number = object - SLICES;
            (format!("n{number}"), node(number, version, rest % 2))
        }
        _ => {
            let driver = ["a", "m", "none"][usize::from(rest % 3)];
            ("r".to_owned(), rule(version, driver))
        }
    };
    engine.apply(change.clone()).unwrap();
    there.insert(name, change);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nodes_see_what_they_would_see_at_once(
        steps in prop::collection::vec((0_u8..17, 0_u8..12, any::<u8>(), any::<bool>()), 10..40),
    ) {
        let mut engine = Engine::new(Features::all());
        engine.apply(class()).unwrap();
        let mut there = BTreeMap::new();
        for number in 0..NODES {
            let node = node(number, 1, number % 2);
            engine.apply(node.clone()).unwrap();
            there.insert(format!("n{number}"), node);
        }
        let mut workspaces = [Workspace::new(), Workspace::new()];
        let mut before: Option<(Snapshot, Vec<String>)> = None;
        for (place, step) in steps.into_iter().enumerate() {
            apply(&mut engine, &mut there, step, place + 2);
            if step.3 {
                continue;
            }
            let expected = fresh(&there);
            let snapshot = engine.snapshot();
            for (workspace, many) in workspaces.iter_mut().zip([false, true]) {
                let seen = answers(&snapshot.transaction(), workspace, many);
                prop_assert_eq!(&seen, &expected, "many: {}", many);
            }
            // What a snapshot sees stays, also if it is looked at later.
            if let Some((snapshot, expected)) = before.replace((snapshot, expected)) {
                let seen = answers(&snapshot.transaction(), &mut workspaces[0], false);
                prop_assert_eq!(&seen, &expected);
            }
        }
    }
}
