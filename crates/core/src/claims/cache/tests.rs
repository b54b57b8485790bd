use std::sync::Arc;

use super::{MAX_WEIGHT, SETS, SharedCompiled, WAYS};
use crate::claims::PreparedClaims;
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{DeviceClass, ResourceClaim};
use crate::wire::from_json;

/// A claim of one request, whose selector is given.
fn claim(uid: &str, selector: &str) -> ResourceClaim {
    with(
        uid,
        &format!(r#""count":1,"selectors":[{{"cel":{{"expression":"{selector}"}}}}]"#),
        "",
    )
}

/// A claim of one request, the rest of which is given, as is the rest of the spec.
fn with(uid: &str, request: &str, rest: &str) -> ResourceClaim {
    from_json(&format!(
        r#"{{"metadata":{{"namespace":"n","name":"c","uid":"{uid}"}},"spec":{{"devices":{{
        "requests":[{{"name":"r","exactly":{{"deviceClassName":"gpu",
        "allocationMode":"ExactCount",{request}}}}}]{rest}}}}}}}"#
    ))
    .unwrap()
}

fn class() -> Arc<DeviceClass> {
    from_json(r#"{"metadata":{"name":"gpu"}}"#)
        .map(Arc::new)
        .unwrap()
}

fn prepare(
    cache: &SharedCompiled,
    claims: &[ResourceClaim],
    class: &Arc<DeviceClass>,
) -> Result<PreparedClaims, Error> {
    let class = |name: &str| (name == "gpu").then_some(class);
    cache.prepare(claims, class, &Features::all())
}

fn same(one: &PreparedClaims, other: &PreparedClaims) -> bool {
    Arc::ptr_eq(one.compiled(), other.compiled())
}

#[test]
fn equal_specs_share_and_others_do_not() {
    let (cache, gpu) = (SharedCompiled::default(), class());
    let first = prepare(&cache, &[claim("1", "true")], &gpu).unwrap();
    let second = prepare(&cache.clone(), &[claim("2", "true")], &gpu).unwrap();
    assert!(same(&first, &second) && first.is_same(&second));
    assert_eq!(first.address(), second.address());
    assert_eq!((&*first.owners()[0], &*second.owners()[0]), ("1", "2"));

    let counts = with("1", r#""count":1"#, "");
    let others = [
        vec![claim("1", "false")],
        vec![claim("1", "true"), claim("2", "true")],
        vec![counts.clone()],
        vec![with("1", r#""count":2"#, "")],
        vec![with("1", r#""count":1,"adminAccess":true"#, "")],
        vec![with(
            "1",
            r#""count":1,"tolerations":[{"operator":"Exists"}]"#,
            "",
        )],
        vec![with(
            "1",
            r#""count":1,"capacity":{"requests":{"memory":"1Gi"}}"#,
            "",
        )],
        vec![with(
            "1",
            r#""count":1"#,
            r#","constraints":[{"matchAttribute":"a/b"}]"#,
        )],
        vec![with(
            "1",
            r#""count":1"#,
            r#","constraints":[{"distinctAttribute":"a/b"}]"#,
        )],
        vec![with(
            "1",
            r#""count":1"#,
            r#","config":[{"opaque":{"driver":"d","parameters":{"a":1}}}]"#,
        )],
        vec![with(
            "1",
            r#""count":1"#,
            r#","config":[{"opaque":{"driver":"d","parameters":{"a":2}}}]"#,
        )],
        vec![],
    ];
    let prepared: Vec<PreparedClaims> = others
        .iter()
        .map(|claims| prepare(&cache, claims, &gpu).unwrap())
        .collect();
    for (place, one) in prepared.iter().enumerate() {
        assert!(!same(one, &first), "{place}");
        assert!(
            prepared[..place].iter().all(|other| !same(one, other)),
            "{place}"
        );
        let again = prepare(&cache, &others[place], &gpu).unwrap();
        assert!(same(one, &again), "{place}");
    }

    // Another class of the same name, and other features.
    let other_class = prepare(&cache, std::slice::from_ref(&counts), &class()).unwrap();
    assert!(!same(&other_class, &prepared[2]));
    assert!(same(
        &prepare(&cache, std::slice::from_ref(&counts), &gpu).unwrap(),
        &prepared[2]
    ));
    let mut features = Features::all();
    features.device_taints = false;
    let found = |_: &str| Some(&gpu);
    let other_features = cache.prepare(&[counts], found, &features).unwrap();
    assert!(!same(&other_features, &prepared[2]));
    assert_eq!(other_features.features(), &features);
}

#[test]
fn errors_are_those_of_claims_that_are_new() {
    let (cache, gpu) = (SharedCompiled::default(), class());
    let pair = |one, other| [claim(one, "true"), claim(other, "true")];
    for _ in 0..2 {
        let error = prepare(&cache, &pair("1", "1"), &gpu).unwrap_err();
        assert_eq!((error.code(), error.path()), (Code::Duplicate, "claims[1]"));
        let two = prepare(&cache, &pair("1", "2"), &gpu).unwrap();
        assert_eq!((&*two.owners()[0], &*two.owners()[1]), ("1", "2"));
        // A class that is gone is not found in what was compiled with it.
        let gone = cache.prepare(&pair("1", "2"), |_| None, &Features::all());
        assert_eq!(gone.unwrap_err().code(), Code::NotFound);
        let negative = prepare(&cache, &[with("1", r#""count":-1"#, "")], &gpu);
        assert_eq!(negative.unwrap_err().code(), Code::Invalid);
    }
}

#[test]
fn number_and_memory_are_bounded() {
    let (cache, gpu) = (SharedCompiled::default(), class());
    let mut heaviest = 0;
    for number in 0..4 * SETS * WAYS {
        let claims = [claim("1", &format!("device.driver == 'driver-{number}'"))];
        let new = prepare(&cache, &claims, &gpu).unwrap();
        let weight = new.compiled().weight();
        assert!((500..4000).contains(&weight), "{weight}");
        assert!(same(&new, &prepare(&cache, &claims, &gpu).unwrap()));
        let cache = cache.lock();
        let entries = || cache.sets.iter().flatten();
        assert!(cache.sets.iter().all(|set| set.len() <= WAYS));
        assert_eq!(
            cache.weight,
            entries().map(|entry| entry.weight).sum::<usize>()
        );
        heaviest = heaviest.max(cache.weight);
    }
    assert!(
        (MAX_WEIGHT / 2..=MAX_WEIGHT).contains(&heaviest),
        "{heaviest}"
    );

    // One that is too heavy is not kept, and the others stay.
    let before = cache.lock().weight;
    let config = "x".repeat(MAX_WEIGHT / WAYS);
    let rest = format!(r#","config":[{{"opaque":{{"driver":"d","parameters":"{config}"}}}}]"#);
    let heavy = [with("1", r#""count":1"#, &rest)];
    let first = prepare(&cache, &heavy, &gpu).unwrap();
    assert!(!same(&first, &prepare(&cache, &heavy, &gpu).unwrap()));
    assert_eq!(cache.lock().weight, before);
}

#[test]
fn what_was_used_longest_ago_is_forgotten() {
    let cache = SharedCompiled::default();
    let compiled =
        |cache: &SharedCompiled, fingerprint| cache.lock().find(fingerprint, |_| true).is_some();
    let one = PreparedClaims::new(&[], |_| None, Features::all()).unwrap();
    // All of these are of one set.
    for number in 0..WAYS as u64 {
        cache.lock().insert(number, 1, one.compiled());
    }
    assert!(compiled(&cache, 0));
    cache.lock().insert(99, 1, one.compiled());
    let kept: Vec<bool> = (0..WAYS as u64)
        .map(|number| compiled(&cache, number))
        .collect();
    assert_eq!(kept, [true, false, true, true, true, true, true, true]);
    assert!(compiled(&cache, 99));
    assert_eq!(cache.lock().weight, WAYS);
}
