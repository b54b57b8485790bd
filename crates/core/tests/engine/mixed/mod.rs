//! Claims as they come: pending, allocated already, shared, mixed in one call.

mod known;
mod refused;

use dralloc::model::{AllocationResult, Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Allocation, Change, Code, Engine, Error, Features, Find, Held, NodeCause,
    Outcome, PlaceOptions, Reason, Relist, Removed, Snapshot, Transaction, Workspace,
};
use serde_json::{Value, json};

use super::{claim, class, commit, names};

/// Nodes `n` and `m` in zone `z`, each with two devices of its own, and two
/// devices `net/x0` and `net/x1` that both of them see.
fn cluster() -> Engine {
    let mut engine = Engine::new(Features::all());
    engine.apply(class()).unwrap();
    for name in ["n", "m"] {
        let node = Node::new(name, [("zone", "z")]);
        engine.apply(Change::Node(node)).unwrap();
        let devices = json!([{"name": "d0"}, {"name": "d1"}]);
        engine
            .apply(slice(name, "d", json!({"nodeName": name}), devices))
            .unwrap();
    }
    let zone = json!({"nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [
        {"key": "zone", "operator": "In", "values": ["z"]}]}]}});
    let devices = json!([{"name": "x0"}, {"name": "x1"}]);
    engine.apply(slice("net", "net", zone, devices)).unwrap();
    engine
}

fn slice(pool: &str, driver: &str, place: Value, devices: Value) -> Change {
    let mut slice = json!({
        "metadata": {"name": format!("{driver}-{pool}"), "uid": pool, "resourceVersion": "1"},
        "spec": {"driver": driver, "devices": devices,
                 "pool": {"name": pool, "generation": 1, "resourceSliceCount": 1}},
    });
    slice["spec"]
        .as_object_mut()
        .unwrap()
        .extend(place.as_object().unwrap().clone());
    Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
}

/// An allocation that no search makes: with configuration and a time.
fn result(node: &str) -> AllocationResult {
    let result = json!({
        "devices": {
            "results": [{"request": "r", "driver": "d", "pool": node, "device": "d0"}],
            "config": [{"source": "FromClaim", "requests": ["r"],
                        "opaque": {"driver": "d", "parameters": {"b": 1, "a": [2.50]}}}]},
        "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [
            {"key": "metadata.name", "operator": "In", "values": [node]}]}]},
        "allocationTimestamp": "2026-01-02T03:04:05Z",
    });
    serde_json::from_value(result).unwrap()
}

/// The claim as it is stored with [`result`].
fn allocated(name: &str, version: u32) -> ResourceClaim {
    let mut claim = claim(name, version, 1);
    claim.status.allocation = Some(result("n"));
    claim
}

fn ask(
    transaction: &mut Transaction,
    node: &str,
    claims: &[ResourceClaim],
    options: &AllocateOptions<'_>,
) -> Result<Outcome, Error> {
    let claims = transaction.snapshot().prepare(claims)?;
    transaction.allocate(node, &claims, options, &mut Workspace::new())
}

fn fits(transaction: &mut Transaction, node: &str, claims: &[ResourceClaim]) -> Allocation {
    match ask(transaction, node, claims, &AllocateOptions::new()) {
        Ok(Outcome::Optimal(allocation)) => allocation,
        other => panic!("{other:?}"),
    }
}

