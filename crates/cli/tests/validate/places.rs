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
    insta::assert_snapshot!(validate(WRONG, &[]), @"");
}

#[test]
fn json_and_lists() {
    let json = r#"{"kind": "List", "apiVersion": "v1", "items": [
 {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "Gpu", "uid": "1"}},
 {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule", "metadata": {"name": "a"},
  "spec": {"deviceSelector": {"driver": "gpu_0"}, "taint": {"key": "a", "effect": "Never"}}}
]}
"#;
    insta::assert_snapshot!(validate(json, &[]), @"");
}

#[test]
fn faults_of_allocate_have_places_too() {
    let topology = r#"apiVersion: dralloc.dev/v1alpha1
kind: Topology
metadata: {name: pair}
spec:
  vertices:
  - {id: gpu0, kind: gpu}
  links:
  - {a: gpu0, b: gpu1, type: NVLink}
"#;
    let run = crate::dralloc_with(&["allocate", "-f", "-"], topology);
    insta::assert_snapshot!(run.text(), @"");
}
