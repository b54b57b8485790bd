//! How devices are linked, from a file of its own.

use std::fs;
use std::path::Path;

use crate::claim;
use crate::common::dralloc;

/// A machine of the test data with eight GPUs that are found by their address on the
/// bus, one node of that kind, and claims for so many of them each.
fn answer(machine: &str, counts: &[(&str, u32)], policy: &str) -> String {
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
    let claims = counts.iter().map(|(name, count)| claim(name, *count));
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
        claims.collect::<String>()
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
    let answer = |policy| answer("a100-pcie-x8-bridge-pairs", &[("training", 2)], policy);
    insta::assert_snapshot!(answer("kubernetes"), @r"
    CLAIM     NODE    REQUEST  DEVICE
    training  node-1  gpu      gpu.example.com/node-1/gpu-0
                      gpu      gpu.example.com/node-1/gpu-1

    Allocated: 1 claim.
    exit code 0
    ");
    insta::assert_snapshot!(answer("affinity"), @r"
    CLAIM     NODE    REQUEST  DEVICE
    training  node-1  gpu      gpu.example.com/node-1/gpu-0
                      gpu      gpu.example.com/node-1/gpu-2

    Best: claim default/training: alternativeRank 0, healthPenalty 0, ring 300 GB/s, links 0, nicAlignment 0, span numaNode, waste 0, linkPotential 140000, packingPotential 2

    Allocated: 1 claim.
    exit code 0
    ");
}

#[test]
fn four_gpus_of_a_cube_mesh_have_the_fastest_ring_that_is_left() {
    let answer = |policy| answer("dgx1-v100", &[("notebook", 1), ("training", 4)], policy);
    insta::assert_snapshot!(answer("kubernetes"), @r"
    CLAIM     NODE    REQUEST  DEVICE
    notebook  node-1  gpu      gpu.example.com/node-1/gpu-0
    training  node-1  gpu      gpu.example.com/node-1/gpu-1
                      gpu      gpu.example.com/node-1/gpu-2
                      gpu      gpu.example.com/node-1/gpu-3
                      gpu      gpu.example.com/node-1/gpu-4

    Allocated: 2 claims.
    exit code 0
    ");
    insta::assert_snapshot!(answer("affinity"), @r"
    CLAIM     NODE    REQUEST  DEVICE
    notebook  node-1  gpu      gpu.example.com/node-1/gpu-0
    training  node-1  gpu      gpu.example.com/node-1/gpu-4
                      gpu      gpu.example.com/node-1/gpu-5
                      gpu      gpu.example.com/node-1/gpu-6
                      gpu      gpu.example.com/node-1/gpu-7

    Best: claim default/notebook: alternativeRank 0, healthPenalty 0, ring none needed, links 0, nicAlignment 0, span device, waste 0, linkPotential 175000, packingPotential 1
    Best: claim default/training: alternativeRank 0, healthPenalty 0, ring 100 GB/s, links 3, nicAlignment 0, span numaNode, waste 0, linkPotential 405000, packingPotential 4

    Allocated: 2 claims.
    exit code 0
    ");
}

#[test]
fn topologies_that_say_nothing_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("machine.yaml");
    let answer = |text: &str| {
        fs::write(&file, text).unwrap();
        let machine = file.to_str().unwrap();
        dralloc(&[
            "allocate",
            "-f",
            "examples/one-gpu.yaml",
            "--topology",
            machine,
        ])
    };
    for text in [
        "",
        "apiVersion: v1\nkind: Node\nmetadata: {name: worker-9}\n",
    ] {
        let run = answer(text);
        let message = "error: --topology: no topology in the files, expected kind `Topology`\n";
        assert_eq!((run.code, &*run.output, &*run.errors), (2, "", message));
    }
    let head = "apiVersion: dralloc.dev/v1alpha1\nkind: Topology\nmetadata: {name: m}\n";
    let warning = "Topology `m` finds no device: none of its vertices has `match` or `device`";
    for (end, is_warned) in [("", true), (", device: a/b/c", false)] {
        let text = format!("{head}spec: {{vertices: [{{id: gpu0, kind: gpu{end}}}]}}\n");
        let run = answer(&text);
        assert_eq!(run.code, 0, "{}", run.errors);
        assert_eq!(run.errors.contains(warning), is_warned, "{}", run.errors);
    }
}
