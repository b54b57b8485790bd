//! Whatever is called a remedy does help, also when somebody else makes it so.

use std::collections::BTreeMap;

use dralloc::model::{
    CapacityRequirements, CelDeviceSelector, DeviceClass, DeviceSelector, DeviceToleration,
    ResourceClaim, ResourceSlice, Str,
};
use dralloc::{
    AllocateOptions, Change, Engine, NamePlace, Outcome, PlaceOptions, Remedy, SelectorPlace,
    Workspace,
};
use dralloc_testkit::case::Case;
use dralloc_testkit::generate::{self, Profile};
use dralloc_testkit::oracle::{Cel, Options, Solution, solve};
use serde_json::json;

use crate::question::{Question, options};
use crate::{claim, engine, holding, with_numa};

/// Cases in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const CASES: u64 = 1_000;

#[test]
fn remedies_of_random_questions_help() {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    let cases = asked.map_or(CASES, |text| text.parse().unwrap());
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..cases {
        let case = generate::case(seed, Profile::Small);
        let question = Question { case: &case };
        let snapshot = question.snapshot(|_| true);
        let Ok(prepared) = snapshot.prepare(&case.claims) else {
            continue;
        };
        let (node, mut workspace) = (&case.node.metadata.name, Workspace::new());
        let transaction = snapshot.transaction();
        let Ok(remedies) = transaction.remedies(node, &prepared, &options(), &mut workspace) else {
            continue;
        };
        let fits = question.fits_where(|_| true);
        assert!(remedies.is_empty() || fits != Ok(true), "seed {seed}");
        for remedy in &remedies {
            *seen.entry(remedy.as_str()).or_default() += 1;
            // As the engine makes it so.
            let mut what_if = transaction.clone();
            let claims = what_if.remedied(&prepared, remedy).unwrap();
            let outcome = what_if.allocate(node, &claims, &options(), &mut workspace);
            let Ok(Outcome::Optimal(_)) = outcome else {
                panic!("seed {seed}: {remedy}: {outcome:?}");
            };
            // As somebody does who changes the objects.
            let mut changed = case.clone();
            let released = apply(remedy, &mut changed);
            let helps = Question { case: &changed }
                .fits_where(|owner| !released.iter().any(|one| one == owner));
            assert_eq!(helps, Ok(true), "seed {seed}: {remedy}");
            // Brute force, for what changes no holdings: here an error may come first.
            if released.is_empty() {
                let (solution, _) = solve(&changed, &Cel::default(), Options::default());
                assert_ne!(solution, Solution::Infeasible, "seed {seed}: {remedy}");
            }
        }
        if fits == Ok(false) {
            check_counts(&case, &remedies, seed);
        }
    }
    for kind in [
        "release",
        "toleration",
        "count",
        "capacity",
        "constraint",
        "pool",
        "attribute",
        "selector",
    ] {
        let count = seen.get(kind).copied().unwrap_or(0);
        assert!(count * 500 >= cases, "{kind}: {seen:?}");
    }
}

/// Where one device less would do it is offered.
fn check_counts(case: &Case, remedies: &[Remedy], seed: u64) {
    for (place, claim) in case.claims.iter().enumerate() {
        for (index, request) in claim.spec.devices.requests.iter().enumerate() {
            let Some(exactly) = &request.exactly else {
                continue;
            };
            if &*exactly.allocation_mode != "ExactCount" || exactly.count < 2 {
                continue;
            }
            let mut less = case.clone();
            let requests = &mut less.claims[place].spec.devices.requests;
            requests[index].exactly.as_mut().unwrap().count -= 1;
            if (Question { case: &less }).fits_where(|_| true) != Ok(true) {
                continue;
            }
            let asked = usize::try_from(exactly.count).unwrap();
            let expected = Remedy::Count {
                claim: place,
                request: request.name.clone(),
                asked,
                instead: asked - 1,
            };
            assert!(
                remedies.contains(&expected),
                "seed {seed}: {expected:?} not in {remedies:?}"
            );
        }
    }
}

