//! `dralloc topo`, through the real binary.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/mod.rs"]
mod common;
mod documents;
mod optima;
mod pages;
mod select;
mod show;

/// Returns the path of a document of a real machine.
fn machine(name: &str) -> String {
    format!("testdata/topologies/{name}.json")
}
