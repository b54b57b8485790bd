//! Odd and hostile worlds under every policy: each call ends soon, and what it
//! says can be checked.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Budget, Certified, Change, Deadline, Engine, Features, Outcome, PlaceOptions,
    Policy, Term, Workspace,
};
use serde_json::{Value, json};

/// Branches of a call at most: what takes long counts as branches, so that a call ends.
const BRANCHES: u64 = 2_000;

/// Is over after a number of looks.
struct Looks(AtomicU32);

impl Deadline for Looks {
    fn is_over(&self) -> bool {
        let left = self.0.load(Ordering::Relaxed);
        self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        left == 0
    }
}

struct World {
    name: &'static str,
    engine: Engine,
    claims: Vec<ResourceClaim>,
}

fn world(name: &'static str, specs: Vec<Value>, requests: &Value, constraints: &Value) -> World {
    let mut engine = Engine::new(Features::all());
    let count = specs.len();
    for (number, mut spec) in specs.into_iter().enumerate() {
        spec["driver"] = "d".into();
        spec["nodeName"] = "n".into();
        spec["pool"] = json!({"name": "n", "generation": 1, "resourceSliceCount": count});
        let slice = json!({"metadata": {"name": format!("s-{number:03}")}, "spec": spec});
        let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    let class: DeviceClass = serde_json::from_value(json!({"metadata": {"name": "any"}})).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    engine.apply(Change::Node(Node::new("n", []))).unwrap();
    let claim = json!({"metadata": {"name": "c", "namespace": "default", "uid": "c"},
        "spec": {"devices": {"requests": requests, "constraints": constraints}}});
    let claims = vec![serde_json::from_value(claim).unwrap()];
    World {
        name,
        engine,
        claims,
    }
}

fn exactly(count: i64) -> Value {
    json!([{"name": "r", "exactly": {"deviceClassName": "any",
        "allocationMode": "ExactCount", "count": count}}])
}

fn counted(name: &str, sets: &[&str], amounts: &[(&str, &str)]) -> Value {
    let mut counters = json!({});
    for (counter, amount) in amounts {
        counters[counter] = json!({"value": amount});
    }
    let consumes = sets
        .iter()
        .map(|set| json!({"counterSet": set, "counters": counters}));
    json!({"name": name, "consumesCounters": consumes.collect::<Vec<_>>()})
}

fn set(name: &str, amounts: &[(&str, &str)]) -> Value {
    let mut counters = json!({});
    for (counter, amount) in amounts {
        counters[counter] = json!({"value": amount});
    }
    json!({"name": name, "counters": counters})
}

#[expect(clippy::too_many_lines, reason = "a list of worlds")]
fn worlds() -> Vec<World> {
    let none = json!([]);
    // As nano units these are plain numbers still, and a million of them are not.
    let huge = format!("1{}", "0".repeat(29));
    let (huge, less) = (huge.as_str(), &huge[..28]);
    let all = json!([{"name": "r", "exactly": {"deviceClassName": "any",
        "allocationMode": "All"}}]);
    let plain = |count: usize| -> Vec<Value> {
        let device = |number: usize| {
            json!({"name": format!("g{number}"), "attributes": {
            "numa": {"int": number % 3}, "kind": {"string": format!("k{}", number % 2)},
            "even": {"bool": number.is_multiple_of(2)}, "version": {"version": format!("1.{number}.0")},
            "parentUUID": if number.is_multiple_of(4) { json!({"int": 7}) } else { json!({"string": "p"}) },
            "list": {"strings": ["a", format!("b{}", number % 3)]},
            "numbers": {"ints": [number % 2, 1000]}}})
        };
        (0..count).map(device).collect()
    };
    let mixed = json!([
        {"name": "all", "exactly": {"deviceClassName": "any", "allocationMode": "All",
            "adminAccess": true}},
        {"name": "two", "exactly": {"deviceClassName": "any", "allocationMode": "ExactCount",
            "count": 2}},
        {"name": "either", "firstAvailable": [
            {"name": "many", "deviceClassName": "any", "allocationMode": "ExactCount", "count": 31},
            {"name": "all", "deviceClassName": "any", "allocationMode": "All"},
            {"name": "one", "deviceClassName": "any", "allocationMode": "ExactCount", "count": 1}]}]);
    let shared = |number: usize| {
        json!({"name": format!("s{number}"), "allowMultipleAllocations": true,
        "capacity": {"memory": {"value": huge}, "cores": {"value": "0"},
            "slots": {"value": "4", "requestPolicy": {"default": "1",
                "validRange": {"min": "1", "step": "1"}}}}})
    };
    let share = json!([{"name": "r", "exactly": {"deviceClassName": "any",
        "allocationMode": "ExactCount", "count": 2,
        "capacity": {"requests": {"slots": "1", "memory": less}}}}]);
    let match_numa = json!([{"requests": ["r"], "matchAttribute": "d/numa"}]);
    vec![
        world("no slices", vec![], &exactly(1), &none),
        world(
            "no devices",
            vec![json!({"devices": []})],
            &exactly(1),
            &none,
        ),
        world("no devices, all", vec![json!({"devices": []})], &all, &none),
        world(
            "12 of 12",
            vec![json!({"devices": plain(12)})],
            &exactly(12),
            &none,
        ),
        world(
            "32 of 40",
            vec![json!({"devices": plain(40)})],
            &exactly(32),
            &match_numa,
        ),
        world(
            "all of 40",
            vec![json!({"devices": plain(40)})],
            &all,
            &none,
        ),
        world("all of 8", vec![json!({"devices": plain(8)})], &all, &none),
        world("mixed", vec![json!({"devices": plain(9)})], &mixed, &none),
        world(
            "counters at the end of plain numbers",
            vec![
                json!({"sharedCounters": [set("a", &[("x", huge), ("y", "1")]), set("b", &[("x", huge)])]}),
                json!({"devices": [counted("one", &["a"], &[("x", less)]),
                    counted("two", &["a", "b"], &[("x", less)]),
                    counted("most", &["b"], &[("x", huge)]),
                    counted("rest", &["a"], &[("x", less), ("y", "1")])]}),
            ],
            &exactly(2),
            &none,
        ),
        world(
            "negative and zero amounts",
            vec![
                json!({"sharedCounters": [set("a", &[("x", "-5"), ("y", "0"), ("z", "10")])]}),
                json!({"devices": [counted("one", &["a"], &[("x", "-5")]),
                    counted("two", &["a"], &[("y", "0")]), counted("three", &["a"], &[("z", "-3")]),
                    counted("four", &["a"], &[("z", "10")]), counted("five", &["a"], &[("z", "1n")])]}),
            ],
            &exactly(2),
            &none,
        ),
        world(
            "sets and counters that are not there",
            vec![
                json!({"sharedCounters": [set("a", &[("x", "3")])]}),
                json!({"devices": [counted("one", &["b"], &[("x", "1")]),
                    counted("two", &["a"], &[("y", "1")]), counted("three", &["a", "a"], &[("x", "2")]),
                    {"name": "four", "consumesCounters": []}]}),
            ],
            &exactly(1),
            &none,
        ),
        world(
            "shares at the end of plain numbers",
            vec![json!({"devices": (0..5).map(shared).collect::<Vec<_>>()})],
            &share,
            &none,
        ),
        world(
            "100 slices of 128",
            (0..100)
                .map(|slice| {
                    let mut devices = plain(128);
                    for (place, device) in devices.iter_mut().enumerate() {
                        device["name"] = format!("g{slice}-{place}").into();
                    }
                    json!({ "devices": devices })
                })
                .collect(),
            &exactly(5),
            &none,
        ),
    ]
}

fn policies() -> Vec<Policy> {
    let even = |attribute: &str| Term::Evenness {
        attribute: Some(attribute.into()),
    };
    let touched = |attribute: &str| Term::ParentsTouched {
        attribute: Some(attribute.into()),
    };
    let mut terms: Vec<Term> = [
        "numa", "kind", "even", "version", "list", "numbers", "nothing",
    ]
    .iter()
    .flat_map(|name| {
        let name = format!("d/{name}");
        [even(&name), touched(&name)]
    })
    .collect();
    terms.extend(["", "/", "numa", "d/", "/numa"].map(even));
    let mut policies = vec![Policy::Kubernetes, Policy::Pack, Policy::Spread];
    policies.push(Policy::Terms(vec![]));
    policies.push(Policy::Terms(terms.clone()));
    policies.push(Policy::Terms(vec![Term::PackingPotential; 9]));
    policies.push(Policy::Terms(vec![
        even("d/list"),
        Term::Waste,
        even("d/list"),
        Term::HealthPenalty,
        touched("d/version"),
    ]));
    policies
}

/// Asks everything that can be asked of a world; no answer is against the rules.
fn ask(world: &World, policy: &Policy) {
    let (claims, name) = (&world.claims, world.name);
    let snapshot = world.engine.snapshot();
    let Ok(prepared) = snapshot.prepare(claims) else {
        panic!("{name}: the claims cannot be prepared");
    };
    let mut workspace = Workspace::new();
    let budget = Budget::new().branches(BRANCHES);
    let options = AllocateOptions::new().policy(policy).budget(budget);
    let transaction = snapshot.transaction();
    let first = transaction
        .clone()
        .allocate("n", &prepared, &options, &mut workspace);
    let branches = workspace.statistics().branches;
    assert!(branches <= BRANCHES, "{name}, {policy}: {branches}");
    if let Ok(Outcome::Optimal(allocation) | Outcome::Feasible { allocation, .. }) = &first {
        let verified = snapshot.verify("n", claims, &allocation.results());
        assert_eq!(verified, Ok(()), "{name}, {policy}");
    }
    let certified = transaction.certificate("n", &prepared, &options, &mut workspace);
    match certified {
        Ok(Certified::Infeasible(proof)) => {
            assert!(matches!(first, Ok(Outcome::Infeasible(_))), "{name}");
            assert_eq!(
                snapshot.verify_certificate("n", claims, &proof),
                Ok(()),
                "{name}"
            );
        }
        Ok(Certified::Optimal(proof)) => {
            let Ok(Outcome::Optimal(best)) = &first else {
                panic!("{name}, {policy}: {first:?}")
            };
            let verified = snapshot.verify_optimality("n", claims, &best.results(), &proof);
            assert_eq!(verified, Ok(()), "{name}, {policy}");
        }
        Ok(_) | Err(_) => {}
    }
    let place = PlaceOptions::new().policy(policy).budget(budget);
    let _ = transaction.explain("n", &prepared, &options, &mut workspace);
    let _ = transaction.satisfiable("n", &prepared, &options, &mut workspace);
    let _ = transaction.runner_up("n", &prepared, &options, &mut workspace);
    let _ = transaction.place(&prepared, &place, &mut workspace);
    for looks in [0, 1, 2, 3, 5, 8, 13, 40, 100] {
        let soon = Looks(AtomicU32::new(looks));
        let options = AllocateOptions::new()
            .policy(policy)
            .budget(Budget::new().deadline(&soon));
        let outcome = transaction
            .clone()
            .allocate("n", &prepared, &options, &mut workspace);
        if let Ok(Outcome::Optimal(allocation) | Outcome::Feasible { allocation, .. }) = &outcome {
            let verified = snapshot.verify("n", claims, &allocation.results());
            assert_eq!(verified, Ok(()), "{name}, {policy}");
        }
        if let (Ok(Outcome::Optimal(soon)), Ok(Outcome::Optimal(best))) = (&outcome, &first) {
            assert_eq!(soon.results(), best.results(), "{name}, {policy}, {looks}");
        }
        if let (Ok(Outcome::Feasible { allocation, gap }), Ok(Outcome::Optimal(best))) =
            (&outcome, &first)
        {
            let (values, best) = (allocation.objective(), best.objective());
            assert_eq!(
                values[..gap.term],
                best[..gap.term],
                "{name}, {policy}, {looks}"
            );
            let best = best[gap.term].value;
            assert!(
                gap.bound <= best && best <= gap.value,
                "{name}, {policy}, {looks}"
            );
        }
    }
    let cancelled = AtomicBool::new(true);
    let options = AllocateOptions::new()
        .policy(policy)
        .budget(Budget::new().cancel(&cancelled));
    let outcome = transaction.consider("n", &prepared, &options, &mut Workspace::new());
    let is_answered = matches!(outcome, Ok(Outcome::Optimal(_) | Outcome::Feasible { .. }));
    assert!(!is_answered, "{name}, {policy}: {outcome:?}");
}

#[test]
fn odd_worlds_are_answered_soon_and_by_the_rules() {
    for world in worlds() {
        for policy in policies() {
            ask(&world, &policy);
        }
    }
}
