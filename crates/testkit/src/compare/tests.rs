//! Each rule of the comparison in both directions: what it accepts, what it reports.
#![expect(clippy::needless_pass_by_value, reason = "tests pass literals")]

use serde_json::{Value, json};

use super::*;

fn answer(value: Value) -> Answer {
    serde_json::from_value(value).unwrap()
}

fn expectation(experimental: Value) -> Expectation {
    serde_json::from_value(json!({
        "name": "basic-1", "experimental": experimental, "variantsAgree": true, "bruteForce": "agree",
    }))
    .unwrap()
}

/// A result that uses every field.
fn full() -> Value {
    json!({
        "devices": {
            "results": [{
                "request": "r0/a", "driver": "d", "pool": "p", "device": "x", "adminAccess": true,
                "tolerations": [{"key": "k", "operator": "Exists"}],
                "bindingConditions": ["ready"], "bindingFailureConditions": ["failed"],
                "shareID": "<share-0>", "consumedCapacity": {"bw": "1Ki", "mem": "2"},
                "skipNodeOperations": ["prepare"],
            }],
            "config": [{
                "source": "FromClass", "requests": ["r0/a"],
                "opaque": {"driver": "d", "parameters": {"a": 1}},
            }],
        },
        "nodeSelector": {"nodeSelectorTerms": [{
            "matchExpressions": [
                {"key": "zone", "operator": "In", "values": ["a", "b"]},
                {"key": "gen", "operator": "Exists"},
            ],
            "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}],
        }]},
    })
}

fn allocated(result: Value) -> Answer {
    answer(json!({"name": "basic-1", "outcome": "allocated", "results": [result]}))
}

/// Paths where an answer with one change differs from the full result.
fn changed(pointer: &str, value: Value) -> Vec<String> {
    let mut found = full();
    *found.pointer_mut(pointer).unwrap() = value;
    let expected = expectation(json!({"outcome": "allocated", "results": [full()]}));
    paths(&differences(&allocated(found), &expected))
}

fn paths(differences: &[Difference]) -> Vec<String> {
    differences
        .iter()
        .map(|difference| difference.path.clone())
        .collect()
}

#[test]
fn what_carries_no_meaning_is_accepted() {
    let device = "/devices/results/0";
    let none: Vec<String> = Vec::new();
    assert_eq!(changed(&format!("{device}/device"), json!("x")), none);
    assert_eq!(changed(&format!("{device}/shareID"), json!("0c5f")), none);
    let capacity = json!({"mem": "2000m", "bw": "1024"});
    assert_eq!(
        changed(&format!("{device}/consumedCapacity"), capacity),
        none
    );
    let expressions = json!([
        {"key": "gen", "operator": "Exists", "values": []},
        {"key": "zone", "operator": "In", "values": ["b", "a"]},
    ]);
    let term = "/nodeSelector/nodeSelectorTerms/0";
    assert_eq!(
        changed(&format!("{term}/matchExpressions"), expressions),
        none
    );
}

#[test]
fn every_field_of_a_device_counts() {
    let cases = [
        ("request", json!("r0/b")),
        ("driver", json!("e")),
        ("pool", json!("q")),
        ("device", json!("y")),
        ("adminAccess", json!(null)),
        ("tolerations", json!([{"key": "k"}])),
        ("bindingConditions", json!([])),
        ("bindingFailureConditions", json!(["other"])),
        ("shareID", json!(null)),
        ("consumedCapacity", json!({"bw": "1Ki", "mem": "3"})),
        ("consumedCapacity", json!({"bw": "1Ki"})),
        ("skipNodeOperations", json!([])),
    ];
    for (field, value) in cases {
        let found = changed(&format!("/devices/results/0/{field}"), value);
        assert_eq!(found, [format!("results[0].devices.results[0].{field}")]);
    }
}

#[test]
fn configuration_counts_in_order_and_to_the_byte() {
    let config = "results[0].devices.config";
    let first = "/devices/config/0";
    assert_eq!(
        changed(&format!("{first}/source"), json!("FromClaim")),
        [format!("{config}[0].source")]
    );
    assert_eq!(
        changed(&format!("{first}/requests"), json!([])),
        [format!("{config}[0].requests")]
    );
    let opaque = format!("{config}[0].opaque");
    assert_eq!(
        changed(&format!("{first}/opaque/driver"), json!("e")),
        [&*opaque]
    );
    assert_eq!(
        changed(&format!("{first}/opaque/parameters"), json!({"a": 2})),
        [&*opaque]
    );
    assert_eq!(changed("/devices/config", json!([])), [config]);
}

#[test]
fn selectors_of_nodes_count_as_sets() {
    let term = "/nodeSelector/nodeSelectorTerms/0";
    let path = ["results[0].nodeSelector"];
    assert_eq!(
        changed(&format!("{term}/matchExpressions/0/key"), json!("rack")),
        path
    );
    assert_eq!(
        changed(
            &format!("{term}/matchExpressions/0/operator"),
            json!("NotIn")
        ),
        path
    );
    assert_eq!(
        changed(&format!("{term}/matchExpressions/0/values"), json!(["a"])),
        path
    );
    assert_eq!(changed(&format!("{term}/matchFields"), json!([])), path);
    assert_eq!(changed("/nodeSelector", json!(null)), path);
}

#[test]
fn missing_and_surplus_items_are_differences() {
    let device = full()["devices"]["results"][0].clone();
    assert_eq!(
        changed("/devices/results", json!([device, device])),
        ["results[0].devices.results"]
    );
    assert_eq!(
        changed("/devices/results", json!([])),
        ["results[0].devices.results"]
    );
    let expected = expectation(json!({"outcome": "allocated", "results": [full(), full()]}));
    let found = differences(&allocated(full()), &expected);
    assert_eq!(
        found[0].to_string(),
        "results: expected 2 items, found 1 items"
    );
}

