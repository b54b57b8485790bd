//! Calls that are ended while it is found out what sets are worth.

use std::sync::atomic::{AtomicUsize, Ordering};

use dralloc::model::ResourceClaim;
use dralloc::{AllocateOptions, Budget, Deadline, Engine, Outcome, Policy, StopCause, Workspace};
use serde_json::{Value, json};

use super::{claim, devices, engine, exactly, some, values};

/// Is over after so many looks, which it counts.
struct Looks {
    most: usize,
    taken: AtomicUsize,
}

impl Deadline for Looks {
    fn is_over(&self) -> bool {
        self.taken.fetch_add(1, Ordering::Relaxed) >= self.most
    }
}

/// A node whose devices have links that look like chance, so that no two sets are alike.
fn mesh(size: usize) -> Engine {
    let mut state = 1_u64;
    let vertex = |gpu: usize| {
        json!({"id": format!("g{gpu}"), "kind": "gpu",
            "device": format!("gpu.example.com/n/g{gpu}")})
    };
    let mut links = Vec::new();
    for a in 0..size {
        for b in 0..a {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let (a, b) = (format!("g{a}"), format!("g{b}"));
            links.push(json!({"a": a, "b": b, "type": "NVLink", "count": 1 + (state >> 33) % 6}));
        }
    }
    let vertices: Vec<Value> = (0..size).map(vertex).collect();
    let spec = json!({"vertices": vertices, "links": links});
    let gpus = (0..size).map(|gpu| json!({"name": format!("g{gpu}")}));
    engine(
        &[("gpu", gpus.collect())],
        &[json!({"metadata": {"name": "t"}, "spec": spec})],
    )
}

/// Asks with so many looks at most; returns the answer and the looks that were taken.
fn ask(engine: &Engine, requests: &Value, looks: usize) -> (Outcome, usize) {
    let options = AllocateOptions::new().policy(&Policy::Affinity);
    ask_for(engine, claim(requests), options, looks)
}

fn ask_for(
    engine: &Engine,
    claim: ResourceClaim,
    options: AllocateOptions<'_>,
    looks: usize,
) -> (Outcome, usize) {
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[claim]).unwrap();
    let deadline = Looks {
        most: looks,
        taken: AtomicUsize::new(0),
    };
    let options = options.budget(Budget::new().deadline(&deadline));
    let transaction = snapshot.transaction();
    let outcome = transaction.consider("n", &claims, &options, &mut Workspace::new());
    (outcome.unwrap(), deadline.taken.into_inner())
}

fn told(outcome: &Outcome) -> (Vec<String>, Vec<i64>) {
    let Outcome::Optimal(best) = outcome else {
        panic!("expected the best, found {outcome:?}");
    };
    (devices(best), values(best))
}

#[test]
fn a_deadline_is_looked_at_while_tables_are_made() {
    let requests = some("gpu", 4);
    let engine = mesh(8);
    let (_, first) = ask(&engine, &requests, usize::MAX);
    // Other workspaces have the tables from now on.
    let (_, again) = ask(&engine, &requests, usize::MAX);
    assert!(first > 10 * again, "{first} looks, then {again}");
}

#[test]
fn what_is_stopped_leaves_nothing_that_changes_an_answer() {
    let two = json!([exactly("r", "gpu", 2), exactly("s", "gpu", 2)]);
    for requests in [some("gpu", 4), two] {
        let (expected, all) = ask(&mesh(8), &requests, usize::MAX);
        let expected = told(&expected);
        let mut stopped = 0;
        let engine = mesh(8);
        for looks in (0..all + 2).step_by(1 + all / 40) {
            // What was found out before stays known, so the engine comes farther each time.
            for engine in [&engine, &mesh(8)] {
                let (outcome, taken) = ask(engine, &requests, looks);
                match outcome {
                    Outcome::Optimal(_) => assert_eq!(told(&outcome), expected),
                    Outcome::Feasible { .. } | Outcome::Unknown(StopCause::Deadline) => {
                        // The first that says so ends all of it.
                        assert_eq!(taken, looks + 1);
                        stopped += 1;
                    }
                    other => panic!("{other:?}"),
                }
            }
        }
        assert!(stopped > 20, "{stopped}");
        assert_eq!(told(&ask(&engine, &requests, usize::MAX).0), expected);
    }
}

/// A claim for sixteen GPUs, each in two NUMA nodes, in units of four that are to be in one.
fn crossing() -> (Engine, ResourceClaim) {
    let gpu = |number: usize| {
        json!({"name": format!("g{number:02}"), "attributes":
            {"resource.kubernetes.io/numaNode": {"ints": [number, (number + 1) % 16]}}})
    };
    let engine = engine(&[("gpu", (0..16).map(gpu).collect())], &[]);
    let parameters = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "PlacementPolicy",
        "unit": {"requests": {"r": 4}, "scope": "numaNode", "mode": "preferred",
            "fallback": ["host"]}});
    let mut claim = claim(&some("gpu", 16));
    let config = json!([{"opaque": {"driver": "dralloc.dev", "parameters": parameters}}]);
    claim.spec.devices.config = serde_json::from_value(config).unwrap();
    (engine, claim)
}

#[test]
fn what_an_answer_tells_of_units_ends_with_the_call() {
    let (engine, claim) = crossing();
    let ask = |looks| ask_for(&engine, claim.clone(), AllocateOptions::new(), looks);
    let (outcome, all) = ask(usize::MAX);
    let expected = told(&outcome);
    let units = |outcome: &Outcome| outcome.allocation().unwrap().placement()[0].units.len();
    // No NUMA node has more than two of them.
    assert_eq!((units(&outcome), &*expected.1), (4, &[4 * 5][..]));
    // Of the last look nothing depends but what is told beside the answer.
    let (outcome, taken) = ask(all - 1);
    assert_eq!((taken, told(&outcome), units(&outcome)), (all, expected, 0));
    let (outcome, taken) = ask(all);
    assert_eq!((taken, units(&outcome)), (all, 4));
}
