//! Questions for the best answer: policies, and what they look at.

use dralloc::model::{DeviceHealth, Str};
use dralloc::{Policy, Term};
use serde_json::{Value, json};

use super::text::{DRIVERS, NODE, spell};
use super::{Group, Profile, Random, of_group};
use crate::case::Case;

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
    /// Which of several answers is wanted.
    pub policy: Policy,
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
    let policy = policy(&mut random);
    let read = || -> Result<_, serde_json::Error> {
        let case = Case::from_line(&case.to_string())?;
        let healths = serde_json::from_value(healths.into())?;
        Ok((case, healths))
    };
    let (case, healths) = read().expect("a generated case can be read");
    Question {
        case,
        policy,
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

/// Returns a preset or a list of terms, in any order.
fn policy(random: &mut Random) -> Policy {
    match random.below(20) {
        0 => return Policy::Kubernetes,
        1..=3 => return Policy::Pack,
        4..=6 => return Policy::Spread,
        _ => {}
    }
    let terms = (0..random.between(1, 4)).map(|_| match random.below(9) {
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
    });
    Policy::Terms(terms.collect())
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
        let mut counts = [0; 9];
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
            for term in &*question.policy.terms() {
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
    }
}
