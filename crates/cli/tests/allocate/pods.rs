//! Pods, the claims they share and the nodes they may run on.

use crate::{CLUSTER, USES_CLAIM, USES_TEMPLATE, allocate, claim, pod, template};

#[test]
fn a_shared_claim_is_allocated_once_and_reserved_for_each_pod() {
    let input = CLUSTER.to_owned()
        + &claim("shared", 1)
        + &pod("one", "", USES_CLAIM, "")
        + &pod("two", "", USES_CLAIM, "");
    insta::assert_snapshot!(allocate(&input, &["-o", "yaml"]), @r"
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata:
      name: shared
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
      reservedFor:
      - resource: pods
        name: one
        uid: uid-of-one
      - resource: pods
        name: two
        uid: uid-of-two
    exit code 0
    ");
    // The second pod must go where the claim is.
    let elsewhere = input.replace(
        "metadata: {name: two, uid: uid-of-two, }\nspec: {",
        "metadata: {name: two, uid: uid-of-two, }\nspec: {nodeSelector: {zone: b}, ",
    );
    insta::assert_snapshot!(allocate(&elsewhere, &[]), @r"
    POD  CLAIM   NODE    REQUEST  DEVICE
    one  shared  node-1  gpu      gpu.example.com/node-1/gpu-0

    Not allocated: pod default/two
      node-1: not selected by the pod's `nodeSelector`
      node-2: out of reach of a claim that is allocated already

    Allocated: 1 of 2 pods.
    exit code 1
    ");
}

#[test]
fn a_claim_has_at_most_256_users() {
    let mut input = CLUSTER.to_owned() + &claim("shared", 1);
    for number in 0..257 {
        input += &pod(&format!("pod-{number:03}"), "", USES_CLAIM, "");
    }
    let answer = allocate(&input, &[]);
    let end: Vec<&str> = answer.lines().rev().take(5).collect();
    insta::assert_snapshot!(end.into_iter().rev().collect::<Vec<_>>().join("\n"), @r"
    Not allocated: pod default/pod-256
      claim `shared` is reserved for 256 users already, the most there may be

    Allocated: 256 of 257 pods.
    exit code 1
    ");
}

#[test]
fn pods_that_are_over_or_run_ask_for_nothing() {
    let input = CLUSTER.to_owned()
        + &template("single", 1)
        + &pod("done", "", USES_TEMPLATE, "phase: Succeeded")
        + &pod("failed", "", USES_TEMPLATE, "phase: Failed")
        + &pod(
            "running",
            "",
            &format!("nodeName: node-1, {USES_TEMPLATE}"),
            "phase: Running",
        )
        + &pod(
            "deleted",
            "deletionTimestamp: '2026-01-01T00:00:00Z'",
            USES_TEMPLATE,
            "",
        );
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    Nothing to allocate: no pod or claim waits for devices.
    exit code 0
    ");
}

#[test]
fn pods_choose_among_nodes() {
    let input = CLUSTER.to_owned()
        + &template("single", 1)
        + &pod(
            "bound",
            "",
            &format!("nodeName: node-2, {USES_TEMPLATE}"),
            "phase: Pending",
        )
        + &pod(
            "zone-b",
            "",
            &format!("nodeSelector: {{zone: b}}, {USES_TEMPLATE}"),
            "",
        )
        + &pod(
            "zone-c",
            "",
            &format!("nodeSelector: {{zone: c}}, {USES_TEMPLATE}"),
            "",
        );
    insta::assert_snapshot!(allocate(&input, &[]), @"
    POD     CLAIM             NODE    REQUEST  DEVICE
    bound   bound-gpu-9wjj4   node-2  gpu      gpu.example.com/node-2/gpu-0
    zone-b  zone-b-gpu-s2qnm  node-2  gpu      gpu.example.com/node-2/gpu-1

    Not allocated: pod default/zone-c
      node-1, node-2: not selected by the pod's `nodeSelector`

    Allocated: 2 of 3 pods.
    exit code 1
    ");
    insta::assert_snapshot!(allocate(&input, &["--node", "node-1"]), @r"
    Not allocated: pod default/bound
      node-1: not the node that the pod names
    Not allocated: pod default/zone-b
      node-1: not selected by the pod's `nodeSelector`
    Not allocated: pod default/zone-c
      node-1: not selected by the pod's `nodeSelector`

    Allocated: 0 of 3 pods.
    exit code 1
    ");
    insta::assert_snapshot!(allocate(&input, &["--node", "node-3"]), @r"
    stderr: error: there is no node `node-3` among the 2 given; did you mean `node-1`?
    exit code 2
    ");
}

#[test]
fn claims_of_a_pod_are_allocated_together() {
    let both = "resourceClaims: [{name: a, resourceClaimName: a}, {name: b, resourceClaimName: b}]";
    let input = CLUSTER.to_owned()
        + &claim("first", 1)
        + &claim("a", 1)
        + &claim("b", 1)
        + &pod("both", "", both, "");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD   CLAIM  NODE    REQUEST  DEVICE
          first  node-1  gpu      gpu.example.com/node-1/gpu-0
    both  a      node-2  gpu      gpu.example.com/node-2/gpu-0
          b      node-2  gpu      gpu.example.com/node-2/gpu-1

    Allocated: 1 pod, 1 claim.
    exit code 0
    ");
}

#[test]
fn what_a_pod_lacks_is_a_failure_of_that_pod() {
    let input = CLUSTER.to_owned()
        + &template("other", 1)
        + &pod("no-claim", "", USES_CLAIM, "")
        + &pod("no-template", "", USES_TEMPLATE, "")
        + &pod("neither", "", "resourceClaims: [{name: gpu}]", "")
        + &pod("fine", "", &USES_TEMPLATE.replace("single", "other"), "");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD   CLAIM           NODE    REQUEST  DEVICE
    fine  fine-gpu-kwq4k  node-1  gpu      gpu.example.com/node-1/gpu-0

    Not allocated: pod default/no-claim
      entry `gpu`: there is no claim `shared` in namespace `default`
    Not allocated: pod default/no-template
      entry `gpu`: there is no template `single` in namespace `default`
    Not allocated: pod default/neither
      entry `gpu`: expected either `resourceClaimName` or `resourceClaimTemplateName`

    Allocated: 1 of 4 pods.
    exit code 1
    ");
}
