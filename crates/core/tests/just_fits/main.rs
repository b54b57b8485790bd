//! Claims that just fit, and those of one more, whichever way answers them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod ask;
mod best;
mod cases;
mod nearly;
#[path = "../support/node.rs"]
mod node;
#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "no test file uses everything")]
mod support;
