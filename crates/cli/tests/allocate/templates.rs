//! Claims that are made from templates.

use crate::{CLUSTER, USES_TEMPLATE, allocate, claim, pod, template};

#[test]
fn templates_make_claims_with_owner_and_annotation() {
    let input = CLUSTER.to_owned() + &template("single", 1) + &pod("one", "", USES_TEMPLATE, "");
    insta::assert_snapshot!(allocate(&input, &["-o", "yaml"]), @r"
    apiVersion: resource.k8s.io/v1
    kind: ResourceClaim
    metadata:
      name: one-gpu-h7pbd
      namespace: default
      labels:
        made-by: single
      annotations:
        resource.kubernetes.io/pod-claim-name: gpu
      ownerReferences:
      - apiVersion: v1
        kind: Pod
        name: one
        uid: uid-of-one
        controller: true
        blockOwnerDeletion: true
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
    exit code 0
    ");
}

#[test]
fn claims_made_before_are_recognised() {
    let made = claim("made-before", 1).replace(
        "{name: made-before}",
        "{name: made-before, annotations: {resource.kubernetes.io/pod-claim-name: gpu}, \
         ownerReferences: [{apiVersion: v1, kind: Pod, name: one, uid: uid-of-one, controller: true}]}",
    );
    let by_owner = CLUSTER.to_owned() + &template("single", 1) + &made;
    let by_status = "resourceClaimStatuses: [{name: gpu, resourceClaimName: made-before}]";
    let one = pod("one", "", USES_TEMPLATE, "");
    insta::assert_snapshot!(allocate(&(by_owner.clone() + &one), &[]), @r"
    POD  CLAIM        NODE    REQUEST  DEVICE
    one  made-before  node-1  gpu      gpu.example.com/node-1/gpu-0

    Allocated: 1 pod.
    exit code 0
    ");
    let one = pod("one", "", USES_TEMPLATE, by_status);
    insta::assert_snapshot!(allocate(&(by_owner.clone() + &one), &[]), @r"
    POD  CLAIM        NODE    REQUEST  DEVICE
    one  made-before  node-1  gpu      gpu.example.com/node-1/gpu-0

    Allocated: 1 pod.
    exit code 0
    ");
    // A claim of an earlier pod of that name is not its own.
    let other = by_owner.replace("uid: uid-of-one", "uid: uid-of-another");
    insta::assert_snapshot!(allocate(&(other + &one), &[]), @r"
    Not allocated: pod default/one
      entry `gpu`: claim `made-before` was not made for this pod

    Allocated: 0 of 1 pod.
    exit code 1
    ");
}

#[test]
fn invalid_claims_and_templates_are_failures() {
    let invalid = claim("invalid", 1).replace("count: 1", "count: -1");
    let unknown = claim("unknown", 1).replace("deviceClassName: gpu", "deviceClassName: fpga");
    let broken =
        template("single", 1).replace("count: 1", "selectors: [{cel: {expression: 'device.'}}]");
    let input = CLUSTER.to_owned()
        + &invalid
        + &unknown
        + &broken
        + &pod("pod", "", USES_TEMPLATE, "")
        + &claim("fine", 1);
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    fine   node-1  gpu      gpu.example.com/node-1/gpu-0

    Not allocated: claim default/invalid
      spec.devices.requests[0].exactly.count: expected 1 or more, found -1
    Not allocated: claim default/unknown
      spec.devices.requests[0].exactly.deviceClassName: no DeviceClass `fpga`, expected the name of one that exists
    Not allocated: pod default/pod
      template `single`: spec.spec.devices.requests[0].exactly.selectors[0].cel.expression: expected a field name, found the end of the expression at line 1, column 8

    Allocated: 0 of 1 pod, 1 of 3 claims.
    exit code 1
    ");
}
