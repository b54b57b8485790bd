//! Claims that cannot be used, anywhere or on a node.

use super::*;

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
        let explanation = transaction.explain(
            node,
            &prepared,
            &AllocateOptions::new(),
            &mut Workspace::new(),
        );
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
            .explain("n", &claims, &AllocateOptions::new(), &mut Workspace::new())
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
