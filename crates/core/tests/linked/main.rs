//! Links and places of devices: answers against brute force, and their certificates.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod acceptance;
mod ask;
mod certificates;
mod known;
mod optima;
mod partitions;
mod permuted;
mod random;
mod rejected;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "no test file uses everything")]
mod support;
