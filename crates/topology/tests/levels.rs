//! Levels of all machines against the matrices that come with them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod machines;

use std::collections::BTreeMap;

use dralloc_topology::Convention;
use serde_json::Value;

/// Where a recorded matrix says other than the graph beside it, and in how many cells:
/// machine, matrix, what is recorded, what follows from the links.
///
/// No rule can get these right, since other files record the usual level for the same
/// links: two devices on one NUMA node are `NODE` on `a100-pcie-x4-one-bridge` and
/// `SYS` on `a100-pcie-x8-bridge-pairs`, two on one switch `PIX` on
/// `hgx-h100-pix-pairs` and `PXB` on `dgx-a100`. NICs of two machines have no links at
/// all, and `PCIE` is a word of a simulator for pairs without a known way.
const RECORDED_OTHERWISE: [(&str, &str, &str, &str, usize); 9] = [
    ("a100-pcie-x8-bridge-pairs", "gpuGpu", "SYS", "NODE", 16),
    ("dgx-a100", "gpuNic", "PXB", "PIX", 16),
    ("hgx-a800-nv8-interleaved-nics", "gpuNic", "NODE", "SYS", 28),
    ("hgx-a800-nv8-interleaved-nics", "gpuNic", "PIX", "SYS", 8),
    ("hgx-b200-gpu2-nvlink-down", "gpuNic", "NODE", "SYS", 24),
    ("hgx-b200-gpu2-nvlink-down", "gpuNic", "PXB", "SYS", 8),
    ("mapa-torus2d-16", "gpuGpu", "PCIE", "SYS", 178),
    ("no-nvlink-x8-rail-nic", "gpuGpu", "SYS", "NODE", 24),
    ("no-nvlink-x8-rail-nic", "gpuNic", "SYS", "NODE", 24),
];

/// Matrices that NCCL's topology files or go-gpuallocator gave, not `nvidia-smi`.
const IN_NCCL_WORDS: [(&str, &str); 3] = [
    ("aws-p4d-a100", "gpuNic"),
    ("azure-ndv5-h100", "gpuNic"),
    ("dgx1-v100", "gpuGpuPCIe"),
];

#[test]
fn every_matrix_is_what_the_links_say() {
    let mut otherwise = Vec::new();
    let (mut machines, mut matrices, mut cells) = (0, 0, 0);
    for name in machines::names() {
        machines += 1;
        let levels: Value = serde_json::from_str(&machines::text(&name)).unwrap();
        for matrix in ["gpuGpu", "gpuGpuPCIe", "gpuNic"] {
            let Some(rows) = levels["expectedLevels"][matrix].as_array() else {
                continue;
            };
            matrices += 1;
            let mut topology = machines::machine(&name);
            if IN_NCCL_WORDS.contains(&(&*name, matrix)) {
                topology = topology.with_convention(Convention::Nccl);
            }
            let columns = match matrix {
                "gpuNic" => topology.nic_count(),
                _ => topology.device_count(),
            };
            assert_eq!(rows.len(), topology.device_count(), "{name} {matrix}");
            let mut wrong: BTreeMap<(String, String), usize> = BTreeMap::new();
            for (row, expected) in rows.iter().enumerate() {
                let expected = expected.as_array().unwrap();
                assert_eq!(expected.len(), columns, "{name} {matrix}");
                for (column, expected) in expected.iter().enumerate() {
                    cells += 1;
                    let found = match matrix {
                        "gpuGpu" => topology.level(row, column),
                        "gpuGpuPCIe" => topology.pcie_level(row, column),
                        _ => topology.nic_level(row, column),
                    };
                    let (expected, found) = (expected.as_str().unwrap(), found.to_string());
                    if expected != found {
                        *wrong.entry((expected.to_owned(), found)).or_default() += 1;
                    }
                }
            }
            for ((expected, found), count) in wrong {
                otherwise.push((name.clone(), matrix, expected, found, count));
            }
        }
    }
    let known = RECORDED_OTHERWISE.map(|(name, matrix, expected, found, count)| {
        let owned = str::to_owned;
        (owned(name), matrix, owned(expected), owned(found), count)
    });
    assert_eq!(otherwise, known);
    assert_eq!((machines, matrices, cells), (26, 37, 2448));
}

#[test]
fn hosts_of_a_rack_share_nvlink_and_racks_the_network() {
    let cluster = machines::machine("gb200-8xnvl72-576gpu");
    assert_eq!(cluster.device_count(), 576);
    assert_eq!(cluster.level(0, 3).to_string(), "NV18");
    assert_eq!(cluster.level(0, 71).to_string(), "NV18");
    assert_eq!(cluster.level(0, 72).to_string(), "NET");
    assert_eq!(cluster.pcie_level(0, 1).to_string(), "NODE");
    assert_eq!(cluster.pcie_level(0, 2).to_string(), "SYS");
    assert_eq!(cluster.pcie_level(0, 4).to_string(), "NET");
    let rack = machines::machine("gb200-nvl72-rack");
    assert_eq!(rack.level(0, 71).to_string(), "NV18");
    assert_eq!(rack.pcie_level(0, 1).to_string(), "NODE");
    assert_eq!(rack.pcie_level(0, 4).to_string(), "NET");
}

#[test]
fn levels_are_the_same_both_ways() {
    for name in machines::names() {
        let topology = machines::machine(&name);
        for a in 0..topology.device_count() {
            assert_eq!(topology.level(a, a).to_string(), "X", "{name}");
            for b in 0..a {
                assert_eq!(topology.level(a, b), topology.level(b, a), "{name} {a} {b}");
                assert_eq!(
                    topology.pcie_level(a, b),
                    topology.pcie_level(b, a),
                    "{name}"
                );
            }
        }
    }
}