/// Changes the objects; returns the owners that give back what they hold.
fn apply(remedy: &Remedy, case: &mut Case) -> Vec<String> {
    match remedy {
        Remedy::Release { holders } => {
            return holders.iter().map(|one| one.owner.to_string()).collect();
        }
        Remedy::Toleration {
            claim,
            requests,
            tolerations,
        } => {
            for request in requests {
                edit(&mut case.claims[*claim], request, |tolerated, _, _, _| {
                    tolerated.extend_from_slice(tolerations);
                });
            }
        }
        Remedy::Count {
            claim,
            request,
            instead,
            ..
        } => {
            let instead = i64::try_from(*instead).unwrap();
            edit(&mut case.claims[*claim], request, |_, count, _, _| {
                *count = instead;
            });
        }
        Remedy::Capacity {
            claim,
            request,
            capacity,
            instead,
            ..
        } => edit(&mut case.claims[*claim], request, |_, _, _, asked| {
            let asked = asked.as_mut().unwrap();
            asked.requests.insert(capacity.clone(), instead.clone());
        }),
        Remedy::Constraint {
            claim, constraint, ..
        } => {
            let constraints = &mut case.claims[*claim].spec.devices.constraints;
            constraints.remove(*constraint);
        }
        Remedy::Guard { of, expression } => change_selector(case, of, |selectors, place| {
            selectors[place] = DeviceSelector {
                cel: Some(CelDeviceSelector {
                    expression: expression.clone(),
                }),
            };
        }),
        Remedy::Selector { of, .. } => change_selector(case, of, |selectors, place| {
            selectors.remove(place);
        }),
        Remedy::Pool { driver, pool, .. } => {
            let count = i64::try_from(newest(case, driver, pool).len()).unwrap();
            for slice in newest(case, driver, pool) {
                slice.spec.pool.resource_slice_count = count;
            }
        }
        Remedy::Attribute {
            devices,
            attribute,
            value,
        } => {
            for id in devices {
                for slice in newest(case, &id.driver, &id.pool) {
                    let devices = slice.spec.devices.iter_mut();
                    for device in devices.filter(|device| device.name == id.device) {
                        let is_full = device.attributes.contains_key(&**attribute);
                        let name = match attribute.split_once('/') {
                            Some((domain, bare)) if domain == &*id.driver && !is_full => {
                                bare.into()
                            }
                            _ => attribute.clone(),
                        };
                        device.attributes.insert(name, value.clone());
                    }
                }
            }
        }
        Remedy::Name { of, name, instead } => rename(case, of, name, instead),
        other => panic!("{other:?}"),
    }
    Vec::new()
}

/// Writes another name.
fn rename(case: &mut Case, of: &NamePlace, name: &Str, instead: &Str) {
    match of {
        NamePlace::Constraint { claim, constraint } => {
            let one = &mut case.claims[*claim].spec.devices.constraints[*constraint];
            let attributes = [&mut one.match_attribute, &mut one.distinct_attribute];
            for attribute in attributes.into_iter().flatten() {
                *attribute = instead.clone();
            }
        }
        NamePlace::Capacity { claim, request } => {
            edit(&mut case.claims[*claim], request, |_, _, _, asked| {
                let asked = asked.as_mut().unwrap();
                let all = asked.requests.iter().map(|(known, amount)| {
                    let known = if known == name { instead } else { known };
                    (known.clone(), amount.clone())
                });
                asked.requests = all.collect();
            });
        }
        NamePlace::Selector { of, expression } => {
            change_selector(case, of, |selectors, place| {
                selectors[place] = DeviceSelector {
                    cel: Some(CelDeviceSelector {
                        expression: expression.clone(),
                    }),
                };
            });
        }
    }
}

/// Returns the slices of a pool that are of its last generation.
fn newest<'a>(case: &'a mut Case, driver: &str, pool: &str) -> Vec<&'a mut ResourceSlice> {
    let is_of = |slice: &&mut ResourceSlice| {
        &*slice.spec.driver == driver && &*slice.spec.pool.name == pool
    };
    let mut slices: Vec<_> = case.resource_slices.iter_mut().filter(is_of).collect();
    let generation = slices.iter().map(|slice| slice.spec.pool.generation).max();
    slices.retain(|slice| Some(slice.spec.pool.generation) == generation);
    slices
}

