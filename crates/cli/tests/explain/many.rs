//! Many nodes and claims.

use std::fmt::Write as _;

use crate::common::dralloc_with;

/// Nodes with eight devices, of which the first are held.
fn cluster(nodes: u32) -> String {
    let mut input = String::from(
        "{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"DeviceClass\",\"metadata\":{\"name\":\"gpu\"}}\n",
    );
    for node in 0..nodes {
        let devices: Vec<String> = (0..8)
            .map(|gpu| format!("{{\"name\":\"gpu-{gpu}\"}}"))
            .collect();
        let name = format!("node-{node:04}");
        let _ = writeln!(
            input,
            "{{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{{\"name\":\"{name}\"}}}}
{{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceSlice\",\"metadata\":{{\"name\":\"{name}\"}},\
\"spec\":{{\"driver\":\"gpu.example.com\",\"nodeName\":\"{name}\",\"pool\":{{\"name\":\"{name}\",\
\"generation\":1,\"resourceSliceCount\":1}},\"devices\":[{}]}}}}",
            devices.join(",")
        );
        let held: Vec<String> = (0..node % 9)
            .map(|gpu| {
                format!(
                    "{{\"request\":\"gpu\",\"driver\":\"gpu.example.com\",\"pool\":\"{name}\",\"device\":\"gpu-{gpu}\"}}"
                )
            })
            .collect();
        if !held.is_empty() {
            let count = held.len();
            let _ = writeln!(
                input,
                "{{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\",\
\"metadata\":{{\"name\":\"on-{name}\",\"namespace\":\"default\"}},\"spec\":{{\"devices\":{{\"requests\":[{{\"name\":\"gpu\",\
\"exactly\":{{\"deviceClassName\":\"gpu\",\"count\":{count}}}}}]}}}},\"status\":{{\"allocation\":{{\"devices\":\
{{\"results\":[{}]}}}}}}}}",
                held.join(",")
            );
        }
    }
    input
}

fn claim(name: &str, count: u32) -> String {
    format!(
        "{{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\",\
\"metadata\":{{\"name\":\"{name}\",\"namespace\":\"default\"}},\"spec\":{{\"devices\":{{\"requests\":[{{\"name\":\"gpu\",\
\"exactly\":{{\"deviceClassName\":\"gpu\",\"count\":{count}}}}}]}}}}}}\n"
    )
}

#[test]
fn nodes_with_one_reason_are_one_line() {
    let input = cluster(300) + &claim("large", 9) + &claim("small", 6);
    let run = dralloc_with(&["explain", "-f", "-"], &input);
    insta::assert_snapshot!(run.text(), @"");
}

#[test]
fn where_it_fits_nothing_is_suggested() {
    let input = cluster(20) + &claim("two", 2);
    let run = dralloc_with(&["explain", "-f", "-", "--claim", "two"], &input);
    insta::assert_snapshot!(run.text(), @"");
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
    insta::assert_snapshot!(run.text(), @"");
}
