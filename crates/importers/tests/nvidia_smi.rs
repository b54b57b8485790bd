//! `nvidia-smi topo -m`: levels that come back, variants of the text, and what is wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fmt::Write as _;
use std::fs;

use common::{error, pcie_of_all, sample, testdata, topology, warnings};
use dralloc_importers::{Source, import};
use dralloc_topology::Level;
use serde_json::Value;

const SOURCE: Source = Source::NvidiaSmi;

/// Prints a matrix; NICs come after the devices, cells that are not known are left out
/// with their rows.
fn matrix(gpus: usize, rows: &[Vec<String>], separator: &str) -> String {
    let columns = rows[0].len();
    let name = |place: usize| match place.checked_sub(gpus) {
        Some(nic) => format!("NIC{nic}"),
        None => format!("GPU{place}"),
    };
    let mut text = String::new();
    for column in 0..columns {
        write!(text, "{separator}{}", name(column)).unwrap();
    }
    for (row, cells) in rows.iter().enumerate() {
        write!(text, "\n{}", name(row)).unwrap();
        for cell in cells {
            write!(text, "{separator}{cell}").unwrap();
        }
    }
    text + "\n"
}

/// Returns the rows of the devices of a machine: the recorded levels.
fn recorded(name: &str) -> Option<(usize, Vec<Vec<String>>)> {
    let path = testdata("topologies").join(format!("{name}.json"));
    let machine: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let levels = &machine["expectedLevels"];
    let rows = levels["gpuGpu"].as_array()?;
    let nics = levels["gpuNic"].as_array();
    let rows: Vec<Vec<String>> = rows
        .iter()
        .enumerate()
        .map(|(row, cells)| {
            let more = nics.map_or(&[][..], |nics| nics[row].as_array().unwrap());
            let cells = cells.as_array().unwrap().iter().chain(more);
            cells
                .map(|cell| cell.as_str().unwrap().to_owned())
                .collect()
        })
        .collect();
    Some((rows.len(), rows))
}

/// All recorded matrices but those of other makers (xGMI, and one of a simulator) give
/// documents with exactly their levels. `PHB` is `NODE`; else nothing is odd.
#[test]
fn every_machine_comes_back_level_by_level() {
    let mut machines = 0;
    let mut cells = 0;
    let mut odd = Vec::new();
    for file in fs::read_dir(testdata("topologies")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let Some((gpus, rows)) = name.strip_suffix(".json").and_then(recorded) else {
            continue;
        };
        let is_other = |cell: &String| cell.starts_with("XGMI") || cell == "PCIE";
        if rows.iter().flatten().any(is_other) {
            continue;
        }
        machines += 1;
        let imported = import(SOURCE, matrix(gpus, &rows, "\t")).unwrap();
        let topology = topology(&imported);
        assert_eq!(topology.device_count(), gpus, "{name}");
        assert_eq!(topology.nic_count(), rows[0].len() - gpus, "{name}");
        for (a, row) in rows.iter().enumerate() {
            for (b, expected) in row.iter().enumerate() {
                cells += 1;
                let found = match b.checked_sub(gpus) {
                    Some(nic) => topology.nic_level(a, nic),
                    None => topology.level(a, b),
                };
                let expected = if expected == "PHB" { "NODE" } else { expected };
                assert_eq!(found.to_string(), expected, "{name} {a} {b}");
            }
        }
        if !imported.warnings.is_empty() {
            odd.push((name, warnings(&imported)));
        }
    }
    assert_eq!((machines, cells), (13, 1392));
    odd.sort();
    let phb = |name: &str, text: &str| (name.to_owned(), vec![text.to_owned()]);
    assert_eq!(
        odd,
        [
            phb(
                "aws-p4d-a100.json",
                "2:47: 8 pairs are `PHB`: documents have no host bridges, so that is `NODE` there",
            ),
            phb(
                "azure-ndv5-h100.json",
                "2:47: 24 pairs are `PHB`: documents have no host bridges, so that is `NODE` there",
            ),
        ]
    );
}

