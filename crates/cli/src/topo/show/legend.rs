//! What the levels mean, and which devices belong together.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dralloc_topology::{Level, Topology};

use crate::style::HEADING;
use crate::topo::chosen::{Mark, Marks};
use crate::topo::{islands, words};

/// So many groups of devices are listed; the others are counted.
const SHOWN: usize = 16;

/// Returns what each level that occurs means.
pub(super) fn legend(levels: &BTreeSet<Level>, marks: &Marks) -> String {
    let mut meanings: Vec<(&str, &str)> = levels.iter().map(|&level| meaning(level)).collect();
    meanings.dedup();
    if meanings.is_empty() {
        return String::new();
    }
    let mut text = format!("{HEADING}Legend:{HEADING:#}\n");
    if marks.has(Mark::Chosen) {
        text.push_str("  *      chosen\n");
    }
    for (name, meaning) in meanings {
        let _ = writeln!(text, "  {name:<7}{meaning}");
    }
    text
}

fn meaning(level: Level) -> (&'static str, &'static str) {
    match level {
        Level::Same => ("X", "itself"),
        Level::NvLink(_) => ("NV#", "so many NVLinks, directly or over switches"),
        Level::Xgmi(_) => ("XGMI#", "so many xGMI links"),
        Level::Pix => ("PIX", "at most one PCIe switch"),
        Level::Pxb => ("PXB", "several PCIe switches, and no host bridge"),
        Level::Phb => ("PHB", "one host bridge"),
        Level::Node => ("NODE", "host bridges of one NUMA node"),
        Level::Sys => ("SYS", "between NUMA nodes"),
        Level::Net => ("NET", "the network between hosts"),
    }
}

/// Returns the groups of devices that links join as text; nothing where there is no link.
pub(super) fn islands(topology: &Topology) -> String {
    let groups = islands::groups(topology);
    if groups.iter().all(|group| group.len() < 2) {
        return String::new();
    }
    let mut text = format!("{HEADING}Joined by links:{HEADING:#}\n");
    let (islands, single): (Vec<_>, Vec<_>) = groups.into_iter().partition(|group| group.len() > 1);
    sets(&mut text, topology, &islands);
    let single: Vec<usize> = single.into_iter().flatten().collect();
    if !single.is_empty() {
        let _ = writeln!(text, "  none: {}", names(topology, &single));
    }
    text
}

/// Returns the only sets that may be used together as text; nothing where all may.
pub(super) fn allowed(topology: &Topology) -> String {
    if topology.allowed_sets().is_empty() {
        return String::new();
    }
    let mut text = format!("{HEADING}Sets that may be used:{HEADING:#}\n");
    sets(&mut text, topology, topology.allowed_sets());
    text
}

fn sets(text: &mut String, topology: &Topology, sets: &[Vec<usize>]) {
    for set in sets.iter().take(SHOWN) {
        let devices = match set.len() {
            1 => "GPU",
            _ => "GPUs",
        };
        let _ = writeln!(text, "  {} {devices}: {}", set.len(), names(topology, set));
    }
    if sets.len() > SHOWN {
        let _ = writeln!(text, "  and {} more", sets.len() - SHOWN);
    }
}

fn names(topology: &Topology, set: &[usize]) -> String {
    let ids = set.iter().filter_map(|&device| topology.device(device));
    let ids: Vec<String> = ids.map(|vertex| words::short(&vertex.id)).collect();
    words::list(&ids)
}
