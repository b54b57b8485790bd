//! Cards of NVIDIA with every MIG placement, alone, mixed, nearly full and several.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod answers;
mod ask;
mod counts;
#[path = "../support/mod.rs"]
mod support;
