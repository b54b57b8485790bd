//! Claims as they come: pending, allocated already, shared, mixed in one call.

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
fn a_node_out_of_reach_says_so() {
    let mut engine = cluster();
    engine
        .apply(Change::ResourceClaim(allocated("a", 2)))
        .unwrap();
    let claims = [claim("b", 1, 9), claim("a", 2, 1)];
    let mut transaction = engine.snapshot().transaction();
    let elsewhere = Reason::AllocatedElsewhere { claim: 1 };
    assert_eq!(refused(&mut transaction, "m", &claims), elsewhere);
    let too_few = Reason::Request {
        claim: 0,
        request: 0,
    };
    assert_eq!(refused(&mut transaction, "n", &claims), too_few);
    assert_eq!(
        ask(&mut transaction, "o", &claims, &AllocateOptions::new())
            .unwrap_err()
            .code(),
        Code::NotFound
    );
    let prepared = transaction.snapshot().prepare(&claims).unwrap();
    let explain = |node| {
        let explanation = transaction.explain(node, &prepared, &mut Workspace::new());
        let explanation = explanation.unwrap();
        assert_eq!(explanation.requests.len(), 1);
        explanation.whole
    };
    let elsewhere = dralloc::WholeFailure::AllocatedElsewhere { claim: 1 };
    assert_eq!(explain("m"), [elsewhere]);
    let too_few = dralloc::WholeFailure::TooFew {
        claim: 0,
        request: "r".into(),
    };
    assert_eq!(explain("n"), [too_few]);
    // Elsewhere the result is not right, either.
    let results = [AllocationResult::default(), result("n")];
    let violations = transaction.verify("m", &claims, &results).unwrap_err();
    let path = violations.iter().map(dralloc::Violation::path);
    assert!(
        path.clone().any(|path| path == "results[1].nodeSelector"),
        "{violations:?}"
    );
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

#[test]
fn a_node_without_a_feature_that_devices_need_is_out_of_reach() {
    let mut engine = cluster();
    let mut a = allocated("a", 2);
    let given = a.status.allocation.as_mut().unwrap();
    given.devices.results[0].skip_node_operations = vec!["x".into()];
    engine.apply(Change::ResourceClaim(a.clone())).unwrap();
    let claims = [a];
    let mut transaction = engine.snapshot().transaction();
    let elsewhere = Reason::AllocatedElsewhere { claim: 0 };
    assert_eq!(refused(&mut transaction, "n", &claims), elsewhere);
    let mut node = Node::new("n", []);
    node.status.declared_features = vec!["DRAOptionalNodeOperations".into()];
    engine.apply(Change::Node(node)).unwrap();
    fits(&mut engine.snapshot().transaction(), "n", &claims);
}

#[test]
fn the_books_win_over_the_status_of_a_claim() {
    let a = allocated("a", 2);
    let both = [a.clone(), claim("b", 1, 1)];
    let pair = |transaction: &mut Transaction| {
        let allocation = fits(transaction, "n", &both);
        let devices = devices(&allocation);
        devices
            .into_iter()
            .map(|(.., device)| device)
            .collect::<Vec<_>>()
    };
    // Nothing is known: the status is believed, and held.
    let mut engine = cluster();
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    assert_eq!(pair(&mut transaction), ["d/n/d0", "d/n/d1"]);
    transaction.rollback(&start).unwrap();
    let unused = fits(&mut transaction, "n", &[claim("c", 1, 1)]);
    assert_eq!(devices(&unused), [(0, 0, "d/n/d0".into())]);
    transaction.rollback(&start).unwrap();
    assert_eq!(pair(&mut transaction), ["d/n/d0", "d/n/d1"]);
    transaction.commit(&mut engine).unwrap();
    assert!(engine.is_assumed("uid-a") && engine.is_assumed("uid-b"));
    assert_eq!(commit(&mut engine, &claim("c", 1, 1)), names(&["x0"]));

    // An event said that it has none.
    let mut engine = cluster();
    engine
        .apply(Change::ResourceClaim(claim("a", 3, 1)))
        .unwrap();
    let mut transaction = engine.snapshot().transaction();
    let allocation = fits(&mut transaction, "n", &[claim("b", 1, 1), a.clone()]);
    let expected = [(0, 0, "d/n/d0".to_owned()), (1, 0, "d/n/d1".to_owned())];
    assert_eq!(devices(&allocation), expected);
    // A transaction took it away.
    let mut engine = cluster();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(pair(&mut transaction), ["d/n/d0", "d/n/d1"]);
    assert!(transaction.release(&a) && transaction.release(&both[1]));
    let allocation = fits(&mut transaction, "n", &[both[1].clone(), a.clone()]);
    assert_eq!(devices(&allocation), expected);
    // A list without it makes it unknown again.
    engine
        .apply(Change::ResourceClaim(claim("a", 3, 1)))
        .unwrap();
    engine.replace(Relist::ResourceClaims(vec![])).unwrap();
    assert_eq!(
        pair(&mut engine.snapshot().transaction()),
        ["d/n/d0", "d/n/d1"]
    );
}

#[test]
fn what_a_host_holds_by_itself_is_not_held_twice() {
    let mut engine = cluster();
    engine
        .apply(Change::Held(Held {
            devices: vec![dralloc::model::DeviceId::new("d", "n", "d0")],
            ..Held::default()
        }))
        .unwrap();
    let mut transaction = engine.snapshot().transaction();
    let allocation = fits(
        &mut transaction,
        "n",
        &[allocated("a", 2), claim("b", 1, 1)],
    );
    let expected = [(0, 0, "d/n/d0".to_owned()), (1, 0, "d/n/d1".to_owned())];
    assert_eq!(devices(&allocation), expected);
    transaction.commit(&mut engine).unwrap();
    assert!(!engine.is_assumed("uid-a") && engine.is_assumed("uid-b"));
    engine.apply(Change::Held(Held::default())).unwrap();
    assert_eq!(commit_on_n(&mut engine, &claim("c", 1, 1)), ["d/n/d0"]);
}

fn commit_on_n(engine: &mut Engine, claim: &ResourceClaim) -> Vec<String> {
    let mut transaction = engine.snapshot().transaction();
    let allocation = fits(&mut transaction, "n", std::slice::from_ref(claim));
    transaction.commit(engine).unwrap();
    devices(&allocation)
        .into_iter()
        .map(|(.., device)| device)
        .collect()
}

#[test]
fn what_a_host_made_a_claim_hold_is_returned() {
    let engine = cluster();
    let mut transaction = engine.snapshot().transaction();
    let a = claim("a", 1, 1);
    transaction.hold(&a, &result("n"));
    let results = fits(&mut transaction, "n", &[a.clone(), claim("b", 1, 1)]).results();
    assert_eq!(text(&results[0]), text(&result("n")));
    assert_eq!(&*results[1].devices.results[0].device, "d1");
    // Access for administration holds no device, and is returned as well.
    let mut admin = result("n");
    admin.devices.results[0].admin_access = Some(true);
    transaction.hold(&a, &admin);
    let results = fits(&mut transaction, "n", std::slice::from_ref(&a)).results();
    assert_eq!(results, [admin]);
    assert_eq!(transaction.reserve(&a, "pod"), Ok(true));
    assert!(transaction.release(&a));
}

#[test]
fn a_claim_on_its_way_out_cannot_be_used() {
    let mut engine = cluster();
    let releasing = Reason::Releasing { claim: 1 };
    let mut deleted = allocated("a", 2);
    deleted.metadata.deletion_timestamp = Some("2026-01-02T03:04:05Z".into());
    let mut pending = claim("p", 1, 1);
    pending.metadata.deletion_timestamp = Some("2026-01-02T03:04:05Z".into());
    let mut transaction = engine.snapshot().transaction();
    for gone in [deleted.clone(), pending] {
        let claims = [claim("b", 1, 1), gone];
        assert_eq!(refused(&mut transaction, "n", &claims), releasing);
    }
    // The event told it, the claim that is given is older.
    engine.apply(Change::ResourceClaim(deleted)).unwrap();
    let claims = [claim("b", 1, 1), allocated("a", 1)];
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(refused(&mut transaction, "n", &claims), releasing);
    engine
        .apply(Change::Removed(Removed::ResourceClaim("uid-a".into())))
        .unwrap();
    // Marked, and not any more.
    let mut transaction = engine.snapshot().transaction();
    transaction.hold(&claims[1], &result("n"));
    assert!(transaction.mark_releasing(&claims[1], true));
    assert_eq!(refused(&mut transaction, "n", &claims), releasing);
    let explanation = {
        let claims = transaction.snapshot().prepare(&claims).unwrap();
        transaction
            .explain("n", &claims, &mut Workspace::new())
            .unwrap()
    };
    assert_eq!(
        explanation.whole,
        [dralloc::WholeFailure::Releasing { claim: 1 }]
    );
    assert!(transaction.mark_releasing(&claims[1], false));
    fits(&mut transaction, "n", &claims);
}

#[test]
fn a_claim_with_all_its_users_takes_no_more() {
    let mut engine = cluster();
    let mut full = allocated("a", 2);
    full.status.reserved_for = (0..256)
        .map(|user| {
            serde_json::from_value(json!({"resource": "pods", "name": "p",
            "uid": format!("pod-{user}")}))
            .unwrap()
        })
        .collect();
    let snapshots = [engine.snapshot(), {
        engine.apply(Change::ResourceClaim(full.clone())).unwrap();
        engine.snapshot()
    }];
    for snapshot in snapshots {
        let claims = [claim("b", 1, 1), full.clone()];
        let ask =
            |options: &AllocateOptions<'_>| ask(&mut snapshot.transaction(), "n", &claims, options);
        let options = AllocateOptions::new();
        assert!(matches!(ask(&options), Ok(Outcome::Optimal(_))));
        assert!(matches!(
            ask(&options.user("pod-255")),
            Ok(Outcome::Optimal(_))
        ));
        let refused = ask(&options.user("pod-256"));
        assert!(
            matches!(
                refused,
                Ok(Outcome::Infeasible(Reason::FullyReserved { claim: 1 }))
            ),
            "{refused:?}"
        );
        let prepared = snapshot.prepare(&claims).unwrap();
        let options = PlaceOptions::new().find(Find::All).user("pod-256");
        let placement = snapshot
            .place(&prepared, &options, &mut Workspace::new())
            .unwrap();
        let reasons: Vec<String> = placement
            .reasons()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            reasons,
            ["2 nodes: claim 1 has all the users that it may have"]
        );
    }
    // More than there may be are an error.
    full.status
        .reserved_for
        .push(full.status.reserved_for[0].clone());
    let error = ask(
        &mut cluster().snapshot().transaction(),
        "n",
        &[full],
        &AllocateOptions::new(),
    );
    let error = error.unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (Code::LimitExceeded, "claims[0].status.reservedFor")
    );
}

