//! What the generator reaches.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{
    Device, DeviceAttribute, DeviceConstraint, DeviceRequest, ExactDeviceRequest, ResourceSlice,
    ResourceSliceSpec,
};

use super::*;
use crate::oracle::{Cel, Options, Solution, solve};

/// A trait of cases, and how often it has to come up in 4,000 of them.
struct Trait(&'static str, usize, fn(&Case) -> bool);

const TRAITS: [Trait; 63] = [
    Trait("several pools", 500, |case| pools(case).len() > 1),
    Trait("several drivers", 100, |case| {
        pools(case)
            .iter()
            .map(|(driver, _)| driver)
            .collect::<BTreeSet<_>>()
            .len()
            > 1
    }),
    Trait("several slices of a pool", 300, |case| {
        pools(case).len() < case.resource_slices.len()
    }),
    Trait("generations", 50, |case| {
        let mut generations = BTreeMap::new();
        case.resource_slices.iter().any(|slice| {
            let pool = &slice.spec.pool;
            let key = (&slice.spec.driver, &pool.name);
            *generations.entry(key).or_insert(pool.generation) != pool.generation
        })
    }),
    Trait("slices of one name", 30, |case| {
        let names: BTreeSet<_> = case
            .resource_slices
            .iter()
            .map(|slice| &slice.metadata.name)
            .collect();
        names.len() < case.resource_slices.len()
    }),
    Trait("all nodes", 50, |case| {
        slice(case, |slice| slice.spec.all_nodes == Some(true))
    }),
    Trait("not all nodes", 5, |case| {
        slice(case, |slice| slice.spec.all_nodes == Some(false))
    }),
    Trait("another node", 20, |case| {
        slice(case, |slice| {
            slice.spec.node_name.as_deref() == Some("node-2")
        })
    }),
    Trait("empty node name", 5, |case| {
        slice(case, |slice| slice.spec.node_name.as_deref() == Some(""))
    }),
    Trait("node selector", 50, |case| {
        slice(case, |slice| slice.spec.node_selector.is_some())
    }),
    Trait("node selector of two terms", 10, |case| {
        slice(case, |slice| {
            let selector = slice.spec.node_selector.as_ref();
            selector.is_some_and(|selector| selector.node_selector_terms.len() > 1)
        })
    }),
    Trait("node fields", 10, |case| {
        slice(case, |slice| {
            let selector = slice.spec.node_selector.as_ref();
            let mut terms = selector.into_iter().flat_map(|s| &s.node_selector_terms);
            terms.any(|term| !term.match_fields.is_empty())
        })
    }),
    Trait("per-device node selection", 50, |case| {
        slice(case, |slice| {
            slice.spec.per_device_node_selection == Some(true)
        })
    }),
    Trait("device node selector", 20, |case| {
        device(case, |it| it.node_selector.is_some())
    }),
    Trait("binds to node", 20, |case| {
        device(case, |it| it.binds_to_node == Some(true))
    }),
    Trait("counters", 200, |case| {
        device(case, |it| !it.consumes_counters.is_empty())
    }),
    Trait("two counter sets", 10, |case| {
        device(case, |it| it.consumes_counters.len() > 1)
    }),
    Trait("compatibility groups", 50, |case| {
        device(case, |it| {
            it.consumes_counters
                .iter()
                .any(|c| !c.compatibility_groups.is_empty())
        })
    }),
    Trait("shared", 300, |case| {
        device(case, |it| it.allow_multiple_allocations == Some(true))
    }),
    Trait("valid values", 100, |case| {
        policy(case, |policy| policy.valid_values.is_some())
    }),
    Trait("valid range", 100, |case| {
        policy(case, |policy| {
            policy
                .valid_range
                .as_ref()
                .is_some_and(|range| range.max.is_some())
        })
    }),
    Trait("step", 100, |case| {
        policy(case, |policy| {
            policy
                .valid_range
                .as_ref()
                .is_some_and(|range| range.step.is_some())
        })
    }),
    Trait("twins", 50, |case| {
        let name = "resource.kubernetes.io/pciBusID";
        let slices = case.resource_slices.iter();
        let devices = slices.flat_map(|slice| slice.spec.devices.iter().map(move |it| (slice, it)));
        let with: Vec<_> = devices
            .filter_map(|(slice, it)| Some((&slice.spec, it.attributes.get(name)?)))
            .collect();
        let differ = |one: &ResourceSliceSpec, other: &ResourceSliceSpec| {
            (&one.driver, &one.pool.name) != (&other.driver, &other.pool.name)
        };
        let is_twin = |one: &(&ResourceSliceSpec, _), other: &(&ResourceSliceSpec, _)| {
            one.1 == other.1 && differ(one.0, other.0)
        };
        with.iter()
            .any(|one| with.iter().any(|other| is_twin(one, other)))
    }),
    Trait("taint", 100, |case| {
        device(case, |it| !it.taints.is_empty())
    }),
    Trait("binding condition", 50, |case| {
        device(case, |it| {
            it.binding_conditions
                .as_ref()
                .is_some_and(|list| !list.is_empty())
        })
    }),
    Trait("no binding conditions", 10, |case| {
        device(case, |it| {
            it.binding_conditions.as_ref().is_some_and(Vec::is_empty)
        })
    }),
    Trait("list attribute", 100, |case| {
        attribute(case, |it| {
            matches!(it, DeviceAttribute::Ints(_) | DeviceAttribute::Strings(_))
        })
    }),
    Trait("attribute without value", 4, |case| {
        attribute(case, |it| *it == DeviceAttribute::Unknown)
    }),
    Trait("qualified attribute", 300, |case| {
        device(case, |it| {
            it.attributes.keys().any(|key| key.contains("example.com/"))
        })
    }),
    Trait("skipped node operations", 20, |case| {
        slice(case, |slice| !slice.spec.skip_node_operations.is_empty())
    }),
    Trait("declared node features", 20, |case| {
        !case.node.status.declared_features.is_empty()
    }),
    Trait("held device", 200, |case| {
        !case.allocated.devices.is_empty()
    }),
    Trait("held share", 100, |case| {
        !case.allocated.shared_device_ids.is_empty()
    }),
    Trait("consumed capacity", 100, |case| {
        !case.allocated.consumed_capacity.is_empty()
    }),
    Trait("shared, then dedicated", 20, |case| {
        let shares = &case.allocated.shared_device_ids;
        shares.iter().any(|share| {
            device(case, |it| {
                it.name == share.device.device && it.allow_multiple_allocations != Some(true)
            })
        })
    }),
    Trait("several claims", 300, |case| case.claims.len() > 1),
    Trait("no requests", 20, |case| {
        case.claims
            .iter()
            .any(|claim| claim.spec.devices.requests.is_empty())
    }),
    Trait("firstAvailable", 100, |case| {
        request(case, |it| it.first_available.len() > 1)
    }),
    Trait("neither form", 3, |case| {
        request(case, |it| {
            it.exactly.is_none() && it.first_available.is_empty()
        })
    }),
    Trait("all", 100, |case| {
        exactly(case, |it| &*it.allocation_mode == "All")
    }),
    Trait("unknown mode", 3, |case| {
        exactly(case, |it| &*it.allocation_mode == "Most")
    }),
    Trait("count zero", 5, |case| {
        exactly(case, |it| {
            &*it.allocation_mode == "ExactCount" && it.count == 0
        })
    }),
    Trait("huge count", 2, |case| {
        exactly(case, |it| it.count == i64::MAX)
    }),
    Trait("negative count", 1, |case| exactly(case, |it| it.count < 0)),
    Trait("admin access", 50, |case| {
        exactly(case, |it| it.admin_access == Some(true))
    }),
    Trait("no admin access", 5, |case| {
        exactly(case, |it| it.admin_access == Some(false))
    }),
    Trait("toleration", 50, |case| {
        exactly(case, |it| !it.tolerations.is_empty())
    }),
    Trait("capacity request", 200, |case| {
        exactly(case, |it| it.capacity.is_some())
    }),
    Trait("derived attribute", 50, |case| {
        exactly(case, |it| !it.derived_attributes.is_empty())
    }),
    Trait("selector without CEL", 3, |case| {
        exactly(case, |it| {
            it.selectors.iter().any(|selector| selector.cel.is_none())
        })
    }),
    Trait("selector", 300, |case| {
        exactly(case, |it| !it.selectors.is_empty())
    }),
    Trait("missing class", 3, |case| {
        exactly(case, |it| &*it.device_class_name == "missing")
    }),
    Trait("empty class", 2, |case| {
        exactly(case, |it| it.device_class_name.is_empty())
    }),
    Trait("empty request name", 2, |case| {
        request(case, |it| it.name.is_empty())
    }),
    Trait("match", 200, |case| {
        constraint(case, |it| it.match_attribute.is_some())
    }),
    Trait("distinct", 150, |case| {
        constraint(case, |it| it.distinct_attribute.is_some())
    }),
    Trait("constraint without kind", 3, |case| {
        constraint(case, |it| {
            it.match_attribute.is_none() && it.distinct_attribute.is_none()
        })
    }),
    Trait("constraint on a subrequest", 20, |case| {
        constraint(case, |it| it.requests.iter().any(|name| name.contains('/')))
    }),
    Trait("claim config", 50, |case| {
        case.claims
            .iter()
            .any(|claim| !claim.spec.devices.config.is_empty())
    }),
    Trait("class config", 50, |case| {
        case.device_classes
            .iter()
            .any(|class| !class.spec.config.is_empty())
    }),
    Trait("gate off", 50, |case| {
        case.features != dralloc::Features::all()
    }),
    Trait("milli quantity", 50, |case| {
        text(case, |quantity| {
            quantity.ends_with('m') || quantity.starts_with("0.")
        })
    }),
    Trait("negative quantity", 10, |case| {
        text(case, |quantity| quantity.starts_with('-'))
    }),
];

fn pools(case: &Case) -> BTreeSet<(&str, &str)> {
    let specs = case.resource_slices.iter().map(|slice| &slice.spec);
    specs
        .map(|spec| (&*spec.driver, &*spec.pool.name))
        .collect()
}

fn slice(case: &Case, test: impl Fn(&ResourceSlice) -> bool) -> bool {
    case.resource_slices.iter().any(test)
}

fn device(case: &Case, test: impl Fn(&Device) -> bool) -> bool {
    slice(case, |slice| slice.spec.devices.iter().any(&test))
}

fn attribute(case: &Case, test: impl Fn(&DeviceAttribute) -> bool) -> bool {
    device(case, |device| device.attributes.values().any(&test))
}

fn policy(case: &Case, test: impl Fn(&dralloc::model::CapacityRequestPolicy) -> bool) -> bool {
    device(case, |device| {
        let mut policies = device
            .capacity
            .values()
            .filter_map(|it| it.request_policy.as_ref());
        policies.any(|policy| test(policy))
    })
}

fn text(case: &Case, test: impl Fn(&str) -> bool) -> bool {
    device(case, |device| {
        device
            .capacity
            .values()
            .any(|capacity| capacity.value.text().is_some_and(&test))
    })
}

fn request(case: &Case, test: impl Fn(&DeviceRequest) -> bool) -> bool {
    case.claims
        .iter()
        .any(|claim| claim.spec.devices.requests.iter().any(&test))
}

fn exactly(case: &Case, test: impl Fn(&ExactDeviceRequest) -> bool) -> bool {
    request(case, |request| request.exactly.as_ref().is_some_and(&test))
}

fn constraint(case: &Case, test: impl Fn(&DeviceConstraint) -> bool) -> bool {
    case.claims
        .iter()
        .any(|claim| claim.spec.devices.constraints.iter().any(&test))
}

#[test]
fn every_trait_comes_up() {
    let cases: Vec<Case> = (0..4000).map(|seed| case(seed, Profile::Small)).collect();
    let mut rare = Vec::new();
    for Trait(name, expected, test) in TRAITS {
        let found = cases.iter().filter(|case| test(case)).count();
        if found < expected {
            rare.push(format!("{name}: {found} of {expected}"));
        }
    }
    assert_eq!(rare, [""; 0]);
}

#[test]
fn every_group_comes_up_about_as_often() {
    let mut counts = BTreeMap::new();
    for seed in 0..2800 {
        let case = json(seed, Profile::Small);
        let name = case["name"].as_str().unwrap().to_owned();
        let (group, number) = name.rsplit_once('-').unwrap();
        assert_eq!(number, seed.to_string());
        *counts.entry(group.to_owned()).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), Group::EVERY.len());
    for (group, count) in counts {
        assert!((60..150).contains(&count), "{group}: {count}");
    }
}

