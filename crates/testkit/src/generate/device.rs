//! Devices: attributes, capacity, taints, conditions.

use serde_json::{Map, Value, json};

use super::node::place;
use super::text::{Scale, quantity, spell};
use super::{Random, Weights};

/// Returns a device, its counters left out.
pub(super) fn device(
    name: &str,
    driver: &str,
    index: usize,
    per_device: bool,
    weights: &Weights,
    random: &mut Random,
) -> Map<String, Value> {
    let mut device = Map::new();
    device.insert("name".into(), json!(name));
    device.insert(
        "attributes".into(),
        attributes(driver, index, weights, random).into(),
    );
    let capacity = capacity(driver, weights, random);
    if !capacity.is_empty() {
        device.insert("capacity".into(), capacity.into());
    }
    if random.chance(weights.multiple_allocations) {
        device.insert("allowMultipleAllocations".into(), json!(true));
    } else if random.chance(2) {
        device.insert("allowMultipleAllocations".into(), json!(false));
    }
    if per_device {
        place(45, &mut device, weights, random);
    }
    if random.chance(weights.device_nodes / 4) {
        device.insert("bindsToNode".into(), json!(random.chance(80)));
    }
    if random.chance(weights.taints) {
        let taints: Vec<Value> = (0..random.between(1, 2)).map(|_| taint(random)).collect();
        device.insert("taints".into(), json!(taints));
    }
    if random.chance(weights.binding / 2) {
        let conditions = random.pick(&[
            &["example.com/Ready"][..],
            &["example.com/Ready", "example.com/Attached"],
            &["example.com/Attached"],
            &[],
        ]);
        device.insert("bindingConditions".into(), json!(conditions));
        if random.chance(60) {
            device.insert(
                "bindingFailureConditions".into(),
                json!(["example.com/Failed"]),
            );
        }
    }
    device
}

fn attributes(
    driver: &str,
    index: usize,
    weights: &Weights,
    random: &mut Random,
) -> Map<String, Value> {
    let mut attributes = Map::new();
    let mut set = |name: &str, value: Value, present: usize, random: &mut Random| {
        if random.chance(present) {
            attributes.insert(spell(name, driver, random), value);
        }
    };
    let model = random.pick(&["a100", "a100", "h100", "l4"]);
    set("model", json!({"string": model}), 85, random);
    set("index", json!({"int": index}), 90, random);
    set("numa", json!({"int": random.below(2)}), 85, random);
    set("ready", json!({"bool": random.chance(75)}), 60, random);
    let version = random.pick(&[
        "1.0.0",
        "1.2.0",
        "1.2.0+b1",
        "1.10.3",
        "2.0.0-rc.1",
        "2.1.0",
    ]);
    set("ver", json!({"version": version}), 60, random);
    if random.chance(weights.lists) {
        set(
            "links",
            json!({"ints": subset(&[0, 1, 2, 3], random)}),
            80,
            random,
        );
        set(
            "peers",
            json!({"strings": subset(&["a", "b", "c"], random)}),
            60,
            random,
        );
        set(
            "vers",
            json!({"versions": subset(&["1.0.0", "1.2.0", "2.0.0-rc.1"], random)}),
            40,
            random,
        );
        set(
            "flags",
            json!({"bools": subset(&[true, false], random)}),
            30,
            random,
        );
    } else if weights.lists > 20 {
        set("links", json!({"int": random.below(4)}), 60, random);
        set(
            "peers",
            json!({"string": random.pick(&["a", "b", "c"])}),
            40,
            random,
        );
    }
    if random.chance(weights.malformed) {
        let broken = match random.below(3) {
            0 => json!({}),
            1 => json!({"version": "v1"}),
            _ => json!({"versions": ["1.0.0", "one"]}),
        };
        set("broken", broken, 100, random);
    }
    if random.chance(75) {
        let root = format!("pci{}", random.below(3));
        attributes.insert(
            "resource.kubernetes.io/pcieRoot".into(),
            json!({"string": root}),
        );
    }
    if random.chance(60) {
        let node = if random.chance(weights.lists / 2) {
            json!({"ints": subset(&[0, 1], random)})
        } else {
            json!({"int": random.below(2)})
        };
        attributes.insert("resource.kubernetes.io/numaNode".into(), node);
    }
    attributes
}

