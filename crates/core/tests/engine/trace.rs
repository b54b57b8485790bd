//! The calls of a host are written down, and made again with the same results.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use dralloc::model::{Amounts, DeviceId, Quantity, ResourceClaim};
use dralloc::{
    AllocateOptions, Budget, Change, Code, Deadline, Engine, Features, Find, Held, NodeUse,
    PlaceOptions, RecordedSavepoint, RecordedTransaction, Recorder, Releasing, Relist, Removed,
    Replay, Replayed, Twins, Workspace, replay,
};
use dralloc_testkit::generate::{self, Profile};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::order::history;
use super::states::OBJECTS;
use super::{claim, class, engine, node, support};

/// Keeps the lines of a recorder.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<String>>);

impl Lines {
    fn record(&self, engine: Engine) -> Recorder {
        let lines = Arc::clone(&self.0);
        Recorder::new(engine, move |line| {
            let mut lines = lines.lock().unwrap();
            lines.push_str(line);
            lines.push('\n');
        })
    }

    fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }
}

/// A claim that asks for one device.
fn one(name: &str) -> ResourceClaim {
    let mut claim = claim(name, 1, 1);
    claim.metadata.resource_version = None;
    claim
}

/// A session with most calls, and an answer of each kind.
fn session(lines: &Lines) {
    let mut recorder = lines.record(engine(json!([{"name": "d0"}, {"name": "d1"}])));
    recorder.apply(node("m")).unwrap();
    recorder
        .apply(Change::Removed(Removed::NodeUid("gone".into())))
        .unwrap();
    let snapshot = recorder.snapshot();
    let claims = snapshot.prepare(&[one("a")]).unwrap();
    let mut wrong = one("b");
    wrong.spec.devices.requests[0].name = "other".into();
    wrong.spec.devices.requests[0]
        .exactly
        .as_mut()
        .unwrap()
        .device_class_name = "none".into();
    snapshot.prepare(&[wrong]).unwrap_err();
    let mut transaction = snapshot.transaction();
    let start = transaction.savepoint();
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    for node in ["m", "n", "n"] {
        // The last returns what the claim has.
        let _ = transaction.allocate(node, &claims, &options, &mut workspace);
    }
    assert!(transaction.reserve(&one("a"), "user").unwrap());
    transaction.rollback(&start).unwrap();
    let find = PlaceOptions::new().find(Find::Best(2)).nodes(&["n", "x"]);
    transaction
        .place_and_allocate(&claims, &find, &mut workspace)
        .unwrap();
    transaction.commit(&mut recorder).unwrap();
    recorder.forget("uid-a");
    recorder.dump();
}

