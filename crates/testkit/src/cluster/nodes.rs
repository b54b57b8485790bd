//! Nodes with labels, images and conditions.

use serde_json::{Value, json};

use super::{is_divided, managed, node_name, uid};

/// So many nodes are in a rack, and so many racks in a block.
const RACK: usize = 16;
const BLOCK: usize = 32;

/// So many images a kubelet tells of.
const IMAGES: usize = 12;

pub(super) fn node(number: usize) -> Value {
    let name = node_name(number);
    let (rack, block) = (number / RACK, number / RACK / BLOCK);
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "annotations": {
                "csi.volume.kubernetes.io/nodeid": format!("{{\"csi.example.com\":\"{name}\"}}"),
                "node.alpha.kubernetes.io/ttl": "0",
                "volumes.kubernetes.io/controller-managed-attach-detach": "true",
            },
            "creationTimestamp": "2026-03-02T08:11:01Z",
            "labels": {
                "beta.kubernetes.io/arch": "amd64",
                "beta.kubernetes.io/os": "linux",
                "kubernetes.io/arch": "amd64",
                "kubernetes.io/hostname": name,
                "kubernetes.io/os": "linux",
                "node.kubernetes.io/instance-type": if is_divided(number) { "a100.1" } else { "h100.8" },
                "nvidia.com/gpu.clique": format!("{}.{rack}", uid(0xc11, block)),
                "topology.kubernetes.io/block": format!("block-{block:02}"),
                "topology.kubernetes.io/rack": format!("rack-{rack:03}"),
                "topology.kubernetes.io/region": "eu-1",
                "topology.kubernetes.io/zone": format!("eu-1{}", ["a", "b", "c"][block % 3]),
            },
            "managedFields": [
                managed("kubelet", "Update", "", &json!({"f:metadata": {"f:annotations": {".": {}, "f:volumes.kubernetes.io/controller-managed-attach-detach": {}},
                    "f:labels": {".": {}, "f:beta.kubernetes.io/arch": {}, "f:beta.kubernetes.io/os": {}, "f:kubernetes.io/arch": {}, "f:kubernetes.io/hostname": {}, "f:kubernetes.io/os": {}}}})),
                managed("kube-controller-manager", "Update", "", &json!({"f:metadata": {"f:annotations": {"f:node.alpha.kubernetes.io/ttl": {}}}, "f:spec": {"f:podCIDR": {}, "f:podCIDRs": {".": {}, "v:\"10.0.0.0/24\"": {}}}})),
                managed("kubelet", "Update", "status", &json!({"f:status": {"f:allocatable": {"f:cpu": {}, "f:ephemeral-storage": {}, "f:memory": {}},
                    "f:conditions": {"k:{\"type\":\"DiskPressure\"}": {"f:lastHeartbeatTime": {}, "f:lastTransitionTime": {}, "f:message": {}, "f:reason": {}, "f:status": {}},
                        "k:{\"type\":\"MemoryPressure\"}": {"f:lastHeartbeatTime": {}}, "k:{\"type\":\"PIDPressure\"}": {"f:lastHeartbeatTime": {}}, "k:{\"type\":\"Ready\"}": {"f:lastHeartbeatTime": {}, "f:lastTransitionTime": {}, "f:message": {}, "f:reason": {}, "f:status": {}}},
                    "f:images": {}, "f:nodeInfo": {"f:bootID": {}, "f:kernelVersion": {}}}})),
            ],
            "name": name,
            "resourceVersion": format!("{}", 90_000_000 + number * 3),
            "uid": uid(0x0de, number),
        },
        "spec": {
            "podCIDR": format!("10.{}.{}.0/24", number / 256, number % 256),
            "podCIDRs": [format!("10.{}.{}.0/24", number / 256, number % 256)],
            "providerID": format!("example://eu-1/{name}"),
        },
        "status": status(number, &name),
    })
}

/// Returns what the kubelet tells of a node.
fn status(number: usize, name: &str) -> Value {
    let amounts = json!({
        "cpu": "192", "ephemeral-storage": "3750390988Ki", "hugepages-1Gi": "0", "hugepages-2Mi": "0",
        "memory": "2113463596Ki", "pods": "110",
    });
    let images: Vec<Value> = (0..IMAGES)
        .map(|image| {
            let digest = (image as u64 + 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            json!({
                "names": [
                    format!("registry.example.com/platform/image-{image}@sha256:{digest:016x}{digest:016x}{digest:016x}{digest:016x}"),
                    format!("registry.example.com/platform/image-{image}:v1.{image}.3"),
                ],
                "sizeBytes": 104_857_600 + image * 7919,
            })
        })
        .collect();
    let condition = |kind: &str, status: &str, reason: &str| {
        json!({
            "lastHeartbeatTime": "2026-05-04T09:58:12Z", "lastTransitionTime": "2026-03-02T08:11:40Z",
            "message": format!("{reason} is what the kubelet says"), "reason": reason,
            "status": status, "type": kind,
        })
    };
    json!({
        "addresses": [
            {"address": format!("172.16.{}.{}", number / 256, number % 256), "type": "InternalIP"},
            {"address": name, "type": "Hostname"},
        ],
        "allocatable": amounts,
        "capacity": amounts,
        "conditions": [
            condition("MemoryPressure", "False", "KubeletHasSufficientMemory"),
            condition("DiskPressure", "False", "KubeletHasNoDiskPressure"),
            condition("PIDPressure", "False", "KubeletHasSufficientPID"),
            condition("Ready", "True", "KubeletReady"),
        ],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
        "images": images,
        "nodeInfo": {
            "architecture": "amd64", "bootID": uid(0xb007, number), "containerRuntimeVersion": "containerd://2.1.4",
            "kernelVersion": "6.8.0-64-generic", "kubeProxyVersion": "", "kubeletVersion": "v1.37.1",
            "machineID": uid(0x3ac, number), "operatingSystem": "linux", "osImage": "Ubuntu 24.04.3 LTS",
            "systemUUID": uid(0x575, number),
        },
    })
}