/// Edits the request or alternative of a name.
fn edit(
    claim: &mut ResourceClaim,
    name: &str,
    edit: impl FnOnce(
        &mut Vec<DeviceToleration>,
        &mut i64,
        &mut Vec<DeviceSelector>,
        &mut Option<CapacityRequirements>,
    ),
) {
    let (request, alternative) = match name.split_once('/') {
        Some((request, alternative)) => (request, Some(alternative)),
        None => (name, None),
    };
    let mut requests = claim.spec.devices.requests.iter_mut();
    let request = requests.find(|one| &*one.name == request).unwrap();
    if let Some(name) = alternative {
        let mut alternatives = request.first_available.iter_mut();
        let one = alternatives.find(|one| &*one.name == name).unwrap();
        let (tolerations, selectors) = (&mut one.tolerations, &mut one.selectors);
        edit(tolerations, &mut one.count, selectors, &mut one.capacity);
    } else {
        let one = request.exactly.as_mut().unwrap();
        let (tolerations, selectors) = (&mut one.tolerations, &mut one.selectors);
        edit(tolerations, &mut one.count, selectors, &mut one.capacity);
    }
}

fn change_selector(
    case: &mut Case,
    of: &SelectorPlace,
    change: impl FnOnce(&mut Vec<DeviceSelector>, usize),
) {
    match of {
        SelectorPlace::Class { class, selector } => {
            let is_it = |one: &&mut DeviceClass| one.metadata.name == *class;
            // The first of a name counts.
            let class = case.device_classes.iter_mut().find(is_it).unwrap();
            change(&mut class.spec.selectors, *selector);
        }
        SelectorPlace::Request {
            claim,
            request,
            selector,
        } => edit(&mut case.claims[*claim], request, |_, _, selectors, _| {
            change(selectors, *selector);
        }),
    }
}

