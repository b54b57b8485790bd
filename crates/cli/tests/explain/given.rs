//! Why claims have what they have.

use crate::common::{dralloc, dralloc_with};

/// A node with two cards of two partitions, and a claim that has some of them.
fn cluster(has: &[&str], config: &str) -> String {
    let count = has.len();
    let results: String = has
        .iter()
        .map(|device| {
            format!("      - {{request: gpu, driver: gpu.example.com, pool: worker-1, device: {device}}}\n")
        })
        .collect();
    format!(
        "apiVersion: v1
kind: Node
metadata: {{name: worker-1}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: gpu}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: slice}}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {{name: worker-1, generation: 1, resourceSliceCount: 1}}
  devices:
  - {{name: a, attributes: {{parentUUID: {{string: card-0}}}}}}
  - {{name: b, attributes: {{parentUUID: {{string: card-1}}}}}}
  - {{name: c, attributes: {{parentUUID: {{string: card-1}}}}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: mine}}
spec:
  devices:
    requests: [{{name: gpu, exactly: {{deviceClassName: gpu, count: {count}}}}}]
{config}status:
  allocation:
    devices:
      results:
{results}---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: other}}
spec: {{devices: {{requests: [{{name: gpu, exactly: {{deviceClassName: gpu}}}}]}}}}
status: {{allocation: {{devices: {{results: [
  {{request: gpu, driver: gpu.example.com, pool: worker-1, device: a}}]}}}}}}
"
    )
}

const PACK: &str = "    config:
    - opaque:
        driver: dralloc.dev
        parameters: {apiVersion: dralloc.dev/v1alpha1, kind: PlacementPolicy, policy: pack}
";

fn explain(input: &str, arguments: &[&str]) -> String {
    let all = [&["explain", "-f", "-", "--claim", "mine"], arguments].concat();
    dralloc_with(&all, input).text()
}

#[test]
fn the_first_that_fit_are_counted() {
    insta::assert_snapshot!(explain(&cluster(&["b"], ""), &[]), @"");
}

#[test]
fn another_answer_today_is_told() {
    insta::assert_snapshot!(explain(&cluster(&["c"], ""), &[]), @"");
}

#[test]
fn the_best_is_compared_with_the_runner_up() {
    let alone = cluster(&["b", "c"], PACK);
    let (alone, _) = alone.rsplit_once("---").unwrap();
    insta::assert_snapshot!(explain(alone, &[]), @"");
    insta::assert_snapshot!(explain(alone, &["--policy", "spread"]), @"");
}

#[test]
fn what_could_not_be_had_today_is_told() {
    insta::assert_snapshot!(explain(&cluster(&["a"], ""), &[]), @"");
    let missing =
        cluster(&["b"], "").replace("deviceClassName: gpu, count", "deviceClassName: no, count");
    insta::assert_snapshot!(explain(&missing, &[]), @"");
    let gone =
        cluster(&["b"], "").replace("pool: worker-1, device: b", "pool: worker-9, device: b");
    insta::assert_snapshot!(explain(&gone, &[]), @"");
}

#[test]
fn data_has_the_same_facts() {
    let run = dralloc_with(
        &["explain", "-f", "-", "--claim", "mine", "-o", "json"],
        &cluster(&["c"], ""),
    );
    insta::assert_snapshot!(run.text(), @"");
}

#[test]
fn an_example_says_why_it_does_not_fit() {
    let run = dralloc(&["explain", "-f", "examples/does-not-fit.yaml"]);
    insta::assert_snapshot!(run.text(), @"");
}
