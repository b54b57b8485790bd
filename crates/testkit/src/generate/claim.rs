//! Claims: requests, alternatives, constraints.

use serde_json::{Value, json};

use super::config::config;
use super::pool::Published;
use super::selector::{derived, selectors};
use super::text::{DRIVERS, Scale, quantity};
use super::{Random, Weights};

/// Names that constraints compare by; `$` is a driver. The last one is bare, so
/// it never names an attribute.
const COMPARED: [&str; 16] = [
    "resource.kubernetes.io/pcieRoot",
    "resource.kubernetes.io/pcieRoot",
    "resource.kubernetes.io/pcieRoot",
    "resource.kubernetes.io/numaNode",
    "resource.kubernetes.io/numaNode",
    "resource.kubernetes.io/numaNode",
    "$/numa",
    "$/numa",
    "$/model",
    "$/model",
    "$/ver",
    "$/ready",
    "$/parent",
    "$/profile",
    "$/index",
    "zone",
];
/// Names with a value of its own on nearly every device.
const DISTINCT: [&str; 4] = [
    "$/index",
    "$/index",
    "resource.kubernetes.io/pcieRoot",
    "$/model",
];
const COMPARED_LISTS: [&str; 6] = [
    "$/links", "$/links", "$/peers", "$/peers", "$/vers", "$/flags",
];
const DERIVED: [&str; 2] = ["derived.example.com/x", "gpu.example.com/model"];

/// Returns the claims of a case, for devices such as those published.
pub(super) fn claims(devices: &[Published], weights: &Weights, random: &mut Random) -> Vec<Value> {
    let count = if random.chance(weights.several_claims) {
        random.between(2, 3)
    } else {
        1
    };
    let mut left = weights.picks;
    if random.chance(85) && !weights.limits {
        left = left.min((devices.len() * 3 / 4).max(1));
    }
    (0..count)
        .map(|index| {
            let share = if index + 1 == count {
                left
            } else {
                random.between(0, left)
            };
            left -= share;
            claim(index, share, devices, weights, random)
        })
        .collect()
}

fn claim(
    index: usize,
    picks: usize,
    published: &[Published],
    weights: &Weights,
    random: &mut Random,
) -> Value {
    let mut requests = Vec::new();
    // Names by which constraints and configs can refer to a request.
    let mut names = Vec::new();
    let mut left = picks;
    while left > 0 && requests.len() < 5 {
        let count = random.between(1, left.min(if weights.limits { 32 } else { 4 }));
        left -= count;
        let request = request(requests.len(), count, published, weights, random);
        let name = request["name"].as_str().unwrap_or_default().to_owned();
        for alternative in request["firstAvailable"].as_array().into_iter().flatten() {
            names.push(format!(
                "{name}/{}",
                alternative["name"].as_str().unwrap_or_default()
            ));
        }
        names.push(name);
        requests.push(request);
    }
    let mut devices = json!({"requests": requests});
    let constraints = constraints(&names, published, weights, random);
    if !constraints.is_empty() {
        devices["constraints"] = constraints.into();
    }
    if random.chance(weights.config) {
        let configs: Vec<Value> = (0..random.between(1, 2))
            .map(|_| {
                let mut config = config(weights, random);
                let requests = subset(&names, random);
                if !requests.is_empty() {
                    config["requests"] = json!(requests);
                }
                config
            })
            .collect();
        devices["config"] = configs.into();
    }
    let mut metadata = json!({"name": format!("claim-{index}"), "namespace": "default"});
    if random.chance(50) {
        metadata["uid"] = json!(format!("00000000-0000-4000-8000-00000000000{index}"));
    }
    json!({
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": metadata,
        "spec": {"devices": devices},
    })
}

fn request(
    index: usize,
    count: usize,
    devices: &[Published],
    weights: &Weights,
    random: &mut Random,
) -> Value {
    let name = match random.below(30) {
        0 if weights.malformed > 0 => String::new(),
        1 if weights.malformed > 0 => "r0".to_owned(),
        _ => format!("r{index}"),
    };
    if random.chance(weights.malformed / 3) {
        return json!({"name": name});
    }
    if !random.chance(weights.first_available) {
        let mut exactly = ask(count, devices, weights, random);
        if random.chance(weights.admin) {
            exactly["adminAccess"] = json!(random.chance(90));
        }
        return json!({"name": name, "exactly": exactly});
    }
    let alternatives: Vec<Value> = (0..random.between(1, 3))
        .map(|place| {
            let count = if weights.limits {
                count + random.below(6)
            } else {
                count.max(1) + random.below(2)
            };
            let mut alternative = ask(count.saturating_sub(place), devices, weights, random);
            alternative["name"] = json!(format!("s{place}"));
            alternative
        })
        .collect();
    json!({"name": name, "firstAvailable": alternatives})
}