#[test]
fn a_seed_says_all() {
    for seed in 0..200 {
        for profile in [Profile::Small, Profile::Medium] {
            assert_eq!(json(seed, profile), json(seed, profile));
        }
    }
    assert_ne!(json(1, Profile::Small), json(1, Profile::Medium));
}

#[test]
fn small_cases_are_small() {
    for seed in 0..2000 {
        let case = case(seed, Profile::Small);
        let devices: BTreeSet<_> = case
            .resource_slices
            .iter()
            .flat_map(|slice| {
                let spec = &slice.spec;
                spec.devices
                    .iter()
                    .map(move |device| (&spec.driver, &spec.pool.name, &device.name))
            })
            .collect();
        assert!(devices.len() <= 8, "seed {seed}: {} devices", devices.len());
    }
}

#[test]
fn limits_are_met_in_medium_cases() {
    let many = (0..2000)
        .map(|seed| case(seed, Profile::Medium))
        .filter(|case| {
            let counts = case
                .claims
                .iter()
                .flat_map(|claim| &claim.spec.devices.requests);
            let counts = counts.filter_map(|request| request.exactly.as_ref());
            counts
                .map(|exactly| exactly.count.clamp(0, 40))
                .sum::<i64>()
                >= 25
        })
        .count();
    assert!(many >= 40, "{many}");
}

