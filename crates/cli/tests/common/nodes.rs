//! Clusters of many nodes.

use std::fmt::Write as _;

/// Nodes with eight devices, of which the first are held: none on the first node, one on the
/// second and so on, up to all.
pub(crate) fn cluster(nodes: u32) -> String {
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

/// A claim for so many of them.
pub(crate) fn claim(name: &str, count: u32) -> String {
    format!(
        "{{\"apiVersion\":\"resource.k8s.io/v1\",\"kind\":\"ResourceClaim\",\
\"metadata\":{{\"name\":\"{name}\",\"namespace\":\"default\"}},\"spec\":{{\"devices\":{{\"requests\":[{{\"name\":\"gpu\",\
\"exactly\":{{\"deviceClassName\":\"gpu\",\"count\":{count}}}}}]}}}}}}\n"
    )
}
