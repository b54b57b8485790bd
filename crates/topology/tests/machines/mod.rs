//! The machines of `testdata/topologies`.

#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) mod known;
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) mod oracle;

use std::fs;
use std::path::{Path, PathBuf};

use dralloc_topology::{Document, Topology};
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/topologies")
}

/// Returns the text of a file of the folder.
pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(folder().join(format!("{name}.json"))).unwrap()
}

/// Returns the topology of a machine.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn machine(name: &str) -> Topology {
    Topology::new(&Document::read(&text(name)).unwrap()).unwrap()
}

/// Returns the names of all machines, in order.
#[allow(dead_code, reason = "not every test file needs it")]
pub(crate) fn names() -> Vec<String> {
    let files = fs::read_dir(folder()).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".json").map(str::to_owned))
        .filter(|name| {
            let value: Value = serde_json::from_str(&text(name)).unwrap();
            value["kind"] == "Topology"
        })
        .collect();
    names.sort();
    names
}
