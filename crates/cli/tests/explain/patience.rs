//! What is not known in time.

use crate::common::dralloc_with;
use crate::common::nodes::{claim, cluster};

#[test]
fn where_patience_ends_it_is_not_known_whether_it_fits() {
    let input = cluster(3) + &claim("two", 2);
    let explain = |arguments: &[&str]| {
        let command = ["explain", "-f", "-", "--patience", "0"];
        dralloc_with(&[&command, arguments].concat(), &input)
    };
    insta::assert_snapshot!(explain(&[]).text(), @"
    claim default/two: not known
      It is not known whether it fits: the search ended early.
      It asks for 2 devices of class `gpu` (request `gpu`).

      Not known: 3 nodes
        - node-0000, node-0001, node-0002: the search ended early

    1 claim waits; 2 claims have devices.
    exit code 1
    ");
    let answer: serde_json::Value = serde_json::from_str(&explain(&["-o", "json"]).output).unwrap();
    let found = &answer["subjects"][0];
    assert_eq!(found["verdict"], "unknown");
    assert_eq!(found["groups"][0]["verdict"], "unknown");
    assert_eq!(found["groups"][0]["reason"], "the search ended early");
}
