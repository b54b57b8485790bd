//! Random matrices, and texts that are cut short or changed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::fmt::Write as _;
use std::fs;

use common::{pcie_of_all, topology};
use dralloc_importers::{Source, import};
use dralloc_topology::{Level, Topology};
use proptest::prelude::*;

/// Is a device of a random machine: a NIC or not, and its switch, root and NUMA node.
#[derive(Clone, Debug)]
struct Device {
    is_nic: bool,
    switch: u8,
    root: u8,
    node: u8,
}

/// Returns the level of two devices by the definition of the legend.
fn pcie(a: &Device, b: &Device) -> Level {
    if a.node != b.node {
        Level::Sys
    } else if a.root != b.root {
        Level::Node
    } else if a.switch != b.switch {
        Level::Pxb
    } else {
        Level::Pix
    }
}

fn device() -> impl Strategy<Value = Device> {
    (prop::bool::weighted(0.3), 0..2_u8, 0..2_u8, 0..2_u8).prop_map(
        |(is_nic, switch, root, node)| Device {
            is_nic,
            switch,
            root,
            node,
        },
    )
}

/// Prints a matrix in one of several ways.
fn print(names: &[String], rows: &[Vec<String>], style: u8) -> String {
    let separator = if style & 1 == 0 { "\t" } else { "   " };
    let (on, off) = if style & 2 == 0 {
        ("\u{1b}[4m", "\u{1b}[0m")
    } else {
        ("", "")
    };
    let end = if style & 4 == 0 { "\n" } else { "\r\n" };
    let mut text = format!("{separator}{on}{}{off}{end}", names.join(separator));
    for (name, row) in names.iter().zip(rows) {
        write!(text, "{name}{separator}{}{end}", row.join(separator)).unwrap();
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..Default::default() })]

    /// Any machine that is a tree comes back level by level, whatever its links.
    #[test]
    fn a_machine_comes_back(
        mut devices in prop::collection::vec(device(), 1..9),
        links in prop::collection::vec(0..3_u32, 64),
        is_switched in any::<bool>(),
        style in any::<u8>(),
    ) {
        devices.sort_by_key(|device| device.is_nic);
        devices[0].is_nic = false;
        let gpus = devices.iter().filter(|device| !device.is_nic).count();
        let level = |a: usize, b: usize| {
            let (first, second) = (a.min(b), a.max(b));
            let links = match links[first * 8 + second] {
                _ if is_switched => 12,
                links => links,
            };
            if a == b {
                Level::Same
            } else if second < gpus && links > 0 {
                Level::NvLink(links)
            } else {
                pcie(&devices[a], &devices[b])
            }
        };
        let count = devices.len();
        let rows: Vec<Vec<String>> = (0..count)
            .map(|a| (0..count).map(|b| level(a, b).to_string()).collect())
            .collect();
        let names: Vec<String> = (0..count)
            .map(|place| match place.checked_sub(gpus) {
                Some(nic) => format!("NIC{nic}"),
                None => format!("GPU{place}"),
            })
            .collect();
        let imported = import(Source::NvidiaSmi, print(&names, &rows, style)).unwrap();
        prop_assert_eq!(&imported.warnings, &[]);
        let topology = topology(&imported);
        let all = pcie_of_all(&imported.document);
        for a in 0..count {
            for b in 0..count {
                let expected = level(a, b);
                if a < gpus && b < gpus {
                    prop_assert_eq!(topology.level(a, b), expected);
                } else if a < gpus {
                    prop_assert_eq!(topology.nic_level(a, b - gpus), expected);
                }
                if !matches!(expected, Level::NvLink(_)) {
                    prop_assert_eq!(all.pcie_level(a, b), expected);
                }
            }
        }
    }

    /// A matrix that no machine has is never read as nearer than its weaker cell, and each
    /// cell that comes out as another is told.
    #[test]
    fn nonsense_is_never_nearer(
        count in 1..7_usize,
        cells in prop::collection::vec(0..7_usize, 36),
        style in any::<u8>(),
    ) {
        const LEVELS: [(&str, Option<Level>); 7] = [
            ("PIX", Some(Level::Pix)),
            ("PXB", Some(Level::Pxb)),
            ("PHB", Some(Level::Phb)),
            ("NODE", Some(Level::Node)),
            ("SYS", Some(Level::Sys)),
            ("N/A", None),
            ("NV2", Some(Level::NvLink(2))),
        ];
        let cell = |a: usize, b: usize| LEVELS[cells[a * 6 + b]];
        let rows: Vec<Vec<String>> = (0..count)
            .map(|a| {
                let cell = |b| if a == b { "X" } else { cell(a, b).0 };
                (0..count).map(|b| cell(b).to_owned()).collect()
            })
            .collect();
        let names: Vec<String> = (0..count).map(|gpu| format!("GPU{gpu}")).collect();
        let imported = import(Source::NvidiaSmi, print(&names, &rows, style)).unwrap();
        let topology = topology(&imported);
        for a in 0..count {
            for b in 0..a {
                let weaker = cell(a, b).1.max(cell(b, a).1);
                let Some(told) = weaker else { continue };
                let found = topology.level(a, b);
                prop_assert!(found >= told, "{a} {b}: {told}, {found}");
                let differ = cell(a, b).1.zip(cell(b, a).1).is_some_and(|(a, b)| a != b);
                if found != told || differ {
                    prop_assert!(!imported.warnings.is_empty());
                }
            }
        }
    }

    /// Bytes at random, and samples with some of them changed, are read or refused; what
    /// is read makes a topology.
    #[test]
    fn changed_text_is_read_or_refused(
        noise in prop::collection::vec(any::<u8>(), 0..200),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        pick in any::<prop::sample::Index>(),
    ) {
        for source in Source::ALL {
            check(source, &noise);
            let samples = common::samples(source);
            let mut bytes = fs::read(pick.get(&samples)).unwrap();
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            check(source, &bytes);
        }
    }
}

