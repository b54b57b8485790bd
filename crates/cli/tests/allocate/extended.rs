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
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD    CLAIM                           NODE    REQUEST                DEVICE                        DETAILS
    train  train-extended-resources-sp5df  node-1  container-0-request-1  gpu.example.com/node-1/gpu-0  example.com/gpu for main
                                                   container-0-request-1  gpu.example.com/node-1/gpu-1  example.com/gpu for main

    Allocated: 1 pod.
    exit code 0
    ");
    insta::assert_snapshot!(allocate(&input, &["-o", "yaml"]), @r#"
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata:
      name: train-extended-resources-sp5df
      generateName: train-extended-resources-
      namespace: default
      annotations:
        resource.kubernetes.io/extended-resource-claim: "true"
      ownerReferences:
      - apiVersion: v1
        kind: Pod
        name: train
        uid: uid-of-train
        controller: true
    spec:
      devices:
        requests:
        - name: container-0-request-1
          exactly:
            deviceClassName: gpu
            allocationMode: ExactCount
            count: 2
    status:
      allocation:
        devices:
          results:
          - request: container-0-request-1
            driver: gpu.example.com
            pool: node-1
            device: gpu-0
          - request: container-0-request-1
            driver: gpu.example.com
            pool: node-1
            device: gpu-1
        nodeSelector:
          nodeSelectorTerms:
          - matchFields:
            - key: metadata.name
              operator: In
              values:
              - node-1
      reservedFor:
      - resource: pods
        name: train
        uid: uid-of-train
    exit code 0
    "#);
}

#[test]
fn a_class_can_be_named_directly() {
    let class = "deviceclass.resource.kubernetes.io/gpu: 1";
    let input = CLUSTER.to_owned() + &asking("train", class, "");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD    CLAIM                           NODE    REQUEST                DEVICE                        DETAILS
    train  train-extended-resources-sp5df  node-1  container-0-request-0  gpu.example.com/node-1/gpu-0  deviceclass.resource.kubernetes.io/gpu for main

    Allocated: 1 pod.
    exit code 0
    ");
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
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD    CLAIM                           NODE    REQUEST                DEVICE                        DETAILS
    train  train-extended-resources-sp5df  node-1  container-0-request-1  gpu.example.com/node-1/gpu-1  example.com/gpu for main

    Allocated: 1 pod.
    exit code 0
    ");
}

