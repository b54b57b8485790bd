//! Machines that allow some sets of devices only: fewer may be harder to have.

use crate::common::dralloc_with;

/// A node with devices, of which only sets of so many can be used, one after the other.
fn node(name: &str, sets: &[usize]) -> String {
    let count = 8;
    let devices = (0..count).map(|place| format!("{{name: gpu-{place}}}"));
    let vertices = (0..count).map(|place| {
        format!(
            "  - {{id: {name}-{place}, kind: gpu, device: gpu.example.com/{name}/gpu-{place}}}\n"
        )
    });
    let mut start = 0;
    let sets = sets.iter().enumerate().map(|(partition, size)| {
        let members = (start..start + size).map(|place| format!("{name}-{place}"));
        start += size;
        let members = members.collect::<Vec<_>>().join(", ");
        format!("  - {{partition: {partition}, vertices: [{members}]}}\n")
    });
    let (sets, vertices) = (
        sets.collect::<Vec<_>>().concat(),
        vertices.collect::<Vec<_>>().concat(),
    );
    format!(
        "apiVersion: v1
kind: Node
metadata: {{name: {name}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}}}
spec:
  driver: gpu.example.com
  nodeName: {name}
  pool: {{name: {name}, generation: 1, resourceSliceCount: 1}}
  devices: [{}]
---
apiVersion: dralloc.dev/v1alpha1
kind: Topology
metadata: {{name: {name}}}
spec:
  vertices:
{vertices}  allowedSets:
{sets}---
",
        devices.collect::<Vec<_>>().join(", ")
    )
}

fn explain(nodes: &[String], count: usize) -> String {
    let input = format!(
        "{}apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: gpu}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: waits}}
spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, count: {count}}}}}]}}}}
",
        nodes.concat()
    );
    dralloc_with(&["explain", "-f", "-"], &input).text()
}

#[test]
fn the_largest_set_is_offered() {
    insta::assert_snapshot!(explain(&[node("one", &[4, 2, 1])], 8), @r"
    claim default/waits: never
      It would not fit on the only node even if nothing were held.
      It asks for 8 devices of class `gpu` (request `gpu`).

      Never: 1 node
        - one: no devices are a set that the machine allows; 8 devices needed, 4 can
          be had at once

      This would make it fit, and was tried:
        - ask for 4 devices instead of 8 in request `gpu` (on one)

    1 claim waits; 0 claims have devices.
    exit code 1
    ");
}

#[test]
fn the_largest_set_of_any_node_is_offered() {
    let nodes = [node("a", &[2, 2]), node("b", &[2, 2]), node("c", &[4, 4])];
    insta::assert_snapshot!(explain(&nodes, 8), @r"
    claim default/waits: never
      It would not fit on any of 3 nodes even if nothing were held.
      It asks for 8 devices of class `gpu` (request `gpu`).

      Never: 3 nodes
        - a, b: no devices are a set that the machine allows; 8 devices needed, 2
          can be had at once
        - c: no devices are a set that the machine allows; 8 devices needed, 4 can
          be had at once

      This would make it fit, and was tried:
        - ask for 4 devices instead of 8 in request `gpu` (on c)

    1 claim waits; 0 claims have devices.
    exit code 1
    ");
}

#[test]
fn one_device_need_not_be_a_set() {
    insta::assert_snapshot!(explain(&[node("one", &[4, 4])], 6), @r"
    claim default/waits: never
      It would not fit on the only node even if nothing were held.
      It asks for 6 devices of class `gpu` (request `gpu`).

      Never: 1 node
        - one: no devices are a set that the machine allows; 6 devices needed, 4 can
          be had at once

      This would make it fit, and was tried:
        - ask for 4 devices instead of 6 in request `gpu` (on one)

    1 claim waits; 0 claims have devices.
    exit code 1
    ");
}
