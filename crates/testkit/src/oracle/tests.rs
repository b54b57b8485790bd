//! Rules that the conformance data do not reach, one small case each.
#![expect(clippy::needless_pass_by_value, reason = "tests pass literals")]

use serde_json::{Value, json};

use super::*;

/// A slice of pool `p` for node `n`.
fn slice(name: &str, count: u32, devices: Value) -> Value {
    json!({"metadata": {"name": name}, "spec": {
        "driver": "d", "pool": {"name": "p", "generation": 1, "resourceSliceCount": count},
        "nodeName": "n", "devices": devices,
    }})
}

/// A slice with one counter set `k` that has `value` of counter `a`.
fn counters(value: &str) -> Value {
    let mut slice = slice("counters", 2, json!([]));
    slice["spec"]["sharedCounters"] = json!([{"name": "k", "counters": {"a": {"value": value}}}]);
    slice
}

/// A device that consumes one of counter `a`.
fn consumer(name: &str, groups: Value) -> Value {
    json!({"name": name, "consumesCounters": [
        {"counterSet": "k", "counters": {"a": {"value": "1"}}, "compatibilityGroups": groups},
    ]})
}

fn request(name: &str, extra: Value) -> Value {
    let mut exactly = json!({"deviceClassName": "c", "allocationMode": "ExactCount", "count": 1});
    for (key, value) in extra.as_object().unwrap() {
        exactly[key] = value.clone();
    }
    json!({"name": name, "exactly": exactly})
}

fn claim(requests: Value) -> Value {
    json!({"metadata": {"name": "claim"}, "spec": {"devices": {"requests": requests}}})
}

fn answer(slices: Value, claims: Value, allocated: Value) -> Solution {
    let features = json!({
        "adminAccess": true, "compatibilityGroups": true, "consumableCapacity": true,
        "partitionableDevices": true, "prioritizedList": true,
    });
    let case = json!({
        "name": "unit-0", "features": features, "node": {"metadata": {"name": "n"}},
        "deviceClasses": [{"metadata": {"name": "c"}}],
        "resourceSlices": slices, "claims": claims, "allocated": allocated,
    });
    let case = Case::from_line(&case.to_string()).unwrap();
    solve(&case, &Cel::default(), Options::default()).0
}

/// The devices of all claims, or the name of another outcome.
fn devices(slices: Value, claims: Value, allocated: Value) -> Vec<String> {
    match answer(slices, claims, allocated) {
        Solution::Allocated(results) => results
            .iter()
            .flat_map(|result| &result.devices.results)
            .map(|device| format!("{}={}", device.request, device.device))
            .collect(),
        Solution::Infeasible => vec!["infeasible".to_owned()],
        Solution::Error(failure) => {
            vec![format!(
                "{} {}",
                failure.scope.as_str(),
                failure.kind.as_str()
            )]
        }
        Solution::Skipped => vec!["skipped".to_owned()],
    }
}

fn held(device: &str) -> Value {
    json!({"devices": [{"driver": "d", "pool": "p", "device": device}]})
}

#[test]
fn a_held_device_that_left_its_pool_blocks_the_counters() {
    let slices = json!([
        counters("4"),
        slice("s", 2, json!([consumer("x", json!([])), {"name": "y"}]))
    ]);
    let ask = json!([claim(json!([request("r", json!({}))]))]);
    assert_eq!(devices(slices.clone(), ask.clone(), held("gone")), ["r=y"]);
    assert_eq!(devices(slices.clone(), ask, json!({})), ["r=x"]);
    let admin = json!([claim(json!([request("r", json!({"adminAccess": true}))]))]);
    assert_eq!(devices(slices, admin, held("gone")), ["r=x"]);
}

#[test]
fn a_set_with_and_without_groups_admits_nobody() {
    let group = json!(["g"]);
    let pool = |candidate: Value| {
        json!([
            counters("4"),
            slice(
                "s",
                2,
                json!([
                    consumer("with", group.clone()),
                    consumer("without", json!([])),
                    candidate,
                ])
            ),
        ])
    };
    let ask = json!([claim(json!([request("r", json!({}))]))]);
    let both = json!({"devices": [
        {"driver": "d", "pool": "p", "device": "with"},
        {"driver": "d", "pool": "p", "device": "without"},
    ]});
    for groups in [json!([]), group.clone()] {
        let slices = pool(consumer("x", groups));
        assert_eq!(devices(slices, ask.clone(), both.clone()), ["infeasible"]);
    }
}

#[test]
fn access_for_administration_obeys_groups() {
    let pool = json!([
        counters("4"),
        slice(
            "s",
            2,
            json!([consumer("x", json!(["a"])), consumer("y", json!(["b"]))])
        ),
    ]);
    let admin = json!([claim(json!([request("r", json!({"adminAccess": true}))]))]);
    assert_eq!(devices(pool, admin, held("y")), ["r=y"]);
}

