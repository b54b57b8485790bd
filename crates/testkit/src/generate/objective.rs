//! Questions for the best answer: policies, and what they look at.

use dralloc::model::{DeviceHealth, PlacementPolicy, Str};
use dralloc::{Policy, Term};
use serde_json::{Value, json};

use super::text::{DRIVERS, NODE, spell};
use super::{Group, Profile, Random, of_group};
use crate::case::Case;
use crate::oracle::WishScope;

/// What cases are about where it matters which answer is given, the usual ones
/// several times.
const GROUPS: [Group; 24] = [
    Group::Basic,
    Group::Basic,
    Group::Pools,
    Group::Nodes,
    Group::Counters,
    Group::Counters,
    Group::Counters,
    Group::Counters,
    Group::Capacity,
    Group::Capacity,
    Group::Fraction,
    Group::SharedParts,
    Group::SharedParts,
    Group::Held,
    Group::Held,
    Group::Admin,
    Group::Prioritized,
    Group::Prioritized,
    Group::All,
    Group::Match,
    Group::Distinct,
    Group::Lists,
    Group::CompatibilityGroups,
    Group::Claims,
];

/// Seconds since 1970 of the time at which questions are asked.
const NOW: i64 = 1_769_860_800;

/// Is a case, and what is wanted of the answer.
#[derive(Clone, Debug)]
pub struct Question {
    /// The case.
    pub case: Case,
    /// Which of several answers the caller wants; absent: what claims and
    /// classes carry counts.
    pub policy: Option<Policy>,
    /// The terms that follow from all that, with their requests.
    pub scopes: Vec<WishScope>,
    /// What went wrong with devices.
    pub healths: Vec<DeviceHealth>,
    /// Seconds since 1970, if they are told.
    pub now: Option<i64>,
}

/// Returns the question of a seed.
///
/// # Panics
///
/// Never, unless the generator writes something that is no case.
#[expect(
    clippy::expect_used,
    reason = "a test reads what is made of many seeds"
)]
pub fn question(seed: u64) -> Question {
    let mut random = Random::new(seed ^ 0x006f_626a_6563_7469);
    let group = GROUPS[random.below(GROUPS.len())];
    let mut case = of_group(seed, group, Profile::Small, &mut random);
    mark_parents(&mut case, &mut random);
    let healths: Vec<Value> = (0..random.below(4))
        .filter_map(|number| health(number, &case, &mut random))
        .collect();
    let now = random.chance(70).then_some(NOW);
    let is_carried = random.chance(40);
    let asked = (!is_carried || random.chance(10)).then(|| policy(&mut random));
    let carried = if is_carried {
        carry(&mut case, &mut random)
    } else {
        Vec::new()
    };
    let read = || -> Result<_, serde_json::Error> {
        let case = Case::from_line(&case.to_string())?;
        let healths = serde_json::from_value(healths.into())?;
        Ok((case, healths))
    };
    let (case, healths) = read().expect("a generated case can be read");
    let scopes = match &asked {
        Some(Policy::Kubernetes) => Vec::new(),
        Some(policy) => vec![WishScope::of_all(&case, policy.terms().into_owned())],
        None => carried,
    };
    Question {
        case,
        policy: asked,
        scopes,
        healths,
        now,
    }
}

/// Gives devices attributes that say which card they are a part of.
fn mark_parents(case: &mut Value, random: &mut Random) {
    let slices = case["resourceSlices"].as_array_mut();
    for slice in slices.into_iter().flatten() {
        if random.chance(50) {
            continue;
        }
        let driver = slice["spec"]["driver"].as_str().unwrap_or_default();
        let driver = driver.to_owned();
        let devices = slice["spec"].get_mut("devices");
        for device in devices.and_then(Value::as_array_mut).into_iter().flatten() {
            let value = match random.below(12) {
                0 => continue,
                1 => json!({"int": random.below(2)}),
                _ => json!({"string": format!("GPU-{}", random.below(3))}),
            };
            if !device["attributes"].is_object() {
                device["attributes"] = json!({});
            }
            device["attributes"][spell("parentUUID", &driver, random)] = value;
        }
    }
}

