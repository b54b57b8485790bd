//! Devices for several users: by one claim, by configs, by parts of a capacity.

use crate::{CLUSTER, USES_CLAIM, USES_TEMPLATE, allocate, claim, pod, template};

#[test]
fn pods_of_one_template_share_nothing() {
    let input = CLUSTER.to_owned()
        + &template("single", 1)
        + &pod("one", "", USES_TEMPLATE, "")
        + &pod("two", "", USES_TEMPLATE, "");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD  CLAIM          NODE    REQUEST  DEVICE
    one  one-gpu-h7pbd  node-1  gpu      gpu.example.com/node-1/gpu-0
    two  two-gpu-6fgbn  node-1  gpu      gpu.example.com/node-1/gpu-1

    Allocated: 2 pods.
    exit code 0
    ");
}

#[test]
fn entries_of_a_pod_may_name_one_claim() {
    let entries = "resourceClaims: [{name: a, resourceClaimName: shared}, \
                   {name: b, resourceClaimName: shared}]";
    let input = CLUSTER.to_owned() + &claim("shared", 1) + &pod("one", "", entries, "");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD  CLAIM   NODE    REQUEST  DEVICE
    one  shared  node-1  gpu      gpu.example.com/node-1/gpu-0

    Allocated: 1 pod.
    exit code 0
    ");
}

#[test]
fn a_config_names_requests_of_its_claim() {
    let config = "    config: [{requests: [gpus], opaque: {driver: gpu.example.com, \
                  parameters: {kind: GpuConfig}}}]\n---\n";
    let input = CLUSTER.to_owned() + &claim("shared", 1).replace("---\n", config);
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    Not allocated: claim default/shared
      spec.devices.config[0].requests[0]: expected the name of a request of the claim or `request/subrequest`, found `gpus`

    Allocated: 0 of 1 claim.
    exit code 1
    ");
    let input =
        CLUSTER.to_owned() + &claim("shared", 1).replace("---\n", &config.replace("gpus", "gpu"));
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
        config:
        - requests:
          - gpu
          opaque:
            driver: gpu.example.com
            parameters:
              kind: GpuConfig
    status:
      allocation:
        devices:
          results:
          - request: gpu
            driver: gpu.example.com
            pool: node-1
            device: gpu-0
          config:
          - source: FromClaim
            opaque:
              driver: gpu.example.com
              parameters:
                kind: GpuConfig
        nodeSelector:
          nodeSelectorTerms:
          - matchFields:
            - key: metadata.name
              operator: In
              values:
              - node-1
    exit code 0
    ");
}

#[test]
fn users_of_a_claim_go_where_it_is() {
    let allocated = r"
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: shared}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}
status:
  reservedFor: [{resource: pods, name: first, uid: uid-of-first}]
  allocation:
    devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-2, device: gpu-0}]}
    nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [b]}]}]}
---
";
    let input = CLUSTER.to_owned()
        + allocated
        + &pod("second", "", USES_CLAIM, "")
        + &pod("third", "", &format!("nodeName: node-1, {USES_CLAIM}"), "");
    insta::assert_snapshot!(allocate(&input, &[]), @"
    POD     CLAIM   NODE    REQUEST  DEVICE
    second  shared  node-2  gpu      gpu.example.com/node-2/gpu-0

    Not allocated: pod default/third
      node-1: out of reach of a claim that is allocated already
      node-2: not the node that the pod names

    Allocated: 1 of 2 pods.
    exit code 1
    ");
}

/// A card whose multiprocessors are shared in steps of 8.
fn slices(asked: &[&str]) -> String {
    let mut input = r"
apiVersion: v1
kind: Node
metadata: {name: node-1}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice-1}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    allowMultipleAllocations: true
    capacity:
      sms: {value: 132, requestPolicy: {default: 128, validRange: {min: 8, max: 128, step: 8}}}
---
"
    .to_owned();
    for (number, asked) in asked.iter().enumerate() {
        let capacity = format!("exactly: {{deviceClassName: gpu{asked}}}");
        let claim = claim(&format!("claim-{number}"), 1);
        input += &claim.replace("exactly: {deviceClassName: gpu, count: 1}", &capacity);
    }
    input
}

#[test]
fn parts_of_a_capacity_are_rounded_up_to_steps() {
    let of = |amount: &str| format!(", capacity: {{requests: {{sms: {amount}}}}}");
    let asked = [of("1"), of("8"), of("9"), of("64"), of("33"), of("28")];
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    insta::assert_snapshot!(allocate(&slices(&asked), &[]), @"
    CLAIM    NODE    REQUEST  DEVICE                        DETAILS
    claim-0  node-1  gpu      gpu.example.com/node-1/gpu-0  sms 8
    claim-1  node-1  gpu      gpu.example.com/node-1/gpu-0  sms 8
    claim-2  node-1  gpu      gpu.example.com/node-1/gpu-0  sms 16
    claim-3  node-1  gpu      gpu.example.com/node-1/gpu-0  sms 64
    claim-5  node-1  gpu      gpu.example.com/node-1/gpu-0  sms 32

    Not allocated: claim default/claim-4
      node-1: request `gpu` needs 1 device, the only one is unable to give that capacity; 40 of capacity `sms` needed on device `gpu.example.com/node-1/gpu-0`, 36 left (if claim `default/claim-0` were released it would fit)

    Allocated: 5 of 6 claims.
    exit code 1
    ");
    let asked = [of("129"), String::new(), of("8")];
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    insta::assert_snapshot!(allocate(&slices(&asked), &[]), @"
    CLAIM    NODE    REQUEST  DEVICE                        DETAILS
    claim-1  node-1  gpu      gpu.example.com/node-1/gpu-0  sms 128

    Not allocated: claim default/claim-0
      node-1: request `gpu` needs 1 device, the only one is unable to give that capacity; no release would help
    Not allocated: claim default/claim-2
      node-1: request `gpu` needs 1 device, the only one is unable to give that capacity; 8 of capacity `sms` needed on device `gpu.example.com/node-1/gpu-0`, 4 left (if claim `default/claim-1` were released it would fit)

    Allocated: 1 of 3 claims.
    exit code 1
    ");
}