/// The same matrix, printed and copied in all ways.
#[test]
fn all_ways_to_print_a_matrix_say_the_same() {
    let expected = sample(SOURCE, "hgx-h100-8.txt");
    assert_eq!(warnings(&expected), [""; 0]);
    let text = fs::read_to_string(testdata("importers/nvidia-smi/hgx-h100-8.txt")).unwrap();
    let blanks = text.replace('\t', "        ");
    let utf16 = |unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(unit).collect()
    };
    let lines: Vec<&str> = text.lines().collect();
    for (what, text) in [
        (
            "without underline",
            text.replace("\u{1b}[4m", "").replace("\u{1b}[0m", ""),
        ),
        ("without escape characters", text.replace('\u{1b}', "")),
        ("with escapes as text", text.replace('\u{1b}', "^[")),
        (
            "with colours",
            text.replace("GPU0", "\u{1b}[1;31mGPU0\u{1b}[0;39;49m"),
        ),
        ("blanks for tabs", blanks.clone()),
        ("no-break blanks", blanks.replace(' ', "\u{a0}")),
        ("CRLF", text.replace('\n', "\r\n")),
        ("byte order mark", format!("\u{feff}{text}")),
        (
            "prompt",
            format!("root@node:~# nvidia-smi topo -m\n{text}root@node:~# "),
        ),
        ("markdown", format!("```\n{text}```\n")),
        (
            "device list before",
            format!("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\n{text}"),
        ),
        ("indented", lines.join("\n    ")),
        (
            "no legend",
            lines[..13].join("\n") + "\n" + &lines[lines.len() - 5..].join("\n"),
        ),
        (
            "another matrix after it",
            format!("{text}\tGPU0\tGPU1\nGPU0\tX\tOK\nGPU1\tOK\tX\n"),
        ),
    ] {
        assert_eq!(import(SOURCE, text).unwrap(), expected, "{what}");
    }
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        assert_eq!(import(SOURCE, utf16(unit)).unwrap(), expected);
    }
    // Without the columns of affinities the levels say the same of places.
    let cut = text.replace("\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID", "");
    let cut = cut.replace("\t0\t\tN/A", "").replace("\t1\t\tN/A", "");
    let cut = cut
        .replace("\t0-55,112-167", "")
        .replace("\t56-111,168-223", "");
    let imported = import(SOURCE, cut).unwrap();
    assert_eq!(
        imported.document.spec.links.len(),
        expected.document.spec.links.len()
    );
    let (first, second) = (topology(&imported), topology(&expected));
    for a in 0..8 {
        for b in 0..8 {
            assert_eq!(first.level(a, b), second.level(a, b));
            assert_eq!(first.pcie_level(a, b), second.pcie_level(a, b));
        }
        for nic in 0..4 {
            assert_eq!(first.nic_level(a, nic), second.nic_level(a, nic));
        }
    }
}

