//! Configuration, and the classes that carry it.

use serde_json::{Value, json};

use super::selector::selectors;
use super::text::DRIVERS;
use super::{Random, Weights};

/// Returns a configuration with its parameters.
pub(super) fn config(weights: &Weights, random: &mut Random) -> Value {
    if random.chance(weights.malformed) {
        return json!({});
    }
    let driver = random.pick(&DRIVERS);
    let parameters = match random.below(3) {
        0 => json!({"kind": "Settings", "sharing": "time", "interval": 1.50}),
        1 => {
            json!({"kind": "Settings", "modes": ["a", "b"], "nested": {"z": null, "a": "\u{e9}<&>"}})
        }
        _ => json!({}),
    };
    json!({"opaque": {"driver": driver, "parameters": parameters}})
}

/// Returns one class per driver, one for every device and one with selectors.
pub(super) fn classes(weights: &Weights, random: &mut Random) -> Vec<Value> {
    let mut classes = Vec::new();
    for driver in DRIVERS {
        let name = driver.split('.').next().unwrap_or_default();
        let expression = format!("device.driver == \"{driver}\"");
        let mut spec = json!({"selectors": [{"cel": {"expression": expression}}]});
        if random.chance(10) {
            spec["extendedResourceName"] = json!(format!("example.com/{name}"));
        }
        classes.push(class(name, spec, weights, random));
    }
    classes.push(class("any", json!({}), weights, random));
    let mut several = weights.clone();
    several.selectors = 100;
    let driver = random.pick(&DRIVERS);
    let selectors = selectors(driver, &several, random);
    classes.push(class(
        "special",
        json!({"selectors": selectors}),
        weights,
        random,
    ));
    random.shuffle(&mut classes);
    classes
}

fn class(name: &str, mut spec: Value, weights: &Weights, random: &mut Random) -> Value {
    if random.chance(weights.config / 2) {
        let configs: Vec<Value> = (0..random.between(1, 2))
            .map(|_| config(weights, random))
            .collect();
        spec["config"] = configs.into();
    }
    json!({
        "apiVersion": "resource.k8s.io/v1",
        "kind": "DeviceClass",
        "metadata": {"name": name},
        "spec": spec,
    })
}
