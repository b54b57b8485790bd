//! Why something is not allocated.

use crate::{CLUSTER, allocate, claim};

#[test]
fn errors_of_selectors_end_a_claim() {
    let erring = claim("erring", 1).replace(
        "count: 1",
        "selectors: [{cel: {expression: 'device.attributes[\"gpu.example.com\"].large'}}]",
    );
    let input = CLUSTER.to_owned() + &erring + &claim("fine", 1);
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    fine   node-1  gpu      gpu.example.com/node-1/gpu-0

    Not allocated: claim default/erring
      spec.devices.requests[0].exactly.selectors[0]: device `gpu.example.com/node-1/gpu-0`: no such key: large

    Allocated: 1 of 2 claims.
    exit code 1
    ");
}

#[test]
fn reasons_are_counted_over_nodes() {
    let large = claim("large", 2).replace(
        "count: 2",
        "count: 2, selectors: [{cel: {expression: 'device.attributes[\"gpu.example.com\"].?large.orValue(false)'}}]",
    );
    let input = CLUSTER.to_owned() + &claim("one", 1) + &large;
    insta::assert_snapshot!(allocate(&input, &[]), @"
    CLAIM  NODE    REQUEST  DEVICE
    one    node-1  gpu      gpu.example.com/node-1/gpu-0

    Not allocated: claim default/large
      node-1, node-2: request `gpu` needs 2 devices, 1 of 2 is usable: 1 refused by a selector; no release would help

    Allocated: 1 of 2 claims.
    exit code 1
    ");
    insta::assert_snapshot!(allocate(&input, &["-o", "yaml"]), @"
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata:
      name: one
      namespace: default
    spec:
      devices:
        requests:
        - name: gpu
          exactly:
            deviceClassName: gpu
            allocationMode: ExactCount
            count: 1
    status:
      allocation:
        devices:
          results:
          - request: gpu
            driver: gpu.example.com
            pool: node-1
            device: gpu-0
        nodeSelector:
          nodeSelectorTerms:
          - matchFields:
            - key: metadata.name
              operator: In
              values:
              - node-1
    stderr: not allocated: claim default/large
    stderr:   node-1, node-2: request `gpu` needs 2 devices, 1 of 2 is usable: 1 refused by a selector; no release would help
    exit code 1
    ");
}

#[test]
fn a_pool_that_is_not_complete_is_named() {
    let incomplete = CLUSTER.replace("resourceSliceCount: 1", "resourceSliceCount: 2");
    assert_ne!(incomplete, CLUSTER);
    let text = allocate(&(incomplete + &claim("waits", 1)), &[]);
    assert!(text.contains("is incomplete"), "{text}");
}

#[test]
fn a_release_that_would_help_is_told_with_the_numbers() {
    let numa = CLUSTER.replace(
        "attributes: {large: {bool: true}}",
        "attributes: {large: {bool: true}, numa: {int: 0}}",
    );
    let cluster = numa.replace(
        "{name: gpu-0}",
        "{name: gpu-0, attributes: {numa: {int: 0}}}, {name: gpu-2, attributes: {numa: {int: 1}}}",
    );
    let same = claim("same", 2).replace(
        "    requests:",
        "    constraints: [{matchAttribute: gpu.example.com/numa}]\n    requests:",
    );
    let input = cluster + &claim("first", 1) + &same + &claim("rest", 3);
    insta::assert_snapshot!(allocate(&input, &["--node", "node-1"]), @"
    CLAIM  NODE    REQUEST  DEVICE
    first  node-1  gpu      gpu.example.com/node-1/gpu-0

    Not allocated: claim default/same
      node-1: 2 devices need `gpu.example.com/numa` equal; the largest free group has 1 (if claim `default/first` were released it would have 2)
    Not allocated: claim default/rest
      node-1: request `gpu` needs 3 devices, 2 of 3 are usable: 1 in use (if claim `default/first` were released 3 could serve)

    Allocated: 1 of 3 claims.
    exit code 1
    ");
}

#[test]
fn what_would_fit_if_nothing_were_held_is_asked_for_itself() {
    let held = claim("held", 2)
        + r"
apiVersion: dralloc.dev/v1alpha1
kind: DeviceHold
metadata: {name: plugin}
spec: {nodeName: node-2, devices: [{driver: gpu.example.com, pool: node-2, device: gpu-0}]}
---
";
    let held = held.replacen(
        "---",
        r"status:
  allocation:
    devices:
      results:
      - {request: gpu, driver: gpu.example.com, pool: node-1, device: gpu-0}
      - {request: gpu, driver: gpu.example.com, pool: node-1, device: gpu-1}
---",
        1,
    );
    let input = CLUSTER.to_owned() + &held + &claim("two", 2) + &claim("three", 3);
    insta::assert_snapshot!(allocate(&input, &[]), @"
    Not allocated: claim default/two
      node-1: request `gpu` needs 2 devices, both are in use (if claim `default/held` were released 2 could serve)
      node-2: request `gpu` needs 2 devices, 1 of 2 is usable: 1 in use (if hold `plugin` were released 2 could serve)
    Not allocated: claim default/three
      node-1: request `gpu` needs 3 devices, both are in use; no release would help
      node-2: request `gpu` needs 3 devices, 1 of 2 is usable: 1 in use; no release would help

    Allocated: 0 of 2 claims.
    exit code 1
    ");
    insta::assert_snapshot!(allocate(&input, &["--satisfiable"]), @"
    Satisfiable: claim default/two on node-1
    Not satisfiable: claim default/three
      node-1, node-2: request `gpu` needs 3 devices, there are only 2; no release would help

    Satisfiable: 1 of 2 claims.
    exit code 1
    ");
    // There are no claims to print.
    let text = allocate(&input, &["--satisfiable", "-o", "yaml"]);
    let refused = "stderr: error: the argument '--satisfiable' cannot be used with '--output";
    assert!(
        text.starts_with(refused) && text.ends_with("exit code 2"),
        "{text}"
    );
}

#[test]
fn what_a_policy_requires_is_a_reason() {
    let with = |name: &str, count, fields: &str| {
        let config = format!(
            "    config:
    - opaque:
        driver: dralloc.dev
        parameters: {{apiVersion: dralloc.dev/v1alpha1, kind: PlacementPolicy, {fields}}}
---
"
        );
        claim(name, count).replace("---\n", &config)
    };
    let level = "affinity: [{scope: numaNode, mode: required}]";
    let links = "affinity: [{scope: nvLink, mode: required}]";
    let input = [
        CLUSTER,
        &with("level", 2, level),
        &with("links", 2, links),
        &with("ring", 2, "minRingGBps: 62500m"),
        &with(
            "unit",
            2,
            "unit: {requests: {gpu: 2}, scope: pcieSwitch, mode: required}",
        ),
    ];
    insta::assert_snapshot!(allocate(&input.concat(), &[]), @"
    Not allocated: claim default/level
      node-1, node-2: request `gpu` needs 2 devices, both are in no place that a policy compares; its policy requires one `numaNode`; no release would help
    Not allocated: claim default/links
      node-1, node-2: no devices satisfy its policy, which requires `nvLink` between each two devices; 2 devices needed, 1 can be had at once; no release would help
    Not allocated: claim default/ring
      node-1, node-2: rings of at least 62.5 GB/s needed; the best of 2 devices have 0 GB/s; no release would help
    Not allocated: claim default/unit
      node-1, node-2: request `gpu` needs 2 devices, both are in no place that a policy compares; its policy requires units of 2 `gpu` in one `pcieSwitch` each; no release would help

    Allocated: 0 of 4 claims.
    exit code 1
    ");
}
