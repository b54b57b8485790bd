//! Values of terms, worked out by hand.
#![expect(clippy::needless_pass_by_value, reason = "tests pass literals")]

use dralloc::Term;
use serde_json::{Value, json};

use crate::case::Case;
use crate::oracle::{Cel, Optimum, Options, Wish, WishScope, best};

/// Two cards with a counter `a` of two, each whole or in halves; whole ones come first.
fn cards() -> Value {
    let device = |name: &str, set: &str, value: u32| {
        json!({"name": name, "consumesCounters": [
            {"counterSet": set, "counters": {"a": {"value": value}}}]})
    };
    let mut devices = Vec::new();
    for card in ["x", "y"] {
        devices.push(device(card, card, 2));
        devices.push(device(&format!("{card}0"), card, 1));
        devices.push(device(&format!("{card}1"), card, 1));
    }
    let sets: Vec<Value> = ["x", "y"]
        .iter()
        .map(|card| json!({"name": card, "counters": {"a": {"value": "2"}}}))
        .collect();
    json!([
        slice(2, json!({"sharedCounters": sets})),
        slice(2, json!({"devices": devices})),
    ])
}

fn slice(count: u32, content: Value) -> Value {
    let mut spec = json!({"driver": "d", "nodeName": "n",
        "pool": {"name": "p", "generation": 1, "resourceSliceCount": count}});
    for (key, value) in content.as_object().unwrap() {
        spec[key] = value.clone();
    }
    json!({"metadata": {"name": "s"}, "spec": spec})
}

fn one(count: u32) -> Value {
    json!({"name": "r", "exactly":
        {"deviceClassName": "c", "allocationMode": "ExactCount", "count": count}})
}

fn case(slices: Value, requests: Value, held: &[&str]) -> Case {
    let held: Vec<Value> = held
        .iter()
        .map(|device| json!({"driver": "d", "pool": "p", "device": device}))
        .collect();
    let features = json!({"adminAccess": true, "consumableCapacity": true,
        "partitionableDevices": true, "prioritizedList": true});
    let case = json!({
        "name": "unit-0", "features": features, "node": {"metadata": {"name": "n"}},
        "deviceClasses": [{"metadata": {"name": "c"}}], "resourceSlices": slices,
        "claims": [{"metadata": {"name": "c"}, "spec": {"devices": {"requests": requests}}}],
        "allocated": {"devices": held},
    });
    Case::from_line(&case.to_string()).unwrap()
}

/// Returns the values of the best answer and its devices.
fn answer(case: &Case, terms: &[&str], wish: Wish) -> (Vec<i64>, Vec<String>) {
    let term = |name: &&str| match name.split_once(' ') {
        Some((name, attribute)) => Term::new(name, Some(attribute.into())).unwrap(),
        None => Term::new(name, None).unwrap(),
    };
    let scope = WishScope::of_all(case, terms.iter().map(term).collect());
    let wish = Wish {
        worse_than: None,
        scopes: vec![scope],
        ..wish
    };
    match best(case, &Cel::default(), Options::default(), &wish) {
        Optimum::Allocated(values, results) => {
            let devices = results.iter().flat_map(|result| &result.devices.results);
            let names = devices.map(|device| device.device.to_string());
            (values, names.collect())
        }
        Optimum::Other(other) => panic!("{other:?}"),
    }
}

#[test]
fn terms_over_cards() {
    let case = case(cards(), json!([one(1)]), &["x0"]);
    for (terms, values, device) in [
        (&["waste"][..], &[0][..], "x1"),
        (&["packingPotential"], &[1], "x1"),
        (&["parentsTouched"], &[0], "x1"),
        (&["evenness"], &[1], "y"),
        (&["evenness", "waste"], &[1, 0], "y0"),
        (&["evenness", "packingPotential"], &[1, 2], "y0"),
        (&["waste", "parentsTouched", "evenness"], &[0, 0, 3], "x1"),
    ] {
        let expected = (values.to_vec(), vec![device.to_owned()]);
        assert_eq!(answer(&case, terms, Wish::default()), expected, "{terms:?}");
    }
}

#[test]
fn the_whole_of_an_answer_counts() {
    let case = case(cards(), json!([one(3)]), &[]);
    for (terms, values, devices) in [
        // The first devices are a card and half of the other.
        (&[][..], &[][..], ["x", "y0", "y1"]),
        (&["waste"], &[0], ["x0", "x1", "y0"]),
        (&["parentsTouched"], &[2], ["x", "y0", "y1"]),
        (&["packingPotential"], &[5], ["x0", "x1", "y0"]),
    ] {
        let expected = (values.to_vec(), devices.map(str::to_owned).to_vec());
        assert_eq!(answer(&case, terms, Wish::default()), expected, "{terms:?}");
    }
}

