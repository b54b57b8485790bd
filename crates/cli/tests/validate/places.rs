//! Places: the very field, in YAML and JSON, and in all shapes of objects.

use crate::validate;

const WRONG: &str = r#"# A comment.
apiVersion: v1
kind: List
items:
- apiVersion: resource.k8s.io/v1
  kind: DeviceClass
  metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: é}
spec:
  devices:
    requests:
    - {name: "gpu", deviceClassName: gpu,
       count: -2}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: worker-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes:
      gpu.example.com/version:
        version: "1.0"
"#;

#[test]
fn yaml() {
    insta::assert_snapshot!(validate(WRONG, &[]), @r"
    <stdin>:11:18 (document 2): fault: ResourceClaim `default/é`: metadata.name: expected a DNS name of lower-case letters, digits, `-` and `.`, found `é` [invalid]
    <stdin>:16:15 (document 2): fault: ResourceClaim `default/é`: spec.devices.requests[0].exactly.count: expected 1 or more, found -2 [invalid]
    <stdin>:29:18 (document 3): fault: ResourceSlice `slice`: spec.devices[0].attributes[gpu.example.com/version].version: expected a semantic version such as `1.2.3`, found `1.0` [invalid]
    3 faults in 3 objects
    exit code 1
    ");
}

#[test]
fn json_and_lists() {
    let json = r#"{"kind": "List", "apiVersion": "v1", "items": [
 {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "Gpu", "uid": "1"}},
 {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule", "metadata": {"name": "a"},
  "spec": {"deviceSelector": {"driver": "gpu_0"}, "taint": {"key": "a", "effect": "Never"}}}
]}
"#;
    insta::assert_snapshot!(validate(json, &[]), @r"
    <stdin>:2:83: fault: DeviceClass `Gpu`: metadata.name: expected a DNS name of lower-case letters, digits, `-` and `.`, found `Gpu` [invalid]
    <stdin>:4:41: fault: DeviceTaintRule `a`: spec.deviceSelector.driver: expected a DNS name of letters, digits, `-` and `.`, found `gpu_0` [invalid]
    <stdin>:4:83: fault: DeviceTaintRule `a`: spec.taint.effect: expected `None`, `NoSchedule` or `NoExecute`, found `Never` [unsupported]
    3 faults in 2 objects
    exit code 1
    ");
}

#[test]
fn faults_of_allocate_have_places_too() {
    let topology = r"apiVersion: dralloc.dev/v1alpha1
kind: Topology
metadata: {name: pair}
spec:
  vertices:
  - {id: gpu0, kind: gpu}
  links:
  - {a: gpu0, b: gpu1, type: NVLink}
";
    let run = crate::dralloc_with(&["allocate", "-f", "-"], topology);
    insta::assert_snapshot!(run.text(), @r"
    stderr: warning: Topology `pair` finds no device: none of its vertices has `match` or `device`
    stderr: error: <stdin>:8:18: Topology `pair`: spec.links[0].b: no vertex `gpu1`, expected the id of one
    exit code 2
    ");
}
