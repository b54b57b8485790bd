//! One question over many nodes gives what each node by itself answers.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "so that tests read as tables"
)]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[cfg(feature = "rayon")]
use dralloc::PreparedClaims;
use dralloc::model::{
    Amounts, DeviceClass, DeviceId, Node, Quantity, ResourceClaim, ResourceSlice, Str,
};
use dralloc::{
    AllocateOptions, Budget, Change, Check, Code, Deadline, Engine, Error, ErrorMode, Features,
    Find, Held, NodeCause, Outcome, PlaceOptions, Placement, Reason, Releasing, Snapshot,
    StopCause, Transaction, Workspace,
};
use dralloc_testkit::case::Case;
use dralloc_testkit::generate::{self, Profile};
use serde_json::json;

fn quantity(units: usize) -> Quantity {
    Quantity::from_units(i64::try_from(units).unwrap())
}

/// Cases in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const CASES: u64 = 1_500;

/// Nodes of a random case, of which most look alike.
const NODES: usize = 6;

fn cases() -> u64 {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    asked.map_or(CASES, |text| text.parse().unwrap())
}

/// Returns a case with copies of its node, its pools and what is held of them;
/// each copy holds a little more.
fn copies(case: &Case, seed: u64) -> Snapshot {
    let mut engine = Engine::new(case.features);
    let original = &case.node.metadata.name;
    let mut held = Held {
        devices: case.allocated.devices.clone(),
        shares: Vec::new(),
        consumed_capacity: Vec::new(),
    };
    for share in &case.allocated.shared_device_ids {
        held.shares
            .push((share.device.clone(), share.share_id.clone()));
    }
    for one in &case.allocated.consumed_capacity {
        held.consumed_capacity
            .push((one.device.clone(), one.capacity.clone()));
    }
    let rename = |id: &DeviceId, copy: usize| {
        let pool = format!("{}-{copy}", id.pool);
        DeviceId::new(id.driver.clone(), pool.as_str(), id.device.clone())
    };
    let cpu = |count: usize| Amounts::from_iter([(Str::from("cpu"), quantity(count))]);
    let one = held.clone();
    for copy in 1..NODES {
        let mut node = case.node.clone();
        node.status.allocatable = cpu(copy);
        node.metadata.name = format!("{original}-{copy}").into();
        engine.apply(Change::Node(node)).unwrap();
        held.devices
            .extend(one.devices.iter().map(|id| rename(id, copy)));
        let shares = one.shares.iter();
        held.shares
            .extend(shares.map(|(id, share)| (rename(id, copy), share.clone())));
        let consumed = one.consumed_capacity.iter();
        held.consumed_capacity
            .extend(consumed.map(|(id, amounts)| (rename(id, copy), amounts.clone())));
        if copy == 1 {
            // What is taken of shared devices counts twice here.
            let again = one.consumed_capacity.iter();
            held.consumed_capacity
                .extend(again.map(|(id, amounts)| (rename(id, copy), amounts.clone())));
        }
    }
    engine.apply(Change::Node(case.node.clone())).unwrap();
    for class in &case.device_classes {
        engine.apply(Change::DeviceClass(class.clone())).unwrap();
    }
    for slice in &case.resource_slices {
        let mut local = slice.spec.node_name.as_deref() == Some(&**original);
        local |= slice.spec.per_device_node_selection == Some(true);
        for copy in if local { 1..NODES } else { 0..0 } {
            let mut slice = slice.clone();
            slice.metadata.name = format!("{}-{copy}", slice.metadata.name).into();
            slice.spec.pool.name = format!("{}-{copy}", slice.spec.pool.name).into();
            let node = format!("{original}-{copy}");
            if slice.spec.node_name.is_some() {
                slice.spec.node_name = Some(node.as_str().into());
            }
            for device in &mut slice.spec.devices {
                if device.node_name.as_deref() == Some(&**original) {
                    device.node_name = Some(node.as_str().into());
                }
            }
            // Some copies differ: a device is held, or is gone.
            let count = slice.spec.devices.len();
            let place = usize::try_from(seed).unwrap() % count.max(1);
            if copy == 2 && count > 0 {
                let spec = &slice.spec;
                let device = spec.devices[place].name.clone();
                held.devices.push(DeviceId::new(
                    spec.driver.clone(),
                    spec.pool.name.clone(),
                    device,
                ));
            }
            if copy == 3 && count > 0 {
                slice.spec.devices.remove(place);
            }
            if copy == 4 && count > 1 {
                let other = slice.spec.devices[(place + 1) % count].attributes.clone();
                slice.spec.devices[place].attributes = other;
            }
            if copy == 5 && count > 1 {
                let mut other = slice.spec.devices[(place + 1) % count].clone();
                other.name = slice.spec.devices[place].name.clone();
                slice.spec.devices[place] = other;
            }
            engine.apply(Change::ResourceSlice(slice)).unwrap();
        }
        engine.apply(Change::ResourceSlice(slice.clone())).unwrap();
    }
    engine.apply(Change::Held(held)).unwrap();
    engine.snapshot()
}

