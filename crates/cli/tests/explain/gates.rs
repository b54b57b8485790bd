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
    insta::assert_snapshot!(run.text(), @"");
    let input = CONDITION.to_owned() + &claim("two", 2);
    let gates = ["--feature-gates", "DRADeviceBindingConditions=false"];
    let run = dralloc_with(&[&["explain", "-f", "-"], &gates[..]].concat(), &input);
    insta::assert_snapshot!(run.text(), @"");
    let run = dralloc_with(&[&["allocate", "-f", "-"], &gates[..]].concat(), &input);
    insta::assert_snapshot!(run.text(), @"");
    let run = dralloc_with(
        &[&["allocate", "-f", "-", "--satisfiable"], &gates[..]].concat(),
        &input,
    );
    insta::assert_snapshot!(run.text(), @"");
}

#[test]
fn what_claims_lose_is_said_with_the_error() {
    let off = "DRAConsumableCapacity=false";
    let file = "examples/sm-slice.yaml";
    let options = ["--pod", "pod-1", "--feature-gates", off, "-o", "json"];
    let run = dralloc(&[&["explain", "-f", file], &options[..]].concat());
    let found: Value = serde_json::from_str(&run.output).unwrap();
    let gates = serde_json::to_string_pretty(&found["subjects"][0]["gatesOff"]).unwrap();
    insta::assert_snapshot!(gates, @"");
    let run = dralloc(&["allocate", "-f", file, "--feature-gates", off]);
    let told = run
        .output
        .lines()
        .skip_while(|line| !line.ends_with("pod-1"));
    insta::assert_snapshot!(told.take(3).collect::<Vec<_>>().join("\n"), @"");
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
    insta::assert_snapshot!(run.text(), @"");
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
    insta::assert_snapshot!(run.text(), @"");
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
    insta::assert_snapshot!(run.text(), @"");
}
