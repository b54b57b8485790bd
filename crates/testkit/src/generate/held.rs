//! What is held already.

use serde_json::{Map, Value, json};

use super::pool::{Inventory, Published};
use super::text::{Scale, quantity};
use super::{Random, Weights};

/// Returns the records of what is held.
///
/// Devices that are shared now are held by shares, others whole; a device that
/// has changed since is held the other way.
pub(super) fn held(inventory: &Inventory, weights: &Weights, random: &mut Random) -> Value {
    let mut devices = Vec::new();
    let mut shares = Vec::new();
    let mut consumed = Vec::new();
    for published in &inventory.devices {
        // Kubernetes does not recognise a held device by an empty name, which
        // only objects past API validation can have.
        let nameless = published.pool.is_empty() || published.device["name"] == json!("");
        if nameless || !random.chance(weights.held) {
            continue;
        }
        let id = id(published);
        let shared_now = published.device["allowMultipleAllocations"] == json!(true);
        if shared_now == random.chance(weights.changed) {
            devices.push(id.into());
            continue;
        }
        if random.chance(90) {
            for _ in 0..random.between(1, 2) {
                let mut share = id.clone();
                share.insert("shareID".into(), json!(uuid(random)));
                shares.push(share.into());
            }
        }
        if random.chance(85) {
            let mut record = id;
            record.insert(
                "capacity".into(),
                amounts(&published.device, weights, random).into(),
            );
            consumed.push(record.into());
        }
    }
    if random.chance(weights.held / 5) {
        devices.push(json!({"driver": "gpu.example.com", "pool": "p0", "device": "gone"}));
    }
    let mut held = Map::new();
    for (key, list) in [
        ("devices", devices),
        ("sharedDeviceIDs", shares),
        ("consumedCapacity", consumed),
    ] {
        if !list.is_empty() {
            held.insert(key.into(), Value::Array(list));
        }
    }
    held.into()
}

fn id(published: &Published) -> Map<String, Value> {
    let mut id = Map::new();
    id.insert("driver".into(), json!(published.driver));
    id.insert("pool".into(), json!(published.pool));
    id.insert("device".into(), published.device["name"].clone());
    id
}

/// Returns consumed amounts: of each capacity a little, all, or something odd.
fn amounts(device: &Value, weights: &Weights, random: &mut Random) -> Map<String, Value> {
    let mut amounts = Map::new();
    for (name, capacity) in device["capacity"].as_object().into_iter().flatten() {
        let bytes = name.ends_with("memory");
        let amount = match random.below(6) {
            0 => continue,
            1 => capacity["value"].clone(),
            _ if bytes => quantity(Scale::Bytes, weights, random),
            _ if weights.fractions > 0 => quantity(Scale::Milli, weights, random),
            _ => quantity(Scale::Units, weights, random),
        };
        amounts.insert(name.clone(), amount);
    }
    amounts
}

/// Returns a random UUID.
fn uuid(random: &mut Random) -> String {
    let digits = format!("{:016x}{:016x}", random.bits(), random.bits());
    let parts = [
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..],
    ];
    parts.join("-")
}