#[test]
fn access_for_administration_takes_nothing() {
    let mut request = one(1);
    request["exactly"]["adminAccess"] = json!(true);
    let case = case(cards(), json!([request]), &["x0"]);
    let terms = ["waste", "packingPotential", "parentsTouched", "evenness"];
    let expected = (vec![0; 4], vec!["x".to_owned()]);
    assert_eq!(answer(&case, &terms, Wish::default()), expected);
}

#[test]
fn alternatives_count_by_their_place() {
    let alternative = |name: &str, count: u32| {
        json!({"name": name, "deviceClassName": "c",
            "allocationMode": "ExactCount", "count": count})
    };
    let request = json!({"name": "r", "firstAvailable":
        [alternative("five", 5), alternative("two", 2), alternative("one", 1)]});
    let case = case(cards(), json!([request]), &["x0"]);
    let first = answer(&case, &["alternativeRank"], Wish::default());
    assert_eq!(first, (vec![1], vec!["x1".to_owned(), "y".to_owned()]));
    let least = answer(&case, &["packingPotential"], Wish::default());
    assert_eq!(least, (vec![1], vec!["x1".to_owned()]));
}

#[test]
fn shares_waste_what_is_rounded_up() {
    let device = |name: &str, step: &str| {
        json!({"name": name, "allowMultipleAllocations": true,
            "capacity": {"m": {"value": "9", "requestPolicy":
                {"default": step, "validRange": {"min": step, "step": step}}}}})
    };
    let devices = [device("threes", "3"), device("twos", "2")];
    let slices = json!([slice(1, json!({"devices": devices}))]);
    let mut request = one(1);
    request["exactly"]["capacity"] = json!({"requests": {"m": "4"}});
    let case = case(slices, json!([request]), &[]);
    let answer = answer(&case, &["waste"], Wish::default());
    assert_eq!(answer, (vec![0], vec!["twos".to_owned()]));
    let mut request = one(1);
    request["exactly"]["capacity"] = json!({"requests": {"m": "5"}});
    let slices = json!([slice(1, json!({"devices": [device("threes", "3")]}))]);
    let case = self::case(slices, json!([request]), &[]);
    let answer = self::answer(&case, &["waste"], Wish::default());
    // One of nine.
    assert_eq!(answer, (vec![111_112], vec!["threes".to_owned()]));
}

#[test]
fn parents_are_told_by_attributes() {
    let device = |name: &str, uuid: &str, numa: Value| {
        json!({"name": name, "attributes":
            {"parentUUID": {"string": uuid}, "r/numa": numa}})
    };
    let devices = [
        device("a", "G1", json!({"int": 0})),
        device("b", "G1", json!({"int": 1})),
        device("c", "G2", json!({"ints": [0, 1]})),
        json!({"name": "d"}),
    ];
    let slices = json!([slice(1, json!({"devices": devices}))]);
    let case = case(slices, json!([one(2)]), &["a"]);
    for (terms, values, devices) in [
        (&["parentsTouched"][..], &[1][..], ["b", "c"]),
        (&["evenness"], &[2], ["c", "d"]),
        (&["evenness r/numa"], &[2], ["b", "d"]),
        (&["parentsTouched r/numa"], &[1], ["b", "c"]),
    ] {
        let expected = (values.to_vec(), devices.map(str::to_owned).to_vec());
        assert_eq!(answer(&case, terms, Wish::default()), expected, "{terms:?}");
    }
}

#[test]
fn failures_count_half_after_each_day() {
    let devices = [json!({"name": "a"}), json!({"name": "b"})];
    let slices = json!([slice(1, json!({"devices": devices}))]);
    let case = case(slices, json!([one(1)]), &[]);
    let health = |device: &str, failures: Value| {
        json!({"metadata": {"name": device}, "spec": {
            "device": {"driver": "d", "pool": "p", "device": device}, "failures": failures}})
    };
    let healths = json!([
        health(
            "a",
            json!([{"time": "2026-01-29T12:00:00Z", "reason": "x", "weight": 7}])
        ),
        health(
            "b",
            json!([
                {"time": "2026-01-30T12:00:01Z", "reason": "x"},
                {"time": "2026-01-30T12:00:00Z", "reason": "x", "weight": 2},
            ])
        ),
    ]);
    let wish = |now| Wish {
        worse_than: None,
        healths: serde_json::from_value(healths.clone()).unwrap(),
        now,
        ..Wish::default()
    };
    let expected = |value, device: &str| (vec![value], vec![device.to_owned()]);
    let now = wish(Some(1_769_860_800));
    assert_eq!(answer(&case, &["healthPenalty"], now), expected(1_750, "a"));
    let never = wish(None);
    assert_eq!(
        answer(&case, &["healthPenalty"], never),
        expected(3_000, "b")
    );
}
