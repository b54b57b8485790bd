#![expect(clippy::needless_pass_by_value, reason = "tests pass literals")]

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::claims::PreparedClaims;
use crate::features::Features;
use crate::model::{DeviceClass, ResourceClaim};

fn config(requests: &[&str], fields: Value) -> Value {
    let mut parameters = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "PlacementPolicy"});
    for (name, value) in fields.as_object().unwrap() {
        parameters[name] = value.clone();
    }
    let opaque = json!({"driver": "dralloc.dev", "parameters": parameters});
    json!({"requests": requests, "opaque": opaque})
}

fn request(name: &str, classes: &[&str]) -> Value {
    match classes {
        [class] => json!({"name": name, "exactly":
            {"deviceClassName": class, "allocationMode": "ExactCount", "count": 1}}),
        classes => {
            let alternatives = classes.iter().enumerate().map(|(place, class)| {
                json!({"name": format!("a{place}"), "deviceClassName": class,
                    "allocationMode": "ExactCount", "count": 1})
            });
            json!({"name": name, "firstAvailable": alternatives.collect::<Vec<_>>()})
        }
    }
}

/// Prepares claims, each of requests and configuration.
fn prepare(claims: &[(Value, Value)], classes: &[(&str, Value)]) -> Result<PreparedClaims, Error> {
    let claims: Vec<ResourceClaim> = claims
        .iter()
        .map(|(requests, config)| {
            let devices = json!({"requests": requests, "config": config});
            let claim = json!({"spec": {"devices": devices}});
            wire::from_json(&claim.to_string()).unwrap()
        })
        .collect();
    let class = |(name, config): &(&str, Value)| {
        let class = json!({"metadata": {"name": name}, "spec": {"config": config}});
        let class: DeviceClass = wire::from_json(&class.to_string()).unwrap();
        ((*name).to_owned(), Arc::new(class))
    };
    let classes: BTreeMap<String, Arc<DeviceClass>> = classes.iter().map(class).collect();
    PreparedClaims::new(&claims, |name| classes.get(name), Features::all())
}

/// Returns terms and requests of scopes, a line each.
fn scopes(claims: &PreparedClaims) -> Vec<String> {
    let scopes = claims.compiled().scopes.iter();
    let lines = scopes.map(|scope| {
        let terms: Vec<String> = scope.terms.iter().map(ToString::to_string).collect();
        let requests = match &scope.requests {
            Requests::All => "all".to_owned(),
            Requests::Some(requests) => format!("{requests:?}"),
        };
        format!("{} for {requests}", terms.join(", "))
    });
    lines.collect()
}

const PACK: &str = "alternativeRank, healthPenalty, waste, packingPotential, parentsTouched";

#[test]
fn a_policy_is_for_the_requests_that_its_configuration_names() {
    let two = json!([request("a", &["c"]), request("b", &["c"])]);
    let plain = || ("c", json!([]));
    let prepared = prepare(&[(two.clone(), json!([]))], &[plain()]).unwrap();
    assert_eq!(scopes(&prepared), [""; 0]);
    let all = json!([config(&[], json!({"policy": "pack"}))]);
    let prepared = prepare(&[(two.clone(), all)], &[plain()]).unwrap();
    assert_eq!(scopes(&prepared), [format!("{PACK} for all")]);
    let own = json!([
        config(
            &["b"],
            json!({"objective": ["waste",
            {"term": "evenness", "attribute": "d.example.com/numa"}]})
        ),
        config(&["a"], json!({"policy": "pack"})),
    ]);
    let prepared = prepare(&[(two, own)], &[plain()]).unwrap();
    let expected = [
        "waste, evenness by d.example.com/numa for {(0, 1)}".to_owned(),
        format!("{PACK} for {{(0, 0)}}"),
    ];
    assert_eq!(scopes(&prepared), expected);
    assert_eq!(prepared.compiled().unsupported, None);
}

#[test]
fn that_of_a_class_is_for_requests_of_which_the_claim_says_nothing() {
    let requests = json!([
        request("a", &["packed"]),
        request("b", &["plain", "even", "packed"]),
        request("c", &["packed"]),
        request("d", &["plain"]),
        request("e", &["packed"]),
    ]);
    let classes = [
        (
            "packed",
            json!([config(&[], json!({"objective": ["waste"]}))]),
        ),
        (
            "even",
            json!([config(&[], json!({"objective": ["evenness"]}))]),
        ),
        ("plain", json!([])),
    ];
    let prepared = prepare(&[(requests.clone(), json!([]))], &classes).unwrap();
    let expected = [
        "waste for {(0, 0), (0, 2), (0, 4)}",
        "evenness for {(0, 1)}",
    ];
    assert_eq!(scopes(&prepared), expected);
    let own = json!([
        config(&["c"], json!({"policy": "kubernetes"})),
        config(&["a", "d"], json!({"objective": ["evenness"]})),
    ]);
    let prepared = prepare(&[(requests, own)], &classes).unwrap();
    let expected = [
        "evenness for {(0, 0), (0, 1), (0, 3)}",
        "waste for {(0, 4)}",
    ];
    assert_eq!(scopes(&prepared), expected);
}

