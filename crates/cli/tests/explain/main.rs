//! `dralloc explain`, through the real binary.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod errors;
mod extended;
mod gates;
mod given;
mod many;
mod patience;
mod sets;
mod subjects;
mod width;
