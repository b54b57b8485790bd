//! Why something does not fit on many nodes.

use crate::allocate;
use crate::common::nodes::{claim, cluster};

/// Most devices are free, so that nothing must sound as if they were not.
#[test]
fn numbers_are_told_of_nodes_that_are_alike() {
    // Of each eight nodes one has nothing held; the others are left out.
    let alike: String = cluster(64)
        .lines()
        .filter(|line| {
            let is_node = |node| line.contains(&format!("node-{node:04}"));
            line.contains("DeviceClass") || (0..64).filter(|node| node % 9 == 1).any(is_node)
        })
        .fold(String::new(), |text, line| text + line + "\n");
    insta::assert_snapshot!(allocate(&(alike + &claim("all", 8)), &[]), @"
    Not allocated: claim default/all
      7 nodes (node-0001, node-0010 and 5 more): request `gpu` needs 8 devices, 7 of 8 are usable: 1 in use (on node-0001: if claim `default/on-node-0001` were released 8 could serve)

    Allocated: 0 of 1 claim.
    exit code 1
    ");
}

#[test]
fn numbers_that_differ_are_told_from_the_least_to_the_most() {
    insta::assert_snapshot!(allocate(&(cluster(9) + &claim("large", 9)), &[]), @"
    Not allocated: claim default/large
      8 nodes (node-0001, node-0002 and 6 more): request `gpu` needs 9 devices, 0 to 7 of 8 are usable: 1 to 8 in use; no release would help
      node-0000: request `gpu` needs 9 devices, there are only 8; no release would help

    Allocated: 0 of 1 claim.
    exit code 1
    ");
}

#[test]
fn what_keeps_devices_away_tells_reasons_apart() {
    let tainted = cluster(27).replace(
        "\"name\":\"gpu-7\"",
        "\"name\":\"gpu-7\",\"taints\":[{\"key\":\"lost\",\"effect\":\"NoSchedule\"}]",
    );
    insta::assert_snapshot!(allocate(&(tainted + &claim("large", 9)), &[]), @"
    Not allocated: claim default/large
      21 nodes (node-0001, node-0002 and 19 more): request `gpu` needs 9 devices, 0 to 6 of 8 are usable: 1 to 7 in use, 1 tainted; no release would help
      node-0000, node-0009, node-0018: request `gpu` needs 9 devices, 7 of 8 are usable: 1 tainted; no release would help
      node-0008, node-0017, node-0026: request `gpu` needs 9 devices, all 8 are in use; no release would help

    Allocated: 0 of 1 claim.
    exit code 1
    ");
}
