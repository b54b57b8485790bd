//! The programs in `tests/c`, compiled and run as a host would.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod support;

use support::{Build, Linkage};

#[test]
fn a_program_uses_every_noun() {
    for linkage in [Linkage::Shared, Linkage::Static] {
        assert_eq!(Build::new("smoke").linkage(linkage).run(&[]), "ok\n");
    }
}
