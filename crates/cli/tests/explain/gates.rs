//! Feature gates that are off, and with which it would fit.

use serde_json::Value;

use crate::common::{dralloc, dralloc_with};

/// One GPU that anybody can have, and one that waits for a condition.
const CONDITION: &str = "\
apiVersion: v1
kind: Node
metadata: {name: worker-1}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: worker-1-gpu}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: worker-1, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: gpu-0}
  - {name: gpu-1, bindingConditions: [attached], bindingFailureConditions: [lost]}
";

fn claim(name: &str, count: usize) -> String {
    format!(
        "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: {name}}}\n\
         spec: {{devices: {{requests: [{{name: gpu, exactly: \
         {{deviceClassName: gpu.example.com, count: {count}}}}}]}}}}\n"
    )
}

#[test]
fn it_is_said_which_gate_would_make_it_fit() {
    let off = "DRAPartitionableDevices=false";
    let run = dralloc(&[
        "explain",
        "-f",
        "examples/mig-by-claim.yaml",
        "--feature-gates",
        off,
    ]);
    insta::assert_snapshot!(run.text(), @"
    pod default/pod-1: never
      It would not fit on the only node even if nothing were held.
      The same goes for pod default/pod-2.
      It needs claim `pod-1-partitions-l78tb`.
      It asks for:
        - 1 device of class `mig.nvidia.com` where
          `device.attributes['gpu.nvidia.com'].profile == '1g.5gb'` (request
          `small`)
        - 1 device of class `mig.nvidia.com` where
          `device.attributes['gpu.nvidia.com'].profile == '2g.10gb'` (request
          `large`)
      The devices of requests `small` and `large` need one value of
      `gpu.nvidia.com/parentUUID`.

      Never: 1 node
        - worker-1: request `small` needs 1 device, none of 12 are usable: 4 refused
          by a selector, 8 partitions, which are off

      It would fit if the feature gate `DRAPartitionableDevices` were on (tried on
      worker-1); while it is off nothing comes of `consumesCounters` and
      `sharedCounters` of the slices.

    2 pods wait; 0 claims have devices.
    exit code 1
    ");
    let input = CONDITION.to_owned() + &claim("two", 2);
    let gates = ["--feature-gates", "DRADeviceBindingConditions=false"];
    let run = dralloc_with(&[&["explain", "-f", "-"], &gates[..]].concat(), &input);
    insta::assert_snapshot!(run.text(), @"
    claim default/two: never
      It would not fit on the only node even if nothing were held.
      It asks for 2 devices of class `gpu.example.com` (request `gpu`).

      Never: 1 node
        - worker-1: request `gpu` needs 2 devices, 1 of 2 is usable: 1 with binding
          conditions, which are off

      This would make it fit, and was tried:
        - ask for 1 device instead of 2 in request `gpu` (on worker-1)
      It would also fit if the feature gate `DRADeviceBindingConditions` were on
      (tried on worker-1); while it is off nothing comes of `bindingConditions` and
      `bindingFailureConditions` of the slice.

    1 claim waits; 0 claims have devices.
    exit code 1
    ");
    let run = dralloc_with(&[&["allocate", "-f", "-"], &gates[..]].concat(), &input);
    insta::assert_snapshot!(run.text(), @"
    Not allocated: claim default/two
      worker-1: request `gpu` needs 2 devices, 1 of 2 is usable: 1 with binding conditions, which are off; no release would help
      it would fit if the feature gate `DRADeviceBindingConditions` were on (tried on worker-1); while it is off nothing comes of `bindingConditions` and `bindingFailureConditions` of the slice

    Allocated: 0 of 1 claim.
    exit code 1
    ");
    let run = dralloc_with(
        &[&["allocate", "-f", "-", "--satisfiable"], &gates[..]].concat(),
        &input,
    );
    insta::assert_snapshot!(run.text(), @"
    Not satisfiable: claim default/two
      worker-1: request `gpu` needs 2 devices, 1 of 2 is usable: 1 with binding conditions, which are off; no release would help
      it would fit if the feature gate `DRADeviceBindingConditions` were on (tried on worker-1); while it is off nothing comes of `bindingConditions` and `bindingFailureConditions` of the slice

    Satisfiable: 0 of 1 claim.
    exit code 1
    ");
}

#[test]
fn what_claims_lose_is_said_with_the_error() {
    let off = "DRAConsumableCapacity=false";
    let file = "examples/sm-slice.yaml";
    let options = ["--pod", "pod-1", "--feature-gates", off, "-o", "json"];
    let run = dralloc(&[&["explain", "-f", file], &options[..]].concat());
    let found: Value = serde_json::from_str(&run.output).unwrap();
    let gates = serde_json::to_string_pretty(&found["subjects"][0]["gatesOff"]).unwrap();
    insta::assert_snapshot!(gates, @r#"
    {
      "dropped": [
        {
          "fields": [
            "devices.requests.exactly.capacity"
          ],
          "kind": "ResourceClaim",
          "name": "default/pod-1-gpu-d8vkj"
        },
        {
          "fields": [
            "devices.allowMultipleAllocations",
            "devices.capacity.requestPolicy"
          ],
          "kind": "ResourceSlice",
          "name": "worker-1-gpu.nvidia.com-t8s3j"
        }
      ],
      "gates": [
        "DRAConsumableCapacity"
      ],
      "node": "worker-1"
    }
    "#);
    let run = dralloc(&["allocate", "-f", file, "--feature-gates", off]);
    let told = run
        .output
        .lines()
        .skip_while(|line| !line.ends_with("pod-1"));
    insta::assert_snapshot!(told.take(3).collect::<Vec<_>>().join("\n"), @"
    Not allocated: pod default/pod-1
      claim `pod-1-gpu-d8vkj`: spec.devices.requests[0].exactly.capacity: capacity is asked for, expected the gate DRAConsumableCapacity to be on
      it would fit if the feature gate `DRAConsumableCapacity` were on (tried on worker-1); while it is off nothing comes of `capacity` of the claim, nor of `allowMultipleAllocations` and `requestPolicy` of the slice
    ");
}

#[test]
fn names_of_extended_resources_need_a_gate() {
    let off = "DRAExtendedResource=false";
    let file = "examples/extended-resource.yaml";
    let run = dralloc(&[
        "explain",
        "-f",
        file,
        "--pod",
        "serve",
        "--feature-gates",
        off,
    ]);
    insta::assert_snapshot!(run.text(), @"
    pod default/serve: never
      It would not fit on either of 2 nodes even if nothing were held.

      Never: 2 nodes
        - worker-1, worker-2: no device plugin serves
          `deviceclass.resource.kubernetes.io/gpu.nvidia.com`, and the feature
          `DRAExtendedResource` is off

      It would fit if the feature gate `DRAExtendedResource` were on (tried on
      worker-1); while it is off nothing comes of `extendedResourceName` of the
      class.

    3 pods wait; 0 claims have devices.
    exit code 1
    ");
}

#[test]
fn only_together_two_gates_may_be_enough() {
    // A partition of a card that belongs to a group, of which a part may be had.
    let input = CONDITION
        .replace(
            "- {name: gpu-0}",
            "- {name: gpu-0, consumesCounters: \
             [{counterSet: card, counters: {memory: {value: 1Gi}}}]}",
        )
        .replace("  devices:\n", "  sharedCounters: []\n  devices:\n")
        + &claim("two", 2);
    let counters = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\n\
                    metadata: {name: worker-1-counters}\nspec:\n  driver: gpu.example.com\n  \
                    nodeName: worker-1\n  pool: {name: worker-1, generation: 1, \
                    resourceSliceCount: 2}\n  sharedCounters: [{name: card, \
                    counters: {memory: {value: 1Gi}}}]\n";
    let input = input.replace("resourceSliceCount: 1", "resourceSliceCount: 2") + counters;
    let both = "DRADeviceBindingConditions=false,DRAPartitionableDevices=false";
    let others = "DRAAdminAccess=false,DRAExtendedResource=false,DRADeviceTaints=false";
    let gates = format!("{both},{others}");
    let run = dralloc_with(&["explain", "-f", "-", "--feature-gates", &gates], &input);
    insta::assert_snapshot!(run.text(), @"
    claim default/two: never
      It would not fit on the only node even if nothing were held.
      It asks for 2 devices of class `gpu.example.com` (request `gpu`).

      Never: 1 node
        - worker-1: request `gpu` needs 2 devices, neither is usable: 1 with binding
          conditions, which are off, 1 partitions, which are off

      It would fit if the feature gates `DRADeviceBindingConditions` and
      `DRAPartitionableDevices` were on (tried on worker-1); while they are off
      nothing comes of `bindingConditions`, `bindingFailureConditions`,
      `consumesCounters` and `sharedCounters` of the slices.

    1 claim waits; 0 claims have devices.
    exit code 1
    ");
}

#[test]
fn gates_that_do_not_help_are_not_named() {
    let off = "DRAPartitionableDevices=false";
    let file = "testdata/operators/pending/06-partitions-used-up.yaml";
    let run = dralloc(&["explain", "-f", file, "--feature-gates", off]);
    assert!(!run.output.contains("feature gate"), "{}", run.output);
    // What was given away in the meantime is not there with the gate either.
    let input = CONDITION.to_owned() + &claim("a", 2) + &claim("b", 1) + &claim("c", 2);
    let gates = ["--feature-gates", "DRADeviceBindingConditions=false"];
    let run = dralloc_with(&[&["allocate", "-f", "-"], &gates[..]].concat(), &input);
    insta::assert_snapshot!(run.text(), @"
    CLAIM  NODE      REQUEST  DEVICE
    b      worker-1  gpu      gpu.example.com/worker-1/gpu-0

    Not allocated: claim default/a
      worker-1: request `gpu` needs 2 devices, 1 of 2 is usable: 1 with binding conditions, which are off; no release would help
      it would fit if the feature gate `DRADeviceBindingConditions` were on (tried on worker-1); while it is off nothing comes of `bindingConditions` and `bindingFailureConditions` of the slice
    Not allocated: claim default/c
      worker-1: request `gpu` needs 2 devices, neither is usable: 1 in use, 1 with binding conditions, which are off; no release would help

    Allocated: 1 of 3 claims.
    exit code 1
    ");
}
