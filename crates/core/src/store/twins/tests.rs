//! Twins as they are kept, against each two devices that there are.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::features::Features;
use crate::model::{Node, ResourceSlice};
use crate::store::Catalog;

const NODES: [&str; 3] = ["n0", "n1", "n2"];

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// A slice of a pool that several slices are of, for one node or for some.
fn slice(numbers: &mut Numbers, name: u64) -> ResourceSlice {
    let mut devices = Vec::new();
    for device in 0..numbers.below(4) {
        let mut attributes = json!({});
        if numbers.below(2) == 0 {
            let id = format!("u{}", numbers.below(4));
            attributes["uuid"] = json!({"string": id});
        }
        if numbers.below(2) == 0 {
            let id = format!("b{}", numbers.below(3));
            attributes["resource.kubernetes.io/pciBusID"] = json!({"string": id});
        }
        let device = format!("d{}", device + numbers.below(2));
        let mut device = json!({"name": device, "attributes": attributes});
        if numbers.below(2) == 0 {
            device["nodeName"] = json!(NODES[index(numbers)]);
        }
        devices.push(device);
    }
    let pool = format!("p{}", numbers.below(4));
    let pool = json!({"name": pool, "generation": 1, "resourceSliceCount": 1});
    let mut spec = json!({"driver": "d", "pool": pool, "devices": devices});
    match numbers.below(6) {
        0 => spec["allNodes"] = json!(true),
        1 => spec["perDeviceNodeSelection"] = json!(true),
        _ => spec["nodeName"] = json!(NODES[index(numbers)]),
    }
    let slice = json!({"metadata": {"name": format!("s{name}")}, "spec": spec});
    serde_json::from_value(slice).unwrap()
}

fn index(numbers: &mut Numbers) -> usize {
    usize::try_from(numbers.below(3)).unwrap()
}

/// Returns the twins of a device of a view by looking at each other device.
fn expected(inventory: &Inventory, node: &str, entry: &DeviceEntry) -> BTreeSet<Member> {
    let mut twins = BTreeSet::new();
    let all = || published(inventory.all_slices().map(|stored| &**stored));
    for (own, _, one) in all().filter(|(_, key, _)| *key == entry.key) {
        if one.node.is_some_and(|name| **name != *node) {
            continue;
        }
        let others = all().filter(|(_, _, other)| one.is_same(other));
        let others = others.filter(|(stored, ..)| stored.pool != own.pool);
        twins.extend(others.map(|(stored, key, _)| (stored.pool, key)));
    }
    twins
}

#[test]
fn whatever_is_exchanged_twins_are_what_each_two_devices_say() {
    let (mut found, mut hidden) = (0, 0);
    for seed in 1..=120 {
        let mut numbers = Numbers(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15));
        let mut catalog = Catalog::default();
        let mut inventory = Inventory::new(Features::all());
        for name in NODES {
            inventory.put_node(Arc::new(Node::new(name, [])), &mut catalog);
        }
        let mut slices: Vec<Option<Arc<StoredSlice>>> = vec![None; 6];
        for _ in 0..25 {
            let name = numbers.below(6);
            let place = usize::try_from(name).unwrap();
            let gone = numbers.below(4) == 0;
            let new = (!gone).then(|| slice(&mut numbers, name));
            let new = new.map(|slice| Arc::new(StoredSlice::new(slice, 0, &mut catalog)));
            let old = std::mem::replace(&mut slices[place], new);
            let new = slices[place].as_ref();
            inventory.exchange_slice(old.as_ref(), new, true, &mut catalog);
            for node in NODES {
                // A view that was looked at before must not outlive what it says.
                let view = inventory.view(node).unwrap();
                let mut with = BTreeSet::new();
                for (place, entry) in view.devices.iter().enumerate() {
                    let twins: BTreeSet<Member> = view
                        .twins
                        .of(place)
                        .map(|twin| (twin.pool, twin.key))
                        .collect();
                    assert_eq!(
                        twins,
                        expected(&inventory, node, entry),
                        "seed {seed}, {node}"
                    );
                    found += twins.len();
                    with.extend((!twins.is_empty()).then_some(place));
                    for twin in view.twins.of(place) {
                        hidden += usize::from(twin.place.is_none());
                        assert!(twin.place.is_none_or(|at| view.devices[at].key == twin.key));
                    }
                }
                assert_eq!(view.twins.places().collect::<BTreeSet<_>>(), with);
                assert_eq!(view.twins.is_empty(), with.is_empty());
            }
        }
    }
    assert!(found > 1_500 && hidden > 500, "{found} {hidden}");
}

#[test]
fn of_a_group_the_largest_pool_can_be_had() {
    let mut catalog = Catalog::default();
    let mut inventory = Inventory::new(Features::all());
    inventory.put_node(Arc::new(Node::new("n", [])), &mut catalog);
    let bus = |name: &str, id: &str| json!({"name": name, "attributes": {"resource.kubernetes.io/pciBusID": {"string": id}}});
    let pools = [
        (
            "a",
            json!([
                bus("a0", "1"),
                bus("a1", "1"),
                bus("a2", "2"),
                bus("a3", "9")
            ]),
        ),
        ("b", json!([bus("b0", "1"), bus("b1", "2")])),
        ("c", json!([bus("c0", "2")])),
    ];
    for (pool, devices) in pools {
        let slice = json!({"metadata": {"name": pool}, "spec": {
            "driver": "d", "nodeName": "n", "devices": devices,
            "pool": {"name": pool, "generation": 1, "resourceSliceCount": 1}}});
        let slice = serde_json::from_value(slice).unwrap();
        let stored = Arc::new(StoredSlice::new(slice, 0, &mut catalog));
        inventory.exchange_slice(None, Some(&stored), true, &mut catalog);
    }
    // The places: a0 a1 a2 a3, b0 b1, c0.
    let twins = &inventory.view("n").unwrap().twins;
    assert_eq!(twins.surplus(|_| true), 1 + 2);
    assert_eq!(twins.surplus(|place| place != 0 && place != 6), 1 + 1);
    assert_eq!(twins.surplus(|place| place == 3), 0);
    assert_eq!(twins.places().collect::<Vec<_>>(), [0, 1, 2, 4, 5, 6]);
    assert_eq!(
        twins.stand_ins().collect::<Vec<_>>(),
        [(2, 2), (5, 2), (6, 2)]
    );
}
