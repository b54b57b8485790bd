//! What each term is, on devices that are few enough to count.

use dralloc::model::{DeviceHealth, ResourceClaim};
use dralloc::{
    AllocateOptions, Budget, Change, Code, Engine, ErrorMode, Outcome, Policy, Term, Transaction,
    Workspace,
};
use serde_json::{Value, json};

use super::{by, claim, devices, engine, holding, some, values};

/// Two cards `x` and `y` of two slices: each whole, in halves, and with a larger
/// whole before.
fn cards() -> Engine {
    let device = |name: String, set: &str, slices: u32| {
        json!({"name": name, "attributes": {"numa": {"int": i64::from(set == "y")}},
            "consumesCounters": [{"counterSet": set, "counters": {"s": {"value": slices}}}]})
    };
    let mut all = Vec::new();
    for set in ["x", "y"] {
        all.push(device(set.to_owned(), set, 2));
        all.extend((0..2).map(|half| device(format!("{set}{half}"), set, 1)));
    }
    let sets = ["x", "y"].map(|name| json!({"name": name, "counters": {"s": {"value": "2"}}}));
    engine(&[json!(all)], &json!(sets))
}

/// The devices and values of the best answer, with something held.
fn best(
    engine: &Engine,
    held: &[&str],
    requests: &Value,
    policy: &Policy,
) -> (Vec<String>, Vec<i64>) {
    let snapshot = engine.snapshot();
    let mut transaction = snapshot.transaction();
    let owner: ResourceClaim =
        serde_json::from_value(json!({"metadata": {"name": "h"}, "spec": {}})).unwrap();
    transaction.hold(&owner, &holding("n0", held));
    let claims = snapshot.prepare(&[claim(requests)]).unwrap();
    let options = AllocateOptions::new().policy(policy);
    match transaction
        .allocate("n0", &claims, &options, &mut Workspace::new())
        .unwrap()
    {
        Outcome::Optimal(allocation) => (devices(&allocation), values(&allocation)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn terms_over_cards_add_up() {
    let touched = Term::ParentsTouched { attribute: None };
    let even = Term::Evenness { attribute: None };
    for (term, held, count, device, value) in [
        // The first device is a whole card, and twice as large as half of one.
        (Term::Waste, &[][..], 1, &["x0"][..], 0),
        // A whole card takes its halves away, a half takes the whole card.
        (Term::PackingPotential, &[], 1, &["x0"], 2),
        (Term::PackingPotential, &["y0"], 1, &["y1"], 1),
        (Term::PackingPotential, &["y0"], 2, &["x0", "x1"], 3),
        (touched.clone(), &[], 2, &["x0", "x1"], 1),
        (touched.clone(), &["y0"], 1, &["y1"], 0),
        (touched, &["y0"], 2, &["x", "y1"], 1),
        (even.clone(), &[], 2, &["x", "y"], 2),
        (even.clone(), &["x0"], 1, &["y"], 1),
        (even, &["x0"], 2, &["x1", "y"], 4),
    ] {
        let found = best(&cards(), held, &some(count), &by(term.clone()));
        let device: Vec<String> = device.iter().map(ToString::to_string).collect();
        assert_eq!(found, (device, vec![value]), "{term} {held:?} {count}");
    }
}

#[test]
fn touching_one_card_is_better_than_two() {
    let touched = |attribute: Option<&str>| Term::ParentsTouched {
        attribute: attribute.map(Into::into),
    };
    let policy = Policy::Terms(vec![touched(Some("d/numa")), Term::Waste]);
    let two = json!([
        {"name": "a", "exactly": {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 1}},
        {"name": "b", "exactly": {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 1}},
    ]);
    let (devices, values) = best(&cards(), &[], &two, &policy);
    assert_eq!(
        (devices, values),
        (vec!["x0".to_owned(), "x1".to_owned()], vec![1, 0])
    );
    let policy = Policy::Terms(vec![touched(None), Term::PackingPotential]);
    let (devices, values) = best(&cards(), &["y1"], &two, &policy);
    assert_eq!(
        (devices, values),
        (vec!["x0".to_owned(), "x1".to_owned()], vec![1, 3])
    );
}

#[test]
fn alternatives_count_before_what_they_cost() {
    let alternative = |name: &str, count: u32| json!({"name": name, "deviceClassName": "c", "allocationMode": "ExactCount", "count": count});
    let requests = json!([{"name": "r", "firstAvailable":
        [alternative("five", 5), alternative("three", 3), alternative("one", 1)]}]);
    let (devices, values) = best(&cards(), &[], &requests, &Policy::Pack);
    assert_eq!((devices.len(), values), (3, vec![1, 0, 0, 5, 2]));
    let cheap = by(Term::PackingPotential);
    assert_eq!(
        best(&cards(), &[], &requests, &cheap),
        (vec!["x0".to_owned()], vec![2])
    );
}

#[test]
fn failures_fade_and_never_refuse() {
    let mut engine = engine(&[json!([{"name": "a"}, {"name": "b"}])], &json!([]));
    for (device, time, weight) in [
        ("a", "2026-01-28T12:00:00Z", 7),
        ("b", "2026-01-31T11:00:00Z", 1),
    ] {
        let health: DeviceHealth =
            serde_json::from_value(json!({"metadata": {"name": device}, "spec": {
            "device": {"driver": "d", "pool": "n0", "device": device},
            "failures": [{"time": time, "reason": "xid", "weight": weight}]}}))
            .unwrap();
        engine.apply(Change::DeviceHealth(health)).unwrap();
    }
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[claim(&some(1))]).unwrap();
    let policy = by(Term::HealthPenalty);
    let ask = |now: Option<i64>| {
        let mut options = AllocateOptions::new().policy(&policy);
        if let Some(now) = now {
            options = options.now(now);
        }
        let mut transaction = snapshot.transaction();
        match transaction
            .allocate("n0", &claims, &options, &mut Workspace::new())
            .unwrap()
        {
            Outcome::Optimal(allocation) => (devices(&allocation), values(&allocation)),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(ask(None), (vec!["b".to_owned()], vec![1000]));
    // Noon of the last day of January: 7000 is halved three times.
    assert_eq!(ask(Some(1_769_860_800)), (vec!["a".to_owned()], vec![875]));
}

#[test]
fn devices_that_cannot_be_judged_are_warnings() {
    let devices_ = json!([{"name": "a"}, {"name": "b", "attributes": {"x": {"int": 1}}}]);
    let engine = engine(&[devices_], &json!([]));
    let mut requests = some(1);
    requests[0]["exactly"]["selectors"] =
        json!([{"cel": {"expression": "device.attributes['d'].x == 1"}}]);
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[claim(&requests)]).unwrap();
    let policy = Policy::Pack;
    let options = AllocateOptions::new().policy(&policy);
    let mut workspace = Workspace::new();
    let mut transaction = snapshot.transaction();
    let outcome = transaction
        .allocate("n0", &claims, &options, &mut workspace)
        .unwrap();
    let Outcome::Optimal(allocation) = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(devices(&allocation), ["b"]);
    let [warning] = allocation.warnings() else {
        panic!("{:?}", allocation.warnings())
    };
    assert_eq!(warning.code(), Code::CelEvaluation);
    assert!(
        warning
            .path()
            .starts_with("claims[0].spec.devices.requests[0].exactly.selectors[0]"),
        "{}",
        warning.path()
    );
    assert!(warning.message().contains("d/n0/a"), "{warning}");
    let abort = options.errors(ErrorMode::Abort);
    let error = snapshot
        .transaction()
        .allocate("n0", &claims, &abort, &mut workspace)
        .unwrap_err();
    assert_eq!(error.to_string(), warning.to_string());
    // In Kubernetes' policy nothing of that is kept.
    let first = AllocateOptions::new().errors(ErrorMode::Skip);
    let outcome = snapshot
        .transaction()
        .allocate("n0", &claims, &first, &mut workspace)
        .unwrap();
    let Outcome::Optimal(allocation) = outcome else {
        panic!("{outcome:?}")
    };
    assert!(allocation.warnings().is_empty() && allocation.objective().is_empty());
}

#[test]
fn what_is_found_before_the_budget_ends_is_held() {
    let engine = cards();
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(&[claim(&some(2))]).unwrap();
    let policy = by(Term::PackingPotential);
    let mut workspace = Workspace::new();
    let mut gaps = 0;
    for branches in 0..40 {
        let options = AllocateOptions::new()
            .policy(&policy)
            .budget(Budget::new().branches(branches));
        let mut transaction = snapshot.transaction();
        let mut ask = |transaction: &mut Transaction| {
            transaction
                .allocate("n0", &claims, &options, &mut workspace)
                .unwrap()
        };
        let outcome = ask(&mut transaction);
        let again = ask(&mut snapshot.transaction());
        assert_eq!(format!("{outcome:?}"), format!("{again:?}"), "{branches}");
        let Outcome::Feasible { allocation, gap } = outcome else {
            continue;
        };
        gaps += 1;
        // A whole card of each is the first answer, and loses all.
        assert_eq!(devices(&allocation), ["x", "y"]);
        let bound = gap.bound;
        assert_eq!((gap.term, gap.value), (0, 6));
        assert!((0..=3).contains(&bound), "{bound}");
        let Outcome::Optimal(had) = ask(&mut transaction) else {
            panic!("it has something");
        };
        assert_eq!(had.results(), allocation.results());
    }
    assert!(gaps > 0);
}

/// Amounts are what they are, however large or small beside each other.
#[test]
fn what_is_lost_of_huge_counters_is_exact() {
    let nearly = format!("{}.999999999", "9".repeat(40));
    let devices = [
        ("third", "4e39"),
        ("other", "4e39"),
        ("last", "4e39"),
        ("whole", "10e39"),
        ("nearly", &nearly),
        ("little", "1n"),
    ];
    let devices = devices.map(|(name, amount)| {
        json!({"name": name, "attributes": {"name": {"string": name}}, "consumesCounters":
            [{"counterSet": "s", "counters": {"c": {"value": amount}}}]})
    });
    let counters = json!([{"name": "s", "counters": {"c": {"value": "1e40"}}}]);
    let snapshot = engine(&[json!(devices)], &counters).snapshot();
    let potential = by(Term::PackingPotential);
    let lost = |names: &[&str]| {
        let requests = names.iter().map(|name| {
            let expression = format!("device.attributes['d'].name == '{name}'");
            json!({"name": name, "exactly": {"deviceClassName": "c", "allocationMode":
                "ExactCount", "count": 1, "selectors": [{"cel": {"expression": expression}}]}})
        });
        let requests: Vec<Value> = requests.collect();
        let claims = snapshot.prepare(&[claim(&json!(requests))]).unwrap();
        let options = AllocateOptions::new().policy(&potential);
        let mut transaction = snapshot.transaction();
        let found = transaction.allocate("n0", &claims, &options, &mut Workspace::new());
        match found.unwrap() {
            Outcome::Optimal(allocation) => values(&allocation),
            _ => panic!("no answer that is the best"),
        }
    };
    assert_eq!(lost(&["little"]), [2]);
    assert_eq!(lost(&["third"]), [3]);
    assert_eq!(lost(&["third", "little"]), [4]);
    assert_eq!(lost(&["third", "other"]), [5]);
    assert_eq!(lost(&["nearly", "little"]), [6]);
}