/// What helps, in words.
fn remedies(engine: &mut Engine, holders: &[Change], claims: &[ResourceClaim]) -> Vec<String> {
    for holder in holders {
        engine.apply(holder.clone()).unwrap();
    }
    let snapshot = engine.snapshot();
    let prepared = snapshot.prepare(claims).unwrap();
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    let remedies = snapshot
        .transaction()
        .remedies("n", &prepared, &options, &mut workspace);
    remedies.unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn what_fits_needs_no_remedy() {
    let mut engine = engine(json!([{"name": "0"}]));
    let claims = [claim("c", &[("r", 1)], json!([]))];
    assert_eq!(remedies(&mut engine, &[], &claims), [""; 0]);
}

#[test]
fn releases_and_lower_counts_come_with_names() {
    let mut engine = engine(json!([{"name": "0"}, {"name": "1"}, {"name": "2"}]));
    let claims = [claim("c", &[("r", 3)], json!([]))];
    let holders = [holding("a", &["0"])];
    let expected = [
        "release claim `default/a`",
        "ask for 2 devices instead of 3 in request `r`",
    ];
    assert_eq!(remedies(&mut engine, &holders, &claims), expected);
}

#[test]
fn all_taints_are_tolerated_where_one_is_not_enough() {
    let taint = |key: &str| json!({"key": key, "value": "x", "effect": "NoSchedule"});
    let mut engine = engine(json!([
        {"name": "0", "taints": [taint("a"), taint("b"), {"key": "c", "effect": "None"}]},
    ]));
    let claims = [claim("c", &[("r", 1)], json!([]))];
    let expected = ["tolerate the taints `a=x:NoSchedule` and `b=x:NoSchedule` in request `r`"];
    assert_eq!(remedies(&mut engine, &[], &claims), expected);
}

#[test]
fn a_constraint_goes_or_the_fewest_devices_change() {
    let mut devices = with_numa(&[0, 0, 1, 2]);
    devices[3]["attributes"] = json!({});
    let mut engine = engine(devices);
    let claims = [claim(
        "c",
        &[("r", 3)],
        json!([{"matchAttribute": "d/numa"}]),
    )];
    let expected = [
        "ask for 2 devices instead of 3 in request `r`",
        "drop the constraint `matchAttribute: d/numa`",
        "publish `d/numa` as 0 on device `d/p/3`",
    ];
    assert_eq!(remedies(&mut engine, &[], &claims), expected);
    // What is published is true.
    let mut engine = crate::engine(with_numa(&[0, 0, 1, 2]));
    assert_eq!(remedies(&mut engine, &[], &claims), expected[..2]);
}

#[test]
fn nobody_chooses_who_a_device_is() {
    let mut engine = engine(json!([{"name": "0"}]));
    let mut asked = claim("c", &[("r", 1)], json!([]));
    let exactly = asked.spec.devices.requests[0].exactly.as_mut().unwrap();
    exactly.selectors = vec![DeviceSelector {
        cel: Some(CelDeviceSelector {
            expression: "'uuid' in device.attributes['d'] && device.attributes['d'].uuid == 'A'"
                .into(),
        }),
    }];
    let expected = [
        "drop selector 0 of request `r`: `'uuid' in device.attributes['d'] && \
         device.attributes['d'].uuid == 'A'`",
    ];
    assert_eq!(remedies(&mut engine, &[], &[asked]), expected);
}

#[test]
fn a_selector_is_guarded_or_its_attribute_published() {
    let mut engine =
        engine(json!([{"name": "0"}, {"name": "1", "attributes": {"model": {"string": "A"}}}]));
    let mut asked = claim("c", &[("r", 1)], json!([]));
    let exactly = asked.spec.devices.requests[0].exactly.as_mut().unwrap();
    exactly.selectors = vec![DeviceSelector {
        cel: Some(CelDeviceSelector {
            expression: "device.attributes['d'].model == 'A'".into(),
        }),
    }];
    let expected = [
        "guard selector 0 of request `r`, so that it first asks whether the device has what it reads: \
         `\"model\" in device.attributes[\"d\"] && device.attributes['d'].model == 'A'`",
        "publish `d/model` as \"A\" on device `d/p/0`",
        "drop selector 0 of request `r`: `device.attributes['d'].model == 'A'`",
    ];
    assert_eq!(remedies(&mut engine, &[], &[asked]), expected);
}

#[test]
fn every_node_is_in_one_group() {
    let mut engine = engine(json!([{"name": "0"}]));
    for node in ["a", "b", "c"] {
        engine
            .apply(Change::Node(dralloc::model::Node::new(node, [])))
            .unwrap();
    }
    engine.apply(holding("h", &["0"])).unwrap();
    let snapshot = engine.snapshot();
    let prepared = snapshot
        .prepare(&[claim("c", &[("r", 1)], json!([]))])
        .unwrap();
    let groups = snapshot
        .transaction()
        .explain_nodes(&prepared, &PlaceOptions::new(), &mut Workspace::new())
        .unwrap();
    let told: Vec<String> = groups
        .iter()
        .map(|group| format!("{}: {}", group.verdict.as_str(), group.nodes.join(" ")))
        .collect();
    assert_eq!(told, ["neverPossible: a b c", "afterRelease: n"]);
}

#[test]
fn who_holds_least_is_named_first_and_others_after_that() {
    let mut engine = engine(with_numa(&[0; 4]));
    let claims = [claim("x", &[("r", 1)], json!([]))];
    let holders = [
        holding("a", &["0", "1"]),
        holding("b", &["2"]),
        holding("c", &["3"]),
    ];
    let expected = [
        "release claim `default/b`",
        "release claim `default/c`",
        "release claim `default/a`",
    ];
    assert_eq!(remedies(&mut engine, &holders, &claims), expected);
    // Of several that are needed together those stay that hold much.
    let claims = [claim("x", &[("r", 2)], json!([]))];
    assert_eq!(remedies(&mut engine, &[], &claims)[..1], expected[2..]);
    let claims = [claim("x", &[("r", 3)], json!([]))];
    assert_eq!(
        remedies(&mut engine, &[], &claims)[0],
        "release claim `default/a` and claim `default/b`"
    );
}

#[test]
fn the_numbers_are_of_the_card_that_a_release_frees() {
    let part = |name: &str, card: &str, memory: &str| {
        json!({"name": name, "consumesCounters": [
            {"counterSet": card, "counters": {"memory": {"value": memory}}}]})
    };
    let card = |name: &str| json!({"name": name, "counters": {"memory": {"value": "40Gi"}}});
    let devices = json!([
        part("large", "card-0", "40Gi"),
        part("small-0", "card-0", "5Gi"),
        part("one", "card-1", "5Gi"),
        part("rest", "card-1", "35Gi"),
        part("small-1", "card-1", "5Gi"),
    ]);
    let mut engine = crate::engine_of(&[
        json!({ "devices": devices }),
        json!({ "sharedCounters": [card("card-0"), card("card-1")] }),
    ]);
    let holders = [
        holding("a", &["large"]),
        holding("b", &["rest"]),
        holding("z", &["one"]),
    ];
    let asked = [claim("c", &[("r", 1)], json!([]))];
    let explanation = crate::explained(&mut engine, &holders, &asked);
    assert_eq!(
        explanation.to_string(),
        "request `r`: 5Gi of counter `memory` of set `card-1` needed on device `d/p/small-1`, \
         0 left; if claim `default/z` were released it would fit"
    );
    assert_eq!(
        remedies(&mut engine, &[], &asked),
        [
            "release claim `default/z`",
            "release claim `default/b`",
            "release claim `default/a`"
        ]
    );
}

#[test]
fn names_that_devices_publish_come_first() {
    let mut engine = engine(with_numa(&[0, 0]));
    let claims = [claim(
        "c",
        &[("r", 2)],
        json!([{"matchAttribute": "vendor.example.com/numa"}]),
    )];
    let expected = "compare `d/numa`, which devices publish, instead of `vendor.example.com/numa`";
    assert_eq!(remedies(&mut engine, &[], &claims)[0], expected);
    let mut asked = claim("c", &[("r", 1)], json!([]));
    let exactly = asked.spec.devices.requests[0].exactly.as_mut().unwrap();
    exactly.selectors = serde_json::from_value(json!([
        {"cel": {"expression": "device.attributes['vendor.example.com'].numa == 0"}}]))
    .unwrap();
    let expected = "read `d/numa`, which devices publish, instead of `vendor.example.com/numa` in \
                    selector 0 of request `r`";
    assert_eq!(remedies(&mut engine, &[], &[asked])[0], expected);
}

#[test]
fn capacities_have_the_names_that_devices_give_them() {
    let mut engine = engine(json!([{"name": "0", "allowMultipleAllocations": true,
        "capacity": {"memory": {"value": "40Gi"}}}]));
    let mut asked = claim("c", &[("r", 1)], json!([]));
    let exactly = asked.spec.devices.requests[0].exactly.as_mut().unwrap();
    exactly.capacity = serde_json::from_value(json!({"requests": {"d/memory": "8Gi"}})).unwrap();
    let expected = "ask for `memory`, which devices publish, instead of `d/memory` in request `r`";
    assert_eq!(remedies(&mut engine, &[], &[asked])[0], expected);
}

#[test]
fn tainted_devices_come_with_what_taints_them() {
    let mut engine = engine(json!([
        {"name": "0", "taints": [{"key": "lost", "effect": "NoExecute"}]}, {"name": "1"}, {"name": "2"},
    ]));
    let rule = json!({"metadata": {"name": "maintenance"}, "spec": {
        "deviceSelector": {"driver": "d", "device": "1"},
        "taint": {"key": "broken", "effect": "NoSchedule"}}});
    engine
        .apply(Change::DeviceTaintRule(
            serde_json::from_value(rule).unwrap(),
        ))
        .unwrap();
    let snapshot = engine.snapshot();
    let prepared = snapshot
        .prepare(&[claim("c", &[("r", 2)], json!([]))])
        .unwrap();
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    let tainted = snapshot
        .transaction()
        .tainted("n", &prepared, &options, &mut workspace)
        .unwrap();
    assert_eq!(
        serde_json::to_value(&tainted).unwrap(),
        json!([
            {"claim": 0, "request": "r", "device": {"driver": "d", "pool": "p", "device": "0"},
             "taint": {"key": "lost", "effect": "NoExecute"}},
            {"claim": 0, "request": "r", "device": {"driver": "d", "pool": "p", "device": "1"},
             "taint": {"key": "broken", "effect": "NoSchedule"}, "rule": "maintenance"},
        ])
    );
}