/// Returns some of the items, sometimes none, sometimes one twice.
fn subset<T: Copy>(items: &[T], random: &mut Random) -> Vec<T> {
    let count = if random.chance(6) {
        0
    } else {
        random.between(1, 3)
    };
    (0..count)
        .map(|_| items[random.below(items.len())])
        .collect()
}

fn capacity(driver: &str, weights: &Weights, random: &mut Random) -> Map<String, Value> {
    let mut capacity = Map::new();
    if random.chance(60) {
        let value = quantity(Scale::Bytes, weights, random);
        let mut memory = json!({"value": value});
        if random.chance(weights.policies / 2) {
            memory["requestPolicy"] = policy(Scale::Bytes, weights, random);
        }
        capacity.insert(spell("memory", driver, random), memory);
    }
    if random.chance(weights.multiple_allocations.max(10)) {
        let fractional = random.chance(weights.fractions);
        let scale = if fractional {
            Scale::Milli
        } else {
            Scale::Units
        };
        let value = if random.chance(weights.odd_quantities) {
            quantity(scale, weights, random)
        } else {
            json!(random.pick(&["2", "4", "10", "6", "10000m"]))
        };
        let mut bandwidth = json!({"value": value});
        if random.chance(weights.policies) {
            bandwidth["requestPolicy"] = policy(scale, weights, random);
        }
        capacity.insert("bw".into(), bandwidth);
    }
    if random.chance(5) {
        capacity.insert(
            "slots".into(),
            json!({"value": "0", "requestPolicy": {"default": "0", "validValues": ["0"]}}),
        );
    }
    capacity
}

fn policy(scale: Scale, weights: &Weights, random: &mut Random) -> Value {
    let (values, minimum, step, maximum): (&[&str], _, _, _) = match scale {
        Scale::Units => (&["1", "2", "4", "6"], ["1", "2"], ["1", "2"], ["4", "8"]),
        Scale::Bytes => (
            &["1Gi", "2Gi", "3Gi", "4Gi"],
            ["512Mi", "1Gi"],
            ["512Mi", "1073741824"],
            ["2Gi", "4Gi"],
        ),
        Scale::Milli => (
            &["250m", "500m", "1", "1500m"],
            ["100m", "250m"],
            ["50m", "100m"],
            ["1", "2500m"],
        ),
    };
    let mut policy = json!({});
    match random.below(10) {
        0..=1 => policy["default"] = json!(random.pick(values)),
        2..=4 => {
            let mut valid: Vec<&str> = values
                .iter()
                .copied()
                .filter(|_| random.chance(60))
                .collect();
            if random.chance(6) {
                random.shuffle(&mut valid);
            }
            policy["default"] = match valid.first() {
                Some(first) if random.chance(90) => json!(first),
                _ => quantity(scale, weights, random),
            };
            policy["validValues"] = json!(valid);
        }
        5..=8 => {
            let mut range = json!({"min": random.pick(&minimum)});
            if random.chance(60) {
                range["step"] = json!(random.pick(&step));
            }
            if random.chance(60) {
                range["max"] = json!(random.pick(&maximum));
            }
            policy["default"] = if random.chance(80) {
                range["min"].clone()
            } else {
                quantity(scale, weights, random)
            };
            policy["validRange"] = range;
        }
        _ => policy["default"] = quantity(scale, weights, random),
    }
    if random.chance(weights.malformed) {
        match random.below(4) {
            0 => policy["validRange"] = json!({"step": "1"}),
            1 => policy["validRange"] = json!({"min": "1", "step": "0"}),
            2 => policy["validRange"] = json!({}),
            _ => policy["default"] = Value::Null,
        }
    }
    policy
}

/// Returns a taint.
fn taint(random: &mut Random) -> Value {
    let effect = random.pick(&["NoSchedule", "NoSchedule", "NoExecute", "None", "Unheard"]);
    let key = random.pick(&["example.com/hot", "example.com/bad"]);
    match random.below(3) {
        0 => json!({"key": key, "effect": effect}),
        _ => json!({"key": key, "value": random.pick(&["x", "y"]), "effect": effect,
                    "timeAdded": "2026-01-02T03:04:05Z"}),
    }
}
