//! How devices are linked, from a file of its own.

use std::fs;
use std::path::Path;

use crate::common::dralloc;

/// A machine of the test data with eight GPUs that are found by their address on the
/// bus, one node of that kind, and a claim for some of them.
fn answer(machine: &str, count: u32, policy: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join(format!("testdata/topologies/{machine}.json")));
    let mut document: serde_json::Value = serde_json::from_str(&text.unwrap()).unwrap();
    document.as_object_mut().unwrap().remove("expectedLevels");
    let vertices = document["spec"]["vertices"].as_array_mut().unwrap();
    let gpus = vertices.iter_mut().filter(|vertex| vertex["kind"] == "gpu");
    for (number, vertex) in gpus.enumerate() {
        vertex["match"] = serde_json::json!({"attribute": "resource.kubernetes.io/pciBusID",
            "value": format!("0000:{number}0:00.0")});
    }
    let devices = (0..8).map(|number| {
        format!(
            "  - name: gpu-{number}
    attributes: {{resource.kubernetes.io/pciBusID: {{string: \"0000:{number}0:00.0\"}}}}\n"
        )
    });
    let cluster = format!(
        r"
apiVersion: v1
kind: Node
metadata: {{name: node-1}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: gpu}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: slice-1}}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {{name: node-1, generation: 1, resourceSliceCount: 1}}
  devices:
{}---
{}",
        devices.collect::<String>(),
        crate::claim("training", count)
    );
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("cluster.yaml"), cluster).unwrap();
    fs::write(path("machine.json"), document.to_string()).unwrap();
    let run = dralloc(&[
        "allocate",
        "-f",
        &path("cluster.yaml"),
        "--topology",
        &path("machine.json"),
        "--policy",
        policy,
    ]);
    run.text()
}

#[test]
fn two_gpus_of_a_box_with_bridges_have_one() {
    let machine = "a100-pcie-x8-bridge-pairs";
    insta::assert_snapshot!(answer(machine, 2, "kubernetes"), @"");
    insta::assert_snapshot!(answer(machine, 2, "affinity"), @"");
}

#[test]
fn four_gpus_of_a_cube_mesh_have_the_fastest_ring() {
    let machine = "dgx1-v100";
    insta::assert_snapshot!(answer(machine, 4, "kubernetes"), @"");
    insta::assert_snapshot!(answer(machine, 4, "affinity"), @"");
}
