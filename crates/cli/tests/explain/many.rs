//! Many nodes and claims.

use crate::common::dralloc_with;
use crate::common::nodes::{claim, cluster};

#[test]
fn nodes_with_one_reason_are_one_line() {
    let input = cluster(300) + &claim("large", 9) + &claim("small", 6);
    let run = dralloc_with(&["explain", "-f", "-"], &input);
    insta::assert_snapshot!(run.text(), @r"
    claim default/large: never
      It would not fit on any of 300 nodes even if nothing were held.
      It asks for 9 devices of class `gpu` (request `gpu`).

      Never: 300 nodes
        - 266 nodes (node-0001, node-0002 and 264 more): request `gpu` needs 9
          devices, 0 to 7 of 8 are usable: 1 to 8 in use
        - 34 nodes (node-0000, node-0009 and 32 more): request `gpu` needs 9
          devices, there are only 8

      This would make it fit, and was tried:
        - ask for 8 devices instead of 9 in request `gpu` (on 34 nodes, such as
          node-0000)

    claim default/small: fits
      It fits on 102 of 300 nodes: devices are not what keeps it waiting.
      It asks for 6 devices of class `gpu` (request `gpu`).
      It would get on node-0000:
        - gpu  gpu.example.com/node-0000/gpu-0
        - gpu  gpu.example.com/node-0000/gpu-1
        - gpu  gpu.example.com/node-0000/gpu-2
        - gpu  gpu.example.com/node-0000/gpu-3
        - gpu  gpu.example.com/node-0000/gpu-4
        - gpu  gpu.example.com/node-0000/gpu-5

      Fits: 102 nodes
        - 102 nodes (node-0000, node-0001 and 100 more)

      Not now: 198 nodes
        - 198 nodes (node-0003, node-0004 and 196 more): request `gpu` needs 6
          devices, 0 to 5 of 8 are usable: 3 to 8 in use
          (on node-0003: if claim `default/on-node-0003` were released 8 could
          serve)

    2 claims wait; 266 claims have devices.
    exit code 1
    ");
}

#[test]
fn where_it_fits_nothing_is_suggested() {
    let input = cluster(20) + &claim("two", 2);
    let run = dralloc_with(&["explain", "-f", "-", "--claim", "two"], &input);
    insta::assert_snapshot!(run.text(), @r"
    claim default/two: fits
      It fits on 16 of 20 nodes: devices are not what keeps it waiting.
      It asks for 2 devices of class `gpu` (request `gpu`).
      It would get on node-0000:
        - gpu  gpu.example.com/node-0000/gpu-0
        - gpu  gpu.example.com/node-0000/gpu-1

      Fits: 16 nodes
        - 16 nodes (node-0000, node-0001 and 14 more)

      Not now: 4 nodes
        - node-0007, node-0016: request `gpu` needs 2 devices, 1 of 8 is usable: 7
          in use
          (on node-0007: if claim `default/on-node-0007` were released 8 could
          serve)
        - node-0008, node-0017: request `gpu` needs 2 devices, all 8 are in use
          (on node-0008: if claim `default/on-node-0008` were released 8 could
          serve)

    1 claim waits; 17 claims have devices.
    exit code 0
    ");
}

#[test]
fn only_the_numbers_tell_reasons_apart_that_are_summed_up() {
    let full: String = cluster(18)
        .lines()
        .filter(|line| !line.contains("on-node-0000"))
        .fold(String::new(), |text, line| text + line + "\n");
    let input = full + &claim("all", 8);
    let held: String = input.replace(
        "\"name\":\"gpu-0\"",
        "\"name\":\"gpu-0\",\"taints\":[{\"key\":\"lost\",\"effect\":\"NoSchedule\"}]",
    );
    let run = dralloc_with(&["explain", "-f", "-"], &held);
    insta::assert_snapshot!(run.text(), @r"
    claim default/all: never
      It would not fit on any of 18 nodes even if nothing were held.
      It asks for 8 devices of class `gpu` (request `gpu`).

      Never: 18 nodes
        - 16 nodes (node-0001, node-0002 and 14 more): request `gpu` needs 8
          devices, 0 to 7 of 8 are usable: 1 to 8 in use
        - node-0000, node-0009: request `gpu` needs 8 devices, 7 of 8 are usable: 1
          tainted
          (on node-0000: device `gpu.example.com/node-0000/gpu-0` has the taint
          `lost:NoSchedule`)

      This would make it fit, and was tried:
        - ask for 7 devices instead of 8 in request `gpu` (on 4 nodes, such as
          node-0000)
      It would also fit if it tolerated the taint `lost:NoSchedule` in request `gpu`
      (tried on 2 nodes, such as node-0000).

    1 claim waits; 16 claims have devices.
    exit code 1
    ");
}
