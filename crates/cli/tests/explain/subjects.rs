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
    insta::assert_snapshot!(text(&["--claim", "nobody"]), @"");
    insta::assert_snapshot!(text(&["--pod", "shop/nobody"]), @"");
    insta::assert_snapshot!(text(&["--node", "nowhere"]), @"");
}

#[test]
fn one_node_can_be_looked_at() {
    let run = dralloc(&["explain", "-f", HELD, "--node", "worker-2"]);
    insta::assert_snapshot!(run.text(), @"");
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
    insta::assert_snapshot!(text("done"), @"");
    insta::assert_snapshot!(text("runs"), @"");
    insta::assert_snapshot!(text("plain"), @"");
    let all = dralloc_with(&["explain", "-f", "-"], &input).text();
    insta::assert_snapshot!(all, @"");
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
    insta::assert_snapshot!(dralloc_with(&["explain", "-f", "-"], &input).text(), @"");
}
