//! The C ABI, from C: programs in `tests/c` are compiled and run as a host would.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod exports;
mod header;
mod hostile;
mod pages;
mod programs;
mod sanitizers;
mod support;
