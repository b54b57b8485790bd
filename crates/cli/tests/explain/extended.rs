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
    insta::assert_snapshot!(explain(&pod("train", 1, "", "Pending")), @"");
    let runs = pod("runs", 1, "plugin-of-two", "Running");
    insta::assert_snapshot!(explain(&(pod("train", 2, "", "Pending") + &runs)), @"");
    // It is counted once where it is already.
    insta::assert_snapshot!(explain(&pod("train", 2, "plugin-of-two", "Pending")), @"");
}

#[test]
fn what_nothing_serves_fits_nowhere() {
    let pod = pod("train", 1, "", "Pending").replace("example.com/gpu", "example.com/fpga");
    insta::assert_snapshot!(explain(&pod), @"");
}