/// Returns what went wrong with a device; with one that is named or with all of a value.
fn health(number: usize, case: &Value, random: &mut Random) -> Option<Value> {
    let slices: Vec<&Value> = case["resourceSlices"].as_array()?.iter().collect();
    let slices = slices.into_iter().filter(|slice| {
        let devices = slice["spec"]["devices"].as_array();
        devices.is_some_and(|devices| !devices.is_empty())
    });
    let slices: Vec<&Value> = slices.collect();
    let spec = &slices.get(random.below(slices.len()))?["spec"];
    let mut said = if random.chance(70) {
        let devices = spec["devices"].as_array()?;
        let device = &devices.get(random.below(devices.len()))?["name"];
        // Nothing can be said of a device without a full name.
        if spec["pool"]["name"] == json!("") || *device == json!("") {
            return None;
        }
        json!({"device": {
            "driver": spec["driver"], "pool": spec["pool"]["name"], "device": device,
        }})
    } else {
        let driver = random.pick(&DRIVERS);
        let (attribute, value) = match random.below(3) {
            0 => ("resource.kubernetes.io/pcieRoot".to_owned(), "pci0"),
            1 => (format!("{driver}/model"), "a100"),
            _ => (format!("{driver}/parentUUID"), "GPU-1"),
        };
        let mut said = json!({"match": {"attribute": attribute, "value": value}});
        if random.chance(40) {
            said["nodeName"] = json!(random.pick(&[NODE, NODE, "node-2"]));
        }
        said
    };
    let failures: Vec<Value> = (0..random.between(1, 3))
        .map(|_| {
            let time = random.pick(&[
                "2026-01-31T12:00:00Z",
                "2026-01-31T11:59:59.999Z",
                "2026-01-30T12:00:00Z",
                "2026-01-30T13:00:00.5+01:00",
                "2026-01-30T12:00:01Z",
                "2026-01-28T00:00:00Z",
                "2025-12-01T00:00:00Z",
                "2026-02-03T00:00:00Z",
            ]);
            let mut failure = json!({"time": time, "reason": "xid"});
            match random.below(8) {
                0..=3 => {}
                4 => failure["weight"] = json!(900),
                5 if random.chance(20) => failure["weight"] = json!(i64::MAX),
                _ => failure["weight"] = json!(random.between(1, 5)),
            }
            failure
        })
        .collect();
    said["failures"] = failures.into();
    Some(json!({"metadata": {"name": format!("health-{number}")}, "spec": said}))
}

/// Writes policies into claims and classes; returns the scopes that they make.
fn carry(case: &mut Value, random: &mut Random) -> Vec<WishScope> {
    let mut of_classes: Vec<(String, Policy)> = Vec::new();
    for class in case["deviceClasses"].as_array_mut().into_iter().flatten() {
        if random.chance(25) {
            let policy = policy(random);
            let name = class["metadata"]["name"].as_str().unwrap_or_default();
            of_classes.push((name.to_owned(), policy.clone()));
            add_config(&mut class["spec"], &policy, &[]);
        }
    }
    let mut scopes = Vec::new();
    for (claim, object) in case["claims"]
        .as_array_mut()
        .into_iter()
        .flatten()
        .enumerate()
    {
        let devices = &mut object["spec"]["devices"];
        let requests = devices["requests"].as_array().cloned().unwrap_or_default();
        let name = |place: usize| requests[place]["name"].as_str().unwrap_or_default();
        let mut settled = vec![false; requests.len()];
        for _ in 0..random.below(3) {
            let mut places = Vec::new();
            let percent = if random.chance(40) { 100 } else { 50 };
            for (place, settled) in settled.iter_mut().enumerate() {
                // Of requests with one name a list cannot choose one.
                let is_first = (0..place).all(|other| name(other) != name(place));
                let is_only = (place + 1..requests.len()).all(|other| name(other) != name(place));
                if !*settled && is_first && is_only && random.chance(percent) {
                    *settled = true;
                    places.push(place);
                }
            }
            if places.is_empty() {
                continue;
            }
            let policy = policy(random);
            let names: Vec<&str> = places.iter().map(|place| name(*place)).collect();
            let is_of_all = places.len() == requests.len() && random.chance(50);
            add_config(devices, &policy, if is_of_all { &[] } else { &names });
            join(&mut scopes, &policy, claim, &places);
        }
        let mut chosen: Vec<(usize, Vec<usize>)> = Vec::new();
        for place in (0..requests.len()).filter(|place| !settled[*place]) {
            let alternatives = match requests[place]["firstAvailable"].as_array() {
                Some(alternatives) => alternatives.iter().collect(),
                None => vec![&requests[place]["exactly"]],
            };
            let class_of = |alternative: &&Value| {
                let class = &alternative["deviceClassName"];
                of_classes.iter().position(|(name, _)| class == name)
            };
            if let Some(class) = alternatives.iter().find_map(class_of) {
                match chosen.iter_mut().find(|(known, _)| *known == class) {
                    Some((_, places)) => places.push(place),
                    None => chosen.push((class, vec![place])),
                }
            }
        }
        for (class, places) in chosen {
            join(&mut scopes, &of_classes[class].1, claim, &places);
        }
    }
    scopes
}

