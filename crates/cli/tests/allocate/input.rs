//! What is read, and what is said of it.

use crate::common::dralloc;
use crate::{CLUSTER, allocate, claim};

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
    stderr: warning: no ResourceSlice is given: there are no devices; `kubectl get resourceslices -o yaml` prints those of a cluster
    stderr: warning: no DeviceClass is given: requests have nothing to refer to; `kubectl get deviceclasses -o yaml` prints those of a cluster
    exit code 1
    ");
    insta::assert_snapshot!(allocate(CLUSTER, &[]), @r"
    Nothing to allocate: no pod or claim waits for devices.
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
    insta::assert_snapshot!(allocate(&input, &[]), @"
    Not allocated: claim default/a
      node-1, node-2: request `gpu` needs 1 device, both are tainted; no release would help

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
    stderr: error: invalid value 'DRAMagic=true' for '--feature-gates <GATE=BOOL>': unknown gate `DRAMagic`, expected one of DRAAdminAccess, DRAConsumableCapacity, DRADerivedAttributes, DRADeviceBindingConditions, DRADeviceCompatibilityGroups, DRADeviceTaintRules, DRADeviceTaints, DRAExtendedResource, DRAFractionalCapacityRange, DRAListTypeAttributes, DRAOptionalNodeOperations, DRAPartitionableDevices, DRAPrioritizedList
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
    stderr: error: <stdin>:9:39: ResourceClaim `default/a`: spec.devices.requests[0].exactly.cuont: unknown field `cuont`
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
    assert!(text.contains("): ResourceSlice `broken`: spec.devices[0].capacity[memory]"));
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
