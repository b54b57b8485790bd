//! Reasons that the conformance cases do not reach.

use dralloc::model::{
    AllocationResult, DeviceClass, DeviceConstraint, DeviceId, Node, ResourceClaim, ResourceSlice,
};
use dralloc::{
    AllocateOptions, Change, Engine, Features, Held, Outcome, Snapshot, Violation,
    ViolationCode as Code, Workspace,
};
use serde_json::{Value, json};

fn engine(features: Features, devices: &Value) -> Engine {
    let mut engine = Engine::new(features);
    engine.apply(Change::Node(Node::new("node-1", []))).unwrap();
    let class: DeviceClass = serde_json::from_value(json!({"metadata": {"name": "gpu"}})).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    put(&mut engine, "gpus", &json!({"devices": devices}));
    engine
}

/// Puts a slice of a pool that has two of them, one for counters.
fn put(engine: &mut Engine, name: &str, more: &Value) {
    let mut slice = json!({"metadata": {"name": name, "uid": name}, "spec": {
        "driver": "gpu.example.com", "nodeName": "node-1",
        "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1}}});
    let spec = slice["spec"].as_object_mut().unwrap();
    spec.extend(more.as_object().unwrap().clone());
    let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
    engine.apply(Change::ResourceSlice(slice)).unwrap();
}

fn claim(name: &str, devices: &Value) -> ResourceClaim {
    let claim = json!({"metadata": {"name": name}, "spec": {"devices": devices}});
    serde_json::from_value(claim).unwrap()
}

fn one_gpu(name: &str) -> ResourceClaim {
    let exactly = json!({"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1});
    claim(
        name,
        &json!({"requests": [{"name": "gpu", "exactly": exactly}]}),
    )
}

fn result(devices: &[&str]) -> AllocationResult {
    let device = |name: &&str| json!({"request": "gpu", "driver": "gpu.example.com", "pool": "node-1", "device": name});
    let devices: Vec<Value> = devices.iter().map(device).collect();
    let fields = json!([{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]);
    let selector = json!({"nodeSelectorTerms": [{"matchFields": fields}]});
    serde_json::from_value(json!({"devices": {"results": devices}, "nodeSelector": selector}))
        .unwrap()
}

/// Returns codes and paths of the violations.
fn violations(verdict: Result<(), Vec<Violation>>) -> Vec<(Code, String)> {
    let violations = verdict.err().unwrap_or_default();
    violations
        .iter()
        .map(|one| (one.code(), one.path().to_owned()))
        .collect()
}

fn check(snapshot: &Snapshot, claim: ResourceClaim, devices: &[&str]) -> Vec<(Code, String)> {
    violations(snapshot.verify("node-1", &[claim], &[result(devices)]))
}

const FIRST: &str = "results[0].devices.results[0].device";

#[test]
fn a_node_that_does_not_exist_has_no_answer() {
    let snapshot = engine(Features::all(), &json!([{"name": "gpu-0"}])).snapshot();
    let verdict = snapshot.verify("node-2", &[one_gpu("a")], &[result(&["gpu-0"])]);
    assert_eq!(violations(verdict), [(Code::Node, "node".to_owned())]);
}

#[test]
fn claims_that_cannot_be_satisfied_have_no_answer() {
    let snapshot = engine(Features::none(), &json!([{"name": "gpu-0"}])).snapshot();
    let with = |change: &dyn Fn(&mut ResourceClaim)| {
        let mut claim = one_gpu("a");
        change(&mut claim);
        check(&snapshot, claim, &["gpu-0"])
    };
    assert_eq!(with(&|_| {}), []);
    let request = "claims[0].spec.devices.requests[0]";
    assert_eq!(
        with(&|claim| {
            let requests = &mut claim.spec.devices.requests;
            requests[0].exactly.as_mut().unwrap().admin_access = Some(false);
        }),
        [(
            Code::FeatureDisabled,
            format!("{request}.exactly.adminAccess")
        )]
    );
    assert_eq!(
        with(&|claim| claim.spec.devices.requests[0].exactly = None),
        [(Code::Unsupported, request.to_owned())]
    );
    assert_eq!(
        with(&|claim| claim
            .spec
            .devices
            .constraints
            .push(DeviceConstraint::default())),
        [(
            Code::Unsupported,
            "claims[0].spec.devices.constraints[0]".to_owned()
        )]
    );
}

#[test]
fn a_claim_has_at_most_32_devices() {
    let names: Vec<String> = (0..33).map(|index| format!("gpu-{index}")).collect();
    let devices: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
    let snapshot = engine(Features::all(), &json!(devices)).snapshot();
    let mut claim = one_gpu("a");
    claim.spec.devices.requests[0]
        .exactly
        .as_mut()
        .unwrap()
        .count = 33;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(
        check(&snapshot, claim, &names),
        [(Code::LimitExceeded, "results[0].devices.results".to_owned())]
    );
}

#[test]
fn the_answer_of_a_transaction_is_right_before_and_after_it_takes_effect() {
    let mut engine = engine(Features::all(), &json!([{"name": "gpu-0"}]));
    let snapshot = engine.snapshot();
    let (a, b) = ([one_gpu("a")], [one_gpu("b")]);
    let mut transaction = snapshot.transaction();
    let claims = snapshot.prepare(&a).unwrap();
    let options = AllocateOptions::new();
    let outcome = transaction.allocate("node-1", &claims, &options, &mut Workspace::new());
    let Ok(Outcome::Optimal(allocation)) = outcome else {
        panic!("{outcome:?}")
    };
    let results = allocation.results();
    assert_eq!(snapshot.verify("node-1", &a, &results), Ok(()));
    assert_eq!(transaction.verify("node-1", &a, &results), Ok(()));
    // The same device for another claim is right only where the first does not hold it.
    assert_eq!(snapshot.verify("node-1", &b, &results), Ok(()));
    let in_use = [(Code::InUse, FIRST.to_owned())];
    assert_eq!(
        violations(transaction.verify("node-1", &b, &results)),
        in_use
    );
    transaction.commit(&mut engine).unwrap();
    let snapshot = engine.snapshot();
    assert_eq!(snapshot.verify("node-1", &a, &results), Ok(()));
    assert_eq!(violations(snapshot.verify("node-1", &b, &results)), in_use);
}

#[test]
fn a_held_device_that_left_its_pool_still_takes_counters() {
    let consumes =
        |amount| json!([{"counterSet": "card", "counters": {"slices": {"value": amount}}}]);
    let part = |name: &str, amount| json!({"name": name, "consumesCounters": consumes(amount)});
    let pool = json!({"name": "node-1", "generation": 1, "resourceSliceCount": 2});
    let counters = json!([{"name": "card", "counters": {"slices": {"value": "7"}}}]);
    let engine_with = |held: &str| {
        let mut engine = engine(Features::all(), &json!([]));
        put(
            &mut engine,
            "counters",
            &json!({"pool": pool, "sharedCounters": counters}),
        );
        let devices = json!([part("half", "4"), part("third", "3"), part("all", "7")]);
        put(
            &mut engine,
            "gpus",
            &json!({"pool": pool, "devices": devices}),
        );
        let id = DeviceId::new("gpu.example.com", "node-1", held);
        let held = Held {
            devices: vec![id],
            ..Held::default()
        };
        engine.apply(Change::Held(held)).unwrap();
        // The driver takes `half` back while it is held.
        let devices = json!([part("third", "3"), part("all", "7"), {"name": "free"}]);
        put(
            &mut engine,
            "gpus",
            &json!({"pool": pool, "devices": devices}),
        );
        engine
    };
    let known = engine_with("half").snapshot();
    let exceeded = [(Code::CountersExceeded, FIRST.to_owned())];
    assert_eq!(check(&known, one_gpu("a"), &["third"]), []);
    assert_eq!(check(&known, one_gpu("a"), &["all"]), exceeded);
    // What a device takes that nobody ever saw is not known: nothing is left for sure.
    let unknown = engine_with("never-published").snapshot();
    assert_eq!(check(&unknown, one_gpu("a"), &["third"]), exceeded);
    assert_eq!(check(&unknown, one_gpu("a"), &["free"]), []);
}

#[test]
fn a_pool_of_a_device_that_gives_counters_back_is_invalid() {
    let pool = json!({"name": "node-1", "generation": 1, "resourceSliceCount": 2});
    let counters = json!([{"name": "card", "counters": {"slices": {"value": "7"}}}]);
    for (amount, violation) in [("0", None), ("-1n", Some((Code::Pool, FIRST.to_owned())))] {
        let mut engine = engine(Features::all(), &json!([]));
        let shared = json!({"pool": pool, "sharedCounters": counters});
        put(&mut engine, "counters", &shared);
        let consumes = json!([{"counterSet": "card", "counters": {"slices": {"value": amount}}}]);
        let devices = json!([{"name": "part", "consumesCounters": consumes}, {"name": "free"}]);
        let devices = json!({"pool": pool, "devices": devices});
        put(&mut engine, "gpus", &devices);
        let snapshot = engine.snapshot();
        let expected: Vec<_> = violation.into_iter().collect();
        assert_eq!(check(&snapshot, one_gpu("a"), &["free"]), expected);
    }
}

#[test]
fn access_for_administration_must_get_on_with_the_groups_of_others() {
    let part = |name: &str, group: &str| {
        let counters = json!({"slices": {"value": "1"}});
        json!({"name": name, "consumesCounters": [
            {"counterSet": "card", "counters": counters, "compatibilityGroups": [group]}]})
    };
    let pool = json!({"name": "node-1", "generation": 1, "resourceSliceCount": 2});
    let counters = json!([{"name": "card", "counters": {"slices": {"value": "1"}}}]);
    let mut engine = engine(Features::all(), &json!([]));
    let shared = json!({"pool": pool, "sharedCounters": counters});
    put(&mut engine, "counters", &shared);
    let devices = json!([part("a-0", "a"), part("a-1", "a"), part("b-0", "b")]);
    put(
        &mut engine,
        "gpus",
        &json!({"pool": pool, "devices": devices}),
    );
    let held = Held {
        devices: vec![DeviceId::new("gpu.example.com", "node-1", "a-0")],
        ..Held::default()
    };
    engine.apply(Change::Held(held)).unwrap();
    let verdict = |device: &str| {
        let mut claim = one_gpu("a");
        let exactly = claim.spec.devices.requests[0].exactly.as_mut().unwrap();
        exactly.admin_access = Some(true);
        let mut result = result(&[device]);
        result.devices.results[0].admin_access = Some(true);
        let snapshot = engine.snapshot();
        violations(snapshot.verify("node-1", &[claim], &[result]))
    };
    // It takes no counters, of which none are left, and not even held devices are in use.
    assert_eq!(verdict("a-0"), []);
    assert_eq!(verdict("a-1"), []);
    let apart = [(Code::CompatibilityGroups, FIRST.to_owned())];
    assert_eq!(verdict("b-0"), apart);
}

#[test]
fn the_check_shares_nothing_with_the_search() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/verify");
    let (mut files, mut folders) = (0, vec![root]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            files += 1;
            for name in [
                "crate::constraint",
                "crate::solver",
                "Verdicts",
                "PreparedClaim",
                "NodeView",
            ] {
                assert!(!text.contains(name), "{}: {name}", path.display());
            }
            // Terms have names in common; what they mean is written here anew.
            for (place, found) in text.match_indices("crate::objective") {
                let rest = &text[place + found.len()..];
                let is_name = rest.strip_prefix("::Term");
                let is_name = is_name.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
                assert!(is_name, "{}: {found}", path.display());
            }
        }
    }
    assert_eq!(files, 40);
}