#[test]
fn absent_lists_equal_empty_ones() {
    let expected = expectation(
        json!({"outcome": "allocated", "results": [{"devices": {"results": [
        {"request": "r", "driver": "d", "pool": "p", "device": "x", "shareID": "s"}]}}]}),
    );
    let found = allocated(json!({"devices": {"config": [], "results": [
        {"request": "r", "driver": "d", "pool": "p", "device": "x", "shareID": "s",
         "consumedCapacity": {}, "tolerations": []}]}}));
    assert_eq!(differences(&found, &expected), []);
}

#[test]
fn outcomes_and_scopes_count_and_words_do_not() {
    let error = |scope: &str| {
        answer(json!({"name": "basic-1", "outcome": "error",
            "error": {"code": "pool", "message": "words", "path": "", "scope": scope}}))
    };
    let of_request = expectation(json!({"outcome": "error", "error": "other words"}));
    let of_node = expectation(json!({"outcome": "error", "error": "e", "nodeLocal": true}));
    assert_eq!(differences(&error("request"), &of_request), []);
    assert_eq!(differences(&error("node"), &of_node), []);
    assert_eq!(
        paths(&differences(&error("node"), &of_request)),
        ["error.scope"]
    );
    assert_eq!(
        paths(&differences(&error("request"), &of_node)),
        ["error.scope"]
    );

    let infeasible = answer(json!({"name": "basic-1", "outcome": "infeasible"}));
    let found = differences(&infeasible, &of_request);
    assert_eq!(
        found[0].to_string(),
        "outcome: expected \"error\", found \"infeasible\""
    );
    assert_eq!(
        differences(&infeasible, &expectation(json!({"outcome": "infeasible"}))),
        []
    );
    assert_eq!(
        paths(&differences(
            &allocated(full()),
            &expectation(json!({"outcome": "infeasible"}))
        )),
        ["outcome"]
    );
}

#[test]
fn an_answer_must_agree_with_itself_and_be_to_the_case() {
    let expected = expectation(json!({"outcome": "infeasible"}));
    let other = answer(json!({"name": "basic-2", "outcome": "infeasible"}));
    assert_eq!(paths(&differences(&other, &expected)), ["name"]);
    let with_results = answer(json!({"name": "basic-1", "outcome": "infeasible", "results": []}));
    assert_eq!(paths(&differences(&with_results, &expected)), ["results"]);
    let without_error = answer(json!({"name": "basic-1", "outcome": "error"}));
    let expected = expectation(json!({"outcome": "error", "error": "e"}));
    assert_eq!(
        paths(&differences(&without_error, &expected)),
        ["error.scope", "error"]
    );
    let without_results = answer(json!({"name": "basic-1", "outcome": "allocated"}));
    let expected = expectation(json!({"outcome": "allocated", "results": []}));
    assert_eq!(
        paths(&differences(&without_results, &expected)),
        ["results"]
    );
}

/// An expectation where Kubernetes is wrong.
fn corrected(experimental: Value, right: Value) -> Expectation {
    serde_json::from_value(json!({
        "name": "basic-1", "experimental": experimental, "bruteForce": "bug",
        "upstreamBug": "why", "upstreamBugKinds": ["kind"], "right": right,
    }))
    .unwrap()
}

#[test]
fn the_right_answer_wins_over_that_of_kubernetes() {
    let device = json!({"request": "r0/a", "driver": "d", "pool": "p", "device": "x"});
    let right = json!({"outcome": "allocated", "devices": [[device]]});
    let expected = corrected(json!({"outcome": "infeasible"}), right);
    assert_eq!(expected.outcome(), OutcomeKind::Allocated);
    // Only the devices count: the configuration of the answer is not compared.
    assert_eq!(differences(&allocated(full()), &expected), []);
    let infeasible = answer(json!({"name": "basic-1", "outcome": "infeasible"}));
    assert_eq!(
        paths(&differences(&infeasible, &expected)),
        ["outcome", "results"]
    );
    assert_eq!(differences_from(&infeasible, &expected.experimental), []);
    for field in ["request", "driver", "pool", "device"] {
        let mut other = full();
        other["devices"]["results"][0][field] = json!("other");
        let found = differences(&allocated(other), &expected);
        assert_eq!(
            paths(&found),
            [format!("results[0].devices.results[0].{field}")]
        );
    }
}

#[test]
fn a_crash_is_an_error_of_the_request() {
    let expected = corrected(
        json!({"outcome": "panic", "error": "p"}),
        json!({"outcome": "error"}),
    );
    let error = |scope: &str| {
        answer(json!({"name": "basic-1", "outcome": "error",
            "error": {"code": "c", "message": "m", "scope": scope}}))
    };
    assert_eq!(differences(&error("request"), &expected), []);
    assert_eq!(
        paths(&differences(&error("node"), &expected)),
        ["error.scope"]
    );
    assert_eq!(
        differences_from(&error("request"), &expected.experimental),
        []
    );
}

#[test]
fn where_the_order_of_slices_decides_any_finished_answer_is_good() {
    let mut expected = expectation(json!({"outcome": "allocated", "results": [full()]}));
    expected.order_dependent = true;
    let infeasible = answer(json!({"name": "basic-1", "outcome": "infeasible"}));
    assert_eq!(differences(&infeasible, &expected), []);
    let unknown = answer(json!({"name": "basic-1", "outcome": "unknown"}));
    assert_eq!(
        paths(&differences(&unknown, &expected)),
        ["outcome", "results"]
    );
}