#[test]
fn neighbours_with_equal_terms_are_one() {
    let claim = |name: &str, terms: Value| {
        let requests = json!([request(name, &["c"])]);
        (
            requests,
            json!([config(&[name], json!({"objective": terms}))]),
        )
    };
    let plain = || ("c", json!([]));
    let same = [claim("a", json!(["waste"])), claim("b", json!(["waste"]))];
    assert_eq!(
        scopes(&prepare(&same, &[plain()]).unwrap()),
        ["waste for all"]
    );
    let apart = [
        claim("a", json!(["waste"])),
        claim("b", json!(["waste"])),
        claim("c", json!(["evenness"])),
        claim("d", json!(["waste"])),
    ];
    let expected = [
        "waste for {(0, 0), (1, 0)}",
        "evenness for {(2, 0)}",
        "waste for {(3, 0)}",
    ];
    let prepared = prepare(&apart, &[plain()]).unwrap();
    assert_eq!(scopes(&prepared), expected);
    // Of claims that ask for nothing any more nothing is asked.
    let rest = prepared.without_requests_of(|claim| claim < 3);
    assert_eq!(scopes(&rest), ["waste for all"]);
}

#[test]
fn what_is_wrong_is_told_with_its_path() {
    let one = || json!([request("a", &["c"])]);
    let pack = || json!({"policy": "pack"});
    let bare = |parameters: Value| json!([{"opaque": {"driver": "dralloc.dev", "parameters": parameters}}]);
    let path = "claims[0].spec.devices.config";
    for (own, class, message) in [
        (
            json!([config(&["a"], json!({"polcy": "pack"}))]),
            json!([]),
            format!(
                "{path}[0].opaque.parameters.polcy: unknown field `polcy` (did you mean `policy`)"
            ),
        ),
        (
            json!([config(&["a"], pack()), config(&[], pack())]),
            json!([]),
            format!("{path}[1].opaque: a second policy for request `a`, expected one"),
        ),
        (
            json!([config(&["a/a0"], pack())]),
            json!([]),
            format!(
                "{path}[0].requests[0]: a policy for `a/a0` is not supported, expected all of its \
                 request, `a`"
            ),
        ),
        (
            bare(json!({"apiVersion": "dralloc.dev/v1", "kind": "PlacementPolicy"})),
            json!([]),
            format!(
                "{path}[0].opaque.parameters.apiVersion: expected `dralloc.dev/v1alpha1`, found \
                 `dralloc.dev/v1`"
            ),
        ),
        (
            bare(json!({"apiVersion": "dralloc.dev/v1alpha1", "policy": "pack"})),
            json!([]),
            format!("{path}[0].opaque.parameters.kind: expected `PlacementPolicy`, found none"),
        ),
        (
            bare(Value::Null),
            json!([]),
            format!(
                "{path}[0].opaque.parameters: expected an object of kind `PlacementPolicy`, found \
                 none"
            ),
        ),
        (
            json!([]),
            json!([config(&[], json!({"objective": "waste"}))]),
            "claims[0].spec.devices.requests[0].exactly.class[c].spec.config[0].opaque.parameters.\
             objective: expected a list, found `\"waste\"`"
                .to_owned(),
        ),
        (
            json!([]),
            json!([config(&[], pack()), config(&[], pack())]),
            "claims[0].spec.devices.requests[0].exactly.class[c].spec.config[1].opaque: a second \
             policy in the class, expected one"
                .to_owned(),
        ),
    ] {
        let error = prepare(&[(one(), own)], &[("c", class)]).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn what_is_not_supported_is_an_error_of_the_question() {
    let pairs = json!({"unit":
        {"requests": {"a": 1}, "scope": "nvLink", "mode": "preferred", "apartOver": "nvLink"}});
    let one = json!([request("a", &["c"])]);
    let own = json!([config(&[], pairs.clone())]);
    let prepared = prepare(&[(one.clone(), own)], &[("c", json!([]))]).unwrap();
    let unsupported = |prepared: &PreparedClaims| {
        let error = prepared.compiled().unsupported.as_ref();
        error.map(ToString::to_string).unwrap_or_default()
    };
    assert_eq!(
        unsupported(&prepared),
        "claims[0].spec.devices.config[0].opaque.parameters.unit.apartOver: units are not apart \
         over `nvLink`, expected a place such as `nvLinkDomain`"
    );
    let class = json!([config(&[], pairs)]);
    let prepared = prepare(&[(one, json!([]))], &[("c", class)]).unwrap();
    assert_eq!(
        unsupported(&prepared),
        "claims[0].spec.devices.class[c].spec.config[0].opaque.parameters.unit.apartOver: units \
         are not apart over `nvLink`, expected a place such as `nvLinkDomain`"
    );
}
