//! What no well-behaved host does: nothing is mixed up, lost or handed out twice.

use dralloc::model::{AllocationResult, ResourceClaim};
use dralloc::{AllocateOptions, Find, PlaceOptions};
use dralloc::{Applied, Change, Code, Engine, Features, Outcome, Relist, Removed, Workspace};
use serde_json::json;

use super::{allocate, claim, class, commit, engine, names, node};

fn result(device: &str) -> AllocationResult {
    let result = json!({"request": "r", "driver": "d", "pool": "p", "device": device});
    serde_json::from_value(json!({"devices": {"results": [result]}})).unwrap()
}

fn allocated(name: &str, version: u32, device: &str) -> ResourceClaim {
    let mut claim = claim(name, version, 1);
    claim.status.allocation = Some(result(device));
    claim
}

#[test]
fn what_is_forgotten_is_not_that_of_another_with_the_name() {
    let mut engine = engine(json!([{"name": "d0"}, {"name": "d1"}]));
    engine
        .apply(Change::ResourceClaim(allocated("a", 1, "d0")))
        .unwrap();
    // A host that knows no uids has a claim of the same name.
    let mut bare = claim("a", 1, 1);
    bare.metadata.uid = None;
    assert_eq!(commit(&mut engine, &bare), names(&["d1"]));
    engine.forget("default/a");
    let removed = Removed::ResourceClaim("uid-a".into());
    engine.apply(Change::Removed(removed)).unwrap();
    assert_eq!(commit(&mut engine, &claim("b", 1, 2)), names(&["d0", "d1"]));
}

#[test]
fn a_uid_is_not_the_name_of_another_claim() {
    let mut engine = engine(json!([{"name": "d0"}, {"name": "d1"}]));
    let mut bare = allocated("a", 1, "d0");
    bare.metadata.uid = None;
    engine.apply(Change::ResourceClaim(bare)).unwrap();
    let mut imitation = allocated("b", 1, "d1");
    imitation.metadata.uid = Some("default/a".into());
    let error = engine
        .apply(Change::ResourceClaim(imitation.clone()))
        .unwrap_err();
    let expected = "invalid: metadata.uid: `default/a` has a `/`, expected a uid without";
    assert_eq!(format!("{}: {error}", error.code()), expected);
    let error = engine
        .replace(Relist::ResourceClaims(vec![claim("c", 1, 1), imitation]))
        .unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (Code::Invalid, "[1].metadata.uid")
    );
    assert_eq!(commit(&mut engine, &claim("b", 1, 1)), names(&["d1"]));
}

#[test]
fn slices_that_publish_one_device_twice_are_remembered_alike_after_a_dump() {
    let slice = |name: &str, devices: serde_json::Value| {
        let slice = json!({"metadata": {"name": name}, "spec": {"driver": "d", "nodeName": "n",
            "devices": devices, "pool": {"name": "p", "generation": 1, "resourceSliceCount": 2}}});
        Change::ResourceSlice(serde_json::from_value(slice).unwrap())
    };
    let takes = json!([{"counterSet": "c", "counters": {"x": {"value": "2"}}}]);
    let mut engine = Engine::new(Features::all());
    for change in [
        node("n"),
        class(),
        slice("t", json!([{"name": "d0"}])),
        slice("s", json!([{"name": "d0", "consumesCounters": takes}])),
        Change::Held(dralloc::Held {
            devices: vec![dralloc::model::DeviceId::new("d", "p", "d0")],
            ..dralloc::Held::default()
        }),
    ] {
        engine.apply(change).unwrap();
    }
    let mut other = Engine::load(&engine.dump()).unwrap();
    let overlay = json!({"metadata": {"name": "o"}, "spec": {"selector": {"driver": "d"},
        "attributes": {"colour": {"string": "red"}}}});
    let overlay: dralloc::model::AttributeOverlay = serde_json::from_value(overlay).unwrap();
    for engine in [&mut engine, &mut other] {
        engine
            .apply(Change::AttributeOverlay(overlay.clone()))
            .unwrap();
    }
    assert_eq!(other.dump(), engine.dump());
    for engine in [&mut engine, &mut other] {
        engine.apply(slice("t", json!([{"name": "d0"}]))).unwrap();
        let list = Relist::ResourceSlices(Vec::new());
        engine.replace(list).unwrap();
    }
    assert_eq!(other.dump(), engine.dump());
}

/// Runs something on the stack that hosts have.
fn on_a_small_stack<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(run);
    thread.unwrap().join().unwrap()
}

