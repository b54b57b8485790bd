//! Pools: the slices that publish the devices.

use serde_json::{Map, Value, json};

use super::device::device;
use super::node::place;
use super::partition::{Partitions, partitions};
use super::text::{DRIVERS, NODE};
use super::{Random, Weights, twins};

/// The slices of a case, and the devices in them that can be held.
pub(super) struct Inventory {
    pub slices: Vec<Value>,
    pub devices: Vec<Published>,
}

/// A device that some slice publishes.
pub(super) struct Published {
    pub driver: &'static str,
    pub pool: String,
    pub device: Value,
}

/// Returns pools until the case's number of devices is reached.
pub(super) fn inventory(weights: &Weights, random: &mut Random) -> Inventory {
    let mut inventory = Inventory {
        slices: Vec::new(),
        devices: Vec::new(),
    };
    let mut left = weights.devices;
    let mut ordinal = 0;
    while left > 0 {
        let driver = DRIVERS[random.below(weights.drivers)];
        let name = match random.below(8) {
            0 => NODE.to_owned(),
            1 if weights.malformed > 0 => String::new(),
            _ => format!("p{ordinal}"),
        };
        let most = if weights.limits {
            left
        } else {
            left.min(random.between(1, 8))
        };
        left -= add_pool(driver, &name, most, &mut inventory, weights, random).clamp(1, left);
        ordinal += 1;
    }
    if random.chance(weights.twins) {
        twins::mark(&mut inventory.slices, random);
    }
    random.shuffle(&mut inventory.slices);
    inventory
}

/// Adds one pool of at most `most` devices; returns how many it has.
fn add_pool(
    driver: &'static str,
    pool: &str,
    most: usize,
    inventory: &mut Inventory,
    weights: &Weights,
    random: &mut Random,
) -> usize {
    let per_device = random.chance(weights.device_nodes);
    let partitioned = random.chance(weights.partitions);
    let mut devices: Vec<Map<String, Value>> = Vec::new();
    let mut sets = Vec::new();
    if partitioned {
        let Partitions {
            counter_sets,
            shapes,
        } = partitions(most, weights, random);
        sets = counter_sets;
        for (index, shape) in shapes.into_iter().enumerate() {
            let mut partition = device(&shape.name, driver, index, per_device, weights, random);
            if let Some(Value::Object(attributes)) = partition.get_mut("attributes") {
                attributes.insert("profile".into(), json!({"string": shape.profile}));
                attributes.insert("parent".into(), json!({"int": shape.parent}));
            }
            if !shape.consumes.is_empty() {
                partition.insert("consumesCounters".into(), shape.consumes.into());
            }
            devices.push(partition);
        }
    } else {
        for index in 0..random.between(1, most) {
            let name = match random.below(40) {
                0 if weights.malformed > 0 => String::new(),
                _ if weights.limits => format!("d{index:02}"),
                _ => format!("d{index}"),
            };
            devices.push(device(&name, driver, index, per_device, weights, random));
        }
    }
    if random.chance(weights.invalid_pools) {
        damage(&mut devices, &mut sets, random);
    }
    for device in &devices {
        inventory.devices.push(Published {
            driver,
            pool: pool.to_owned(),
            device: device.clone().into(),
        });
    }
    let count = devices.len();
    let slices = spread(driver, pool, per_device, devices, sets, weights, random);
    inventory.slices.extend(slices);
    count
}

/// Makes a pool contradict itself: a device or a counter set twice, or a counter
/// that does not exist.
fn damage(devices: &mut Vec<Map<String, Value>>, sets: &mut Vec<Value>, random: &mut Random) {
    match random.below(4) {
        0 => {
            let copy = devices[random.below(devices.len())].clone();
            devices.push(copy);
        }
        1 if !sets.is_empty() => sets.push(sets[0].clone()),
        2 => {
            let index = random.below(devices.len());
            let consumption =
                json!([{"counterSet": "missing", "counters": {"memory": {"value": "1"}}}]);
            devices[index].insert("consumesCounters".into(), consumption);
        }
        _ => {
            let index = random.below(devices.len());
            if let Some(Value::Array(consumption)) = devices[index].get_mut("consumesCounters") {
                consumption[0]["counters"]["missing"] = json!({"value": "1"});
            }
        }
    }
}

