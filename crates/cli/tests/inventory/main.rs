//! `dralloc inventory` from files.

#[path = "../common/mod.rs"]
mod common;
#[cfg(unix)]
mod on_terminal;
mod usage;

use std::fmt::Write as _;

use common::{dralloc, dralloc_with};
use serde_json::Value;

const FILE: &str = "examples/inventory.yaml";

fn inventory(arguments: &[&str]) -> String {
    dralloc(&[&["inventory", "-f", FILE], arguments].concat()).text()
}

#[test]
fn tables() {
    for by in ["node", "class", "product", "rack"] {
        insta::assert_snapshot!(format!("by-{by}.table"), inventory(&["--by", by]));
        insta::assert_snapshot!(
            format!("by-{by}.wide"),
            inventory(&["--by", by, "-o", "wide"])
        );
    }
}

#[test]
fn objects_for_programs() {
    insta::assert_snapshot!("by-node.json", inventory(&["-o", "json"]));
    insta::assert_snapshot!("by-class.json", inventory(&["--by", "class", "-o", "json"]));
}

/// The states of each group add up to its devices, and where a device is in one group the
/// groups to the total.
#[test]
fn sums_add_up() {
    for by in ["node", "class", "product", "rack"] {
        let run = dralloc(&["inventory", "-f", FILE, "--by", by, "-o", "json"]);
        let whole: Value = serde_json::from_str(&run.output).unwrap();
        let number = |of: &Value, field: &str| of[field].as_u64().unwrap();
        let states = ["free", "held", "shared", "blocked", "tainted", "unusable"];
        let groups = whole["groups"].as_array().unwrap();
        for group in groups.iter().chain([&whole["total"]]) {
            let sum: u64 = states.iter().map(|state| number(group, state)).sum();
            assert_eq!(sum, number(group, "devices"), "by {by}: {group}");
        }
        if by != "class" {
            for field in states.iter().chain(&["devices", "stranded"]) {
                let sum: u64 = groups.iter().map(|group| number(group, field)).sum();
                assert_eq!(sum, number(&whole["total"], field), "{field} by {by}");
            }
        }
        for partition in whole["partitions"].as_array().unwrap() {
            let profile = partition["profile"].as_str().unwrap();
            let left = groups
                .iter()
                .filter_map(|group| group["partitionsLeft"][profile].as_u64());
            let left: u64 = left.sum();
            // A partition can be of several classes.
            assert!(
                left == number(partition, "left") || by == "class",
                "{profile} by {by}"
            );
        }
    }
}

/// Returns a cluster of so many nodes with two devices, of every third of which one is held.
fn many(nodes: usize) -> String {
    let mut text = String::new();
    for node in 1..=nodes {
        let _ = write!(
            text,
            "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: s-{node}}}, \
             spec: {{driver: gpu.example.com, nodeName: gpu-{node:02}, \
             pool: {{name: gpu-{node:02}, generation: 1, resourceSliceCount: 1}}, \
             devices: [{{name: gpu-0}}, {{name: gpu-1}}]}}}}\n"
        );
        if node % 3 == 0 {
            let _ = write!(
                text,
                "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {{name: c-{node}}}, \
                 spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, \
                 allocationMode: ExactCount, count: 1}}}}]}}}}, status: {{allocation: {{devices: {{results: \
                 [{{request: gpu, driver: gpu.example.com, pool: gpu-{node:02}, device: gpu-0}}]}}}}}}}}\n"
            );
        }
    }
    text
}

#[test]
fn many_nodes_that_are_alike_are_one_row() {
    let few = dralloc_with(&["inventory", "-f", "-"], &many(4)).text();
    insta::assert_snapshot!("few-nodes", few);
    let several = dralloc_with(&["inventory", "-f", "-"], &many(30)).text();
    insta::assert_snapshot!("many-nodes", several);
    let held = many(30).replace("device: gpu-0}", "device: gpu-1}");
    assert_eq!(
        dralloc_with(&["inventory", "-f", "-"], &held).text(),
        several
    );
    let wide = dralloc_with(&["inventory", "-f", "-", "-o", "wide"], &many(30)).output;
    assert_eq!(
        wide.lines().filter(|line| line.starts_with("gpu-")).count(),
        30
    );
}

#[test]
fn nodes_in_a_row_are_a_range() {
    let nodes = many(30);
    let free = nodes.split("---\n");
    let free = free.filter(|document| !document.contains("ResourceClaim"));
    let free = free.collect::<Vec<_>>().join("---\n");
    let run = dralloc_with(&["inventory", "-f", "-"], &free).text();
    insta::assert_snapshot!(run, @r"
    60 devices in 30 pools on 30 nodes

    NODE         NODES  DEVICES  FREE  USED
    gpu-[01-30]     30       60    60    0%
    exit code 0
    ");
}

#[test]
fn without_racks_rows_are_nodes() {
    let run = dralloc_with(&["inventory", "-f", "-", "--by", "rack"], &many(1)).text();
    insta::assert_snapshot!(run, @r"
    2 devices in 1 pool on 1 node

    NODE    DEVICES  FREE  USED
    gpu-01        2     2    0%
    stderr: note: no topology and no label says in which rack a node is: by node instead
    exit code 0
    ");
}

#[test]
fn a_topology_says_racks_before_labels_do() {
    let topology = "---
apiVersion: dralloc.dev/v1alpha1
kind: Topology
metadata: {name: t}
spec:
  vertices:
  - {id: rack, kind: nvLinkDomain, name: r7}
  - {id: host, kind: host, name: gpu-01}
  - {id: gpu, kind: gpu, device: gpu.example.com/gpu-01/gpu-0}
  links:
  - {a: host, b: rack, type: NVLinkTray}
  - {a: gpu, b: host, type: Tray}
";
    let labels = "---
{apiVersion: v1, kind: Node, metadata: {name: gpu-01, labels: {topology.kubernetes.io/rack: r1}}}
---
{apiVersion: v1, kind: Node, metadata: {name: gpu-02, labels: {topology.kubernetes.io/rack: r2}}}
";
    let by_labels = many(2) + labels;
    let run = dralloc_with(&["inventory", "-f", "-", "--by", "rack"], &by_labels).output;
    insta::assert_snapshot!("racks-by-labels", run);
    let by_topology = by_labels + topology;
    let run = dralloc_with(&["inventory", "-f", "-", "--by", "rack"], &by_topology).text();
    insta::assert_snapshot!("racks-by-topology", run);
}

#[test]
fn nothing_is_nothing() {
    insta::assert_snapshot!(dralloc_with(&["inventory", "-f", "-"], "").text(), @r"
    0 devices in 0 pools on 0 nodes
    stderr: warning: the input holds no object
    stderr: warning: no ResourceSlice is given: there are no devices
    exit code 0
    ");
}