#[test]
fn thousands_of_owners_are_decided_at_once() {
    on_a_small_stack(|| {
        const COUNT: usize = 1_000;
        let mut engine = Engine::new(Features::all());
        for change in [node("n"), class()] {
            engine.apply(change).unwrap();
        }
        for slice in 0..COUNT / 100 {
            let devices: Vec<_> = (0..100)
                .map(|device| json!({"name": format!("d-{slice}-{device}")}))
                .collect();
            let slice = json!({"metadata": {"name": format!("s{slice}"), "uid": format!("u{slice}")},
                "spec": {"driver": "d", "nodeName": "n", "devices": devices,
                    "pool": {"name": "p", "generation": 1, "resourceSliceCount": COUNT / 100}}});
            engine
                .apply(Change::ResourceSlice(
                    serde_json::from_value(slice).unwrap(),
                ))
                .unwrap();
        }
        let mut transaction = engine.snapshot().transaction();
        let (start, before) = (transaction.savepoint(), transaction.dump());
        let mut workspace = Workspace::new();
        let mut fill = |transaction: &mut dralloc::Transaction| {
            for number in 0..COUNT {
                let claims = [claim(&format!("c{number}"), 1, 1)];
                let claims = transaction.snapshot().prepare(&claims).unwrap();
                let outcome =
                    transaction.allocate("n", &claims, &AllocateOptions::new(), &mut workspace);
                assert!(
                    matches!(outcome, Ok(Outcome::Optimal(_))),
                    "{number}: {outcome:?}"
                );
            }
        };
        fill(&mut transaction);
        assert_eq!(allocate(&mut transaction, &claim("more", 1, 1)), None);
        transaction.rollback(&start).unwrap();
        assert_eq!(transaction.dump(), before);
        fill(&mut transaction);
        let clone = transaction.clone();
        let applied = transaction.commit(&mut engine).unwrap();
        assert_eq!(applied.claims().len(), COUNT);
        let error = clone.commit(&mut engine).unwrap_err();
        assert_eq!(error.code(), Code::Conflict);
        let mut loaded = Engine::load(&engine.dump()).unwrap();
        assert_eq!(loaded.dump(), engine.dump());
        for engine in [&mut engine, &mut loaded] {
            let applied = engine.replace(Relist::ResourceClaims(Vec::new())).unwrap();
            // No event ever told of them.
            assert_eq!(applied, Applied::default());
            for number in 0..COUNT {
                engine.forget(&format!("uid-c{number}"));
            }
            let placed = engine.snapshot();
            let claims = placed.prepare(&[claim("all", 1, 32)]).unwrap();
            let placed = placed.place(
                &claims,
                &PlaceOptions::new().find(Find::Count),
                &mut Workspace::new(),
            );
            assert_eq!(placed.unwrap().feasible(), 1);
        }
        assert_eq!(loaded.dump(), engine.dump());
    });
}

#[test]
fn a_hypothetical_node_is_no_node_of_its_name() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let mut transaction = engine.snapshot().transaction();
    transaction.add_node("m", "n").unwrap();
    let prepared = transaction.snapshot().prepare(&[claim("a", 1, 1)]).unwrap();
    let mut workspace = Workspace::new();
    let options = AllocateOptions::new();
    let outcome = transaction.allocate("m", &prepared, &options, &mut workspace);
    assert!(matches!(outcome, Ok(Outcome::Optimal(_))));
    // The same nodes and slices as were made up come for real.
    for change in [node("m"), {
        let slice = json!({"metadata": {"name": "s/m", "uid": "v"}, "spec": {"driver": "d",
            "nodeName": "m", "devices": [{"name": "d0"}],
            "pool": {"name": "p/m", "generation": 1, "resourceSliceCount": 1}}});
        Change::ResourceSlice(serde_json::from_value(slice).unwrap())
    }] {
        engine.apply(change).unwrap();
    }
    let before = engine.dump();
    for transaction in [transaction.clone(), transaction] {
        assert_eq!(
            transaction.commit(&mut engine).unwrap_err().code(),
            Code::Conflict
        );
    }
    assert_eq!(engine.dump(), before);
    // What was kept of the one is not believed of the other.
    let removed = Change::Removed(Removed::ResourceSlice("v".into()));
    engine.apply(removed).unwrap();
    let mut transaction = engine.snapshot().transaction();
    let outcome = transaction.allocate("m", &prepared, &options, &mut workspace);
    assert!(matches!(outcome, Ok(Outcome::Infeasible(_))), "{outcome:?}");
}

#[test]
fn what_is_of_another_engine_is_looked_up_anew() {
    let one = engine(json!([{"name": "d0"}, {"name": "d1"}]));
    let mut other = Engine::new(Features::all());
    for name in ["z", "n", "a"] {
        other.apply(node(name)).unwrap();
    }
    for change in [class(), super::slice("u", 1, json!([{"name": "e0"}]))] {
        other.apply(change).unwrap();
    }
    let (here, there) = (one.snapshot(), other.snapshot());
    let claims = [claim("a", 1, 1)];
    let prepared = [
        here.prepare(&claims).unwrap(),
        there.prepare(&claims).unwrap(),
    ];
    let order = ["x", "n", "a", "n"];
    let lists = [here.node_list(order), there.node_list(order)];
    let mut workspace = Workspace::new();
    let options = PlaceOptions::new().find(Find::All);
    for (snapshot, device) in [(&here, "d0"), (&there, "e0"), (&here, "d0")] {
        for prepared in &prepared {
            for list in &lists {
                let placed = snapshot
                    .place(prepared, &options.node_list(list), &mut workspace)
                    .unwrap();
                let found: Vec<_> = placed
                    .nodes()
                    .iter()
                    .map(|node| {
                        let devices = node.allocation().results();
                        (
                            node.place(),
                            devices[0].devices.results[0].device.to_string(),
                        )
                    })
                    .collect();
                assert_eq!(found, [(1, device.to_owned()), (3, device.to_owned())]);
            }
        }
    }
}