#[test]
fn what_is_wrong_with_an_allocated_claim_matters_only_if_it_lost_what_it_had() {
    let mut engine = cluster();
    let mut a = allocated("a", 2);
    let request = a.spec.devices.requests[0].exactly.as_mut().unwrap();
    request.device_class_name = "gone".into();
    let snapshot = engine.snapshot();
    let claims = [a.clone(), claim("b", 1, 1)];
    let results = fits(&mut snapshot.transaction(), "n", &claims).results();
    assert_eq!(text(&results[0]), text(&result("n")));
    assert_eq!(snapshot.verify("n", &claims, &results), Ok(()));
    let mut lost = claim("a", 3, 1);
    lost.spec = a.spec.clone();
    engine.apply(Change::ResourceClaim(lost)).unwrap();
    let error = ask(
        &mut engine.snapshot().transaction(),
        "n",
        &claims,
        &AllocateOptions::new(),
    );
    let error = error.unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (
            Code::NotFound,
            "claims[0].spec.devices.requests[0].exactly.deviceClassName"
        )
    );
    // A selector that is malformed concerns all nodes.
    let mut odd = allocated("o", 1);
    let selector = odd
        .status
        .allocation
        .as_mut()
        .unwrap()
        .node_selector
        .as_mut()
        .unwrap();
    selector.node_selector_terms[0].match_fields[0].operator = "Is".into();
    let error = ask(
        &mut snapshot.transaction(),
        "m",
        &[odd.clone()],
        &AllocateOptions::new(),
    );
    let error = error.unwrap_err();
    let path = "claims[0].status.allocation.nodeSelector.nodeSelectorTerms[0].matchFields[0]\
                .operator";
    assert_eq!((error.code(), error.path()), (Code::NodeSelector, path));
    let prepared = snapshot.prepare(&[odd]).unwrap();
    let options = PlaceOptions::new().nodes(&["n", "nowhere", "m"]);
    let placement = snapshot
        .place(&prepared, &options, &mut Workspace::new())
        .unwrap();
    let failed: Vec<_> = placement
        .failed()
        .iter()
        .map(|(_, error)| error.code())
        .collect();
    assert_eq!(
        failed,
        [Code::NodeSelector, Code::NotFound, Code::NodeSelector]
    );
    let abort = options.errors(dralloc::ErrorMode::Abort);
    let aborted = snapshot.place(&prepared, &abort, &mut Workspace::new());
    assert_eq!(aborted.unwrap_err(), error);
}

#[test]
fn a_commit_needs_what_allocated_claims_had() {
    let mut engine = cluster();
    let a = allocated("a", 2);
    engine.apply(Change::ResourceClaim(a.clone())).unwrap();
    let claims = [a.clone(), claim("b", 1, 1)];
    let mut transaction = engine.snapshot().transaction();
    fits(&mut transaction, "n", &claims);
    // Another device of the pool is taken meanwhile, and given back.
    let other = transaction.clone();
    let mut third = engine.snapshot().transaction();
    fits(&mut third, "m", &[claim("c", 1, 1)]);
    third.commit(&mut engine).unwrap();
    other.commit(&mut engine).unwrap();
    assert!(!engine.is_assumed("uid-a") && engine.is_assumed("uid-b"));
    engine.forget("uid-b");

    engine
        .apply(Change::ResourceClaim(claim("a", 3, 1)))
        .unwrap();
    let error = transaction.commit(&mut engine).unwrap_err();
    assert_eq!(
        (error.code(), error.message()),
        (
            Code::Conflict,
            "claim `uid-a` has other devices or users than before"
        )
    );
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
