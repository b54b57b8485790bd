//! The matrix of levels, as `nvidia-smi topo -m` prints it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use dralloc_topology::{Level, Topology, VertexKind};

use crate::style::{GOOD, HEADING};
use crate::topo::chosen::{Mark, Marks};
use crate::topo::words;

/// So many devices, and as many NICs, are in a matrix that is not asked for as a whole.
const SHOWN: usize = 16;

/// Is a matrix, and the levels in it.
pub(super) struct Matrix {
    pub(super) text: String,
    pub(super) levels: BTreeSet<Level>,
}

/// Is what a row or column is of.
#[derive(Clone, Copy)]
enum Entry {
    Device(usize),
    Nic(usize),
}

/// Returns the matrix; of many devices the chosen ones, or the first.
pub(super) fn matrix(topology: &Topology, marks: &Marks, whole: bool) -> Matrix {
    let devices = shown(&marks.devices, whole);
    let nics = shown(&marks.nics, whole);
    let left_out = marks.devices.len() + marks.nics.len() - devices.len() - nics.len();
    let devices = devices.into_iter().map(Entry::Device);
    let entries: Vec<Entry> = devices.chain(nics.into_iter().map(Entry::Nic)).collect();
    let numbers = numbers(topology);
    let node = |entry: Entry| node(topology, &numbers, entry);
    let nodes = entries.iter().any(|&entry| node(entry).is_some());
    let mut levels = BTreeSet::new();
    let mut titles = vec![String::new()];
    titles.extend(entries.iter().map(|&entry| name(topology, marks, entry)));
    if nodes {
        titles.push("NUMA".to_owned());
    }
    let mut rows = vec![titles];
    for &row in &entries {
        let mut cells = vec![name(topology, marks, row)];
        for &column in &entries {
            let level = level(topology, row, column);
            levels.insert(level);
            cells.push(level.to_string());
        }
        if nodes {
            cells.push(node(row).unwrap_or_else(|| "-".to_owned()));
        }
        rows.push(cells);
    }
    levels.remove(&Level::Same);
    let mut text = if entries.is_empty() {
        String::new()
    } else {
        aligned(&rows)
    };
    if left_out > 0 {
        let (shown, all) = (entries.len(), entries.len() + left_out);
        let _ = writeln!(
            text,
            "{shown} of {all} devices and NICs; --matrix prints all"
        );
    }
    Matrix { text, levels }
}

/// Returns which rows there are: all, or if these are many the marked ones, or the first.
fn shown(marks: &[Mark], whole: bool) -> Vec<usize> {
    if whole || marks.len() <= SHOWN {
        return (0..marks.len()).collect();
    }
    let chosen = marks.iter().enumerate();
    let chosen = chosen.filter(|(_, mark)| **mark == Mark::Chosen);
    let chosen: Vec<usize> = chosen.map(|(number, _)| number).take(SHOWN).collect();
    if chosen.is_empty() {
        (0..SHOWN).collect()
    } else {
        chosen
    }
}

fn level(topology: &Topology, row: Entry, column: Entry) -> Level {
    match (row, column) {
        (Entry::Device(a), Entry::Device(b)) if a == b => Level::Same,
        (Entry::Nic(a), Entry::Nic(b)) if a == b => Level::Same,
        (Entry::Device(a), Entry::Device(b)) => topology.level(a, b),
        (Entry::Device(device), Entry::Nic(nic)) | (Entry::Nic(nic), Entry::Device(device)) => {
            topology.nic_level(device, nic)
        }
        (Entry::Nic(a), Entry::Nic(b)) => topology.nic_pair_level(a, b),
    }
}

/// Returns the id, with a star if it is chosen.
fn name(topology: &Topology, marks: &Marks, entry: Entry) -> String {
    let (vertex, mark) = match entry {
        Entry::Device(device) => (topology.device(device), marks.devices.get(device)),
        Entry::Nic(nic) => (topology.nic(nic), marks.nics.get(nic)),
    };
    let id = vertex.map_or(String::new(), |vertex| words::short(&vertex.id));
    match mark {
        Some(Mark::Chosen) => format!("*{id}"),
        _ => id,
    }
}

/// Returns the NUMA node: its number, else the id of its vertex.
fn node(topology: &Topology, nodes: &BTreeMap<&str, String>, entry: Entry) -> Option<String> {
    let (vertex, node) = match entry {
        Entry::Device(device) => {
            let mut around = topology.around(device);
            let node = around.find(|vertex| vertex.kind == VertexKind::NumaNode);
            (topology.device(device)?, node)
        }
        Entry::Nic(nic) => {
            let mut around = topology.around_nic(nic);
            let node = around.find(|vertex| vertex.kind == VertexKind::NumaNode);
            (topology.nic(nic)?, node)
        }
    };
    let number = vertex.numa_node.or(node.and_then(|node| node.numa_node));
    match number.filter(|&number| number >= 0) {
        Some(number) => Some(number.to_string()),
        None => node.map(|node| words::short(nodes.get(&*node.id).map_or(&node.id, |known| known))),
    }
}

/// Returns the numbers of NUMA nodes of which only the devices on them tell it, by the
/// ids of their vertices.
fn numbers(topology: &Topology) -> BTreeMap<&str, String> {
    let devices = 0..topology.device_count();
    let numbers = devices.filter_map(|device| {
        let number = topology.device(device)?.numa_node;
        let mut around = topology.around(device);
        let node = around.find(|vertex| vertex.kind == VertexKind::NumaNode)?;
        Some((&*node.id, number.filter(|&number| number >= 0)?.to_string()))
    });
    numbers.collect()
}

/// Returns rows with columns of equal width; the first row is a heading.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let gap = if column == 0 { "" } else { "  " };
            let pad = width - cell.chars().count();
            let style = match (number, column) {
                (0, _) | (_, 0) if cell.starts_with('*') => GOOD,
                (0, _) | (_, 0) => HEADING,
                _ => anstyle::Style::new(),
            };
            let _ = write!(line, "{gap}{style}{cell}{style:#}{:pad$}", "");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}