/// How often brute force ends in which way.
#[derive(Debug, Default)]
struct Outcomes {
    allocated: usize,
    infeasible: usize,
    after_search: usize,
    error: usize,
    skipped: usize,
    shared: usize,
    tight: usize,
}

#[test]
fn outcomes_are_balanced() {
    let mut outcomes = Outcomes::default();
    for seed in 0..1000 {
        let case = case(seed, Profile::Small);
        let (solution, steps) = solve(&case, &Cel::default(), Options::default());
        match solution {
            Solution::Allocated(results) => {
                outcomes.allocated += 1;
                let picks = || results.iter().flat_map(|result| &result.devices.results);
                outcomes.shared += usize::from(picks().any(|pick| pick.share_id.is_some()));
                let taken: BTreeSet<&str> = picks()
                    .map(|pick| &*pick.device)
                    .chain(case.allocated.devices.iter().map(|id| &*id.device))
                    .collect();
                let free = device(&case, |device| !taken.contains(&*device.name));
                outcomes.tight += usize::from(!free);
            }
            Solution::Infeasible => {
                outcomes.infeasible += 1;
                outcomes.after_search += usize::from(steps > 1);
            }
            Solution::Error(_) => outcomes.error += 1,
            Solution::Skipped => outcomes.skipped += 1,
        }
    }
    assert!(outcomes.allocated >= 350, "{outcomes:?}");
    assert!(outcomes.infeasible >= 350, "{outcomes:?}");
    assert!(outcomes.after_search >= 200, "{outcomes:?}");
    assert!(outcomes.error >= 50, "{outcomes:?}");
    assert!(outcomes.shared >= 40, "{outcomes:?}");
    assert!(outcomes.tight >= 40, "{outcomes:?}");
    assert_eq!(outcomes.skipped, 0, "{outcomes:?}");
}
