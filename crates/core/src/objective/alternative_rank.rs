//! Alternative rank: how far down the lists of `firstAvailable` an answer is.
//!
//! The sum over requests of the index of the alternative that each gets.
//!
//! Bound: a request adds the index of its first alternative that can be had.
//! Admissible: it gets one of those, and none of them has a smaller index.

/// Returns what a request adds that gets its alternative at an index.
pub(super) fn of(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}
