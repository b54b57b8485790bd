//! The order in which claims and pods get their turn.

use crate::{CLUSTER, USES_TEMPLATE, allocate, claim, pod, template};

#[test]
fn claims_without_a_pod_come_in_the_order_of_the_file() {
    let input = CLUSTER.to_owned() + &claim("b", 2) + &claim("a", 1);
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    CLAIM  NODE    REQUEST  DEVICE
    b      node-1  gpu      gpu.example.com/node-1/gpu-0
                   gpu      gpu.example.com/node-1/gpu-1
    a      node-2  gpu      gpu.example.com/node-2/gpu-0

    Allocated: 2 claims.
    exit code 0
    ");
}

#[test]
fn what_is_older_comes_first() {
    let old = claim("old", 2).replace(
        "{name: old}",
        "{name: old, creationTimestamp: '2026-01-01T00:00:00Z'}",
    );
    let new = pod(
        "new",
        "creationTimestamp: '2026-01-02T00:00:00Z'",
        USES_TEMPLATE,
        "",
    );
    let input = CLUSTER.to_owned() + &claim("timeless", 1) + &new + &template("single", 1) + &old;
    insta::assert_snapshot!(allocate(&input, &[]), @r"
    POD  CLAIM          NODE    REQUEST  DEVICE
         old            node-1  gpu      gpu.example.com/node-1/gpu-0
                                gpu      gpu.example.com/node-1/gpu-1
    new  new-gpu-hm5k2  node-2  gpu      gpu.example.com/node-2/gpu-0
         timeless       node-2  gpu      gpu.example.com/node-2/gpu-1

    Allocated: 1 pod, 2 claims.
    exit code 0
    ");
}

#[test]
fn the_order_of_files_does_not_matter_where_there_are_times() {
    let mut documents: Vec<String> = CLUSTER
        .split("---\n")
        .map(|text| format!("{text}---\n"))
        .collect();
    documents.pop();
    documents.push(template("single", 1));
    for day in 1..6 {
        let created = format!("creationTimestamp: '2026-01-0{day}T00:00:00Z'");
        documents.push(pod(&format!("pod-{day}"), &created, USES_TEMPLATE, ""));
    }
    let forward = allocate(&documents.concat(), &["-o", "yaml"]);
    documents.reverse();
    assert_eq!(allocate(&documents.concat(), &["-o", "yaml"]), forward);
    documents.rotate_left(4);
    assert_eq!(allocate(&documents.concat(), &["-o", "yaml"]), forward);
}

#[test]
fn equal_input_gives_equal_bytes() {
    let mut input = CLUSTER.to_owned() + &template("single", 1);
    for number in 0..6 {
        input += &pod(&format!("pod-{number}"), "", USES_TEMPLATE, "");
    }
    for form in ["table", "yaml", "json"] {
        let first = allocate(&input, &["-o", form]);
        assert_eq!(allocate(&input, &["-o", form]), first);
    }
}