#[test]
fn nvlinks_are_switched_only_where_no_product_could_have_them_directly() {
    let all = |count: usize, cell: &str| -> Vec<Vec<String>> {
        let cell = |a, b| {
            if a == b {
                "X".to_owned()
            } else {
                cell.to_owned()
            }
        };
        let rows = 0..count;
        rows.map(|a| (0..count).map(|b| cell(a, b)).collect())
            .collect()
    };
    let switches = |rows: &[Vec<String>]| {
        let imported = import(SOURCE, matrix(rows.len(), rows, " ")).unwrap();
        let topology = topology(&imported);
        for (a, row) in rows.iter().enumerate() {
            for (b, cell) in row.iter().enumerate() {
                assert_eq!(topology.level(a, b).to_string(), *cell);
            }
        }
        let ports = (0..rows.len()).map(|device| topology.port(device).map(|port| port.count));
        (ports.collect::<Vec<_>>(), warnings(&imported))
    };
    // A bridge, a board of four without switches, and parts of switched boards.
    assert_eq!(switches(&all(2, "NV18")), (vec![None; 2], vec![]));
    assert_eq!(switches(&all(4, "NV4")), (vec![None; 4], vec![]));
    assert_eq!(switches(&all(4, "NV6")), (vec![None; 4], vec![]));
    assert_eq!(switches(&all(8, "NV12")), (vec![Some(12); 8], vec![]));
    assert_eq!(switches(&all(3, "NV18")), (vec![Some(18); 3], vec![]));
    assert_eq!(switches(&all(16, "NV6")), (vec![Some(6); 16], vec![]));
    // One device has lost a link of 18, another all.
    let mut rows = all(8, "NV18");
    for (lame, cell) in [(3, "NV17"), (5, "SYS")] {
        for place in (0..8).filter(|&place| place != lame) {
            rows[place][lame] = cell.to_owned();
            rows[lame][place] = cell.to_owned();
        }
    }
    let mut ports = vec![Some(18); 8];
    (ports[3], ports[5]) = (Some(17), None);
    assert_eq!(switches(&rows), (ports, vec![]));
    // What no switch does stays as it is told.
    let mut rows = all(4, "NV18");
    rows[0][1] = "NV2".to_owned();
    rows[1][0] = "NV2".to_owned();
    let warning = "2:12: `GPU2` has 54 `NVLink`s in all, more than 18, but its part is not linked \
                   each to each as over a switch, the links count as direct";
    assert_eq!(switches(&rows), (vec![None; 4], vec![warning.to_owned()]));
}

#[test]
fn what_the_matrix_hides_follows_from_nics_and_affinity() {
    let text = "\
        GPU0 GPU1 GPU2 NIC0 CPU Affinity NUMA Affinity\n\
        GPU0 X NV4 NV4 PIX 0-7 1\n\
        GPU1 NV4 X NV4 PIX 0-7 1\n\
        GPU2 NV4 NV4 X NODE 0-7 1\n\
        NIC0 PIX PIX NODE X\n";
    let imported = import(SOURCE, text).unwrap();
    let topology = topology(&imported);
    assert_eq!(topology.pcie_level(0, 1), Level::Pix);
    assert_eq!(topology.pcie_level(0, 2), Level::Node);
    assert_eq!(warnings(&imported), [""; 0]);
    let all = pcie_of_all(&imported.document);
    assert_eq!(all.pcie_level(2, 3), Level::Node);
    // Nothing but the affinity.
    let text = "GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity\n\
        GPU0 X NV4 NV4 0-7 0\nGPU1 NV4 X NV4 0-7 0\nGPU2 NV4 NV4 X 8-15 1\n";
    let topology = common::topology(&import(SOURCE, text).unwrap());
    assert_eq!(topology.pcie_level(0, 1), Level::Node);
    assert_eq!(topology.pcie_level(0, 2), Level::Sys);
}

#[test]
fn odd_matrices_are_told_and_never_read_as_nearer() {
    assert_eq!(
        warnings(&sample(SOURCE, "odd.txt")),
        [
            "5:9: `NV8` from `GPU1` to `GPU0`, but `NV12` in the row of the other, the weaker \
             counts: `NV8`",
            "5:25: 1 pair goes against the NUMA affinity of the devices: levels count",
            "6:33: `PIX` from `GPU2` to `GPU3` does not go with the other levels in a tree, it is \
             `SYS` in the document",
            "6:41: 1 pair is `PHB`: documents have no host bridges, so that is `NODE` there",
            "6:49: the tool knows no level of `GPU2` and `NIC1`",
        ]
    );
}