/// Gives one of the claims of a case what it asks for alone, on some node.
fn hold_one(transaction: &mut Transaction, case: &Case, names: &[String], seed: u64) -> bool {
    let seed = usize::try_from(seed).unwrap();
    let Some(claim) = case.claims.get(seed / 3 % case.claims.len().max(1)) else {
        return false;
    };
    let snapshot = transaction.snapshot().clone();
    let one = snapshot.prepare(std::slice::from_ref(claim)).unwrap();
    let options = AllocateOptions::new();
    let node = &names[seed / 5 % names.len()];
    let answer = transaction.allocate(node, &one, &options, &mut Workspace::new());
    matches!(answer, Ok(Outcome::Optimal(_))) && case.claims.len() > 1
}

/// Prints all of an answer.
fn print(answer: &Result<Outcome, Error>) -> String {
    match answer {
        Ok(Outcome::Optimal(allocation)) => {
            let devices: Vec<_> = allocation.devices().collect();
            let node = allocation.node();
            format!("{node} {devices:?} {:?}", allocation.results())
        }
        other => format!("{other:?}"),
    }
}

#[test]
fn a_question_to_many_nodes_is_a_loop_of_questions() {
    let (mut nodes, mut solved, mut fitting, mut failed, mut had) = (0, 0, 0, 0, 0);
    let mut workspace = Workspace::new();
    #[cfg(feature = "rayon")]
    let mut threads = Threads::new();
    for seed in 0..cases() {
        let case = generate::case(seed, Profile::Small);
        let snapshot = copies(&case, seed);
        let Ok(claims) = snapshot.prepare(&case.claims) else {
            continue;
        };
        let names: Vec<String> = snapshot
            .nodes()
            .map(|node| node.metadata.name.to_string())
            .collect();
        let mut base = snapshot.transaction();
        if seed % 3 == 1 {
            had += usize::from(hold_one(&mut base, &case, &names, seed));
        }
        let amounts = Amounts::from_iter([("cpu".into(), quantity(3))]);
        let asks_amounts = seed % 4 == 2;
        if asks_amounts {
            let used = Amounts::from_iter([("cpu".into(), quantity(1))]);
            base.take_amounts(&names[3], "other", &used).unwrap();
            base.take_amounts(&names[4], "user", &used).unwrap();
        }
        let mode = [ErrorMode::Skip, ErrorMode::Abort][usize::from(seed % 3 == 0)];
        let mut options = PlaceOptions::new().errors(mode).user("user");
        if asks_amounts {
            options = options.amounts(&amounts);
        }
        let mut expected = Vec::new();
        let mut first_error = None;
        for name in &names {
            // The same is asked of the search alone every second time.
            let mut options = AllocateOptions::new().errors(mode).shortcuts(seed % 2 == 0);
            if asks_amounts {
                options = options.user("user").amounts(&amounts);
            }
            let mut transaction = base.clone();
            let answer = transaction.allocate(name, &claims, &options, &mut Workspace::new());
            if let Err(error) = &answer
                && mode == ErrorMode::Abort
                && error.scope() == dralloc::Scope::Request
            {
                first_error.get_or_insert(error.clone());
            }
            expected.push(answer);
        }
        #[cfg(feature = "rayon")]
        threads.compare(&base, &claims, &options, seed);
        // Twice, since the second time more is known.
        for _ in 0..2 {
            let placement = base.place(&claims, &options.find(Find::All), &mut workspace);
            if let Some(error) = &first_error {
                assert_eq!(placement.unwrap_err(), *error, "seed {seed}");
                continue;
            }
            let placement = placement.unwrap();
            compare(seed, &names, &expected, &placement);
            let is_short = |answer: &&Result<Outcome, Error>| {
                matches!(answer, Ok(Outcome::Infeasible(Reason::Amount { .. })))
            };
            let is_elsewhere = |answer: &&Result<Outcome, Error>| {
                matches!(
                    answer,
                    Ok(Outcome::Infeasible(Reason::AllocatedElsewhere { .. }))
                )
            };
            let count = |cause: fn(&NodeCause) -> bool| {
                let reasons = placement.reasons().iter();
                let of_cause = reasons.filter(|reason| cause(&reason.cause));
                of_cause.map(|reason| reason.nodes).sum::<usize>()
            };
            let short = expected.iter().filter(is_short).count();
            assert_eq!(
                count(|cause| matches!(cause, NodeCause::Amount { .. })),
                short
            );
            assert_eq!(asks_amounts, short > 0, "seed {seed}");
            let elsewhere = expected.iter().filter(is_elsewhere).count();
            let is_cause =
                |cause: &NodeCause| matches!(cause, NodeCause::AllocatedElsewhere { .. });
            assert_eq!(count(is_cause), elsewhere);
            nodes += placement.asked();
            solved += placement.solved();
            fitting += placement.feasible();
            failed += placement.failed().len();
        }
    }
    assert!(
        fitting * 4 > nodes && failed > 0 && had > 20,
        "{fitting} {failed} of {nodes}, {had} mixed"
    );
    assert!(solved * 4 < nodes * 3, "{solved} of {nodes}");
}

