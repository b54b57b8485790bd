//! One thread writes, many ask, and some are cancelled.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use dralloc::model::{ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Budget, Change, Engine, Features, Find, Outcome, PlaceOptions, Snapshot,
    StopCause, Workspace,
};
use dralloc_testkit::generate::Random;
use serde_json::json;

use super::world::{NODES, class, node};

const READERS: u64 = 16;

/// Questions of each reader.
const QUESTIONS: u64 = 40;

/// A pool of partitions that take 10 each of a budget that is no multiple of it.
fn publish(driver: &str, node: &str, version: u64, devices: usize) -> [Change; 2] {
    let pool = json!({"name": node, "generation": version, "resourceSliceCount": 2});
    let taken = json!([{"counterSet": "card", "counters": {"slots": {"value": "10"}}}]);
    let devices: Vec<_> = (0..devices)
        .map(|number| json!({"name": format!("d{number:02}"), "consumesCounters": taken}))
        .collect();
    let slots = json!([{"name": "card", "counters": {"slots": {"value": "95"}}}]);
    let parts = [("devices", json!(devices)), ("sharedCounters", slots)];
    parts.map(|(part, content)| {
        let name = format!("{driver}-{node}-{part}");
        let mut slice = json!({
            "metadata": {"name": name, "uid": name, "resourceVersion": version.to_string()},
            "spec": {"driver": driver, "nodeName": node, "pool": pool}});
        slice["spec"][part] = content;
        Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap())
    })
}

fn claim(name: &str, driver: &str, count: usize) -> ResourceClaim {
    let exactly =
        json!({"deviceClassName": driver, "allocationMode": "ExactCount", "count": count});
    serde_json::from_value(json!({
        "metadata": {"name": name, "namespace": "default", "uid": name},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}},
    }))
    .unwrap()
}

/// What the threads share.
struct Shared {
    snapshot: Mutex<Snapshot>,
    /// By reader: whether its question is cancelled.
    cancel: Vec<AtomicBool>,
    done: AtomicBool,
    answered: AtomicU64,
    cancelled: AtomicU64,
}

#[test]
fn readers_of_snapshots_see_no_half_change_and_may_be_cancelled_at_any_moment() {
    let mut engine = Engine::new(Features::all());
    for driver in ["gpu", "part"] {
        engine.apply(class(driver, 1)).unwrap();
    }
    for name in NODES {
        engine.apply(node(name)).unwrap();
        for change in publish("part", name, 1, 22) {
            engine.apply(change).unwrap();
        }
    }
    let shared = Shared {
        snapshot: Mutex::new(engine.snapshot()),
        cancel: (0..READERS).map(|_| AtomicBool::new(false)).collect(),
        done: AtomicBool::new(false),
        answered: AtomicU64::new(0),
        cancelled: AtomicU64::new(0),
    };
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|reader| {
                scope.spawn({
                    let shared = &shared;
                    move || read(shared, reader)
                })
            })
            .collect();
        scope.spawn(|| cancel(&shared));
        let writer = scope.spawn(|| write(&mut engine, &shared));
        let failed = readers
            .into_iter()
            .filter_map(|reader| reader.join().err())
            .count();
        shared.done.store(true, Ordering::Relaxed);
        writer.join().unwrap();
        assert_eq!(failed, 0);
    });
    let (answered, cancelled) = (shared.answered.into_inner(), shared.cancelled.into_inner());
    assert_eq!(answered, READERS * QUESTIONS);
    assert!(cancelled >= READERS, "{cancelled}");
}

/// Publishes pools anew, allocates, commits and takes back, until all is read.
fn write(engine: &mut Engine, shared: &Shared) {
    let (mut random, mut workspace) = (Random::new(1), Workspace::new());
    let mut version = 1;
    while !shared.done.load(Ordering::Relaxed) {
        version += 1;
        let name = NODES[random.below(NODES.len())];
        // Both slices of the pool, or a claim: never half of it is shown.
        if random.chance(40) {
            for change in publish("part", name, version, random.between(18, 24)) {
                engine.apply(change).unwrap();
            }
        } else {
            let claim = claim(
                &format!("w{}", random.below(10)),
                "part",
                random.between(1, 3),
            );
            let mut transaction = engine.snapshot().transaction();
            if !transaction.release(&claim) {
                let claims = transaction.snapshot().prepare(&[claim]).unwrap();
                let options = AllocateOptions::new();
                transaction
                    .allocate(name, &claims, &options, &mut workspace)
                    .unwrap();
            }
            transaction.commit(engine).unwrap();
        }
        *shared.snapshot.lock().unwrap() = engine.snapshot();
        thread::sleep(Duration::from_micros(200));
    }
}

