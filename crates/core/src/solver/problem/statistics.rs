//! [`Statistics`]: what a search did.

/// Says what the search for an answer took.
///
/// Questions that are answered without a search leave all at zero, but for
/// branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Devices that were tried, as a budget counts them.
    pub branches: u64,
    /// Searches that were begun: for the answer, and for an error before it.
    pub tries: u64,
    /// Choices that had nothing left to choose.
    pub dead_ends: u64,
    /// Picks that others, or a rule, did not allow.
    pub refused: u64,
    /// Picks after which one request could not be satisfied any more.
    pub short_of_request: u64,
    /// Picks after which requests wanted more devices than there were.
    pub short_of_count: u64,
    /// Picks after which no value of an attribute was left for a constraint.
    pub short_of_values: u64,
    /// Picks after which too few values were left for all constraints that are alike.
    pub short_of_bundles: u64,
    /// Picks after which shared devices had too few shares left.
    pub short_of_shares: u64,
    /// Picks after which devices that share counters could not give enough.
    pub short_of_parts: u64,
    /// Choices of unrelated requests that a dead end left as they were.
    pub jumps: u64,
    /// Better answers that followed a first one.
    pub improvements: u64,
}
