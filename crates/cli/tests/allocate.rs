//! `dralloc allocate`, through the real binary.

mod common;

use common::{dralloc, dralloc_with};

/// Two nodes with two devices each, of which one is large.
const CLUSTER: &str = r"
apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {zone: a}}
---
apiVersion: v1
kind: Node
metadata: {name: node-2, labels: {zone: b}}
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
  devices: [{name: gpu-0}, {name: gpu-1, attributes: {large: {bool: true}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice-2}
spec:
  driver: gpu.example.com
  nodeName: node-2
  pool: {name: node-2, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}, {name: gpu-1, attributes: {large: {bool: true}}}]
---
";

/// A claim for some devices.
fn claim(name: &str, count: u32) -> String {
    format!(
        r"
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}}}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {{deviceClassName: gpu, count: {count}}}
---
"
    )
}

/// A template of claims for some devices.
fn template(name: &str, count: u32) -> String {
    format!(
        r"
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: {name}}}
spec:
  metadata: {{labels: {{made-by: {name}}}}}
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {{deviceClassName: gpu, count: {count}}}
---
"
    )
}

/// A pod with lines of its metadata, spec and status.
fn pod(name: &str, metadata: &str, spec: &str, status: &str) -> String {
    format!(
        r"
apiVersion: v1
kind: Pod
metadata: {{name: {name}, uid: uid-of-{name}, {metadata}}}
spec: {{{spec}}}
status: {{{status}}}
---
"
    )
}

const USES_CLAIM: &str = "resourceClaims: [{name: gpu, resourceClaimName: shared}]";
const USES_TEMPLATE: &str = "resourceClaims: [{name: gpu, resourceClaimTemplateName: single}]";

/// Allocates what is on standard input; returns all that is printed.
fn allocate(input: &str, arguments: &[&str]) -> String {
    dralloc_with(&[&["allocate", "-f", "-"], arguments].concat(), input).text()
}

#[test]
fn claims_without_a_pod_come_in_the_order_of_the_file() {
    let input = CLUSTER.to_owned() + &claim("b", 2) + &claim("a", 1);
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    b      node-1  gpu      gpu.example.com/node-1/gpu-0
                   gpu      gpu.example.com/node-1/gpu-1
    a      node-2  gpu      gpu.example.com/node-2/gpu-0

    Allocated: 2 claims.
    exit code 0
    ");
}

#[test]
fn what_is_older_comes_first() {
    let old = claim("old", 2).replace(
        "{name: old}",
        "{name: old, creationTimestamp: '2026-01-01T00:00:00Z'}",
    );
    let new = pod(
        "new",
        "creationTimestamp: '2026-01-02T00:00:00Z'",
        USES_TEMPLATE,
        "",
    );
    let input = CLUSTER.to_owned() + &claim("timeless", 1) + &new + &template("single", 1) + &old;
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD  CLAIM          NODE    REQUEST  DEVICE
         old            node-1  gpu      gpu.example.com/node-1/gpu-0
                                gpu      gpu.example.com/node-1/gpu-1
    new  new-gpu-hm5k2  node-2  gpu      gpu.example.com/node-2/gpu-0
         timeless       node-2  gpu      gpu.example.com/node-2/gpu-1

    Allocated: 1 pod, 2 claims.
    exit code 0
    ");
}

#[test]
fn the_order_of_files_does_not_matter_where_there_are_times() {
    let mut documents: Vec<String> = CLUSTER
        .split("---\n")
        .map(|text| format!("{text}---\n"))
        .collect();
    documents.pop();
    documents.push(template("single", 1));
    for day in 1..6 {
        let created = format!("creationTimestamp: '2026-01-0{day}T00:00:00Z'");
        documents.push(pod(&format!("pod-{day}"), &created, USES_TEMPLATE, ""));
    }
    let forward = allocate(&documents.concat(), &["-o", "yaml"]);
    documents.reverse();
    assert_eq!(allocate(&documents.concat(), &["-o", "yaml"]), forward);
    documents.rotate_left(4);
    assert_eq!(allocate(&documents.concat(), &["-o", "yaml"]), forward);
}

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
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD     CLAIM             NODE    REQUEST  DEVICE
    bound   bound-gpu-9wjj4   node-2  gpu      gpu.example.com/node-2/gpu-0
    zone-b  zone-b-gpu-s2qnm  node-2  gpu      gpu.example.com/node-2/gpu-1

    Not allocated: pod default/zone-c
      2 nodes: not selected by the pod's `nodeSelector`

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
    stderr: error: there is no node `node-3` among the 2 given
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
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    one    node-1  gpu      gpu.example.com/node-1/gpu-0

    Not allocated: claim default/large
      2 nodes: request `gpu` needs 2 devices, 1 of 2 is usable: 1 refused by a selector

    Allocated: 1 of 2 claims.
    exit code 1
    ");
    insta::assert_snapshot!(allocate(&input, &["-o", "yaml"]), @r"
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
    stderr:   2 nodes: request `gpu` needs 2 devices, 1 of 2 is usable: 1 refused by a selector
    exit code 1
    ");
}