/// Several threads, with what they keep between calls.
#[cfg(feature = "rayon")]
struct Threads {
    pool: rayon::ThreadPool,
    alone: Workspace,
    together: Workspace,
}

#[cfg(feature = "rayon")]
impl Threads {
    fn new() -> Self {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        Self {
            pool: pool.unwrap(),
            alone: Workspace::new(),
            together: Workspace::new(),
        }
    }

    /// Asks the same with and without threads.
    fn compare(
        &mut self,
        base: &Transaction,
        claims: &PreparedClaims,
        options: &PlaceOptions<'_>,
        seed: u64,
    ) {
        let budgets = [
            Budget::new(),
            Budget::new().branches(seed % 40),
            Budget::new(),
        ];
        let finds = [Find::Count, Find::All, Find::Best(2), Find::First];
        for (place, budget) in budgets.into_iter().enumerate() {
            for find in finds {
                let options = options.budget(budget).explain(place == 2).find(find);
                let together = options.threads_from(1);
                let alone = base.place(claims, &options, &mut self.alone);
                let workspace = &mut self.together;
                let place = || base.place(claims, &together, workspace);
                let together = self.pool.install(place);
                let all = |placement: &Result<Placement, Error>| match placement {
                    Ok(placement) => format!(
                        "{placement:?} {} {:?}",
                        placement.next(),
                        (find != Find::First).then(|| placement.solved())
                    ),
                    Err(error) => format!("{error:?}"),
                };
                assert_eq!(all(&together), all(&alone), "seed {seed}, {find:?}");
            }
        }
    }
}

