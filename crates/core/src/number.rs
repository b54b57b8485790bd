//! [`number`]: lengths and places as small numbers.

/// Returns a length or a place in 32 bits. Memory ends before four billion
/// devices, claims, names or values do.
pub(crate) fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
