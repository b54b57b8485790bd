//! Slices with devices, and the classes that select them.

use serde_json::{Map, Value, json};

use super::{DEVICES, is_divided, managed, node_name, uid};

const DRIVER: &str = "gpu.nvidia.com";

pub(super) fn classes() -> Vec<Value> {
    let class = |name: &str, kind: &str, number| {
        let expression = format!(
            "device.driver == '{DRIVER}' && device.attributes['{DRIVER}'].type == '{kind}'"
        );
        json!({
            "apiVersion": "resource.k8s.io/v1",
            "kind": "DeviceClass",
            "metadata": {
                "creationTimestamp": "2026-03-02T08:00:00Z", "generation": 1, "name": name,
                "resourceVersion": format!("{}", 500 + number), "uid": uid(0xc1a, number),
            },
            "spec": {"selectors": [{"cel": {"expression": expression}}]},
        })
    };
    vec![
        class("gpu.nvidia.com", "gpu", 0),
        class("mig.nvidia.com", "mig", 1),
    ]
}

/// Returns the slices of a node: one of eight cards; or of one card with its partitions, and
/// one more for its counters.
pub(super) fn slices(node: usize) -> Vec<Value> {
    if !is_divided(node) {
        let devices = (0..DEVICES)
            .map(|place| card(node, place))
            .collect::<Vec<_>>();
        return vec![slice(node, "x7k2p", 1, json!({"devices": devices}))];
    }
    let counters = |multiprocessors: usize, slices: std::ops::Range<usize>| -> Value {
        let mut counters = Map::new();
        counters.insert(
            "multiprocessors".into(),
            json!({"value": multiprocessors.to_string()}),
        );
        for slice in slices {
            counters.insert(format!("memory-slice-{slice}"), json!({"value": "1"}));
        }
        counters.into()
    };
    let consumes = |counters: Value| json!([{"counterSet": "gpu-0", "counters": counters}]);
    let mut devices = vec![card(node, 0)];
    devices[0]["consumesCounters"] = consumes(counters(98, 0..8));
    for place in 0..DEVICES - 1 {
        devices.push(json!({
            "attributes": {
                "productName": {"string": "NVIDIA A100-SXM4-40GB"},
                "profile": {"string": "1g.5gb"},
                "type": {"string": "mig"},
            },
            "capacity": {"memory": {"value": "4864Mi"}, "multiprocessors": {"value": "14"}},
            "consumesCounters": consumes(counters(14, place..place + 1)),
            "name": format!("gpu-0-mig-1g5gb-{place}"),
        }));
    }
    let sets = json!([{"name": "gpu-0", "counters": counters(98, 0..8)}]);
    vec![
        slice(node, "c0unt", 2, json!({"sharedCounters": sets})),
        slice(node, "x7k2p", 2, json!({"devices": devices})),
    ]
}

fn card(node: usize, place: usize) -> Value {
    let id = node * DEVICES + place;
    let (product, architecture, capability, memory, multiprocessors) = if is_divided(node) {
        ("NVIDIA A100-SXM4-40GB", "Ampere", "8.0.0", "40Gi", "98")
    } else {
        ("NVIDIA H100 80GB HBM3", "Hopper", "9.0.0", "81559Mi", "132")
    };
    json!({
        "attributes": {
            "addressingMode": {"string": "HMM"},
            "architecture": {"string": architecture},
            "brand": {"string": "Nvidia"},
            "cudaComputeCapability": {"version": capability},
            "cudaDriverVersion": {"version": "13.0.0"},
            "driverVersion": {"version": "580.65.6"},
            "productName": {"string": product},
            "resource.kubernetes.io/pciBusID": {"string": format!("0000:{:02x}:00.0", 0x1b + place * 0x12)},
            "resource.kubernetes.io/pcieRoot": {"string": format!("pci0000:{:02x}", place * 0x12)},
            "type": {"string": "gpu"},
            "uuid": {"string": format!("GPU-{}", uid(0x6b0, id))},
        },
        "capacity": {"memory": {"value": memory}, "multiprocessors": {"value": multiprocessors}},
        "name": format!("gpu-{place}"),
    })
}

fn slice(node: usize, suffix: &str, count: usize, content: Value) -> Value {
    let name = node_name(node);
    let number = node * 2 + usize::from(suffix == "c0unt");
    let mut spec = content;
    spec["driver"] = DRIVER.into();
    spec["nodeName"] = name.as_str().into();
    spec["pool"] = json!({"generation": 1, "name": name, "resourceSliceCount": count});
    json!({
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {
            "creationTimestamp": "2026-03-02T08:12:30Z",
            "generateName": format!("{name}-{DRIVER}-"),
            "generation": 1,
            "managedFields": [managed("gpu-kubelet-plugin", "Update", "", &json!({
                "f:metadata": {"f:generateName": {}, "f:ownerReferences": {".": {}, format!("k:{{\"uid\":\"{}\"}}", uid(0x0de, node)): {}}},
                "f:spec": {"f:devices": {}, "f:driver": {}, "f:nodeName": {}, "f:pool": {"f:generation": {}, "f:name": {}, "f:resourceSliceCount": {}}},
            }))],
            "name": format!("{name}-{DRIVER}-{suffix}"),
            "ownerReferences": [{"apiVersion": "v1", "controller": true, "kind": "Node", "name": name, "uid": uid(0x0de, node)}],
            "resourceVersion": format!("{}", 91_000_000 + number),
            "uid": uid(0x511, number),
        },
        "spec": spec,
    })
}