#[test]
fn what_is_wrong_is_said_with_line_and_column() {
    let rows =
        "\tGPU0\tGPU1\tNIC0\nGPU0\t X \tNV4\tPIX\nGPU1\tNV4\t X \tSYS\nNIC0\tPIX\tSYS\t X \n";
    assert!(import(SOURCE, rows).is_ok());
    for (text, expected) in [
        (
            String::new(),
            "malformed 1:1: expected a line of devices such as `GPU0 GPU1`, found none",
        ),
        (
            "no matrix\nhere".to_owned(),
            "malformed 2:5: expected a line of devices such as `GPU0 GPU1`, found none",
        ),
        (
            rows.replace("NV4", "NVX"),
            "malformed 2:10: expected a level such as `PIX` or `NV4`, found `NVX`",
        ),
        (
            rows.replace("\tSYS\n", "\tSYSPIX\n"),
            "malformed 3:17: expected 3 levels in the row, found more",
        ),
        (
            rows.replace("\tPIX\nGPU1", "\nGPU1"),
            "malformed 2:13: expected 3 levels in row `GPU0`, found 2",
        ),
        (
            rows.replace("GPU1\tNV4", "GPU2\tNV4"),
            "not-found 3:1: expected the row of a device of the header, found `GPU2`",
        ),
        (
            rows.replace("NIC0\tPIX", "mlx5_0\tPIX"),
            "not-found 4:1: expected the row of a device of the header, found `mlx5_0`",
        ),
        (
            rows.replace("GPU1\tNV4", "GPU0\tNV4"),
            "duplicate 3:1: row `GPU0` is there twice, expected once",
        ),
        (
            rows.replace("GPU1\tNIC0\n", "GPU0\tNIC0\n"),
            "duplicate 1:7: column `GPU0` is there twice, expected once",
        ),
        (
            rows.replace("NIC0\n", "numa0\n"),
            "malformed 1:12: expected a device such as `NIC0` or `mlx5_0`, found `numa0`",
        ),
        (
            rows.replace("NIC0\n", "NIC0\tCPU Infinity\n"),
            "malformed 1:17: expected `CPU Affinity`, `NUMA Affinity` or `GPU NUMA ID`, found `CPU`",
        ),
        (
            rows.replace("GPU1\tNV4\t X ", "GPU1\tX\tX"),
            "invalid 3:6: expected the level of two devices, found `X`",
        ),
        (
            rows.replace("GPU1\tNV4\t X ", "GPU1\tNV4\tNV4"),
            "invalid 3:10: expected `X`, the device itself",
        ),
        (
            rows.replace("PIX\nGPU1", "NV1\nGPU1"),
            "invalid 2:14: expected `PIX`, `PXB`, `PHB`, `NODE` or `SYS`, since NICs have no \
             `NVLink`",
        ),
        (
            rows.replace("NV4", "NV0"),
            "invalid 2:10: expected 1 to 1000000 links, found `NV0`",
        ),
        (
            rows.replace("NV4", "NV99999999999"),
            "invalid 2:10: expected 1 to 1000000 links, found `NV99999999999`",
        ),
        (
            rows.replace("NV4", "OK"),
            "unsupported 2:10: this is the matrix of `nvidia-smi topo -p2p`, which has no levels, \
             expected that of `nvidia-smi topo -m`",
        ),
        (
            rows.lines().take(2).collect::<Vec<_>>().join("\n"),
            "malformed 2:17: expected the row of `GPU1`, found the end",
        ),
    ] {
        assert_eq!(error(SOURCE, &text), expected, "{text}");
    }
    let many: Vec<String> = (0..1025).map(|gpu| format!("GPU{gpu}")).collect();
    assert_eq!(
        error(SOURCE, many.join(" ")),
        "limit-exceeded 1:7083: expected at most 1024 devices"
    );
    assert_eq!(
        error(SOURCE, b"\tGPU0\n\xc3\xa9\xff"),
        "malformed 2:2: expected text in UTF-8"
    );
    assert_eq!(
        error(SOURCE, b"\xff\xfeG\0\x00\xd8"),
        "malformed 1:2: expected text in UTF-16"
    );
    assert_eq!(
        error(SOURCE, b"\xff\xfeG\0P"),
        "malformed 1:2: expected text in UTF-16"
    );
}