#[test]
fn a_trace_has_a_line_per_call() {
    let lines = Lines::default();
    session(&lines);
    let text = lines.text();
    let (first, rest) = text.split_once('\n').unwrap();
    let first: Value = serde_json::from_str(first).unwrap();
    let dump = engine(json!([{"name": "d0"}, {"name": "d1"}])).dump();
    assert_eq!(
        first,
        json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "Trace",
               "dump": serde_json::from_str::<Value>(&dump).unwrap()})
    );
    assert_eq!(
        rest,
        r#"{"call":"apply","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"m"},"spec":{},"status":{}},"result":{"changed":true,"nodes":["m"],"anyNode":false,"pools":[],"claims":[]}}
{"call":"apply","removed":{"kind":"Node","uid":"gone"},"result":{"changed":false,"nodes":[],"anyNode":false,"pools":[],"claims":[]}}
{"call":"snapshot","id":0}
{"call":"prepare","snapshot":0,"objects":[{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","namespace":"default","uid":"uid-a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}}]}}}],"result":"done","id":0}
{"call":"prepare","snapshot":0,"objects":[{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"b","namespace":"default","uid":"uid-b"},"spec":{"devices":{"requests":[{"name":"other","exactly":{"deviceClassName":"none","allocationMode":"ExactCount","count":1}}]}}}],"result":{"error":{"code":"not-found","message":"no DeviceClass `none`, expected the name of one that exists","path":"claims[0].spec.devices.requests[0].exactly.deviceClassName","scope":"request"}}}
{"call":"transaction","snapshot":0,"id":0}
{"call":"savepoint","transaction":0,"id":0}
{"call":"allocate","transaction":0,"node":"m","claims":0,"options":{},"result":{"outcome":"infeasible","reason":"claims[0].requests[0]"}}
{"call":"allocate","transaction":0,"node":"n","claims":0,"options":{},"result":{"outcome":"allocated","results":[{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"d0"}]},"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}]}}
{"call":"allocate","transaction":0,"node":"n","claims":0,"options":{},"result":{"outcome":"allocated","results":[{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"d0"}]},"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}]}}
{"call":"reserve","transaction":0,"object":{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"a","namespace":"default","uid":"uid-a"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"gpu","allocationMode":"ExactCount","count":1}}]}}},"user":"user","result":true}
{"call":"rollback","transaction":0,"savepoint":0,"result":"done"}
{"call":"placeAndAllocate","transaction":0,"claims":0,"options":{"errors":"skip","find":"best","best":2,"nodes":["n","x"]},"holds":true,"result":{"nodes":[{"name":"n","place":0,"rank":0,"free":1,"results":[{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"d0"}]},"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]}}]}],"asked":2,"feasible":1,"reasons":[{"nodes":1,"cause":"error not-found","example":"x"}],"failed":[["x",{"code":"not-found","message":"no node `x`, expected the name of one that exists","path":"node","scope":"node"}]]}}
{"call":"commit","transaction":0,"result":{"changed":true,"nodes":[],"anyNode":false,"pools":[["d","p"]],"claims":["uid-a"]}}
{"call":"drop","transaction":0}
{"call":"forget","owner":"uid-a","result":{"changed":true,"nodes":[],"anyNode":false,"pools":[["d","p"]],"claims":["uid-a"]}}
{"call":"dump","result":{"apiVersion": "dralloc.dev/v1alpha1","kind": "Dump","revision": 6,"lookedAt": true,"features": {"kubernetesMinor":37,"relaxedSelectors":false,"gates":{"DRAAdminAccess":true,"DRAConsumableCapacity":true,"DRADerivedAttributes":true,"DRADeviceBindingConditions":true,"DRADeviceCompatibilityGroups":true,"DRADeviceTaints":true,"DRAExtendedResource":true,"DRAFractionalCapacityRange":true,"DRAListTypeAttributes":true,"DRAOptionalNodeOperations":true,"DRAPartitionableDevices":true,"DRAPrioritizedList":true}},"nodes": [{"apiVersion":"v1","kind":"Node","metadata":{"name":"m"},"spec":{},"status":{}},{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"spec":{},"status":{}}],"deviceClasses": [{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},"spec":{}}],"resourceSlices": [{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s","uid":"u","resourceVersion":"1"},"spec":{"driver":"d","pool":{"name":"p","generation":1,"resourceSliceCount":1},"nodeName":"n","devices":[{"name":"d0"},{"name":"d1"}]}}],"gone": {"nodes":["gone"]}}}
{"call":"drop","savepoint":0}
{"call":"drop","claims":0}
{"call":"drop","snapshot":0}
"#
    );
}

#[test]
fn a_trace_is_replayed() {
    let lines = Lines::default();
    session(&lines);
    assert_eq!(replay(&lines.text()).unwrap(), None);
}

#[test]
fn what_would_fit_if_nothing_were_held_is_replayed() {
    let lines = Lines::default();
    let recorder = lines.record(engine(json!([{"name": "d0"}])));
    let snapshot = recorder.snapshot();
    let claims = [one("a"), one("b")];
    let both = snapshot.prepare(&claims).unwrap();
    let [first, second] = claims.map(|claim| snapshot.prepare(&[claim]).unwrap());
    let mut transaction = snapshot.transaction();
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    let _ = transaction.allocate("n", &first, &options, &mut workspace);
    for claims in [&second, &both] {
        let _ = transaction.satisfiable("n", claims, &options, &mut workspace);
        let place = PlaceOptions::new().nothing_held(true);
        let _ = transaction.place(claims, &place, &mut workspace);
    }
    let text = lines.text();
    let calls = text.lines().filter_map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let asked = line["call"] == "satisfiable" || line["options"]["nothingHeld"] == true;
        asked.then(|| {
            (
                line["result"]["outcome"].clone(),
                line["result"]["feasible"].clone(),
            )
        })
    });
    let null = Value::Null;
    assert_eq!(
        calls.collect::<Vec<_>>(),
        [
            (json!("allocated"), null.clone()),
            (null.clone(), json!(1)),
            (json!("infeasible"), null.clone()),
            (null, json!(0)),
        ]
    );
    assert_eq!(replay(&text).unwrap(), None);
}

#[test]
fn a_trace_that_was_tampered_with_is_told_at_its_line() {
    let lines = Lines::default();
    session(&lines);
    let trace = lines.text();
    let mut differences = String::new();
    for (find, replace) in [
        // Results.
        ("\"d0\"}]},\"nodeSelector", "\"d1\"}]},\"nodeSelector"),
        ("\"result\":true", "\"result\":false"),
        ("\"asked\":2", "\"asked\":3"),
        // Arguments.
        ("\"node\":\"n\"", "\"node\":\"m\""),
        ("\"owner\":\"uid-a\"", "\"owner\":\"uid-b\""),
        ("\"count\":1", "\"count\":3"),
        ("\"name\":\"d0\"", "\"name\":\"e0\""),
        // What cannot be read.
        ("\"kind\":\"Trace\"", "\"kind\":\"Dump\""),
        ("\"call\":\"forget\"", "\"call\":\"remember\""),
        (
            "\"call\":\"forget\",\"owner\"",
            "\"call\":\"forget\",\"owners\"",
        ),
        (
            "{\"call\":\"snapshot\",\"id\":0}",
            "{\"call\":\"snapshot\",\"id\":1}",
        ),
        (
            "{\"call\":\"snapshot\",\"id\":0}",
            "{\"call\":\"snapshot\"}",
        ),
        ("\"find\":\"best\"", "\"find\":\"worst\""),
        ("\"options\":{}", "\"options\":{\"policy\":\"magic\"}"),
        ("\"uid\":\"gone\"", "\"owner\":\"gone\""),
        (
            "{\"call\":\"rollback\"",
            "{\"call\":\"rollback\",\"call\":\"rollback\"",
        ),
        ("{\"call\":\"commit\"", "{{"),
    ] {
        assert!(trace.contains(find), "{find}");
        let line = match replay(&trace.replacen(find, replace, 1)) {
            Ok(difference) => difference.expect(find).to_string(),
            Err(error) => format!("{}: {error}", error.code()),
        };
        let line: String = line.chars().take(120).collect();
        differences.push_str(&line);
        differences.push('\n');
    }
    assert_eq!(
        differences,
        r#"line 10: `allocate` returned {"outcome":"allocated","results":[{"devices":{"results":[{"request":"r","driver":"d","pool"
line 12: `reserve` returned true, recorded was false
line 14: `placeAndAllocate` returned {"nodes":[{"name":"n","place":0,"rank":0,"free":1,"results":[{"devices":{"results":
line 10: `allocate` returned {"outcome":"infeasible","reason":"claims[0].requests[0]"}, recorded was {"outcome":"allocat
line 17: `forget` returned {"changed":false,"nodes":[],"anyNode":false,"pools":[],"claims":[]}, recorded was {"changed":
line 10: `allocate` returned {"outcome":"infeasible","reason":"claims[0].requests[0]"}, recorded was {"outcome":"allocat
line 10: `allocate` returned {"outcome":"allocated","results":[{"devices":{"results":[{"request":"r","driver":"d","pool"
unsupported: line 1.apiVersion: `Dump` of `dralloc.dev/v1alpha1`, expected `Trace` of `dralloc.dev/v1alpha1`
unsupported: line 17.call: unknown call `remember`, expected one of a trace
unknown-field: line 17.owners: unknown field `owners` (did you mean `owner`)
not-found: line 5.snapshot: `0` is not there, expected the number of one that is
malformed: line 4.id: field `id` is missing, expected it in this call
malformed: line 14.options.find: expected `first`, `best`, `all` or `count`
malformed: line 9.options.policy: policy `magic` is not supported, expected kubernetes, pack, spread or affinity
malformed: line 3.removed: expected a kind and the name, uid or owner of one object
malformed: line 13.call: duplicate field `call`, expected each field once
malformed: line 15: expected a name in double quotes, found an object
"#
    );
}

#[test]
fn a_number_that_is_used_twice_is_refused() {
    let lines = Lines::default();
    session(&lines);
    let snapshot = "{\"call\":\"snapshot\",\"id\":0}\n";
    let twice = lines.text().replace(snapshot, &snapshot.repeat(2));
    let error = replay(&twice).unwrap_err();
    assert_eq!((error.code(), error.path()), (Code::Duplicate, "line 5.id"));
}

/// Is over once, when it is asked for the last time that it was told.
struct Once(AtomicUsize);

impl Deadline for Once {
    fn is_over(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 1
    }
}

#[test]
fn calls_that_were_stopped_are_passed_over() {
    let (mut stopped, mut held) = (0, 0);
    for polls in 1..16 {
        let mut engine = Engine::new(Features::all());
        engine.apply(class()).unwrap();
        for name in 0..80 {
            let slice = json!({"metadata": {"name": format!("s{name}")}, "spec": {
                "driver": "d", "nodeName": format!("n{name}"), "devices": [{"name": "d0"}],
                "pool": {"name": format!("n{name}"), "generation": 1, "resourceSliceCount": 1}}});
            engine.apply(node(&format!("n{name}"))).unwrap();
            let slice = serde_json::from_value(slice).unwrap();
            engine.apply(Change::ResourceSlice(slice)).unwrap();
        }
        let lines = Lines::default();
        let mut recorder = lines.record(engine);
        let snapshot = recorder.snapshot();
        let claims = snapshot.prepare(&[one("a")]).unwrap();
        let deadline = Once(AtomicUsize::new(polls));
        let budget = Budget::new().deadline(&deadline);
        let options = PlaceOptions::new().find(Find::Best(3)).budget(budget);
        let mut transaction = snapshot.transaction();
        let placement = transaction
            .place_and_allocate(&claims, &options, &mut Workspace::new())
            .unwrap();
        transaction.commit(&mut recorder).unwrap();
        recorder.dump();
        let mut replay = Replay::new();
        let mut passed = 0;
        for line in lines.text().lines() {
            match replay.line(line).unwrap() {
                Replayed::Same => {}
                Replayed::Stopped => passed += 1,
                Replayed::Different(difference) => panic!("{difference}"),
            }
        }
        assert_eq!(passed, usize::from(placement.stopped().is_some()));
        stopped += passed;
        held += usize::from(passed > 0 && recorder.is_assumed("uid-a"));
    }
    assert!(stopped > 1 && held > 0, "{stopped} {held}");
}

#[test]
fn a_cancelled_question_is_passed_over() {
    let lines = Lines::default();
    let recorder = lines.record(engine(json!([{"name": "d0"}])));
    let snapshot = recorder.snapshot();
    let claims = snapshot.prepare(&[one("a")]).unwrap();
    let cancel = AtomicBool::new(true);
    let options = AllocateOptions::new().budget(Budget::new().cancel(&cancel));
    let mut transaction = snapshot.transaction();
    transaction
        .allocate("n", &claims, &options, &mut Workspace::new())
        .unwrap();
    assert!(lines.text().contains("\"mayStop\":true"));
    assert_eq!(replay(&lines.text()).unwrap(), None);
}

#[test]
fn random_cases_are_replayed_from_their_dumps() {
    for seed in 0..150 {
        let case = generate::case(seed, Profile::Medium);
        let lines = Lines::default();
        let recorder = lines.record(support::engine(&case));
        let snapshot = recorder.snapshot();
        let budget = Budget::new().branches(10_000);
        let mut transaction = snapshot.transaction();
        if let Ok(claims) = snapshot.prepare(&case.claims) {
            let options = AllocateOptions::new().budget(budget);
            let node = &case.node.metadata.name;
            let _ = transaction.allocate(node, &claims, &options, &mut Workspace::new());
            let options = PlaceOptions::new().budget(budget).explain(true);
            let _ = snapshot.place(&claims, &options, &mut Workspace::new());
        }
        transaction.dump();
        recorder.dump();
        let difference = replay(&lines.text());
        assert_eq!(difference, Ok(None), "seed {seed}");
    }
}

/// Is what a session has at hand.
struct Hands {
    transactions: Vec<(RecordedTransaction, Vec<RecordedSavepoint>)>,
    workspace: Workspace,
}

/// Makes one call, chosen by three numbers.
fn call(recorder: &mut Recorder, hands: &mut Hands, (kind, one, other): (u8, u8, u8)) {
    let claim = claim(&format!("c{}", one % 5), 1, 1 + u32::from(one % 2));
    let node = format!("o{}", other % 3);
    if kind == 0 || hands.transactions.is_empty() {
        let transaction = recorder.snapshot().transaction();
        hands.transactions.push((transaction, Vec::new()));
        return;
    }
    let place = usize::from(other) % hands.transactions.len();
    let (transaction, savepoints) = &mut hands.transactions[place];
    let snapshot = recorder.snapshot();
    let claims = snapshot.prepare(std::slice::from_ref(&claim)).unwrap();
    let releasing = if one % 3 == 0 {
        Releasing::Free
    } else {
        Releasing::Taken
    };
    let workspace = &mut hands.workspace;
    match kind {
        1..4 => {
            let options = AllocateOptions::new().releasing(releasing);
            let _ = transaction.allocate(&node, &claims, &options, workspace);
        }
        4 => {
            let find = [Find::First, Find::Best(2), Find::All, Find::Count][usize::from(one % 4)];
            let options = PlaceOptions::new()
                .find(find)
                .releasing(releasing)
                .explain(one % 2 == 0);
            let _ = transaction.place(&claims, &options, workspace);
            let _ = snapshot.place(&claims, &options, workspace);
        }
        5 => {
            let options = PlaceOptions::new().releasing(releasing);
            let _ = transaction.place_and_allocate(&claims, &options, workspace);
        }
        6 => _ = transaction.release(&claim),
        7 => {
            let _ = transaction.reserve(&claim, &format!("user-{}", other % 3));
        }
        8 => _ = transaction.unreserve(&claim, &format!("user-{}", other % 3)),
        9 => _ = transaction.mark_releasing(&claim, other % 2 == 0),
        10 => {
            let _ = transaction.add_node(&format!("h{}", one % 3), &node);
        }
        11 => {
            let _ = transaction.remove_node(&node);
        }
        12 => savepoints.push(transaction.savepoint()),
        13 => {
            if let Some(savepoint) = savepoints.get(usize::from(one) % (savepoints.len() + 1)) {
                let _ = transaction.rollback(savepoint);
            }
        }
        14 => {
            let clone = transaction.clone();
            hands.transactions.push((clone, Vec::new()));
        }
        15 => _ = transaction.dump(),
        16 => _ = recorder.forget(&format!("uid-c{}", one % 5)),
        17 => _ = recorder.dump(),
        18 => {
            let held = Held {
                devices: vec![DeviceId::new("d", "p0", format!("d{}-0", one % 8))],
                ..Held::default()
            };
            recorder.apply(Change::Held(held)).unwrap();
            let id = |pool: u8| DeviceId::new("d", format!("p{pool}"), "x");
            let devices = vec![vec![id(other % 2), id(2)]];
            recorder.apply(Change::Twins(Twins { devices })).unwrap();
            recorder
                .replace(Relist::ResourceClaims(Vec::new()))
                .unwrap();
        }
        19 => {
            let user = format!("user-{}", other % 3);
            let amounts: Amounts = [("cpu".into(), Quantity::from_units(one.into()))]
                .into_iter()
                .collect();
            let _ = transaction.take_amounts(&node, &user, &amounts);
            transaction.release_amounts(&format!("user-{}", one % 3));
            let options = AllocateOptions::new().user(&user).amounts(&amounts);
            let _ = transaction.allocate(&node, &claims, &options, workspace);
            let (owner, node) = (user.as_str().into(), node.as_str().into());
            let change = NodeUse {
                owner,
                node,
                amounts,
            };
            recorder.apply(Change::NodeUse(change)).unwrap();
        }
        _ => {
            let (transaction, _) = hands.transactions.remove(place);
            let _ = transaction.commit(recorder);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_sessions_are_replayed(
        objects in prop::collection::vec((0..OBJECTS, 0_u8..12), 1..30),
        calls in prop::collection::vec((0_u8..23, any::<u8>(), any::<u8>()), 1..60),
    ) {
        let lines = Lines::default();
        let mut recorder = lines.record(Engine::new(Features::all()));
        recorder.apply(class()).unwrap();
        let events = history(&objects).0;
        let (before, after) = events.split_at(events.len() / 2);
        for event in before {
            recorder.apply(event.clone()).unwrap();
        }
        let mut hands = Hands { transactions: Vec::new(), workspace: Workspace::new() };
        let mut after = after.iter();
        for numbers in calls {
            call(&mut recorder, &mut hands, numbers);
            if let Some(event) = after.next().filter(|_| numbers.1 % 2 == 0) {
                recorder.apply(event.clone()).unwrap();
            }
        }
        recorder.dump();
        prop_assert_eq!(replay(&lines.text()), Ok(None));
    }
}
