//! Claims: of five of them four are allocated.

use serde_json::{Value, json};

use super::{DEVICES, is_divided, managed, node_name, uid};

/// How many devices claims ask for, one after the other.
const COUNTS: [usize; 10] = [1, 8, 2, 1, 4, 1, 2, 8, 1, 4];

/// So many seconds are between midnight and the time of all allocations.
const NIGHT: usize = 9 * 3600;

/// Knows which devices are taken.
pub(super) struct Takings {
    /// By node: how many devices are taken, which are the first.
    taken: Vec<usize>,
    next: usize,
}

impl Takings {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            taken: vec![0; nodes],
            next: 0,
        }
    }

    /// Takes devices of the next node that has so many, going round.
    fn take(&mut self, count: usize) -> Option<(usize, usize)> {
        let nodes = self.taken.len();
        let node = (0..nodes)
            .map(|step| (self.next + step) % nodes)
            .find(|node| self.taken[*node] + count <= DEVICES && !is_divided(*node))?;
        // Every third node gets the next claim, too.
        self.next = node + usize::from(node % 3 != 0);
        let first = self.taken[node];
        self.taken[node] += count;
        Some((node, first))
    }
}

/// Returns when a claim was made: one each second of the night before all of them are
/// allocated, and more each second if there are very many.
fn created(number: usize) -> String {
    let second = number % NIGHT;
    let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60);
    format!("2026-05-04T{hours:02}:{minutes:02}:{seconds:02}Z")
}

pub(super) fn claim(number: usize, takings: &mut Takings) -> Value {
    let count = COUNTS[number % COUNTS.len()];
    let name = format!("train-{number:05}-gpu-{:05x}", (number * 7919) & 0xf_ffff);
    let namespace = format!("team-{:02}", number % 40);
    let (pod, pod_uid) = (format!("train-{number:05}"), uid(0x90d, number));
    let is_pending = number % 5 == 4;
    let place = if is_pending {
        None
    } else {
        takings.take(count)
    };
    let mut claim = json!({
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {
            "annotations": {"resource.kubernetes.io/pod-claim-name": "gpu"},
            "creationTimestamp": created(number),
            "generateName": format!("{pod}-gpu-"),
            "managedFields": [
                managed("kube-controller-manager", "Update", "", &json!({
                    "f:metadata": {"f:annotations": {".": {}, "f:resource.kubernetes.io/pod-claim-name": {}}, "f:generateName": {},
                        "f:ownerReferences": {".": {}, format!("k:{{\"uid\":\"{pod_uid}\"}}"): {}}},
                    "f:spec": {"f:devices": {"f:requests": {}}},
                })),
            ],
            "name": name,
            "namespace": namespace,
            "ownerReferences": [{"apiVersion": "v1", "blockOwnerDeletion": true, "controller": true, "kind": "Pod", "name": pod, "uid": pod_uid}],
            "resourceVersion": format!("{}", 92_000_000 + number * 2),
            "uid": uid(0xc1a1, number),
        },
        "spec": {"devices": {"requests": [{
            "exactly": {"allocationMode": "ExactCount", "count": count, "deviceClassName": "gpu.nvidia.com"},
            "name": "gpu",
        }]}},
        "status": {},
    });
    if let Some((node, first)) = place {
        let node_name = node_name(node);
        let results: Vec<Value> = (first..first + count)
            .map(|place| {
                json!({"device": format!("gpu-{place}"), "driver": "gpu.nvidia.com", "pool": node_name, "request": "gpu"})
            })
            .collect();
        claim["status"] = json!({
            "allocation": {
                "allocationTimestamp": "2026-05-04T09:00:00Z",
                "devices": {"results": results},
                "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node_name]}]}]},
            },
            "reservedFor": [{"name": pod, "resource": "pods", "uid": pod_uid}],
        });
        let scheduler = managed(
            "kube-scheduler",
            "Update",
            "status",
            &json!({
                "f:metadata": {"f:finalizers": {".": {}, "v:\"resource.kubernetes.io/delete-protection\"": {}}},
                "f:status": {"f:allocation": {".": {}, "f:allocationTimestamp": {}, "f:devices": {".": {}, "f:results": {}}, "f:nodeSelector": {}},
                    "f:reservedFor": {".": {}, format!("k:{{\"uid\":\"{pod_uid}\"}}"): {}}},
            }),
        );
        claim["metadata"]["finalizers"] = json!(["resource.kubernetes.io/delete-protection"]);
        if let Some(managed) = claim["metadata"]["managedFields"].as_array_mut() {
            managed.push(scheduler);
        }
    }
    claim
}

#[cfg(test)]
mod tests {
    use super::created;

    #[test]
    fn however_many_claims_there_are_all_are_made_before_nine() {
        for (number, expected) in [
            (0, "2026-05-04T00:00:00Z"),
            (3_661, "2026-05-04T01:01:01Z"),
            (32_399, "2026-05-04T08:59:59Z"),
            (36_000, "2026-05-04T01:00:00Z"),
        ] {
            assert_eq!(created(number), expected);
        }
    }
}
