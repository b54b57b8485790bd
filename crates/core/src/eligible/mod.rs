//! Verdicts of selectors as bitmaps, kept per expression and content of a slice.

mod cache;
mod device_row;
mod evaluator;
mod projection;
mod row;
mod slice_verdicts;
#[cfg(test)]
mod tests;

pub(crate) use cache::Verdicts;
pub use device_row::DeviceRow;
pub(crate) use row::{Row, derive};

/// This work of an evaluation, the cost by Kubernetes' rules and what comparisons
/// take beyond, is worth one branch of a search: either takes about a microsecond.
pub(crate) const COST_OF_A_BRANCH: u64 = 100;
