//! `rocm-smi --showtopo` and `amd-smi topology`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fs;

use common::{error, sample, testdata, topology, warnings};
use dralloc_importers::{Source, import};
use dralloc_topology::{Document, Rate, Topology};

const SOURCE: Source = Source::Rocm;

/// Compares with the document of a machine that is described by other sources.
fn compare(name: &str, sample_name: &str, differs: &[(usize, usize)]) {
    let path = testdata("topologies").join(format!("{name}.json"));
    let machine = Document::read(&fs::read_to_string(path).unwrap()).unwrap();
    let machine = Topology::new(&machine).unwrap();
    let found = topology(&sample(SOURCE, sample_name));
    assert_eq!(found.device_count(), machine.device_count());
    for a in 0..found.device_count() {
        for b in 0..found.device_count() {
            let same = found.level(a, b) == machine.level(a, b);
            let is_known = differs.contains(&(a.min(b), a.max(b)));
            assert_ne!(same, is_known, "{name} {a} {b}: {}", found.level(a, b));
        }
    }
}

#[test]
fn machines_are_as_other_sources_have_them() {
    compare("mi210-2hives-kfd", "mi210-two-hives.txt", &[]);
    let found = topology(&sample(SOURCE, "mi300x-8-amd-smi.txt"));
    for a in 0..8 {
        for b in 0..8 {
            let expected = if a == b { "X" } else { "XGMI1" };
            assert_eq!(found.level(a, b).to_string(), expected);
        }
    }
    assert_eq!(
        found.wire(0, 1).unwrap().rate,
        Some(Rate::from_thousandths(50_000))
    );
    let vertex = found.device(3).unwrap();
    assert_eq!(vertex.matches.as_ref().unwrap().value, "0000:5c:00.0");
    assert_eq!(vertex.id, "gpu3");
}

#[test]
fn bandwidths_tell_direct_links_and_their_number() {
    let imported = sample(SOURCE, "mi250x-8-bandwidth.txt");
    let found = topology(&imported);
    let row = |a: usize| -> Vec<String> { (0..8).map(|b| found.level(a, b).to_string()).collect() };
    assert_eq!(
        row(0),
        ["X", "XGMI4", "XGMI1", "SYS", "SYS", "SYS", "XGMI2", "SYS"]
    );
    assert_eq!(
        row(5),
        ["SYS", "XGMI1", "SYS", "SYS", "XGMI4", "X", "SYS", "XGMI1"]
    );
    assert_eq!(
        found.wire(0, 6).unwrap().rate,
        Some(Rate::from_thousandths(100_000))
    );
    let told = "28:47: 16 `XGMI` pairs have no link of their own, only over others";
    assert_eq!(warnings(&imported), [told]);
    // Without bandwidths weights tell the same pairs, without numbers.
    let weights = topology(&sample(SOURCE, "mi250x-8-weights.txt"));
    for a in 0..8 {
        for b in 0..8 {
            assert_eq!(weights.wire(a, b).is_some(), found.wire(a, b).is_some());
        }
    }
    assert_eq!(weights.level(0, 1).to_string(), "XGMI1");
    // A driver that tells no bandwidth of any pair tells nothing.
    let text = fs::read_to_string(testdata("importers/rocm/mi300x-8-amd-smi.txt")).unwrap();
    let text = text.replace("50000-50000", "0-0");
    let found = topology(&import(SOURCE, text).unwrap());
    assert_eq!(found.level(0, 7).to_string(), "XGMI1");
    assert_eq!(found.wire(0, 1).unwrap().rate, None);
}

#[test]
fn numa_nodes_are_told_or_follow_from_hops() {
    let found = topology(&sample(SOURCE, "mi50-pcie-4.txt"));
    assert_eq!(found.level(0, 3).to_string(), "NODE");
    assert_eq!(found.device(2).unwrap().numa_node, Some(1));
    let found = topology(&sample(SOURCE, "radeon-4-amd-smi.txt"));
    assert_eq!(found.level(0, 1).to_string(), "NODE");
    assert_eq!(found.level(1, 2).to_string(), "SYS");
    assert_eq!(found.level(2, 3).to_string(), "NODE");
}

