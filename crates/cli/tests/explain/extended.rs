//! Pods that ask for extended resources: nodes with devices, and those with a plugin.

use crate::common::dralloc_with;

const CLUSTER: &str = r"
apiVersion: v1
kind: Node
metadata: {name: devices}
---
apiVersion: v1
kind: Node
metadata: {name: plugin-of-one}
status: {allocatable: {example.com/gpu: 1}}
---
apiVersion: v1
kind: Node
metadata: {name: plugin-of-two}
status: {allocatable: {example.com/gpu: 2}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {extendedResourceName: example.com/gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice}
spec:
  driver: gpu.example.com
  nodeName: devices
  pool: {name: devices, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
---
";

fn pod(name: &str, count: u32, node: &str, phase: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, uid: uid-of-{name}}}\nspec: \
         {{nodeName: \"{node}\", containers: [{{name: main, resources: {{limits: \
         {{example.com/gpu: {count}}}}}}}]}}\nstatus: {{phase: {phase}}}\n---\n"
    )
}

fn explain(pods: &str) -> String {
    let input = format!("{CLUSTER}{pods}");
    dralloc_with(&["explain", "-f", "-", "--pod", "train"], &input).text()
}

#[test]
fn nodes_with_a_plugin_are_told_apart() {
    insta::assert_snapshot!(explain(&pod("train", 1, "", "Pending")), @r"
    pod default/train: fits
      It fits on all 3 nodes: devices are not what keeps it waiting.
      It asks for 1 device of class `gpu` (request `container-0-request-0`).
      It would get on devices:
        - container-0-request-0  gpu.example.com/devices/gpu-0

      Fits: 3 nodes
        - devices, plugin-of-one, plugin-of-two

    1 pod waits; 0 claims have devices.
    exit code 0
    ");
    let runs = pod("runs", 1, "plugin-of-two", "Running");
    insta::assert_snapshot!(explain(&(pod("train", 2, "", "Pending") + &runs)), @r"
    pod default/train: not now
      It fits on no node now, but on 1 of 3 nodes once others give devices back.
      It asks for 2 devices of class `gpu` (request `container-0-request-0`).

      Not now: 1 node
        - plugin-of-two: the device plugin has too little `example.com/gpu` left:
          needs 2, 1 of 2 is left

      Never: 2 nodes
        - devices: request `container-0-request-0` needs 2 devices, there is only 1
        - plugin-of-one: the device plugin has too little `example.com/gpu` left:
          needs 2, 1 of 1 is left

      This would make it fit, and was tried:
        - ask for 1 device instead of 2 in request `container-0-request-0` (on
          devices)

    1 pod waits; 0 claims have devices.
    exit code 1
    ");
    // It is counted once where it is already.
    insta::assert_snapshot!(explain(&pod("train", 2, "plugin-of-two", "Pending")), @r"
    pod default/train: fits
      It fits on 1 of 3 nodes: devices are not what keeps it waiting.

      Fits: 1 node
        - plugin-of-two

      Not asked: 2 nodes
        - devices, plugin-of-one: not the node that the pod names

    1 pod waits; 0 claims have devices.
    exit code 0
    ");
}

#[test]
fn what_nothing_serves_fits_nowhere() {
    let pod = pod("train", 1, "", "Pending").replace("example.com/gpu", "example.com/fpga");
    insta::assert_snapshot!(explain(&pod), @r"
    pod default/train: never
      It would not fit on any of 3 nodes even if nothing were held.

      Never: 3 nodes
        - devices, plugin-of-one, plugin-of-two: no device plugin serves
          `example.com/fpga`, and no class stands for it

    1 pod waits; 0 claims have devices.
    exit code 1
    ");
}

#[test]
fn what_several_kinds_of_nodes_have_in_common_is_told_once() {
    // The device plugin of one node serves the first of two resources.
    let input = CLUSTER
        .replace("plugin-of-two", "without-plugin")
        .replace("allocatable: {example.com/gpu: 2}", "allocatable: {}")
        + r"
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: nic}
spec: {extendedResourceName: example.com/nic}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: nics-1}
spec:
  driver: nic.example.com
  nodeName: devices
  pool: {name: devices, generation: 1, resourceSliceCount: 1}
  devices: [{name: nic-0}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: nics-2}
spec:
  driver: nic.example.com
  nodeName: plugin-of-one
  pool: {name: plugin-of-one, generation: 1, resourceSliceCount: 1}
  devices: [{name: nic-0}]
---
apiVersion: v1
kind: Pod
metadata: {name: train, uid: uid-of-train}
spec: {containers: [{name: main, resources: {limits: {example.com/gpu: 1, example.com/nic: 2}}}]}
status: {phase: Pending}
";
    let run = dralloc_with(&["explain", "-f", "-", "--pod", "train"], &input);
    insta::assert_snapshot!(run.text(), @r"
    pod default/train: never
      It would not fit on any of 3 nodes even if nothing were held.
      It asks for:
        - 1 device of class `gpu` (request `container-0-request-0`)
        - 2 devices of class `nic` (request `container-0-request-1`)

      Never: 3 nodes
        - devices: 3 devices needed, 2 can serve
        - plugin-of-one: request `container-0-request-1` needs 2 devices, there is
          only 1
        - without-plugin: request `container-0-request-0` needs 1 device, there are
          none

      This would make it fit, and was tried:
        - ask for 1 device instead of 2 in request `container-0-request-1` (on 2
          nodes, such as devices)

    1 pod waits; 0 claims have devices.
    exit code 1
    ");
}
