//! `dralloc topo import`, through the real binary.

mod common;

use common::{dralloc, dralloc_with};

#[test]
fn a_matrix_becomes_a_document() {
    let text = "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV4\t0-7\t0\nGPU1\tNV2\t X \t0-7\t0\n";
    let arguments = [
        "topo",
        "import",
        "--from",
        "nvidia-smi",
        "-o",
        "yaml",
        "--name",
        "pair",
        "-",
    ];
    insta::assert_snapshot!(dralloc_with(&arguments, text).text(), @r"
    apiVersion: dralloc.dev/v1alpha1
    kind: Topology
    metadata:
      name: pair
    spec:
      vertices:
      - id: gpu0
        kind: gpu
        numaNode: 0
      - id: gpu1
        kind: gpu
        numaNode: 0
      - id: numa0
        kind: numaNode
        numaNode: 0
      - id: host
        kind: host
      links:
      - a: gpu0
        b: gpu1
        type: NVLink
        count: 2
      - a: numa0
        b: host
        type: Host
      - a: gpu0
        b: numa0
        type: PCIe
      - a: gpu1
        b: numa0
        type: PCIe
    stderr: warning: <stdin>:3:6: `NV2` from `GPU1` to `GPU0`, but `NV4` in the row of the other, the weaker counts: `NV2`
    exit code 0
    ");
}

#[test]
fn files_of_all_sources_are_read_as_json() {
    for (source, file, id) in [
        ("nvidia-smi", "hgx-h100-8.txt", "gpu7"),
        ("nccl", "hgx-h200-8.xml", "nvswitch3"),
        ("rocm", "mi300x-8-amd-smi.txt", "gpu7"),
        ("labels", "nvl72-topograph.json", "block/leaf-1"),
    ] {
        let file = format!("testdata/importers/{source}/{file}");
        let run = dralloc(&["topo", "import", "--from", source, &file]);
        assert_eq!(run.code, 0, "{}", run.text());
        let document = dralloc_topology::Document::read(&run.output);
        let document = document.unwrap_or_else(|error| panic!("{source}: {error}"));
        assert_eq!(document.metadata.name, source);
        assert!(
            document.spec.vertices.iter().any(|vertex| vertex.id == id),
            "{source}"
        );
    }
}

#[test]
fn labels_are_read_from_yaml_with_their_places() {
    let node = |name: &str| {
        format!(
            "---\nkind: Node\nmetadata:\n  name: {name}\n  labels: {{rack: \"7\", x/block: b}}\n"
        )
    };
    let arguments = ["topo", "import", "--from", "labels", "-o", "yaml", "-"];
    let text = format!("{}{}---\n", node("a"), node("é"));
    insta::assert_snapshot!(dralloc_with(&arguments, &text).text(), @r#"
    apiVersion: dralloc.dev/v1alpha1
    kind: Topology
    metadata:
      name: labels
    spec:
      vertices:
      - id: a
        kind: host
        rack: 7
      - id: "é"
        kind: host
        rack: 7
      - id: block/b
        kind: block
      - id: fabric/all
        kind: fabric
      links:
      - a: a
        b: block/b
        type: NetTier
      - a: block/b
        b: fabric/all
        type: NetTier
      - a: "é"
        b: block/b
        type: NetTier
    exit code 0
    "#);
    let text = format!("{}{}", node("a"), node("a"));
    insta::assert_snapshot!(dralloc_with(&arguments, &text).text(), @r"
    stderr: error: <stdin>:9:9: node `a` is there twice, expected once
    exit code 2
    ");
    insta::assert_snapshot!(dralloc_with(&arguments, "kind: [\n").text(), @r"
    stderr: error: <stdin>:1:7: not valid YAML: unclosed bracket '['
    exit code 2
    ");
}

#[test]
fn what_is_wrong_is_said_with_file_line_and_column() {
    let run =
        |text: &str| dralloc_with(&["topo", "import", "--from", "nvidia-smi", "-"], text).text();
    insta::assert_snapshot!(run("\tGPU0\tGPU1\nGPU0\tX\tP\u{7}IN\n"), @r"
    stderr: error: <stdin>:2:8: expected a level such as `PIX` or `NV4`, found `P\u{7}IN`
    exit code 2
    ");
    insta::assert_snapshot!(run(""), @r"
    stderr: error: <stdin>:1:1: expected a line of devices such as `GPU0 GPU1`, found none
    exit code 2
    ");
    let run = dralloc(&[
        "topo",
        "import",
        "--from",
        "nccl",
        "testdata/importers/rocm/mi50-pcie-4.txt",
    ]);
    insta::assert_snapshot!(run.text(), @r"
    stderr: error: testdata/importers/rocm/mi50-pcie-4.txt:35:1: expected `<system>`, found no element
    exit code 2
    ");
    let run = dralloc(&["topo", "import", "--from", "nccl", "no/such/file"]);
    insta::assert_snapshot!(run.text(), @r"
    stderr: error: no/such/file: cannot be read: No such file or directory (os error 2)
    exit code 2
    ");
}
