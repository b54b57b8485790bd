//! Objects of `dralloc.dev` in files.

use crate::{CLUSTER, allocate, claim};

const OVERLAY: &str = r"
apiVersion: dralloc.dev/v1alpha1
kind: AttributeOverlay
metadata: {name: zone-b}
spec:
  selector:
    nodeSelector:
      nodeSelectorTerms:
      - matchExpressions: [{key: zone, operator: In, values: [b]}]
    attributes: {large: {bool: true}}
  attributes: {color: {string: red}}
---
";

const OTHERS: &str = r#"
apiVersion: dralloc.dev/v1alpha1
kind: DeviceHold
metadata: {name: node-1-ids}
spec:
  nodeName: node-1
  devices: [{driver: gpu.example.com, pool: node-1, device: gpu-0}]
---
apiVersion: dralloc.dev/v1alpha1
kind: DeviceHold
metadata: {name: node-2-count}
spec:
  nodeName: node-2
  count: 1
  disjointFrom: [{attributes: {large: {bool: true}}}]
---
apiVersion: dralloc.dev/v1alpha1
kind: DeviceHealth
metadata: {name: node-1-gpu-1}
spec:
  device: {driver: gpu.example.com, pool: node-1, device: gpu-1}
  failures: [{time: "2026-01-31T12:00:00Z", reason: xid-79}]
---
apiVersion: dralloc.dev/v1alpha1
kind: Topology
metadata: {name: pair}
spec:
  vertices:
  - {id: gpu0, kind: gpu, device: gpu.example.com/node-1/gpu-0}
  - {id: gpu1, kind: gpu, device: gpu.example.com/node-1/gpu-1}
  links: [{a: gpu0, b: gpu1, type: NVLink, count: 4, bandwidthGBps: 100}]
---
"#;

#[test]
fn overlays_and_holds_count_wherever_they_stand() {
    let red = claim("red", 1).replace(
        "count: 1}",
        "count: 1, selectors: [{cel: {expression: \
         'has(device.attributes[\"gpu.example.com\"].color)'}}]}",
    );
    let ahead = format!("{OTHERS}{red}{OVERLAY}{}{CLUSTER}", claim("any", 2));
    let behind = format!("{CLUSTER}{red}{}{OVERLAY}{OTHERS}", claim("any", 2));
    insta::assert_snapshot!(allocate(&ahead, &[]), @"
    CLAIM  NODE    REQUEST  DEVICE
    red    node-2  gpu      gpu.example.com/node-2/gpu-1

    Not allocated: claim default/any
      node-1: request `gpu` needs 2 devices, 1 of 2 is usable: 1 in use (if hold `node-1-ids` were released 2 could serve)
      node-2: request `gpu` needs 2 devices, both are in use (if hold `node-2-count` and claim `default/red` were released 2 could serve)

    Allocated: 1 of 2 claims.
    exit code 1
    ");
    assert_eq!(allocate(&behind, &[]), allocate(&ahead, &[]));
}

#[test]
fn faults_of_documents_are_told_with_their_place() {
    let input = format!("{CLUSTER}{OTHERS}")
        .replace("b: gpu1,", "b: gpu2,")
        .replace("count: 1", "count: -1")
        .replace("2026-01-31T12", "2026-01-31T25");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    stderr: error: <stdin>:62:24 (document 9): Topology `pair`: spec.links[0].b: no vertex `gpu2`, expected the id of one
    stderr: error: <stdin>:53:21 (document 8): DeviceHealth `node-1-gpu-1`: spec.failures[0].time: expected a time such as `2026-01-31T12:00:00Z`, found `2026-01-31T25:00:00Z`
    stderr: error: <stdin>:45:10 (document 7): DeviceHold `node-2-count`: spec.count: expected 0 or more, found -1
    exit code 2
    ");
    let input = OVERLAY.replace("nodeSelector:", "nodeSelectors:");
    insta::assert_snapshot!(allocate(&input, &["--strict"]), @r"
    stderr: error: <stdin>:7:5: AttributeOverlay `zone-b`: spec.selector.nodeSelectors: unknown field `nodeSelectors` (did you mean `nodeSelector`)
    exit code 2
    ");
    let input = OVERLAY.replace("AttributeOverlay", "AttributeOverlays");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    stderr: error: <stdin>:2:1: unknown kind `AttributeOverlays`, did you mean `AttributeOverlay`
    exit code 2
    ");
}
