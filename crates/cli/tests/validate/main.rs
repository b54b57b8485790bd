//! `dralloc validate`, through the real binary.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/mod.rs"]
mod common;
mod examples;
mod input;
mod names;
mod options;
mod places;
mod warnings;
mod wrong;

use common::{dralloc, dralloc_with};

/// Validates what is on standard input; returns all that is printed.
fn validate(input: &str, arguments: &[&str]) -> String {
    dralloc_with(&[&["validate", "-f", "-"], arguments].concat(), input).text()
}

/// Validates a file of the repository.
fn validate_file(path: &str, arguments: &[&str]) -> common::Run {
    dralloc(&[&["validate", "-f", path], arguments].concat())
}
