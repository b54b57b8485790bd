//! Why claims have what they have.

use crate::common::{dralloc, dralloc_with};

/// A node with two cards of two partitions, and a claim that has some of them.
fn cluster(has: &[&str], config: &str) -> String {
    let count = has.len();
    let results = has.iter().map(|device| {
        format!(
            "      - {{request: gpu, driver: gpu.example.com, pool: worker-1, device: {device}}}\n"
        )
    });
    let results = results.collect::<Vec<_>>().concat();
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
    insta::assert_snapshot!(explain(&cluster(&["b"], ""), &[]), @r"
    claim default/mine: allocated
      It has on worker-1:
        - gpu  gpu.example.com/worker-1/b
      They are the first that fit, in the order of driver, pool, slice and place in
      the slice; for request `gpu` 2 of 3 come into question: 1 in use.

    Nothing waits; 2 claims have devices.
    exit code 0
    ");
}

#[test]
fn another_answer_today_is_told() {
    insta::assert_snapshot!(explain(&cluster(&["c"], ""), &[]), @r"
    claim default/mine: allocated
      It has on worker-1:
        - gpu  gpu.example.com/worker-1/c
      They are not the first that fit today: it got them when others were held, or
      from somebody else.
      Today's answer would be:
        - gpu  gpu.example.com/worker-1/b

    Nothing waits; 2 claims have devices.
    exit code 0
    ");
}

#[test]
fn the_best_is_compared_with_the_runner_up() {
    let alone = cluster(&["b", "c"], PACK);
    let (alone, _) = alone.rsplit_once("---").unwrap();
    insta::assert_snapshot!(explain(alone, &[]), @r"
    claim default/mine: allocated
      It has on worker-1:
        - gpu  gpu.example.com/worker-1/b
        - gpu  gpu.example.com/worker-1/c
      None are better: alternativeRank 0, healthPenalty 0, waste 0, packingPotential
      2, parentsTouched 1.
      The next best answer loses in `parentsTouched`: 2 against 1:
        - gpu  gpu.example.com/worker-1/a
        - gpu  gpu.example.com/worker-1/b

    Nothing waits; 1 claim has devices.
    exit code 0
    ");
    insta::assert_snapshot!(explain(alone, &["--policy", "spread"]), @r"
    claim default/mine: allocated
      It has on worker-1:
        - gpu  gpu.example.com/worker-1/b
        - gpu  gpu.example.com/worker-1/c
      They are not the best by its policy today: it got them when others were held,
      or from somebody else.
      Today's answer would be:
        - gpu  gpu.example.com/worker-1/a
        - gpu  gpu.example.com/worker-1/b

    Nothing waits; 1 claim has devices.
    exit code 0
    ");
}

#[test]
fn what_could_not_be_had_today_is_told() {
    let all = cluster(&["a", "b", "c"], "");
    insta::assert_snapshot!(explain(&all, &[]), @r"
    claim default/mine: allocated
      It has on worker-1:
        - gpu  gpu.example.com/worker-1/a
        - gpu  gpu.example.com/worker-1/b
        - gpu  gpu.example.com/worker-1/c
      Today it would not get any devices there, even if it gave these back:
      something has changed since, or somebody else gave them.

    Nothing waits; 2 claims have devices.
    exit code 0
    ");
    let missing = cluster(&["b"], "").replace(
        "deviceClassName: gpu, count",
        "deviceClassName: gone, count",
    );
    insta::assert_snapshot!(explain(&missing, &[]), @r"
    claim default/mine: allocated
      It has on worker-1:
        - gpu  gpu.example.com/worker-1/b
      Today it could not be evaluated: claim `mine`:
      spec.devices.requests[0].exactly.deviceClassName: no DeviceClass `gone`,
      expected the name of one that exists.

    Nothing waits; 2 claims have devices.
    exit code 0
    ");
    let gone =
        cluster(&["b"], "").replace("pool: worker-1, device: b", "pool: worker-9, device: b");
    insta::assert_snapshot!(explain(&gone, &[]), @"
    claim default/mine: device gone
      It has:
        - gpu  gpu.example.com/worker-9/b
      Device `gpu.example.com/worker-9/b` is not published any more. Let the driver
      publish it again. No pod uses the claim: if it is not needed, delete it.
      No node given here is meant: it cannot be compared.

    Nothing waits; 2 claims have devices.
    exit code 1
    ");
}

#[test]
fn data_has_the_same_facts() {
    let run = dralloc_with(
        &["explain", "-f", "-", "--claim", "mine", "-o", "json"],
        &cluster(&["c"], ""),
    );
    insta::assert_snapshot!(run.text(), @r#"
    {
      "subjects": [
        {
          "kind": "claim",
          "namespace": "default",
          "name": "mine",
          "verdict": "allocated",
          "message": "it has devices",
          "claims": [
            {
              "namespace": "default",
              "name": "mine"
            }
          ],
          "has": [
            {
              "claim": {
                "namespace": "default",
                "name": "mine"
              },
              "node": "worker-1",
              "devices": [
                {
                  "claim": "mine",
                  "request": "gpu",
                  "device": "gpu.example.com/worker-1/c"
                }
              ],
              "why": "differs",
              "message": "they are not the first that fit today: it got them when others were held, or from somebody else",
              "today": [
                {
                  "claim": "mine",
                  "request": "gpu",
                  "device": "gpu.example.com/worker-1/b"
                }
              ],
              "requests": [
                {
                  "claim": 0,
                  "name": "gpu",
                  "needed": 1,
                  "all": false,
                  "considered": 3,
                  "refused": [
                    [
                      "in use",
                      1
                    ]
                  ],
                  "usable": 2
                }
              ]
            }
          ]
        }
      ],
      "waiting": 0,
      "allocated": 2
    }
    exit code 0
    "#);
}

#[test]
fn an_example_says_why_it_does_not_fit() {
    let run = dralloc(&["explain", "-f", "examples/does-not-fit.yaml"]);
    insta::assert_snapshot!(run.text(), @r"
    pod default/training: not now
      It fits on no node now, but on 1 of 3 nodes once others give devices back.
      It needs claim `training`.
      It asks for 2 devices of class `gpu.nvidia.com` where
      `device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('80Gi')) >= 0`
      (request `gpus`).

      Not now: 1 node
        - worker-1: request `gpus` needs 2 devices, 1 of 2 is usable: 1 in use
          (if claim `default/inference` were released 2 could serve)

      Never: 1 node
        - worker-2: request `gpus` needs 2 devices, both are refused by a selector

      Not asked: 1 node
        - worker-3: cordoned

      Each of these would make it fit, and was tried:
        - release claim `default/inference` (on worker-1)
        - ask for 1 device instead of 2 in request `gpus` (on worker-1)
        - drop selector 0 of request `gpus`:
          `device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('80Gi')) >=
          0` (on worker-2)
        - uncordon worker-3 (on worker-3)

    pod default/small: fits
      It fits on 2 of 3 nodes: devices are not what keeps it waiting.
      It needs claim `small`.
      It asks for 1 device of class `gpu.nvidia.com` (request `gpu`).
      It would get on worker-1:
        - gpu  gpu.nvidia.com/worker-1/gpu-1

      Fits: 2 nodes
        - worker-1, worker-2

      Not asked: 1 node
        - worker-3: cordoned

    2 pods wait; 1 claim has devices.
    exit code 1
    ");
}

#[test]
fn patience_ends_the_comparison() {
    let input = cluster(&["b"], "");
    insta::assert_snapshot!(explain(&input, &["--patience", "0"]), @r"
    claim default/mine: allocated
      It has on worker-1:
        - gpu  gpu.example.com/worker-1/b
      The search for today's answer ended early.

    Nothing waits; 2 claims have devices.
    exit code 0
    ");
}

#[test]
fn pods_that_share_a_claim_are_told_together() {
    let pod = |name: &&str| {
        let claim = if *name == "four" { "other" } else { "mine" };
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, uid: uid-of-{name}}}\nspec:\n  \
             resourceClaims: [{{name: gpu, resourceClaimName: {claim}}}]\nstatus: {{phase: Pending}}\n"
        )
    };
    let pods: Vec<String> = ["one", "two", "three", "four"].iter().map(pod).collect();
    let input = cluster(&["b"], "") + &pods.concat();
    insta::assert_snapshot!(dralloc_with(&["explain", "-f", "-"], &input).text(), @r"
    pod default/one: fits
      It fits on the only node: devices are not what keeps it waiting.
      The same goes for pod default/two and pod default/three.
      It needs claim `mine`.

      Fits: 1 node
        - worker-1

      Claim `mine` has on worker-1:
        - gpu  gpu.example.com/worker-1/b
      They are the first that fit, in the order of driver, pool, slice and place in
      the slice; for request `gpu` 2 of 3 come into question: 1 in use.

    pod default/four: fits
      It fits on the only node: devices are not what keeps it waiting.
      It needs claim `other`.

      Fits: 1 node
        - worker-1

      Claim `other` has on worker-1:
        - gpu  gpu.example.com/worker-1/a
      They are the first that fit, in the order of driver, pool, slice and place in
      the slice; for request `gpu` 2 of 3 come into question: 1 in use.

    All 4 fit together, too.

    4 pods wait; 2 claims have devices.
    exit code 0
    ");
}