#[test]
fn a_node_with_a_device_plugin_is_served_by_it() {
    let input = with_plugin(1)
        + &asking("one", ONE, "nodeSelector: {zone: b}, ")
        + &asking("two", ONE, "nodeSelector: {zone: b}, ")
        + &asking("three", ONE, "")
        + &asking("four", ONE, "")
        + &asking("five", ONE, "");
    insta::assert_snapshot!(allocate(&input, &[]), @"
    POD    CLAIM                           NODE    REQUEST                DEVICE                        DETAILS
    one                                    node-2                         from device plugin            example.com/gpu 1
    three  three-extended-resources-9qhnd  node-1  container-0-request-1  gpu.example.com/node-1/gpu-0  example.com/gpu for main
    four   four-extended-resources-7fgt7   node-1  container-0-request-1  gpu.example.com/node-1/gpu-1  example.com/gpu for main

    Not allocated: pod default/two
      node-1: not selected by the pod's `nodeSelector`
      node-2: the device plugin has too little `example.com/gpu` left: needs 1, 0 of 1 is left
    Not allocated: pod default/five
      node-1: request `container-0-request-1` needs 1 device, both are in use (if claim `default/four-extended-resources-7fgt7` were released 1 could serve)
      node-2: the device plugin has too little `example.com/gpu` left: needs 1, 0 of 1 is left

    Allocated: 3 of 5 pods.
    exit code 1
    ");
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
    insta::assert_snapshot!(allocate(&input, &[]), @"
    POD    CLAIM                         NODE    REQUEST                DEVICE                        DETAILS
    one    one-extended-resources-jscx6  node-1  container-0-request-1  gpu.example.com/node-1/gpu-0  example.com/gpu for main
    two    two-extended-resources-bvzfg  node-1  container-0-request-1  gpu.example.com/node-1/gpu-1  example.com/gpu for main
    three                                node-2                         from device plugin            example.com/gpu 1

    Not allocated: pod default/four
      node-1: request `container-0-request-1` needs 1 device, both are in use (if claim `default/one-extended-resources-jscx6` were released 1 could serve)
      node-2: the device plugin has too little `example.com/gpu` left: needs 1, 0 of 2 is left

    Allocated: 3 of 4 pods.
    exit code 1
    ");
    insta::assert_snapshot!(allocate(&input, &["--satisfiable"]), @r"
    Satisfiable: pod default/one on node-1
    Satisfiable: pod default/two on node-1
    Satisfiable: pod default/three on node-1
    Satisfiable: pod default/four on node-1

    Satisfiable: 4 pods.
    exit code 0
    ");
}

#[test]
fn what_nothing_serves_is_told() {
    let input = cluster() + &asking("train", "example.com/fpga: 1", "");
    insta::assert_snapshot!(allocate(&input, &[]), @"
    Not allocated: pod default/train
      node-1, node-2: no device plugin serves `example.com/fpga`, and no class stands for it

    Allocated: 0 of 1 pod.
    exit code 1
    ");
    let input = cluster() + &asking("train", ONE, "");
    insta::assert_snapshot!(allocate(&input, &["--kubernetes-version", "1.35"]), @"
    Not allocated: pod default/train
      node-1, node-2: no device plugin serves `example.com/gpu`, and the feature `DRAExtendedResource` is off
      it would fit if the feature gate `DRAExtendedResource` were on (tried on node-1); while it is off nothing comes of `extendedResourceName` of the class

    Allocated: 0 of 1 pod.
    exit code 1
    ");
    let input = with_plugin(0) + &asking("train", "example.com/gpu: 3", "");
    insta::assert_snapshot!(allocate(&input, &[]), @"
    Not allocated: pod default/train
      node-1, node-2: request `container-0-request-0` needs 3 devices, there are only 2; no release would help

    Allocated: 0 of 1 pod.
    exit code 1
    ");
    let too_many = asking("train", "example.com/gpu: 33", "");
    insta::assert_snapshot!(allocate(&(cluster() + &too_many), &[]), @r"
    Not allocated: pod default/train
      claim `train-extended-resources-sp5df`: spec.devices.requests[0]: 33 devices beside 0 of other requests, expected at most 32 for a claim

    Allocated: 0 of 1 pod.
    exit code 1
    ");
}

#[test]
fn amounts_that_no_server_takes_are_errors() {
    let container = "containers: [{name: a, resources: {requests: {example.com/gpu: 1}}}, \
                     {name: b, resources: {requests: {example.com/gpu: 1}, \
                     limits: {example.com/gpu: 2}}}, \
                     {name: c, resources: {limits: {example.com/gpu: 500m}}}]";
    let input = cluster() + &pod("train", "", container, "").replace(", uid: uid-of-train", "");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    Not allocated: pod default/train
      spec.containers[0].resources.requests[example.com/gpu]: expected `1` in `limits`, too, found none

    Allocated: 0 of 1 pod.
    exit code 1
    ");
    // A server let it through; it cannot be said how many devices that is.
    let input = cluster() + &asking("train", "example.com/gpu: 500m", "");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    Not allocated: pod default/train
      spec.containers[0].resources.limits[example.com/gpu]: expected a whole number from 0 to 9223372036854775807, found `500m`

    Allocated: 0 of 1 pod.
    exit code 1
    ");
}

#[test]
fn pods_have_claims_and_extended_resources() {
    let input = with_plugin(2)
        + &template("single", 1)
        + &asking("train", ONE, &format!("{USES_TEMPLATE}, "))
        + &asking("serve", ONE, &format!("{USES_TEMPLATE}, "));
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD    CLAIM                           NODE    REQUEST                DEVICE                        DETAILS
    train  train-gpu-jvqs6                 node-1  gpu                    gpu.example.com/node-1/gpu-0
           train-extended-resources-sp5df  node-1  container-0-request-1  gpu.example.com/node-1/gpu-1  example.com/gpu for main
    serve  serve-gpu-ntd6q                 node-2  gpu                    gpu.example.com/node-2/gpu-0
                                           node-2                         from device plugin            example.com/gpu 1

    Allocated: 2 pods.
    exit code 0
    ");
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
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD    CLAIM                           NODE    REQUEST                DEVICE
    train  train-extended-resources-x7b4t  node-2  container-0-request-1  gpu.example.com/node-2/gpu-1

    Allocated: 1 pod.
    exit code 0
    ");
    let input = cluster() + made + &asking("train", ONE, "");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD    CLAIM                           NODE    REQUEST                DEVICE                        DETAILS
    train  train-extended-resources-sp5df  node-1  container-0-request-1  gpu.example.com/node-1/gpu-0  example.com/gpu for main

    Allocated: 1 pod.
    stderr: note: claim default/train-extended-resources-x7b4t is of an earlier attempt to find a node for pod default/train: it counts as deleted
    exit code 0
    ");
}