fn compare(seed: u64, names: &[String], expected: &[Result<Outcome, Error>], got: &Placement) {
    assert_eq!(got.asked(), names.len(), "seed {seed}");
    let mut nodes = got.nodes().iter();
    let mut failed = got.failed().iter();
    let mut refused = 0;
    for (place, (name, expected)) in names.iter().zip(expected).enumerate() {
        match expected {
            Ok(Outcome::Optimal(_)) => {
                let node = nodes.next().unwrap();
                let answer = Ok(Outcome::Optimal(node.allocation()));
                assert_eq!((node.name(), node.place()), (name.as_str(), place));
                assert_eq!(print(&answer), print(expected), "seed {seed}");
            }
            Err(error) => {
                let one = failed.next().unwrap();
                assert_eq!((&one.0, &one.1), (name, error), "seed {seed}");
                refused += 1;
            }
            _ => refused += 1,
        }
    }
    assert!(
        nodes.next().is_none() && failed.next().is_none(),
        "seed {seed}"
    );
    let counted: usize = got.reasons().iter().map(|reason| reason.nodes).sum();
    assert_eq!(counted, refused, "seed {seed}");
}

/// A node with so many GPUs, of which the first are held.
fn add_node(engine: &mut Engine, name: &str, gpus: usize, held: usize) -> Vec<DeviceId> {
    let devices: Vec<_> = (0..gpus)
        .map(|gpu| json!({"name": format!("gpu-{gpu}"), "attributes": {"model": {"string": "a"}}}))
        .collect();
    let slice = json!({
        "metadata": {"name": name},
        "spec": {"driver": "d", "nodeName": name, "devices": devices,
                 "pool": {"name": name, "generation": 1, "resourceSliceCount": 1}},
    });
    engine.apply(Change::Node(Node::new(name, []))).unwrap();
    let slice = serde_json::from_value::<ResourceSlice>(slice).unwrap();
    engine.apply(Change::ResourceSlice(slice)).unwrap();
    (0..held)
        .map(|gpu| DeviceId::new("d", name, format!("gpu-{gpu}")))
        .collect()
}

/// Nodes of 4 GPUs: `a` has 1 free, `b` 4, `c` 2, `d` 2, `e` none, `f` no GPU at all.
fn cluster() -> Engine {
    let mut engine = Engine::new(Features::all());
    let class = json!({"metadata": {"name": "gpu"}});
    let class = serde_json::from_value::<DeviceClass>(class).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    let mut devices = Vec::new();
    for (name, held) in [("a", 3), ("b", 0), ("c", 2), ("d", 2), ("e", 4)] {
        devices.extend(add_node(&mut engine, name, 4, held));
    }
    engine.apply(Change::Node(Node::new("f", []))).unwrap();
    let held = Held {
        devices,
        ..Held::default()
    };
    engine.apply(Change::Held(held)).unwrap();
    engine
}

fn exactly(count: usize, selector: &str) -> serde_json::Value {
    json!({"name": "r", "exactly": {"deviceClassName": "gpu", "count": count,
        "allocationMode": "ExactCount", "selectors": [{"cel": {"expression": selector}}]}})
}

fn claim(request: serde_json::Value) -> ResourceClaim {
    let claim = json!({"metadata": {"name": "c", "namespace": "default"},
                       "spec": {"devices": {"requests": [request]}}});
    serde_json::from_value(claim).unwrap()
}

fn place(snapshot: &Snapshot, request: serde_json::Value, options: &PlaceOptions<'_>) -> Placement {
    let claims = snapshot.prepare(&[claim(request)]).unwrap();
    snapshot
        .place(&claims, options, &mut Workspace::new())
        .unwrap()
}

fn names(placement: &Placement) -> Vec<&str> {
    placement.nodes().iter().map(|node| node.name()).collect()
}

#[test]
fn the_order_of_the_caller_decides_between_equals() {
    let snapshot = cluster().snapshot();
    let two = || exactly(2, "true");
    let first = place(&snapshot, two(), &PlaceOptions::new());
    assert_eq!((names(&first), first.asked()), (vec!["b"], 2));
    let order = PlaceOptions::new().nodes(&["e", "d", "c", "b"]);
    assert_eq!(names(&place(&snapshot, two(), &order)), ["d"]);
    let best = order.find(Find::Best(2));
    assert_eq!(names(&place(&snapshot, two(), &best)), ["d", "c"]);
    let best = PlaceOptions::new().find(Find::Best(9));
    let best = place(&snapshot, two(), &best);
    assert_eq!(names(&best), ["c", "d", "b"]);
    let free: Vec<usize> = best.nodes().iter().map(|node| node.score().free).collect();
    assert_eq!(free, [0, 0, 2]);
    let count = place(&snapshot, two(), &PlaceOptions::new().find(Find::Count));
    assert_eq!(
        (count.feasible(), count.asked(), count.nodes().len()),
        (3, 6, 0)
    );
    // `c` and `d` are one class.
    assert_eq!(count.solved(), 5);
}

