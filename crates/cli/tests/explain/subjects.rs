//! What is explained.

use crate::common::{dralloc, dralloc_with};

const HELD: &str = "testdata/operators/pending/01-held-by-another.yaml";

#[test]
fn a_claim_is_explained_with_the_pod_that_waits_for_it() {
    let by_pod = dralloc(&["explain", "-f", HELD, "--pod", "trainer"]);
    let by_claim = dralloc(&["explain", "-f", HELD, "--claim", "default/training"]);
    assert_eq!(by_pod.text(), by_claim.text());
    assert!(
        by_pod.output.starts_with("pod default/trainer: not now\n"),
        "{}",
        by_pod.output
    );
}

#[test]
fn what_is_not_there_is_an_error() {
    let text = |arguments: &[&str]| dralloc(&[&["explain", "-f", HELD], arguments].concat()).text();
    insta::assert_snapshot!(text(&["--claim", "nobody"]), @r"
    stderr: error: there is no claim `default/nobody` among the 5 given
    exit code 2
    ");
    insta::assert_snapshot!(text(&["--pod", "shop/nobody"]), @r"
    stderr: error: there is no pod `shop/nobody`: the only one given is `default/trainer`
    exit code 2
    ");
    insta::assert_snapshot!(text(&["--node", "nowhere"]), @r"
    stderr: error: there is no node `nowhere` among the 2 given
    exit code 2
    ");
}

#[test]
fn a_misspelt_name_is_answered_with_the_right_one() {
    let text = |arguments: &[&str]| dralloc(&[&["explain", "-f", HELD], arguments].concat()).text();
    insta::assert_snapshot!(text(&["--claim", "trainig"]), @r"
    stderr: error: there is no claim `default/trainig` among the 5 given; did you mean `training`?
    exit code 2
    ");
    insta::assert_snapshot!(text(&["--claim", "batch"]), @r"
    stderr: error: there is no claim `default/batch` among the 5 given; there is one in namespace `research`
    exit code 2
    ");
    insta::assert_snapshot!(text(&["--node", "worker1"]), @r"
    stderr: error: there is no node `worker1` among the 2 given; did you mean `worker-1`?
    exit code 2
    ");
    let pod = "apiVersion: v1
kind: Pod
metadata: {name: server}
spec: {resourceClaims: [{name: a, resourceClaimTemplateName: one-gpus}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one-gpu}
spec: {spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu}}]}}}
";
    let run = dralloc_with(&["explain", "-f", "-", "--node", "worker-1"], pod);
    let words: Vec<&str> = run.output.split_whitespace().collect();
    let text = words.join(" ");
    assert!(text.contains("did you mean `one-gpu`?"), "{text}");
}

#[test]
fn one_node_can_be_looked_at() {
    let run = dralloc(&["explain", "-f", HELD, "--node", "worker-2"]);
    insta::assert_snapshot!(run.text(), @r"
    pod default/trainer: not now
      It fits on no node now, but on the only node once others give devices back.
      It needs claim `training`.
      It asks for 3 devices of class `gpu.example.com` (request `gpu`).

      Not now: 1 node
        - worker-2: request `gpu` needs 3 devices, all 4 are in use
          (if claim `shop/ranking` and claim `shop/serving` were released 4 could
          serve)

      This would make it fit, and was tried:
        - release claim `shop/ranking` and claim `shop/serving` (on worker-2)

    1 pod waits; 4 claims have devices.
    exit code 1
    ");
}

#[test]
fn pods_that_do_not_wait_say_so() {
    let pod = |name: &str, spec: &str, phase: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec: {{{spec}}}\n\
             status: {{phase: {phase}}}\n---\n"
        )
    };
    let input = pod("done", "", "Succeeded")
        + &pod("runs", "nodeName: worker-1", "Running")
        + &pod("plain", "", "Pending");
    let text = |pod: &str| dralloc_with(&["explain", "-f", "-", "--pod", pod], &input).text();
    insta::assert_snapshot!(text("done"), @r"
    pod default/done: waits for nothing
      It is done.

    Nothing waits; 0 claims have devices.
    stderr: note: no node is given, and no slice names one: there is nowhere to allocate
    exit code 0
    ");
    insta::assert_snapshot!(text("runs"), @r"
    pod default/runs: waits for nothing
      It runs on worker-1.

    Nothing waits; 0 claims have devices.
    stderr: note: no node is given, and no slice names one: there is nowhere to allocate
    exit code 0
    ");
    insta::assert_snapshot!(text("plain"), @r"
    pod default/plain: waits for nothing
      It asks for no devices.

    Nothing waits; 0 claims have devices.
    stderr: note: no node is given, and no slice names one: there is nowhere to allocate
    exit code 0
    ");
    let all = dralloc_with(&["explain", "-f", "-"], &input).text();
    insta::assert_snapshot!(all, @r"
    No pod waits for devices, and no claim without one.

    Nothing waits; 0 claims have devices.
    exit code 0
    ");
}

#[test]
fn several_claims_are_told_apart() {
    let claim = |name: &str, count: u32| {
        format!(
            "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: {name}}}\n\
             spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu, count: {count}}}}}]}}}}\n---\n"
        )
    };
    let input = "apiVersion: v1
kind: Node
metadata: {name: worker-1}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: worker-1, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}, {name: gpu-1}, {name: gpu-2}]
---
apiVersion: v1
kind: Pod
metadata: {name: both}
spec:
  resourceClaims: [{name: a, resourceClaimName: one}, {name: b, resourceClaimName: three}]
---
"
    .to_owned()
        + &claim("one", 1)
        + &claim("three", 3);
    insta::assert_snapshot!(dralloc_with(&["explain", "-f", "-"], &input).text(), @r"
    pod default/both: never
      It would not fit on the only node even if nothing were held.
      It needs claims `one`, `three`.
      It asks for:
        - 1 device of class `gpu` (request `gpu` of claim `one`)
        - 3 devices of class `gpu` (request `gpu` of claim `three`)

      Never: 1 node
        - worker-1: 4 devices needed, 3 can serve

      This would make it fit, and was tried:
        - ask for 2 devices instead of 3 in request `gpu` of claim `three` (on
          worker-1)

    1 pod waits; 0 claims have devices.
    exit code 1
    ");
}
