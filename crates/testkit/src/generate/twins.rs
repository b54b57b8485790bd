//! Twins: devices of several pools that are one thing.

use serde_json::{Value, json};

use super::Random;
use super::text::spell;

/// Gives some devices the same bus id or uuid, whichever pools they are in.
pub(super) fn mark(slices: &mut [Value], random: &mut Random) {
    let mut places = Vec::new();
    for (index, slice) in slices.iter().enumerate() {
        let devices = slice["spec"]["devices"].as_array().map_or(0, Vec::len);
        places.extend((0..devices).map(|device| (index, device)));
    }
    if places.is_empty() {
        return;
    }
    for number in 0..random.between(1, 3) {
        let is_bus = random.chance(60);
        let value = match random.below(12) {
            0 => json!({"int": number}),
            1 => json!({"string": ""}),
            2 if is_bus => json!({"strings": ["0000:01:00.0"]}),
            _ if is_bus => json!({"string": format!("0000:0{number}:00.0")}),
            _ => json!({"string": format!("GPU-{number}")}),
        };
        for _ in 0..random.between(2, 4) {
            let (slice, device) = places[random.below(places.len())];
            let driver = slices[slice]["spec"]["driver"].clone();
            let name = if is_bus {
                "resource.kubernetes.io/pciBusID".to_owned()
            } else {
                spell("uuid", driver.as_str().unwrap_or_default(), random)
            };
            let device = &mut slices[slice]["spec"]["devices"][device];
            if let Some(attributes) = device["attributes"].as_object_mut() {
                attributes.insert(name, value.clone());
            }
        }
    }
}
