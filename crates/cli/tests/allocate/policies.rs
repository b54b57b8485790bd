//! Which of several answers is given.

use crate::{CLUSTER, allocate, claim};

/// What went wrong with the first device of the first node.
const HEALTH: &str = r#"
apiVersion: dralloc.dev/v1alpha1
kind: DeviceHealth
metadata: {name: node-1-gpu-0}
spec:
  device: {driver: gpu.example.com, pool: node-1, device: gpu-0}
  failures: [{time: "2026-01-31T12:00:00Z", reason: xid-79}]
---
"#;

/// A claim for one device that carries a policy.
fn claim_with(fields: &str) -> String {
    let config = format!(
        "    config:
    - opaque:
        driver: dralloc.dev
        parameters: {{apiVersion: dralloc.dev/v1alpha1, kind: PlacementPolicy, {fields}}}
---
"
    );
    claim("one", 1).replace("---\n", &config)
}

#[test]
fn failures_count_for_policies_that_look_at_them_until_they_are_old() {
    let input = format!("{CLUSTER}{HEALTH}{}", claim("one", 1));
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    one    node-1  gpu      gpu.example.com/node-1/gpu-0

    Allocated: 1 claim.
    exit code 0
    ");
    insta::assert_snapshot!(allocate(&input, &["--policy", "pack"]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    one    node-1  gpu      gpu.example.com/node-1/gpu-1

    Best: claim default/one: alternativeRank 0, healthPenalty 0, waste 0, packingPotential 1, parentsTouched 1

    Allocated: 1 claim.
    exit code 0
    ");
    let old = ["--policy", "healthPenalty", "--now", "2026-02-10T12:00:00Z"];
    insta::assert_snapshot!(allocate(&input, &old), @r"
    CLAIM  NODE    REQUEST  DEVICE
    one    node-1  gpu      gpu.example.com/node-1/gpu-0

    Best: claim default/one: healthPenalty 0

    Allocated: 1 claim.
    exit code 0
    ");
}

#[test]
fn that_of_the_caller_counts_before_that_of_the_claim() {
    let input = format!(
        "{CLUSTER}{HEALTH}{}",
        claim_with("objective: [healthPenalty]")
    );
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    one    node-1  gpu      gpu.example.com/node-1/gpu-1

    Best: claim default/one: healthPenalty 0

    Allocated: 1 claim.
    exit code 0
    ");
    insta::assert_snapshot!(allocate(&input, &["--policy", "parentsTouched"]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    one    node-1  gpu      gpu.example.com/node-1/gpu-0

    Best: claim default/one: parentsTouched 1

    Allocated: 1 claim.
    exit code 0
    ");
}

#[test]
fn devices_that_cannot_be_compared_are_told() {
    let selector = "count: 1, selectors: [{cel: {expression: \
                    'device.attributes[\"gpu.example.com\"].large'}}]}";
    let input = format!(
        "{CLUSTER}{}",
        claim("large", 1).replace("count: 1}", selector)
    );
    insta::assert_snapshot!(allocate(&input, &["--policy", "pack"]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    large  node-1  gpu      gpu.example.com/node-1/gpu-1

    Best: claim default/large: alternativeRank 0, healthPenalty 0, waste 0, packingPotential 1, parentsTouched 1

    Allocated: 1 claim.
    stderr: warning: not compared with others: claim `large`: spec.devices.requests[0].exactly.selectors[0]: device `gpu.example.com/node-1/gpu-0`: no such key: large
    exit code 0
    ");
}

#[test]
fn what_is_wrong_with_a_policy_is_told_with_its_place() {
    for (fields, message) in [
        (
            "polcy: pack",
            "polcy: unknown field `polcy` (did you mean `policy`)",
        ),
        (
            "affinity: [{scope: hots, mode: required}]",
            "affinity[0].scope: expected one of `nvLink`, `nvLinkDomain`, `pcieSwitch`, `pcieRoot`, \
             `numaNode`, `host`, `rack`, `block`, found `hots`",
        ),
    ] {
        let text = allocate(&format!("{CLUSTER}{}", claim_with(fields)), &[]);
        let expected = format!(
            "Not allocated: claim default/one\n  \
             spec.devices.config[0].opaque.parameters.{message}\n\n\
             Allocated: 0 of 1 claim.\nexit code 1"
        );
        assert_eq!(text, expected);
    }
    let class = CLUSTER.replace(
        "metadata: {name: gpu}",
        "metadata: {name: gpu}
spec:
  config:
  - opaque:
      driver: dralloc.dev
      parameters: {apiVersion: dralloc.dev/v1alpha1, kind: PlacementPolicy, policy: best}",
    );
    let text = allocate(&format!("{class}{}", claim("one", 1)), &[]);
    insta::assert_snapshot!(text, @r"
    stderr: error: <stdin>:17:85 (document 3): DeviceClass `gpu`: spec.config[0].opaque.parameters.policy: policy `best` is not supported, expected kubernetes, pack, spread or affinity
    exit code 2
    ");
}