/// Spreads a pool's devices over slices, in one generation or two.
fn spread(
    driver: &str,
    pool: &str,
    per_device: bool,
    devices: Vec<Map<String, Value>>,
    sets: Vec<Value>,
    weights: &Weights,
    random: &mut Random,
) -> Vec<Value> {
    let parts = if random.chance(weights.several_slices) {
        random.between(2, 3)
    } else {
        1
    };
    let mut contents: Vec<Vec<Map<String, Value>>> = vec![Vec::new(); parts];
    for device in devices {
        contents[random.below(parts)].push(device);
    }
    // All slices of a pool usually go to the same nodes.
    let mut target = Map::new();
    place(weights.node_selection, &mut target, weights, random);
    let mut specs: Vec<Map<String, Value>> = Vec::new();
    if !sets.is_empty() {
        let split = sets.len() > 1 && random.chance(30);
        let halves = if split {
            vec![sets[..1].to_vec(), sets[1..].to_vec()]
        } else {
            vec![sets]
        };
        for half in halves {
            let mut spec = target.clone();
            spec.insert("sharedCounters".into(), half.into());
            specs.push(spec);
        }
    }
    for part in contents {
        let mut spec = target.clone();
        if per_device {
            spec.clear();
            spec.insert("perDeviceNodeSelection".into(), json!(random.chance(95)));
        } else if random.chance(weights.odd_pools / 4) {
            spec.clear();
            place(60, &mut spec, weights, random);
        }
        spec.insert("devices".into(), part.into());
        specs.push(spec);
    }
    let generation = random.between(1, 3);
    let count = specs.len();
    let skips = random.chance(weights.node_operations);
    let mut slices = Vec::new();
    for (index, mut spec) in specs.into_iter().enumerate() {
        let mut pool_of_slice =
            json!({"name": pool, "generation": generation, "resourceSliceCount": count});
        if random.chance(weights.odd_pools / 3) {
            pool_of_slice["resourceSliceCount"] = json!(random.between(0, 3));
        }
        spec.insert("driver".into(), json!(driver));
        spec.insert("pool".into(), pool_of_slice);
        if skips {
            let operations: &[&str] = random.pick(&[
                &["NodePrepareResources"][..],
                &["NodePrepareResources", "NodeUnprepareResources"],
            ]);
            spec.insert("skipNodeOperations".into(), json!(operations));
        }
        let name = slice_name(pool, index, weights, random);
        if random.chance(weights.odd_pools) {
            slices.push(of_another_generation(&name, &spec, generation, random));
        }
        if !random.chance(weights.odd_pools / 6) {
            slices.push(slice(&name, &spec));
        }
    }
    slices
}

/// Returns a slice's name; slices may be named out of order or all alike.
fn slice_name(pool: &str, index: usize, weights: &Weights, random: &mut Random) -> String {
    match random.below(10) {
        0 if weights.malformed > 0 => String::new(),
        0..=1 if weights.odd_pools > 2 => "same".to_owned(),
        2..=4 => format!("{pool}-{}-{index}", random.pick(&["z", "m", "a"])),
        _ => format!("{pool}-{index}"),
    }
}

/// Returns a copy of a slice in an older or, for other nodes, a newer generation.
fn of_another_generation(
    name: &str,
    spec: &Map<String, Value>,
    generation: usize,
    random: &mut Random,
) -> Value {
    let mut spec = spec.clone();
    let newer = random.chance(40);
    let other = if newer {
        generation + 1
    } else {
        generation - 1
    };
    spec["pool"]["generation"] = json!(other);
    if newer && random.chance(70) {
        for key in [
            "nodeName",
            "allNodes",
            "nodeSelector",
            "perDeviceNodeSelection",
        ] {
            spec.remove(key);
        }
        spec.insert("nodeName".into(), json!("node-2"));
    }
    slice(name, &spec)
}

fn slice(name: &str, spec: &Map<String, Value>) -> Value {
    json!({
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": name},
        "spec": spec,
    })
}