/// Adds the requests of a policy to the last scope if that has its terms.
fn join(scopes: &mut Vec<WishScope>, policy: &Policy, claim: usize, places: &[usize]) {
    let requests = places.iter().map(|place| (claim, *place));
    let terms = policy.terms();
    match scopes.last_mut() {
        _ if terms.is_empty() => {}
        Some(last) if *last.terms == *terms => last.requests.extend(requests),
        _ => scopes.push(WishScope {
            terms: terms.into_owned(),
            requests: requests.collect(),
            preferred: PlacementPolicy::default(),
        }),
    }
}

fn add_config(spec: &mut Value, policy: &Policy, requests: &[&str]) {
    let field = match policy {
        Policy::Terms(_) => "objective",
        _ => "policy",
    };
    let mut config = json!({"opaque": {"driver": "dralloc.dev", "parameters": {
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "PlacementPolicy", field: policy,
    }}});
    if !requests.is_empty() {
        config["requests"] = json!(requests);
    }
    match spec.get_mut("config").and_then(Value::as_array_mut) {
        Some(list) => list.push(config),
        None => spec["config"] = json!([config]),
    }
}

/// Returns a preset or a list of terms, in any order.
fn policy(random: &mut Random) -> Policy {
    match random.below(20) {
        0 => return Policy::Kubernetes,
        1..=3 => return Policy::Pack,
        4..=6 => return Policy::Spread,
        _ => {}
    }
    let term = |random: &mut Random| match random.below(9) {
        0 => Term::AlternativeRank,
        1 => Term::HealthPenalty,
        2..=3 => Term::Waste,
        4..=5 => Term::PackingPotential,
        6 => Term::ParentsTouched {
            attribute: attribute(random),
        },
        _ => Term::Evenness {
            attribute: attribute(random),
        },
    };
    let mut terms: Vec<Term> = Vec::new();
    for _ in 0..random.between(1, 4) {
        let term = term(random);
        if !terms.contains(&term) {
            terms.push(term);
        }
    }
    Policy::Terms(terms)
}

/// Returns the name of an attribute to have parents by, or none.
fn attribute(random: &mut Random) -> Option<Str> {
    let driver = random.pick(&DRIVERS[..2]);
    match random.below(8) {
        0..=3 => None,
        4 => Some("resource.kubernetes.io/numaNode".into()),
        5 => Some("resource.kubernetes.io/pcieRoot".into()),
        6 => Some(format!("{driver}/links").into()),
        _ => Some(format!("{driver}/parent").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dralloc::model::DeviceAttribute;

    #[test]
    fn all_that_terms_look_at_comes_up() {
        let (mut counts, mut several) = ([0; 10], 0);
        for seed in 0..1_000 {
            let question = question(seed);
            let slices = question.case.resource_slices.iter();
            let devices = slices.flat_map(|slice| &*slice.spec.devices);
            let mut names = devices.flat_map(|device| device.attributes.iter());
            let is_parent = |(name, value): (&Str, &DeviceAttribute)| {
                name.ends_with("parentUUID") && matches!(value, DeviceAttribute::String(_))
            };
            counts[0] += usize::from(names.any(is_parent));
            counts[1] += usize::from(!question.healths.is_empty());
            counts[2] += usize::from(question.now.is_none());
            counts[9] += usize::from(question.policy.is_none());
            several += usize::from(question.scopes.len() > 1);
            for term in question.scopes.iter().flat_map(|scope| &scope.terms) {
                let place = match term {
                    Term::AlternativeRank => 3,
                    Term::HealthPenalty => 4,
                    Term::Waste => 5,
                    Term::PackingPotential => 6,
                    Term::ParentsTouched { .. } => 7,
                    _ => 8,
                };
                counts[place] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
        assert!(several >= 25, "{several}");
    }
}