#[test]
fn nodes_may_be_left_out() {
    let slices = CLUSTER
        .split("---\n")
        .filter(|text| !text.contains("kind: Node"));
    let input = slices.collect::<Vec<_>>().join("---\n") + &claim("a", 1);
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    a      node-1  gpu      gpu.example.com/node-1/gpu-0

    Allocated: 1 claim.
    stderr: note: no node is given: the 2 that slices name are used, without labels
    exit code 0
    ");
    insta::assert_snapshot!(allocate(&input, &["--node", "node-2"]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    a      node-2  gpu      gpu.example.com/node-2/gpu-0

    Allocated: 1 claim.
    stderr: note: no node is given: the one asked for is taken to have no labels
    exit code 0
    ");
}

#[test]
fn what_may_be_forgotten_is_said() {
    insta::assert_snapshot!(allocate(&claim("a", 1), &[]), @r"
    Not allocated: claim default/a
      spec.devices.requests[0].exactly.deviceClassName: no DeviceClass `gpu`, expected the name of one that exists

    Allocated: 0 of 1 claim.
    stderr: note: no node is given, and no slice names one: there is nowhere to allocate
    stderr: warning: no ResourceSlice is given: there are no devices
    stderr: warning: no DeviceClass is given: requests have nothing to refer to
    exit code 1
    ");
    insta::assert_snapshot!(allocate(CLUSTER, &[]), @r"
    Nothing to allocate: no pod or claim waits for devices.
    exit code 0
    ");
}

#[test]
fn extended_resources_are_named() {
    let containers = "containers: [{name: a, resources: {requests: {cpu: 1, nvidia.com/gpu: 1}, \
                      limits: {memory: 1Gi, nvidia.com/gpu: 1, example.com/nic: 2}}}]";
    let input = CLUSTER.to_owned() + &pod("pod", "", containers, "");
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    Nothing to allocate: no pod or claim waits for devices.
    stderr: warning: pod default/pod asks for `example.com/nic`, `nvidia.com/gpu`: extended resources are not handled yet
    exit code 0
    ");
}

#[test]
fn versions_and_gates_decide_what_counts() {
    let rule = r"
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: broken}
spec:
  deviceSelector: {driver: gpu.example.com}
  taint: {key: broken, effect: NoSchedule}
---
";
    let input = CLUSTER.to_owned() + rule + &claim("a", 1);
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    Not allocated: claim default/a
      2 nodes: request `gpu` needs 1 device, all 2 are tainted

    Allocated: 0 of 1 claim.
    exit code 1
    ");
    let allocated = allocate(&input, &["--kubernetes-version", "1.36"]);
    assert!(
        allocated.ends_with("Allocated: 1 claim.\nexit code 0"),
        "{allocated}"
    );
    let gates = [
        "--kubernetes-version",
        "37",
        "--feature-gates",
        "DRADeviceTaints=false",
    ];
    assert_eq!(allocate(&input, &gates), allocated);
    let refused = allocate(&input, &["--kubernetes-version", "1.37"]);
    assert!(
        refused.ends_with("Allocated: 0 of 1 claim.\nexit code 1"),
        "{refused}"
    );
    insta::assert_snapshot!(allocate(&input, &["--kubernetes-version", "1.33"]), @r"
    stderr: error: invalid value '1.33' for '--kubernetes-version <VERSION>': version `1.33` is too old, expected 1.34 or newer
    stderr: 
    stderr: For more information, try '--help'.
    exit code 2
    ");
    insta::assert_snapshot!(allocate(&input, &["--feature-gates", "DRAMagic=true"]), @r"
    stderr: error: invalid value 'DRAMagic=true' for '--feature-gates <GATE=BOOL>': unknown gate `DRAMagic`, expected one of DRAAdminAccess, DRAConsumableCapacity, DRADerivedAttributes, DRADeviceBindingConditions, DRADeviceCompatibilityGroups, DRADeviceTaintRules, DRADeviceTaints, DRAFractionalCapacityRange, DRAListTypeAttributes, DRAOptionalNodeOperations, DRAPartitionableDevices, DRAPrioritizedList
    stderr: 
    stderr: For more information, try '--help'.
    exit code 2
    ");
}

#[test]
fn bad_input_is_told_with_its_place() {
    let twice = claim("a", 1) + &claim("a", 1) + &claim("a", 2);
    insta::assert_snapshot!(allocate(&twice, &[]), @r"
    stderr: error: <stdin>:22:1 (document 3): ResourceClaim `default/a` differs from that of the same name at <stdin>:2:1, expected each object once
    exit code 2
    ");
    insta::assert_snapshot!(allocate("a: [", &[]), @r"
    stderr: error: <stdin>:1:4: not valid YAML: unclosed bracket '['
    exit code 2
    ");
    insta::assert_snapshot!(allocate(&claim("''", 1), &[]), @r"
    stderr: error: <stdin>:2:1: ResourceClaim without `metadata.name`, expected a name
    exit code 2
    ");
    let unknown = claim("a", 1).replace("count: 1", "cuont: 1");
    insta::assert_snapshot!(allocate(&unknown, &["--strict"]), @r"
    stderr: error: <stdin>:9:39: spec.devices.requests[0].exactly.cuont: unknown field `cuont`
    exit code 2
    ");
    insta::assert_snapshot!(allocate(&(CLUSTER.to_owned() + &unknown), &[]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    a      node-1  gpu      gpu.example.com/node-1/gpu-0

    Allocated: 1 claim.
    stderr: warning: <stdin>:40:39 (document 6): spec.devices.requests[0].exactly.cuont: unknown field `cuont`
    exit code 0
    ");
    let run = dralloc(&["allocate", "-f", "missing.yaml"]);
    insta::assert_snapshot!(run.errors, @"error: missing.yaml: cannot be read: No such file or directory (os error 2)");
    assert_eq!((run.code, run.output.as_str()), (2, ""));
}

#[test]
fn other_kinds_are_passed_over() {
    let input = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n";
    insta::assert_snapshot!(allocate(input, &[]), @r"
    Nothing to allocate: no pod or claim waits for devices.
    stderr: note: objects that do not matter here are passed over: 1 of kind `Namespace` (v1)
    exit code 0
    ");
}

#[test]
fn equal_input_gives_equal_bytes() {
    let mut input = CLUSTER.to_owned() + &template("single", 1);
    for number in 0..6 {
        input += &pod(&format!("pod-{number}"), "", USES_TEMPLATE, "");
    }
    for form in ["table", "yaml", "json"] {
        let first = allocate(&input, &["-o", form]);
        assert_eq!(allocate(&input, &["-o", form]), first);
    }
}

#[test]
fn what_was_written_by_hand_is_checked() {
    let slice = "---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: broken}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: other, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: gpu-0, capacity: {memory: {value: '-1'}}}
  - {name: gpu-0}
";
    let text = allocate(&(CLUSTER.to_owned() + slice), &[]);
    assert!(text.contains("error: ResourceSlice `broken`: spec.devices[0].capacity[memory]"));
    assert!(
        text.contains("spec.devices[1]: duplicate `gpu-0`"),
        "{text}"
    );
    assert!(text.contains("exit code 2"), "{text}");
    // A server let it through.
    let stored = slice.replace("{name: broken}", "{name: broken, uid: u}");
    let text = allocate(&(CLUSTER.to_owned() + &stored), &[]);
    assert!(!text.contains("exit code 2"), "{text}");
}

#[test]
fn a_taint_rule_without_selector_is_warned_of() {
    let rule = "---
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: all}
spec: {taint: {key: example.com/broken, effect: NoSchedule}}
";
    let text = allocate(&(CLUSTER.to_owned() + &claim("fine", 1) + rule), &[]);
    let warning = "DeviceTaintRule `all` has no `deviceSelector`: it taints no device";
    assert!(text.contains(warning), "{text}");
    assert!(text.contains("gpu.example.com/node-1/gpu-0"), "{text}");
}

#[test]
fn a_pool_that_is_not_complete_is_named() {
    let incomplete = CLUSTER.replace("resourceSliceCount: 1", "resourceSliceCount: 2");
    assert_ne!(incomplete, CLUSTER);
    let text = allocate(&(incomplete + &claim("waits", 1)), &[]);
    assert!(text.contains("is incomplete"), "{text}");
}
