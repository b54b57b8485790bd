//! Pods that ask for extended resources: which claim they get, and where plugins serve them.

use crate::{CLUSTER, USES_TEMPLATE, allocate, pod, template};

/// The cluster, whose class is also an extended resource.
fn cluster() -> String {
    CLUSTER.replace(
        "metadata: {name: gpu}\n",
        "metadata: {name: gpu}\nspec: {extendedResourceName: example.com/gpu}\n",
    )
}

/// The cluster, where a device plugin has devices of the second node.
fn with_plugin(count: u32) -> String {
    let node = "metadata: {name: node-2, labels: {zone: b}}\n";
    let status = format!("status: {{allocatable: {{example.com/gpu: {count}}}}}\n");
    cluster().replace(node, &format!("{node}{status}"))
}

/// A pod with a container that asks for amounts.
fn asking(name: &str, limits: &str, rest: &str) -> String {
    let container = format!("containers: [{{name: main, resources: {{limits: {{{limits}}}}}}}]");
    pod(name, "", &format!("{rest}{container}"), "")
}

const ONE: &str = "cpu: 1, example.com/gpu: 1";

#[test]
fn the_claim_is_as_kubernetes_makes_it() {
    let input = cluster() + &asking("train", "cpu: 1, example.com/gpu: 2", "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
    insta::assert_snapshot!(allocate(&input, &["-o", "yaml"]), @"");
}

#[test]
fn a_class_can_be_named_directly() {
    let class = "deviceclass.resource.kubernetes.io/gpu: 1";
    let input = CLUSTER.to_owned() + &asking("train", class, "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
}

#[test]
fn the_youngest_of_classes_with_one_name_counts() {
    let class = |name: &str, created: &str| {
        format!(
            "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: {name}, \
             creationTimestamp: \"{created}\"}}\nspec: {{extendedResourceName: example.com/gpu, \
             selectors: [{{cel: {{expression: \"device.attributes['gpu.example.com'].?large\
             .orValue(false)\"}}}}]}}\n---\n"
        )
    };
    let input = cluster()
        + &class("large", "2026-04-01T12:00:00Z")
        + &class("zoom", "2026-04-01T12:00:00Z")
        + &asking("train", ONE, "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
}

#[test]
fn a_node_with_a_device_plugin_is_served_by_it() {
    let input = with_plugin(1)
        + &asking("one", ONE, "nodeSelector: {zone: b}, ")
        + &asking("two", ONE, "nodeSelector: {zone: b}, ")
        + &asking("three", ONE, "")
        + &asking("four", ONE, "")
        + &asking("five", ONE, "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
    // What runs there uses it; what is over does not.
    let ran = |name: &str, phase: &str| {
        let status = format!("status: {{phase: {phase}}}");
        asking(name, ONE, "nodeName: node-2, ").replace("status: {}", &status)
    };
    let (running, over) = (ran("running", "Running"), ran("over", "Succeeded"));
    let input = with_plugin(2)
        + &running
        + &over
        + &asking("one", ONE, "")
        + &asking("two", ONE, "")
        + &asking("three", ONE, "")
        + &asking("four", ONE, "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
    insta::assert_snapshot!(allocate(&input, &["--satisfiable"]), @"");
}

#[test]
fn what_nothing_serves_is_told() {
    let input = cluster() + &asking("train", "example.com/fpga: 1", "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
    let input = cluster() + &asking("train", ONE, "");
    insta::assert_snapshot!(allocate(&input, &["--kubernetes-version", "1.35"]), @"");
    let input = with_plugin(0) + &asking("train", "example.com/gpu: 3", "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
    let too_many = asking("train", "example.com/gpu: 33", "");
    insta::assert_snapshot!(allocate(&(cluster() + &too_many), &[]), @"");
}

#[test]
fn amounts_that_no_server_takes_are_errors() {
    let container = "containers: [{name: a, resources: {requests: {example.com/gpu: 1}}}, \
                     {name: b, resources: {requests: {example.com/gpu: 1}, \
                     limits: {example.com/gpu: 2}}}, \
                     {name: c, resources: {limits: {example.com/gpu: 500m}}}]";
    let input = cluster() + &pod("train", "", container, "").replace(", uid: uid-of-train", "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
    // A server let it through; it cannot be said how many devices that is.
    let input = cluster() + &asking("train", "example.com/gpu: 500m", "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
}

#[test]
fn pods_have_claims_and_extended_resources() {
    let input = with_plugin(2)
        + &template("single", 1)
        + &asking("train", ONE, &format!("{USES_TEMPLATE}, "))
        + &asking("serve", ONE, &format!("{USES_TEMPLATE}, "));
    insta::assert_snapshot!(allocate(&input, &[]), @"");
}

#[test]
fn a_claim_that_was_made_is_used_by_a_bound_pod_and_dropped_for_another() {
    let made = r#"
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: train-extended-resources-x7b4t
  annotations: {resource.kubernetes.io/extended-resource-claim: "true"}
  ownerReferences: [{apiVersion: v1, kind: Pod, name: train, uid: uid-of-train, controller: true}]
spec:
  devices:
    requests: [{name: container-0-request-1, exactly: {deviceClassName: gpu}}]
status:
  allocation:
    devices:
      results: [{request: container-0-request-1, driver: gpu.example.com, pool: node-2, device: gpu-1}]
    nodeSelector:
      nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [node-2]}]}]
---
"#;
    let input = cluster() + made + &asking("train", ONE, "nodeName: node-2, ");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
    let input = cluster() + made + &asking("train", ONE, "");
    insta::assert_snapshot!(allocate(&input, &[]), @"");
}
