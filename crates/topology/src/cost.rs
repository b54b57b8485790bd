//! What sets cost: terms as whole numbers, lower is better.
//!
//! A search that weighs topology beside other things needs numbers that it can compare
//! and add. Each function here turns a measure into such a number, and keeps its order:
//!
//! - [`around`] divides a constant by the rate, rounded up. Of two rates the higher never
//!   costs more. It costs less where both are `r` thousandths of GB/s at most and differ by
//!   `r^2 / 10^15` thousandths: then the exact quotients differ by one at least. That is a
//!   kB/s for rates up to 1,000 GB/s.
//! - [`lacking`] takes links from a constant, for sets of one size.
//! - [`Level::cost`](crate::Level::cost) numbers levels in their order: kinds are 10^10 apart, links below that.
//! - The span is the place of its scope in [`Scope::ALL`](crate::Scope::ALL).
//! - Packing potential is taken from that of all free devices, a constant of a question.

use crate::rate::Rate;
use crate::ratio::Ratio;

/// Is what a set without a ring costs, and GPUs without a NIC: more than any rate does.
///
/// The slowest rate that a document can state is a thousandth of GB/s, at which a
/// terabyte takes 10^15 nanoseconds.
pub const NO_RING: i64 = 2_000_000_000_000_000;

/// Is the rate of a link where the document leaves rates out: 20 GB/s, that of the first
/// `NVLink`.
pub const ASSUMED_LINK: Rate = Rate::from_thousandths(20_000);

/// Returns the nanoseconds that a terabyte takes at a rate in thousandths of GB/s, rounded
/// up; [`NO_RING`] for no rate.
pub(crate) fn around(rate: Ratio) -> i64 {
    // 10^12 bytes at 10^6 bytes a second for each thousandth, in billionths of a second.
    const ONE: u128 = 1_000_000_000_000_000;
    let above = ONE.saturating_mul(u128::from(rate.denominator()));
    match u128::from(rate.numerator()) {
        0 => NO_RING,
        below => i64::try_from(above.div_ceil(below)).map_or(NO_RING, |cost| cost.min(NO_RING)),
    }
}

/// Returns how many links the pairs of `count` devices lack, if the best pair has `most`.
pub(crate) fn lacking(count: u32, most: u32, links: u64) -> i64 {
    let pairs = u64::from(count) * u64::from(count.saturating_sub(1)) / 2;
    let full = pairs.saturating_mul(u64::from(most));
    i64::try_from(full.saturating_sub(links)).unwrap_or(i64::MAX)
}
