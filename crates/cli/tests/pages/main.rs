//! What the pages of the documentation say: commands print what stands below them, and
//! links lead somewhere.
//!
//! `DRALLOC_UPDATE_PAGES=1 cargo test --workspace --test pages` writes what commands
//! print into the pages.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may panic"
)]

mod blocks;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod links;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the root of the repository.
fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// Returns the names of the pages below `docs`, in order.
fn pages() -> Vec<String> {
    fn add(folder: &str, pages: &mut Vec<String>) {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let path = format!("{folder}/{name}");
            if root().join(&path).is_dir() {
                add(&path, pages);
            } else if Path::new(&name).extension().is_some_and(|end| end == "md") {
                pages.push(path);
            }
        }
    }
    let mut pages = Vec::new();
    add("docs", &mut pages);
    pages.retain(|page| page != "docs/SUMMARY.md");
    pages.sort();
    pages
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).expect(page)
}