#[test]
fn a_better_alternative_is_a_better_node() {
    let snapshot = cluster().snapshot();
    let one = |name: &str, count: usize| json!({"name": name, "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count});
    let request = json!({"name": "r", "firstAvailable": [one("four", 4), one("one", 1)]});
    let options = PlaceOptions::new().find(Find::Best(3));
    let placement = place(&snapshot, request, &options);
    let scores: Vec<_> = placement
        .nodes()
        .iter()
        .map(|node| (node.name(), node.score().rank, node.score().free))
        .collect();
    assert_eq!(scores, [("b", 8, 0), ("a", 7, 0), ("c", 7, 1)]);
    // A choice of one is a choice.
    let request = json!({"name": "r", "firstAvailable": [one("four", 4)]});
    let placement = place(&snapshot, request, &options);
    assert_eq!(placement.nodes().get(0).unwrap().score().rank, 8);
}

#[test]
fn nodes_of_the_transaction_are_asked() {
    let snapshot = cluster().snapshot();
    let claims = snapshot.prepare(&[claim(exactly(3, "true"))]).unwrap();
    let options = PlaceOptions::new().find(Find::All);
    let mut workspace = Workspace::new();
    let mut transaction = snapshot.transaction();
    let start = transaction.savepoint();
    transaction.add_node("d-1", "d").unwrap();
    transaction.add_node("b-1", "b").unwrap();
    transaction.remove_node("b").unwrap();
    let placement = transaction
        .place(&claims, &options, &mut workspace)
        .unwrap();
    assert_eq!(
        (names(&placement), placement.asked()),
        (vec!["b-1", "d-1"], 7)
    );
    let device = |node: usize| {
        let node = placement.nodes().get(node).unwrap();
        let allocation = node.allocation();
        allocation.devices().next().unwrap().device
    };
    assert_eq!(device(0), DeviceId::new("d", "b-1", "gpu-0"));
    assert_eq!(device(1), DeviceId::new("d", "d-1", "gpu-0"));
    let first = PlaceOptions::new();
    let placed = transaction
        .place_and_allocate(&claims, &first, &mut workspace)
        .unwrap();
    assert_eq!(names(&placed), ["b-1"]);
    transaction.rollback(&start).unwrap();
    let placement = transaction
        .place(&claims, &options, &mut workspace)
        .unwrap();
    assert_eq!((names(&placement), placement.asked()), (vec!["b"], 6));
}

#[test]
fn devices_on_their_way_out_are_free_if_that_is_asked_for() {
    let snapshot = cluster().snapshot();
    let mut workspace = Workspace::new();
    let mut transaction = snapshot.transaction();
    let mut user = claim(exactly(3, "true"));
    user.metadata.name = "user".into();
    let users = snapshot.prepare(std::slice::from_ref(&user)).unwrap();
    let on_b = AllocateOptions::new();
    transaction
        .allocate("b", &users, &on_b, &mut workspace)
        .unwrap();
    assert!(transaction.mark_releasing(&user, true));
    let claims = snapshot.prepare(&[claim(exactly(4, "true"))]).unwrap();
    let taken = PlaceOptions::new().explain(true);
    let placement = transaction.place(&claims, &taken, &mut workspace).unwrap();
    assert_eq!(placement.feasible(), 0);
    let free = taken.releasing(Releasing::Free);
    let placement = transaction
        .place_and_allocate(&claims, &free, &mut workspace)
        .unwrap();
    assert_eq!(names(&placement), ["b"]);
    // The claim on its way out is of no use any more, wherever it is asked.
    let placement = transaction
        .place(&users, &free.find(Find::All), &mut workspace)
        .unwrap();
    let [reason] = placement.reasons() else {
        panic!("{placement:?}");
    };
    let text = "6 nodes: claim 0 is about to give back what it has";
    assert_eq!(reason.to_string(), text);
}

#[test]
fn reasons_are_counted_over_nodes() {
    let snapshot = cluster().snapshot();
    let options = PlaceOptions::new().find(Find::All).explain(true);
    let placement = place(&snapshot, exactly(3, "true"), &options);
    assert_eq!(names(&placement), ["b"]);
    let reasons: Vec<String> = placement
        .reasons()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        reasons,
        [
            "4 nodes: request `r` of claim 0 has too few devices; refused by: in use",
            "1 node: request `r` of claim 0 has too few devices",
        ]
    );
    assert_eq!(placement.reasons()[1].example, "f");
    let selector = "device.attributes['d'].model == 'b'";
    let placement = place(&snapshot, exactly(1, selector), &options);
    let NodeCause::Request { checks, .. } = &placement.reasons()[0].cause else {
        panic!("{placement:?}");
    };
    assert_eq!(checks, &[Check::Selector]);
    assert_eq!(placement.reasons()[0].nodes, 5);
}

#[test]
fn a_reason_names_what_is_in_the_way() {
    let mut engine = cluster();
    let devices = json!([
        {"name": "part", "attributes": {"model": {"string": "a"}}, "consumesCounters":
            [{"counterSet": "set", "counters": {"slices": {"value": "3"}}}]},
        {"name": "whole", "attributes": {"model": {"string": "a"}}, "consumesCounters":
            [{"counterSet": "set", "counters": {"slices": {"value": "7"}}}]},
        {"name": "small", "allowMultipleAllocations": true,
            "attributes": {"model": {"string": "c"}}, "capacity": {"memory": {"value": "4"}}}
    ]);
    let counters = json!([{"name": "set", "counters": {"slices": {"value": "7"}}}]);
    for (place, spec) in [
        json!({"devices": devices}),
        json!({"sharedCounters": counters}),
    ]
    .into_iter()
    .enumerate()
    {
        let mut spec = spec;
        spec["driver"] = json!("d");
        spec["nodeName"] = json!("f");
        spec["pool"] = json!({"name": "f", "generation": 1, "resourceSliceCount": 2});
        let slice = json!({"metadata": {"name": format!("f-{place}")}, "spec": spec});
        let slice = serde_json::from_value::<ResourceSlice>(slice).unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    let class = json!({"metadata": {"name": "narrow", "uid": "narrow"}, "spec": {"selectors":
        [{"cel": {"expression": "device.driver == 'd'"}},
         {"cel": {"expression": "device.attributes['d'].model != 'a'"}}]}});
    let class = serde_json::from_value::<DeviceClass>(class).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    let held = Held {
        devices: vec![DeviceId::new("d", "f", "part")],
        ..Held::default()
    };
    engine.apply(Change::Held(held)).unwrap();
    let snapshot = engine.snapshot();
    let reason = |class: &str, selector: &str, capacity: serde_json::Value, node: &str| {
        let mut request = exactly(1, selector);
        request["exactly"]["deviceClassName"] = json!(class);
        request["exactly"]["capacity"] = capacity;
        let options = PlaceOptions::new().explain(true);
        let placement = place(&snapshot, request, &options.nodes(&[node]));
        placement.reasons()[0].to_string()
    };
    let too_few = "1 node: request `r` of claim 0 has too few devices; refused by: ";
    let model = |model: &str| format!("device.attributes['d'].model == '{model}'");
    let none = || json!(null);
    assert_eq!(
        reason("gpu", &model("a"), none(), "f"),
        format!("{too_few}in use, selector 0 of the request, counter `slices` of set `set`")
    );
    assert_eq!(
        reason("narrow", &model("b"), none(), "a"),
        format!("{too_few}selector 1 of class `narrow`")
    );
    let five = json!({"requests": {"memory": "5"}});
    assert_eq!(
        reason("narrow", &model("c"), five, "f"),
        format!("{too_few}selector 1 of class `narrow`, capacity `memory`")
    );
    let ports = json!({"requests": {"ports": "1"}});
    assert_eq!(
        reason("narrow", &model("c"), ports, "f"),
        format!("{too_few}selector 1 of class `narrow`, capacity `ports`")
    );
}

#[test]
fn an_error_concerns_its_node_alone() {
    let mut engine = cluster();
    let twice = json!({
        "metadata": {"name": "bad"},
        "spec": {"driver": "e", "nodeName": "c", "devices": [{"name": "x"}, {"name": "x"}],
                 "pool": {"name": "bad", "generation": 1, "resourceSliceCount": 1}},
    });
    let slice = serde_json::from_value::<ResourceSlice>(twice).unwrap();
    engine.apply(Change::ResourceSlice(slice)).unwrap();
    let snapshot = engine.snapshot();
    let options = PlaceOptions::new()
        .find(Find::All)
        .nodes(&["a", "b", "c", "d", "nowhere"]);
    let placement = place(&snapshot, exactly(3, "true"), &options);
    assert_eq!(names(&placement), ["b"]);
    let failed: Vec<_> = placement
        .failed()
        .iter()
        .map(|(node, error)| (node.as_str(), error.code()))
        .collect();
    assert_eq!(failed, [("c", Code::Pool), ("nowhere", Code::NotFound)]);
    // A selector that fails ends the call only if that is asked for.
    let failing = exactly(1, "device.attributes['d'].nothing == 'b'");
    let placement = place(&snapshot, failing.clone(), &options);
    assert_eq!(placement.feasible(), 0);
    let claims = snapshot.prepare(&[claim(failing)]).unwrap();
    let abort = options.errors(ErrorMode::Abort);
    let error = snapshot
        .place(&claims, &abort, &mut Workspace::new())
        .unwrap_err();
    assert_eq!(error.code(), Code::CelEvaluation);
    assert!(error.message().starts_with("device `d/a/gpu-3`"), "{error}");
}

/// Is over when it was asked so often, and then for good.
struct After(AtomicUsize);

impl Deadline for After {
    fn is_over(&self) -> bool {
        let less = |looks: usize| looks.checked_sub(1);
        let before = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        before.is_ok_and(|looks| looks <= 1) || before.is_err()
    }
}

#[test]
fn deadline_and_cancel_end_the_call() {
    let snapshot = cluster().snapshot();
    let all = PlaceOptions::new().find(Find::All);
    let cancel = AtomicBool::new(true);
    let cancelled = all.budget(Budget::new().cancel(&cancel));
    let placement = place(&snapshot, exactly(1, "true"), &cancelled);
    assert_eq!(placement.stopped(), Some(StopCause::Cancelled));
    assert_eq!((placement.asked(), placement.nodes().len()), (0, 0));
    let deadline = After(AtomicUsize::new(1));
    let late = all.budget(Budget::new().deadline(&deadline));
    let placement = place(&snapshot, exactly(1, "true"), &late);
    assert_eq!(placement.stopped(), Some(StopCause::Deadline));
    assert!(placement.asked() < 6, "{placement:?}");
    // It is looked at also where nothing has to be solved.
    let mut engine = Engine::new(Features::all());
    for node in 0..400 {
        let node = Node::new(&format!("node-{node}"), []);
        engine.apply(Change::Node(node)).unwrap();
    }
    let class = json!({"metadata": {"name": "gpu"}});
    let class = serde_json::from_value::<DeviceClass>(class).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    let deadline = After(AtomicUsize::new(4));
    let late = all.budget(Budget::new().deadline(&deadline));
    let placement = place(&engine.snapshot(), exactly(1, "true"), &late);
    assert_eq!(placement.stopped(), Some(StopCause::Deadline));
    assert_eq!((placement.asked(), placement.next()), (128, 128));
    // Branches are counted for each node.
    let few = all.budget(Budget::new().branches(0));
    let placement = place(&snapshot, exactly(1, "true"), &few);
    assert_eq!(placement.stopped(), None);
    let unknown = NodeCause::Unknown(StopCause::Branches);
    assert_eq!(placement.reasons()[0].cause, unknown);
}

#[test]
fn what_is_placed_and_allocated_is_held() {
    let mut engine = cluster();
    let mut workspace = Workspace::new();
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[claim(exactly(2, "true"))]).unwrap();
    let options = PlaceOptions::new().find(Find::Best(1));
    let mut transaction = snapshot.transaction();
    transaction
        .place(&claims, &options, &mut workspace)
        .unwrap();
    let placed = transaction
        .place_and_allocate(&claims, &options, &mut workspace)
        .unwrap();
    assert_eq!(names(&placed), ["c"]);
    transaction.commit(&mut engine).unwrap();
    let other = json!({"name": "r", "exactly": {"deviceClassName": "gpu", "count": 2,
                       "allocationMode": "ExactCount"}});
    let mut other = claim(other);
    other.metadata.name = "other".into();
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[other]).unwrap();
    let placed = snapshot.place(&claims, &options, &mut workspace).unwrap();
    assert_eq!(names(&placed), ["d"]);
}