/// Cancels readers at random moments.
fn cancel(shared: &Shared) {
    let mut random = Random::new(2);
    while !shared.done.load(Ordering::Relaxed) {
        let reader = random.below(shared.cancel.len());
        shared.cancel[reader].store(true, Ordering::Relaxed);
        let pause = u64::try_from(random.below(300)).unwrap();
        thread::sleep(Duration::from_micros(pause));
    }
}

fn read(shared: &Shared, reader: u64) {
    let mut random = Random::new(100 + reader);
    let mut workspace = Workspace::new();
    let flag = &shared.cancel[usize::try_from(reader).unwrap()];
    for question in 0..QUESTIONS {
        let snapshot = shared.snapshot.lock().unwrap().clone();
        let name = NODES[random.below(NODES.len())];
        // Ten of 95 take a search through a great many choices.
        let count = if random.chance(40) {
            10
        } else {
            random.between(1, 4)
        };
        let claim = claim("reader", "part", count);
        let claims = snapshot.prepare(std::slice::from_ref(&claim)).unwrap();
        flag.store(random.chance(10), Ordering::Relaxed);
        let budget = Budget::new().cancel(flag).branches(100_000);
        let options = AllocateOptions::new().budget(budget);
        let mut transaction = snapshot.transaction();
        let outcome = match question % 3 {
            0 => {
                let options = PlaceOptions::new().find(Find::First).budget(budget);
                let placement = transaction
                    .place(&claims, &options, &mut workspace)
                    .unwrap();
                if placement.stopped() == Some(StopCause::Cancelled) {
                    shared.cancelled.fetch_add(1, Ordering::Relaxed);
                }
                for placed in placement.nodes() {
                    let results = placed.allocation().results();
                    let claims = std::slice::from_ref(&claim);
                    assert_eq!(snapshot.verify(placed.name(), claims, &results), Ok(()));
                }
                None
            }
            _ => Some(
                transaction
                    .allocate(name, &claims, &options, &mut workspace)
                    .unwrap(),
            ),
        };
        match &outcome {
            Some(Outcome::Optimal(allocation)) => {
                let results = allocation.results();
                assert_eq!(snapshot.verify(name, &[claim], &results), Ok(()));
            }
            Some(Outcome::Unknown(StopCause::Cancelled)) => {
                shared.cancelled.fetch_add(1, Ordering::Relaxed);
            }
            Some(Outcome::Infeasible(_) | Outcome::Unknown(StopCause::Branches)) | None => {}
            other => panic!("{other:?}"),
        }
        // What a cancelled call left in the workspace changes no answer.
        let small = self::claim("small", "part", random.between(1, 3));
        let claims = snapshot.prepare(std::slice::from_ref(&small)).unwrap();
        let options = AllocateOptions::new();
        let ask = |workspace: &mut Workspace| {
            let outcome = snapshot
                .transaction()
                .allocate(name, &claims, &options, workspace);
            match outcome.unwrap() {
                Outcome::Optimal(allocation) => Some(allocation.results()),
                Outcome::Infeasible(_) => None,
                other => panic!("{other:?}"),
            }
        };
        let (used, fresh) = (ask(&mut workspace), ask(&mut Workspace::new()));
        assert_eq!(used, fresh);
        let explanation = snapshot
            .transaction()
            .explain(name, &claims, &AllocateOptions::new(), &mut workspace)
            .unwrap();
        assert_eq!(explanation.whole.is_empty(), fresh.is_some());
        shared.answered.fetch_add(1, Ordering::Relaxed);
    }
}