const PAIR: &str = "\
=== Weight between two GPUs ===
       GPU0 GPU1
GPU0   0    15
GPU1   15   0
=== Link Type between two GPUs ===
       GPU0 GPU1
GPU0   0    XGMI
GPU1   XGMI 0
=== Numa Nodes ===
GPU[0] : (Topology) Numa Node: 0
GPU[0] : (Topology) Numa Affinity: -1
GPU[1] : (Topology) Numa Node: 0
GPU[1] : (Topology) Numa Affinity: 0
";

#[test]
fn what_is_wrong_is_said_with_line_and_column() {
    let imported = import(SOURCE, PAIR).unwrap();
    assert_eq!(topology(&imported).level(0, 1).to_string(), "XGMI1");
    assert_eq!(topology(&imported).pcie_level(0, 1).to_string(), "PHB");
    let odd = PAIR.replace("GPU1   XGMI 0", "GPU1   PCIE 0");
    let imported = import(SOURCE, odd).unwrap();
    assert_eq!(
        warnings(&imported),
        ["8:8: `PCIE` here, but `XGMI` the other way, so they have no link"]
    );
    assert_eq!(topology(&imported).level(0, 1).to_string(), "NODE");
    for (text, expected) in [
        (
            String::new(),
            "malformed 1:1: expected a matrix of link types, found none",
        ),
        (
            PAIR.replace("Link Type", "Link Speed"),
            "malformed 14:1: expected a matrix of link types, found none",
        ),
        (
            PAIR.replace("0    XGMI", "0    XBOX"),
            "malformed 7:13: expected `XGMI` or `PCIE`, found `XBOX`",
        ),
        (
            PAIR.replace("0    15", "0    heavy"),
            "invalid 3:13: expected a number, found `heavy`",
        ),
        (
            PAIR.replace("GPU1   XGMI 0", "GPU1   XGMI"),
            "malformed 8:12: expected 2 cells in row `GPU1`, found 1",
        ),
        (
            PAIR.replace("GPU1   XGMI 0", "GPU1   XGMI 0 0"),
            "malformed 8:15: expected 2 cells in row `GPU1`, found 3",
        ),
        (
            PAIR.replace("GPU1   XGMI 0", "GPU2   XGMI 0"),
            "not-found 8:1: expected the row of a device of the header, found `GPU2`",
        ),
        (
            PAIR.replace("GPU1   XGMI 0", "GPU0   XGMI 0"),
            "duplicate 8:1: row `GPU0` is there twice, expected once",
        ),
        (
            PAIR.replace("GPU1   XGMI 0\n", ""),
            "malformed 8:19: expected the row of `GPU1`, found the end of the matrix",
        ),
        (
            PAIR.replacen("GPU0 GPU1", "GPU0 GPU0", 1),
            "duplicate 2:13: column `GPU0` is there twice, expected once",
        ),
        (
            PAIR.replacen("GPU0 GPU1", "GPU0 GPU1 GPU2", 1),
            "malformed 3:15: expected 3 cells in row `GPU0`, found 2",
        ),
        (
            PAIR.replacen("GPU0 GPU1", "GPU0 01:00.0", 1),
            "invalid 2:13: expected all devices by address or none, found `01:00.0`",
        ),
        (
            PAIR.replace(
                "GPU[1] : (Topology) Numa Node",
                "GPU[7] : (Topology) Numa Node",
            ),
            "not-found 12:1: expected a device of the matrices, found `GPU7`",
        ),
        (
            PAIR.replace("Affinity: 0", "Affinity: zero"),
            "malformed 13:36: expected the number of a NUMA node, found `zero`",
        ),
        (
            format!("{PAIR}=== Link Type between two GPUs ===\n GPU0 GPU1\n"),
            "duplicate 15:2: this matrix is there already, expected it once",
        ),
        (
            format!("{PAIR}=== Bandwidth ===\n GPU0 GPU1\nGPU0 N/A 9-1\nGPU1 1-9 N/A\n"),
            "invalid 16:10: expected a bandwidth such as `50000-200000`, found `9-1`",
        ),
    ] {
        assert_eq!(error(SOURCE, &text), expected, "{text}");
    }
}
