//! Whether waiting helps, and for whom.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use dralloc::model::Amounts;
use dralloc::{AllocateOptions, Budget, Change, Deadline, Held, NodeUse, Workspace};
use serde_json::json;

use crate::{claim, class, conflict, engine, explain, explained, holding, with_numa};

#[test]
fn a_claim_that_is_allocated_elsewhere_waits_for_itself() {
    let mut engine = engine(with_numa(&[0, 0]));
    let mut other = claim("a", &[("r", 1)], json!([]));
    other.status.allocation = serde_json::from_value(json!({
        "devices": {"results": [{"request": "r", "driver": "d", "pool": "q", "device": "0"}]},
        "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [
            {"key": "metadata.name", "operator": "In", "values": ["m"]}]}]},
    }))
    .unwrap();
    let asked = [other.clone(), claim("b", &[("r", 1)], json!([]))];
    let explanation = explained(&mut engine, &[Change::ResourceClaim(other)], &asked);
    assert_eq!(conflict(&explanation), "none");
    assert_eq!(class(&explanation), "afterRelease claim `default/a`");
    let asked = [asked[0].clone(), claim("b", &[("r", 2)], json!([]))];
    let explanation = explain(&engine.snapshot().transaction(), &asked);
    assert_eq!(class(&explanation), "neverPossible");
}

#[test]
fn errors_are_bad_input() {
    let engine = engine(with_numa(&[0, 0]));
    let mut asked = claim("a", &[("r", 1)], json!([]));
    let exactly = asked.spec.devices.requests[0].exactly.as_mut().unwrap();
    exactly.selectors = serde_json::from_value(json!([
        {"cel": {"expression": "device.attributes['d'].model == 'x'"}}]))
    .unwrap();
    let explanation = explain(&engine.snapshot().transaction(), &[asked]);
    assert_eq!(
        class(&explanation),
        "badInput claims[0].spec.devices.requests[0].exactly.selectors[0]: \
         device `d/p/0`: no such key: model"
    );
    assert_eq!(
        serde_json::to_value(&explanation.class).unwrap(),
        json!({"badInput": {"error": {
            "code": "cel-evaluation", "scope": "request",
            "path": "claims[0].spec.devices.requests[0].exactly.selectors[0]",
            "message": "device `d/p/0`: no such key: model"}}})
    );
    let explanation = explain(
        &engine.snapshot().transaction(),
        &[claim("a", &[("r", 33)], json!([]))],
    );
    assert_eq!(
        class(&explanation),
        "badInput claims[0].spec.devices.requests[0]: 33 devices beside 0 of other requests, \
         expected at most 32 for a claim"
    );
    assert_eq!(explanation.requests, []);
}

#[test]
fn users_of_amounts_are_holders() {
    let mut engine = engine(with_numa(&[0]));
    let amounts = |count: u32| -> Amounts {
        serde_json::from_value(json!({"cpu": count.to_string()})).unwrap()
    };
    let node = json!({"metadata": {"name": "n"}, "status": {"allocatable": {"cpu": "4"}}});
    engine
        .apply(Change::Node(serde_json::from_value(node).unwrap()))
        .unwrap();
    for (owner, node, count) in [("pod-a", "n", 1), ("pod-b", "n", 3), ("pod-c", "m", 9)] {
        let used = NodeUse {
            owner: owner.into(),
            node: node.into(),
            amounts: amounts(count),
        };
        engine.apply(Change::NodeUse(used)).unwrap();
    }
    let transaction = engine.snapshot().transaction();
    let claims = [claim("a", &[("r", 1)], json!([]))];
    let prepared = transaction.snapshot().prepare(&claims).unwrap();
    let explained = |count: u32| {
        let amounts = amounts(count);
        let options = AllocateOptions::new().amounts(&amounts).user("pod-d");
        let explanation = transaction.explain("n", &prepared, &options, &mut Workspace::new());
        class(&explanation.unwrap())
    };
    assert_eq!(explained(0), "none");
    assert_eq!(explained(1), "afterRelease owner `pod-a`");
    assert_eq!(explained(2), "afterRelease owner `pod-b`");
    assert_eq!(explained(4), "afterRelease owner `pod-a`, owner `pod-b`");
    assert_eq!(explained(5), "neverPossible");
}

#[test]
fn holders_have_the_names_that_are_known() {
    let mut engine = engine(with_numa(&[0, 0, 0]));
    let bare = Held {
        devices: vec![dralloc::model::DeviceId::new("d", "p", "0")],
        ..Held::default()
    };
    engine.apply(Change::Held(bare)).unwrap();
    let plugin = json!({"metadata": {"name": "plugin"},
        "spec": {"nodeName": "n", "devices": [{"driver": "d", "pool": "p", "device": "1"}]}});
    engine
        .apply(Change::DeviceHold(serde_json::from_value(plugin).unwrap()))
        .unwrap();
    let mut transaction = engine.snapshot().transaction();
    let one = claim("c", &[("r", 1)], json!([]));
    let prepared = transaction.snapshot().prepare(&[one]).unwrap();
    let options = AllocateOptions::new();
    transaction
        .allocate("n", &prepared, &options, &mut Workspace::new())
        .unwrap();
    let explanation = explain(&transaction, &[claim("x", &[("r", 3)], json!([]))]);
    assert_eq!(
        class(&explanation),
        "afterRelease whoever holds devices without an owner, hold `plugin`, owner `uid-c`"
    );
    let conflict = serde_json::to_value(explanation.conflict.unwrap()).unwrap();
    assert_eq!(
        conflict,
        json!({"requests": [{"claim": 0, "request": "r"}], "constraints": [],
               "holders": [{"owner": ""}], "irreducible": true})
    );
}

/// Is over after it was looked at so many times.
struct Looks(AtomicUsize);

impl Deadline for Looks {
    fn is_over(&self) -> bool {
        let fewer = |left: usize| left.checked_sub(1);
        self.0.fetch_update(Relaxed, Relaxed, fewer).is_err()
    }
}

#[test]
fn what_ends_early_leaves_members_in_doubt() {
    let mut engine = engine(with_numa(&[0; 8]));
    engine.apply(holding("h", &["0"])).unwrap();
    let requests: Vec<(String, u32)> = (0..20).map(|place| (format!("r{place}"), 1)).collect();
    let requests: Vec<(&str, u32)> = requests.iter().map(|(name, n)| (&**name, *n)).collect();
    let asked = [claim("a", &requests, json!([]))];
    let transaction = engine.snapshot().transaction();
    let prepared = transaction.snapshot().prepare(&asked).unwrap();
    let explained = |looks: usize| {
        let deadline = Looks(looks.into());
        let options = AllocateOptions::new().budget(Budget::new().deadline(&deadline));
        let explanation = transaction.explain("n", &prepared, &options, &mut Workspace::new());
        let conflict = explanation.unwrap().conflict.unwrap();
        (conflict.requests.len(), conflict.irreducible)
    };
    assert_eq!(explained(1_000), (9, true));
    let (members, irreducible) = explained(8);
    assert!(members > 9 && !irreducible, "{members}");
}
