//! What a search took.

use dralloc::{Error, Statistics};
use serde::Serialize;

use crate::text::text;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatisticsForm {
    branches: u64,
    tries: u64,
    dead_ends: u64,
    refused: u64,
    short_of_request: u64,
    short_of_count: u64,
    short_of_values: u64,
    short_of_bundles: u64,
    short_of_shares: u64,
    short_of_parts: u64,
    jumps: u64,
    improvements: u64,
}

/// Writes what a search took, with the names of [`Statistics`].
///
/// # Errors
///
/// Those of [`text`](crate::text()).
pub fn statistics(statistics: &Statistics) -> Result<String, Error> {
    text(&StatisticsForm {
        branches: statistics.branches,
        tries: statistics.tries,
        dead_ends: statistics.dead_ends,
        refused: statistics.refused,
        short_of_request: statistics.short_of_request,
        short_of_count: statistics.short_of_count,
        short_of_values: statistics.short_of_values,
        short_of_bundles: statistics.short_of_bundles,
        short_of_shares: statistics.short_of_shares,
        short_of_parts: statistics.short_of_parts,
        jumps: statistics.jumps,
        improvements: statistics.improvements,
    })
}
