//! Errors on one node, which end the attempt on all.

use crate::common::dralloc_with;

/// Two nodes with a card each, of which the first does not say its model.
fn cluster(second: &str, held: &str) -> String {
    format!(
        "apiVersion: v1
kind: Node
metadata: {{name: fails}}
---
apiVersion: v1
kind: Node
metadata: {{name: works}}
---
apiVersion: v1
kind: Node
metadata: {{name: cordoned}}
spec: {{unschedulable: true}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: gpu}}
---
{}{}{}apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: waits}}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
        selectors: [{{cel: {{expression: 'device.attributes[\"gpu.example.com\"].model == \"L4\"'}}}}]
{held}",
        slice("fails", ""),
        slice("works", second),
        slice("cordoned", "attributes: {model: {string: L4}}"),
    )
}

fn slice(node: &str, device: &str) -> String {
    let comma = if device.is_empty() { "" } else { ", " };
    format!(
        "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {node}}}
spec:
  driver: gpu.example.com
  nodeName: {node}
  pool: {{name: {node}, generation: 1, resourceSliceCount: 1}}
  devices: [{{name: gpu-0{comma}{device}}}]
---
"
    )
}

fn explain(input: &str) -> String {
    dralloc_with(&["explain", "-f", "-", "--claim", "waits"], input).text()
}

#[test]
fn a_guard_helps_where_only_another_node_fits() {
    let input = cluster("attributes: {model: {string: L4}}", "");
    insta::assert_snapshot!(explain(&input), @r#"
    claim default/waits: bad input
      Something cannot be evaluated on 1 of 3 nodes; an error ends the attempt on
      all nodes, although it fits on 2 of 3 nodes.
      It asks for 1 device of class `gpu` where
      `device.attributes["gpu.example.com"].model == "L4"` (request `gpu`).

      Fits: 2 nodes
        - cordoned, works

      Bad input: 1 node
        - fails: spec.devices.requests[0].exactly.selectors[0]: no such key: model
          (device `gpu.example.com/fails/gpu-0`)

      Each of these would make it fit, and was tried:
        - guard selector 0 of request `gpu`, so that it first asks whether the
          device has what it reads: `"model" in device.attributes["gpu.example.com"]
          && device.attributes["gpu.example.com"].model == "L4"` (on 2 nodes, such
          as cordoned)
        - publish `gpu.example.com/model` as "L4" on device
          `gpu.example.com/fails/gpu-0` (on fails)
        - drop selector 0 of request `gpu`:
          `device.attributes["gpu.example.com"].model == "L4"` (on 3 nodes, such as
          cordoned)

    1 claim waits; 0 claims have devices.
    exit code 1
    "#);
}

#[test]
fn a_release_is_no_remedy_while_another_node_fails() {
    let held = "---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: holds}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
status: {allocation: {devices: {results: [
  {request: gpu, driver: gpu.example.com, pool: works, device: gpu-0}]}}}
";
    let input = cluster("attributes: {model: {string: L4}}", held);
    insta::assert_snapshot!(explain(&input), @r#"
    claim default/waits: bad input
      Something cannot be evaluated on 1 of 3 nodes; an error ends the attempt on
      all nodes, although it fits on 1 of 3 nodes.
      It asks for 1 device of class `gpu` where
      `device.attributes["gpu.example.com"].model == "L4"` (request `gpu`).

      Fits: 1 node
        - cordoned

      Not now: 1 node
        - works: request `gpu` needs 1 device, the only one is in use
          (if claim `default/holds` were released 1 could serve)

      Bad input: 1 node
        - fails: spec.devices.requests[0].exactly.selectors[0]: no such key: model
          (device `gpu.example.com/fails/gpu-0`)

      Each of these would make it fit, and was tried:
        - guard selector 0 of request `gpu`, so that it first asks whether the
          device has what it reads: `"model" in device.attributes["gpu.example.com"]
          && device.attributes["gpu.example.com"].model == "L4"` (on cordoned)
        - publish `gpu.example.com/model` as "L4" on device
          `gpu.example.com/fails/gpu-0` (on fails)
        - drop selector 0 of request `gpu`:
          `device.attributes["gpu.example.com"].model == "L4"` (on 2 nodes, such as
          cordoned)

    1 claim waits; 1 claim has devices.
    exit code 1
    "#);
}