fn check(source: Source, bytes: &[u8]) {
    match import(source, bytes) {
        Ok(imported) => {
            Topology::new(&imported.document).unwrap();
        }
        Err(error) => {
            assert!(error.line() > 0 && error.column() > 0);
            let lines = bytes.split(|byte| *byte == b'\n').count();
            // Units of UTF-16 may end lines in another way.
            assert!(
                error.line() <= lines || bytes.starts_with(b"\xff\xfe"),
                "{error}"
            );
        }
    }
}

/// Every sample, cut short after every few bytes, in the source that it is from and the
/// others.
#[test]
fn text_that_is_cut_short_is_read_or_refused() {
    let mut refused = 0;
    for source in Source::ALL {
        for (number, path) in common::samples(source).into_iter().enumerate() {
            let bytes = fs::read(path).unwrap();
            for end in (number % 13..bytes.len()).step_by(13) {
                refused += usize::from(import(source, &bytes[..end]).is_err());
                check(source, &bytes[..end]);
            }
            for end in (number..bytes.len()).step_by(301) {
                for source in Source::ALL {
                    check(source, &bytes[..end]);
                }
            }
        }
    }
    assert!(refused > 2_000, "{refused}");
}

/// Hosts call on small stacks; deep and long texts must not need a large one.
#[test]
fn small_stacks_are_enough_and_long_texts_take_no_time() {
    let long = |unit: &str| unit.repeat(200_000);
    let texts = [
        long("["),
        long("{\"items\":["),
        long("<system>"),
        long("<system><cpu><pci>"),
        format!("<system>{}", long("<cpu/>")),
        format!(
            "<system><cpu><pci busid='1:0.0'>{}",
            long("<gpu><nvlink/></gpu>")
        ),
        long("GPU0 "),
        long("GPU0\n"),
        long("\u{1b}[4m"),
        long("[4"),
        long("=== Link Type between two GPUs ===\n"),
        format!("=== Link Type between two GPUs ===\n{}", long("GPU0 ")),
    ];
    let thread = std::thread::Builder::new()
        .stack_size(512 << 10)
        .spawn(move || {
            for text in &texts {
                for source in Source::ALL {
                    assert!(import(source, text).is_err());
                }
            }
        });
    thread.unwrap().join().unwrap();
}
