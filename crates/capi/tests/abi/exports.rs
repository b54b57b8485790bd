//! What the shared library shows of itself.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::{libraries, run};

#[test]
fn only_what_the_header_declares_can_be_seen() {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include/dralloc.h");
    let header = std::fs::read_to_string(header).unwrap();
    let code = header.lines().filter(|line| !line.starts_with("//"));
    let names = code.filter_map(|line| {
        let (before, _) = line.split_once('(')?;
        let name = before.rsplit([' ', '*']).next()?;
        name.starts_with("dralloc_").then_some(name)
    });
    let declared: BTreeSet<&str> = names.collect();
    let library = libraries().join("libdralloc.so.0");
    let listed = run(Command::new("nm")
        .args(["--dynamic", "--defined-only", "--format=posix"])
        .arg(&library));
    let names = listed.lines().map(|line| line.split(' ').next().unwrap());
    let exported: BTreeSet<&str> = names.collect();
    assert_eq!(exported, declared);
    assert_eq!(exported.len(), 90);
    let dynamic = run(Command::new("readelf").arg("--dynamic").arg(&library));
    assert!(dynamic.contains("soname: [libdralloc.so.0]"), "{dynamic}");
}