/// Returns what a request and a subrequest have in common.
fn ask(count: usize, devices: &[Published], weights: &Weights, random: &mut Random) -> Value {
    let driver = driver(devices, random);
    let class = match random.below(24) {
        0..=4 => "any",
        5 if !weights.limits => "special",
        6 if weights.malformed > 0 => random.pick(&["missing", ""]),
        _ => driver.split('.').next().unwrap_or_default(),
    };
    let mut ask = json!({"deviceClassName": class});
    let selectors = selectors(driver, weights, random);
    if !selectors.is_empty() {
        ask["selectors"] = selectors.into();
    }
    if random.chance(weights.all) {
        ask["allocationMode"] = json!("All");
    } else {
        ask["allocationMode"] = json!("ExactCount");
        ask["count"] = json!(if random.chance(weights.odd_counts) {
            odd_count(weights, random)
        } else {
            i64::try_from(count).unwrap_or_default()
        });
    }
    if random.chance(weights.malformed) {
        ask["allocationMode"] = json!(random.pick(&["", "Most"]));
    }
    if random.chance(weights.taints) {
        let tolerations: Vec<Value> = (0..random.between(1, 2))
            .map(|_| toleration(random))
            .collect();
        ask["tolerations"] = tolerations.into();
    }
    if random.chance(weights.capacity_requests) {
        let mut requests = json!({});
        if random.chance(75) {
            let scale = if random.chance(weights.fractions) {
                Scale::Milli
            } else {
                Scale::Units
            };
            requests["bw"] = quantity(scale, weights, random);
        }
        if random.chance(25) {
            requests["memory"] = quantity(Scale::Bytes, weights, random);
        }
        ask["capacity"] = json!({"requests": requests});
    }
    if random.chance(weights.derived) {
        let name = random.pick(&DERIVED);
        ask["derivedAttributes"] =
            json!([{"name": name, "expression": derived(driver, weights, random)}]);
    }
    ask
}

/// Returns the driver of a published device, rarely another one.
fn driver(devices: &[Published], random: &mut Random) -> &'static str {
    match devices.len() {
        0 => DRIVERS[0],
        _ if random.chance(2) => random.pick(&DRIVERS),
        count => devices[random.below(count)].driver,
    }
}

/// Returns a count around the limit of a claim, none, or one beyond all bounds.
fn odd_count(weights: &Weights, random: &mut Random) -> i64 {
    match random.below(10) {
        0..=1 => 0,
        2..=3 => 33,
        4 => 32,
        5 => i64::MAX,
        6 => 1 << 31,
        7..=8 if weights.malformed > 0 => -1,
        _ => 2,
    }
}

fn toleration(random: &mut Random) -> Value {
    match random.below(7) {
        0..=1 => json!({"operator": "Exists"}),
        2 => json!({"key": "example.com/hot", "operator": "Exists", "effect": "NoSchedule"}),
        3 => json!({"key": "example.com/bad", "operator": "Exists", "tolerationSeconds": 60}),
        4 => json!({"key": "example.com/hot", "operator": "Equal", "value": "x"}),
        5 => json!({"key": "example.com/bad", "value": "y", "effect": "NoExecute"}),
        _ => json!({"key": "example.com/hot", "operator": "Unlike", "value": "x"}),
    }
}

fn constraints(
    names: &[String],
    devices: &[Published],
    weights: &Weights,
    random: &mut Random,
) -> Vec<Value> {
    let mut constraints = Vec::new();
    for (kind, percent) in [
        ("matchAttribute", weights.match_attribute),
        ("distinctAttribute", weights.distinct_attribute),
    ] {
        for percent in [percent, percent / 4] {
            if !random.chance(percent) {
                continue;
            }
            let attribute = if random.chance(weights.derived) {
                random.pick(&DERIVED)
            } else if random.chance(weights.lists / 2) {
                random.pick(&COMPARED_LISTS)
            } else if kind == "distinctAttribute" && random.chance(60) {
                random.pick(&DISTINCT)
            } else {
                random.pick(&COMPARED)
            };
            let attribute = attribute.replace('$', driver(devices, random));
            let mut constraint = json!({ kind: attribute });
            if random.chance(weights.malformed) {
                constraint = json!({});
            }
            let requests = subset(names, random);
            if !requests.is_empty() {
                constraint["requests"] = json!(requests);
            }
            constraints.push(constraint);
        }
    }
    random.shuffle(&mut constraints);
    constraints
}

/// Returns some of the names, none of them in half of the cases.
fn subset(names: &[String], random: &mut Random) -> Vec<String> {
    if random.chance(50) {
        return Vec::new();
    }
    let mut subset: Vec<String> = names
        .iter()
        .filter(|_| random.chance(60))
        .cloned()
        .collect();
    if random.chance(4) {
        subset.push("no-such-request".to_owned());
    }
    subset
}