fn refused(transaction: &mut Transaction, node: &str, claims: &[ResourceClaim]) -> Reason {
    match ask(transaction, node, claims, &AllocateOptions::new()) {
        Ok(Outcome::Infeasible(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

/// Claim, request and device.
fn devices(allocation: &Allocation) -> Vec<(usize, usize, String)> {
    let devices = allocation.devices();
    devices
        .map(|one| (one.claim, one.request, one.device.to_string()))
        .collect()
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

#[test]
fn an_allocated_claim_returns_what_it_has_and_the_rest_is_found_beside_it() {
    let mut engine = cluster();
    engine
        .apply(Change::ResourceClaim(allocated("a", 2)))
        .unwrap();
    // The claim may be given as it was before.
    for a in [allocated("a", 2), claim("a", 1, 1)] {
        let claims = [claim("b", 1, 1), a, claim("c", 1, 1)];
        let mut transaction = engine.snapshot().transaction();
        let allocation = fits(&mut transaction, "n", &claims);
        let expected = [
            (0, 0, "d/n/d1".to_owned()),
            (1, 0, "d/n/d0".to_owned()),
            (2, 0, "net/net/x0".to_owned()),
        ];
        assert_eq!(devices(&allocation), expected);
        let results = allocation.results();
        assert_eq!(text(&results[1]), text(&result("n")));
        assert_eq!(transaction.verify("n", &claims, &results), Ok(()));
        // All of them have it now, and get it again.
        let again = fits(&mut transaction, "n", &claims);
        assert_eq!(text(&again.results()), text(&results));
        assert_eq!(devices(&again), expected);
        let claims = [claims[2].clone(), claims[0].clone()];
        let swapped = fits(&mut transaction, "n", &claims).results();
        assert_eq!(text(&swapped), text(&[&results[2], &results[0]]));
    }
}

#[test]
fn what_was_assumed_is_returned_until_an_event_says_it_in_its_words() {
    let mut engine = cluster();
    let a = claim("a", 1, 1);
    let mut transaction = engine.snapshot().transaction();
    let found = fits(&mut transaction, "n", std::slice::from_ref(&a)).results();
    transaction.commit(&mut engine).unwrap();
    // Devices and classes change; what a claim has does not.
    let devices = json!([{"name": "d1", "taints": [{"key": "k", "effect": "NoSchedule"}]}]);
    let Change::ResourceSlice(mut other) = slice("n", "d", json!({"nodeName": "n"}), devices)
    else {
        panic!("a slice")
    };
    other.metadata.resource_version = Some("2".into());
    engine.apply(Change::ResourceSlice(other)).unwrap();
    let mut transaction = engine.snapshot().transaction();
    let claims = [a.clone(), claim("b", 1, 1)];
    let results = fits(&mut transaction, "n", &claims).results();
    assert_eq!(text(&results[0]), text(&found[0]));
    assert_eq!(&*results[1].devices.results[0].device, "x0");
    assert_eq!(transaction.verify("n", &claims, &results), Ok(()));

    let mut echo = a.clone();
    echo.metadata.resource_version = Some("2".into());
    echo.status.allocation = Some(found[0].clone());
    let stamped = echo.status.allocation.as_mut().unwrap();
    stamped.allocation_timestamp = Some("2026-01-02T03:04:05Z".into());
    let applied = engine.apply(Change::ResourceClaim(echo.clone())).unwrap();
    assert!(!applied.is_changed());
    let mut transaction = engine.snapshot().transaction();
    let results = fits(&mut transaction, "n", &[a]).results();
    assert_eq!(Some(&results[0]), echo.status.allocation.as_ref());
}

#[test]
fn devices_of_many_nodes_can_be_used_on_all_of_them() {
    let mut engine = cluster();
    let mut transaction = engine.snapshot().transaction();
    let a = claim("a", 1, 4);
    let found = fits(&mut transaction, "n", std::slice::from_ref(&a));
    assert_eq!(devices(&found).len(), 4);
    transaction.release(&a);
    let mut only_net = claim("a", 1, 2);
    let request = only_net.spec.devices.requests[0].exactly.as_mut().unwrap();
    request.selectors = serde_json::from_value(json!([
        {"cel": {"expression": "device.driver == 'net'"}}]))
    .unwrap();
    let found = fits(&mut transaction, "n", std::slice::from_ref(&only_net)).results();
    let claims = [only_net.clone(), claim("b", 1, 2)];
    let mixed = fits(&mut transaction, "m", &claims);
    assert_eq!(mixed.results()[0], found[0]);
    transaction.commit(&mut engine).unwrap();

    let lacking = json!({"metadata": {"name": "o", "labels": {"zone": "y"}}});
    let lacking = serde_json::from_value::<Node>(lacking).unwrap();
    engine.apply(Change::Node(lacking)).unwrap();
    let snapshot = engine.snapshot();
    let prepared = snapshot.prepare(&[only_net, claim("c", 1, 2)]).unwrap();
    let options = PlaceOptions::new().find(Find::All);
    let placement = snapshot
        .place(&prepared, &options, &mut Workspace::new())
        .unwrap();
    let names: Vec<&str> = placement
        .nodes()
        .iter()
        .map(dralloc::PlacedNode::name)
        .collect();
    assert_eq!(names, ["n"]);
    assert_eq!(placement.nodes()[0].allocation().results()[0], found[0]);
    let reasons: Vec<String> = placement
        .reasons()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        reasons,
        [
            "1 node: request `r` of claim 1 has too few devices",
            "1 node: claim 0 is allocated and out of reach",
        ]
    );
    assert_eq!(
        placement.reasons()[1].cause,
        NodeCause::AllocatedElsewhere { claim: 0 }
    );
    // Only the pending claim is searched for, on two nodes.
    assert_eq!(placement.solved(), 2);
}

/// One workspace for all questions does not mix up what was compiled.
#[test]
fn a_workspace_tells_pending_claims_from_allocated_ones() {
    let engine = cluster();
    let snapshot: Snapshot = engine.snapshot();
    let (a, b) = (claim("a", 1, 1), claim("b", 1, 1));
    let prepared = snapshot.prepare(&[a.clone(), b.clone()]).unwrap();
    let mut workspace = Workspace::new();
    let mut transaction = snapshot.transaction();
    let start = transaction.savepoint();
    let mut ask = |transaction: &mut Transaction| {
        let options = AllocateOptions::new();
        match transaction.allocate("n", &prepared, &options, &mut workspace) {
            Ok(Outcome::Optimal(allocation)) => {
                let devices = devices(&allocation);
                devices
                    .into_iter()
                    .map(|(.., device)| device)
                    .collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        }
    };
    for _ in 0..2 {
        assert_eq!(ask(&mut transaction), ["d/n/d0", "d/n/d1"]);
        transaction.rollback(&start).unwrap();
        transaction.hold(&b, &result("n"));
        assert_eq!(ask(&mut transaction), ["d/n/d1", "d/n/d0"]);
        transaction.rollback(&start).unwrap();
        transaction.hold(&a, &result("n"));
        assert_eq!(ask(&mut transaction), ["d/n/d0", "d/n/d1"]);
        transaction.rollback(&start).unwrap();
    }
}

/// What is kept for claims of one template does not mix up who asks.
#[test]
fn pods_of_one_template_that_share_a_claim_have_shares_of_their_own() {
    let devices = json!([{"name": "d0"}, {"name": "s0", "allowMultipleAllocations": true}]);
    let engine = super::engine(devices);
    let snapshot = engine.snapshot();
    let mut base = snapshot.transaction();
    let shared = claim("x", 1, 1);
    fits(&mut base, "n", std::slice::from_ref(&shared));
    let ask = |name: &str, workspace: &mut Workspace| {
        let claims = [shared.clone(), claim(name, 1, 1)];
        let claims = snapshot.prepare(&claims).unwrap();
        let options = AllocateOptions::new();
        let answer = base.clone().allocate("n", &claims, &options, workspace);
        let Ok(Outcome::Optimal(allocation)) = answer else {
            panic!("{answer:?}")
        };
        let result = &allocation.results()[1].devices.results[0];
        assert_eq!(&*result.device, "s0");
        result.share_id.clone().unwrap()
    };
    let mut workspace = Workspace::new();
    let one = ask("y1", &mut workspace);
    let other = ask("y2", &mut workspace);
    assert_ne!(one, other);
    assert_eq!(other, ask("y2", &mut Workspace::new()));
}