#[cfg(feature = "rayon")]
#[test]
fn threads_end_with_the_call() {
    let mut engine = Engine::new(Features::all());
    let class = json!({"metadata": {"name": "gpu"}});
    let class = serde_json::from_value::<DeviceClass>(class).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    for node in 0..5_000 {
        let node = Node::new(&format!("node-{node}"), []);
        engine.apply(Change::Node(node)).unwrap();
    }
    for node in 0..50 {
        // Each is of a kind of its own, and the search fails on it.
        add_node(&mut engine, &format!("gpus-{node}"), 2 + node, 0);
    }
    let snapshot = engine.snapshot();
    let failing = exactly(1, "device.attributes['d'].none == 1");
    let options = PlaceOptions::new().find(Find::All).threads_from(1);
    let cancel = AtomicBool::new(true);
    let cancelled = options.budget(Budget::new().cancel(&cancel));
    let placement = place(&snapshot, failing.clone(), &cancelled);
    assert_eq!(placement.stopped(), Some(StopCause::Cancelled));
    assert_eq!(placement.asked(), 0);
    let run = |deadline: &After| {
        let late = options.budget(Budget::new().deadline(deadline));
        place(&snapshot, failing.clone(), &late)
    };
    let never = After(AtomicUsize::new(usize::MAX));
    assert_eq!((run(&never).asked(), run(&never).stopped()), (5_050, None));
    let looks = (usize::MAX - never.0.into_inner()) / 2;
    for before in [1, 10, looks / 2, looks - 20] {
        let placement = run(&After(AtomicUsize::new(before)));
        assert_eq!(placement.stopped(), Some(StopCause::Deadline), "{before}");
        let reasons = placement.reasons().iter();
        let refused: usize = reasons.map(|reason| reason.nodes).sum();
        assert_eq!(refused, placement.asked(), "{before}");
        // What came before the nodes that were looked at together is kept.
        let is_late = before == looks - 20;
        assert_eq!(placement.asked() >= 4_096, is_late, "{before}");
    }
    let abort = options.errors(ErrorMode::Abort);
    let claims = snapshot.prepare(&[claim(failing.clone())]).unwrap();
    let error = snapshot
        .place(&claims, &abort, &mut Workspace::new())
        .unwrap_err();
    assert!(
        error.message().starts_with("device `d/gpus-0/gpu-0`"),
        "{error}"
    );
    let placement = place(&snapshot, exactly(32, "true"), &options);
    assert_eq!(
        (placement.nodes().len(), names(&placement)[0]),
        (20, "gpus-30")
    );
    assert_eq!((placement.asked(), placement.solved()), (5_050, 51));
}

#[test]
fn placed_nodes_can_be_gone_through() {
    let snapshot = cluster().snapshot();
    let options = PlaceOptions::new().find(Find::All);
    let placement = place(&snapshot, exactly(1, "true"), &options);
    let mut seen = Vec::new();
    for placed in placement.nodes() {
        seen.push(placed.name());
    }
    assert!(!seen.is_empty());
    assert_eq!(seen, names(&placement));
    assert_eq!(placement.nodes().into_iter().len(), seen.len());
}
