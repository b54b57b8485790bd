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
    insta::assert_snapshot!(allocate(&(alike + &claim("all", 8)), &[]), @"");
}

#[test]
fn numbers_that_differ_are_told_from_the_least_to_the_most() {
    insta::assert_snapshot!(allocate(&(cluster(9) + &claim("large", 9)), &[]), @"");
}

#[test]
fn what_keeps_devices_away_tells_reasons_apart() {
    let tainted = cluster(27).replace(
        "\"name\":\"gpu-7\"",
        "\"name\":\"gpu-7\",\"taints\":[{\"key\":\"lost\",\"effect\":\"NoSchedule\"}]",
    );
    insta::assert_snapshot!(allocate(&(tainted + &claim("large", 9)), &[]), @"");
}