#[test]
fn negative_counts_are_an_error() {
    let slices = json!([slice("s", 1, json!([{"name": "x"}, {"name": "y"}]))]);
    let ask = |first: i64, second: i64| {
        json!([claim(json!([
            request("a", json!({"count": first})),
            request("b", json!({"count": second})),
        ]))])
    };
    for (first, second) in [(-1, 2), (-2, 1)] {
        assert_eq!(
            devices(slices.clone(), ask(first, second), json!({})),
            ["request invalid"]
        );
    }
}

#[test]
fn ranges_without_an_answer_err_when_they_are_needed() {
    let outcome = |range: Value, amount: &str| {
        let policy = json!({"default": "1", "validRange": range});
        let capacity = json!({"a": {"value": "10", "requestPolicy": policy}});
        let slices = json!([slice("s", 1, json!([{"name": "x", "capacity": capacity}]))]);
        let wanted = json!({"capacity": {"requests": {"a": amount}}});
        devices(
            slices,
            json!([claim(json!([request("r", wanted)]))]),
            json!({}),
        )
    };
    let error = ["request capacity"];
    assert_eq!(outcome(json!({"min": "1", "step": "0"}), "2"), error);
    // Rounded up to the smallest amount, which then cannot be checked.
    assert_eq!(outcome(json!({"min": "4", "step": "0"}), "2"), error);
    assert_eq!(outcome(json!({"min": "0", "step": "-2"}), "3"), error);
    assert_eq!(outcome(json!({"step": "2"}), "2"), error);
    // The default needs no range, however it is written.
    assert_eq!(outcome(json!({"step": "2"}), "1000m"), ["r=x"]);
    assert_eq!(
        outcome(json!({"step": "2", "max": "3"}), "4"),
        ["infeasible"]
    );
}

#[test]
fn alternatives_win_over_the_only_way() {
    let slices = json!([slice("s", 1, json!([{"name": "x"}]))]);
    let mut both = request("r", json!({"count": 2}));
    both["firstAvailable"] = json!([
        {"name": "s", "deviceClassName": "c", "allocationMode": "ExactCount", "count": 1},
    ]);
    assert_eq!(
        devices(slices.clone(), json!([claim(json!([both]))]), json!({})),
        ["r/s=x"]
    );
    let neither = json!([claim(json!([{"name": "r"}]))]);
    assert_eq!(devices(slices, neither, json!({})), ["request unsupported"]);
}

#[test]
fn slices_that_disagree_about_their_number_make_no_pool() {
    let slices = json!([
        slice("a", 2, json!([{"name": "x"}])),
        slice("b", 3, json!([]))
    ]);
    let ask = json!([claim(json!([request("r", json!({}))]))]);
    assert_eq!(devices(slices.clone(), ask, json!({})), ["infeasible"]);
    let all = json!([claim(json!([request(
        "r",
        json!({"allocationMode": "All"})
    )]))]);
    assert_eq!(devices(slices, all, json!({})), ["request pool"]);
}

#[test]
fn a_long_search_is_skipped() {
    let names: Vec<Value> = (0..12)
        .map(|index| json!({"name": format!("x{index:02}")}))
        .collect();
    let slices = json!([slice("s", 1, json!(names))]);
    let requests: Vec<Value> = (0..13)
        .map(|index| request(&format!("r{index}"), json!({})))
        .collect();
    assert_eq!(
        devices(slices, json!([claim(json!(requests))]), json!({})),
        ["skipped"]
    );
}

#[test]
fn a_device_that_is_held_under_another_name_is_in_use() {
    let bus = |name: &str, id: &str| json!({"name": name, "attributes": {"resource.kubernetes.io/pciBusID": {"string": id}}});
    let mut other = slice("t", 1, json!([bus("y", "1"), bus("z", "2")]));
    other["spec"]["pool"]["name"] = json!("q");
    let mut elsewhere = other.clone();
    elsewhere["spec"]["nodeName"] = json!("m");
    let own = slice("s", 1, json!([bus("x", "1"), bus("w", "1")]));
    let ask = |count: u32| json!([claim(json!([request("r", json!({"count": count}))]))]);
    let both = json!([own, other]);
    assert_eq!(devices(both.clone(), ask(1), held("x")), ["r=w"]);
    assert_eq!(devices(both.clone(), ask(2), held("x")), ["r=w", "r=z"]);
    assert_eq!(devices(both.clone(), ask(3), held("x")), ["infeasible"]);
    assert_eq!(devices(both, ask(3), json!({})), ["r=x", "r=w", "r=z"]);
    let ask = json!([claim(json!([request("r", json!({}))]))]);
    let held_elsewhere = json!({"devices": [{"driver": "d", "pool": "q", "device": "y"}]});
    assert_eq!(
        devices(json!([own, elsewhere]), ask, held_elsewhere),
        ["r=x"]
    );
}
